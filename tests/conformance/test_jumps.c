/* test_jumps.c - clusters, bridges and samplers that a pilot completes.
 *
 * Clusters on models of pairs of every kind and sign; bridges with a library
 * of wrong modes on every coordinate kind; both against matrices from their
 * definitions; copies with a fault, which must be seen; frozen results of
 * pilots.  Limits of p as in the other suites. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "conformance/support/broken_jumps.h"
#include "conformance/support/jump_matrix.h"
#include "conformance/support/mode_file.h"
#include "conformance/support/suite.h"
#include "kernel/library.h"
#include "model/factors.h"

#define QUICK 60000

static const char *const pair_models[] = {
    "ising(side=3,beta=0.3)",
    "ising(side=3,beta=-0.25,field=0.3)",
    "ising(side=2,beta=0.3,field=-0.2,dims=3)",
    "pairs(d=6,coupling=0.6,bias=0.3)",
    "potts(side=2,states=3,beta=0.3)",
    "potts(side=2,states=4,beta=-0.4,field=0.5)",
    "potts(side=2,states=5,beta=0.3,field=-0.5)",
};

#define COUNT(a) (sizeof(a) / sizeof *(a))

static void clusters_keep_the_law(void **state)
{
    static const char *const samplers[] = {
        "cluster",
        "cluster(update=one)",
        "hiss(eta=0.8,steps=1,inner=cluster)",
        "hiss(eta=0.8,steps=2,inner=cluster(update=one))",
        "sequence(gibbs,cluster)",
        "pt(base=sequence(gibbs,cluster),ladder=[1,2,inf])",
        "pt(base=hiss(eta=1,steps=1,inner=cluster),ladder=[1,3,inf])",
        "pt(base=gibbs,ladder=[1,2,4],houdayer=1)",
        "pt(base=metropolis,ladder=[1,3,inf],swap_every=2,houdayer=2)",
    };

    (void)state;
    assert_int_equal(suite_all_complaints(pair_models, COUNT(pair_models),
                                          samplers, COUNT(samplers),
                                          suite_replicates(QUICK), 120000, 0.1),
                     0);
}

static void other_models_are_refused(void **state)
{
    (void)state;
    suite_refuses("cluster", "bernoulli4", "pairs");
    suite_refuses("cluster", "mixture(2,4)", "pairs");
}

/* 1 if the transitions of the sampler are not those of p. */
static int compare(const char *name, const hs_model *m, const space *s,
                   const char *sampler, matrix p, uint64_t seed)
{
    return matrix_complaints(name, m, s, sampler, p,
                             suite_replicates(2 * (int64_t)QUICK), seed);
}

/* A square of four sites: side 2 has every bond doubled. */
static int compare_square(const char *spec, double w, double field,
                          uint64_t seed)
{
    const bond square[] = {{0, 1, w}, {2, 3, w}, {0, 2, w}, {1, 3, w}};
    static matrix p;
    double h[SPACE_DIM][SPACE_VALUES] = {{0}};
    hs_model *m = suite_model_of(spec);
    space s;
    int wrong = 0;

    space_init(&s, m);
    for (int i = 0; i < s.dim; i++)
        for (int v = 0; v < s.states[i]; v++)
            h[i][v] = s.is_labels[i] ? field * (v == 0) : field * s.value[i][v];
    matrix_cluster(&s, square, 4, h, false, p);
    wrong += compare(spec, m, &s, "cluster", p, seed);
    matrix_cluster(&s, square, 4, h, true, p);
    wrong += compare(spec, m, &s, "cluster(update=one)", p, seed + 1);
    hs_model_destroy(m);
    return wrong;
}

static void clusters_are_as_defined(void **state)
{
    int wrong = 0;

    (void)state;
    wrong +=
        compare_square("ising(side=2,beta=0.2,field=0.3)", 0.8, 0.3, 121000);
    wrong += compare_square("ising(side=2,beta=-0.15)", -0.6, 0.0, 121010);
    wrong += compare_square("potts(side=2,states=3,beta=0.4,field=0.2)", 0.8,
                            0.2, 121020);
    wrong +=
        compare_square("potts(side=2,states=4,beta=-0.3)", -0.6, 0.0, 121030);
    assert_int_equal(wrong, 0);
}

/* Coordinates that share a table. */
static void join(const hs_model *m, bool joined[SPACE_DIM][SPACE_DIM])
{
    hs_factors f;

    memset(joined, 0, SPACE_DIM * sizeof *joined);
    if (!m->ops->factors)
        return;
    assert_int_equal(m->ops->factors(m, &f, NULL), HISS_OK);
    for (int64_t n = 0; n < f.count; n++)
        for (int64_t a = f.scope_at[n]; a < f.scope_at[n + 1]; a++)
            for (int64_t b = f.scope_at[n]; b < f.scope_at[n + 1]; b++)
                joined[f.scope[a]][f.scope[b]] = true;
    hs_factors_clear(&f);
}

/* How many pieces the library of these modes has, and how many of them a step
 * exchanges. */
static void count_pieces(const hs_model *m, int mode[MODES][SPACE_DIM],
                         int *count, int *rounds)
{
    int16_t state[SPACE_DIM];
    hs_library *b;

    assert_int_equal(hs_library_create(&b, &m->domain, MODES, NULL), HISS_OK);
    for (int k = 0; k < MODES; k++) {
        for (int i = 0; i < m->domain.dim; i++)
            state[i] = (int16_t)mode[k][i];
        assert_int_equal(hs_library_state(b, &m->domain, k, state, NULL),
                         HISS_OK);
    }
    hs_library_weigh(b, NULL);
    assert_int_equal(hs_library_cut(b, m, NULL), HISS_OK);
    assert_true((b->pieces.table != NULL) ==
                (m->ops->factors && b->pieces.count > 0));
    *count = b->pieces.count;
    *rounds = b->pieces.table ? hs_pieces_rounds(&b->pieces, m->domain.dim) : 0;
    hs_library_destroy(b);
}

/* Jumps against their definitions. */
static int compare_bridges(const char *name, const hs_model *m,
                           int mode[MODES][SPACE_DIM], const char *path,
                           uint64_t seed)
{
    static const struct {
        const char *sampler;
        double swap;
        int sites;
    } whole[] = {
        {"bridge(modes=\"%\",learn=no)", 0.0, 64},
        {"bridge(swap=0.4,modes=\"%\",learn=no)", 0.4, 64},
        {"bridge(sites=1,modes=\"%\",learn=no)", 0.0, 1},
        {"bridge(sites=2,swap=0.2,modes=\"%\",learn=no)", 0.2, 2},
    };
    bool ordered[SPACE_DIM], joined[SPACE_DIM][SPACE_DIM];
    int wrong = 0, count, rounds;
    char sampler[256];
    static matrix p;
    space s;

    space_init(&s, m);
    for (int i = 0; i < s.dim; i++)
        ordered[i] = m->domain.kind[i] == HISS_ORDINAL;
    for (size_t n = 0; n < COUNT(whole); n++) {
        mode_file_in(sampler, sizeof sampler, whole[n].sampler, path);
        matrix_bridge(&s, mode, MODES, ordered, whole[n].swap, whole[n].sites,
                      p);
        wrong += compare(name, m, &s, sampler, p, seed++);
    }
    join(m, joined);
    count_pieces(m, mode, &count, &rounds);
    assert_int_equal(matrix_pieces(&s, mode, MODES, joined, rounds, p), count);
    mode_file_in(sampler, sizeof sampler,
                 "bridge(components=1,modes=\"%\",learn=no)", path);
    return wrong + (count > 0 && compare(name, m, &s, sampler, p, seed));
}

/* Nothing that a library says may change the law. */
static int wrong_modes(const char *name, const hs_model *m, uint64_t seed)
{
    static const char *const samplers[] = {
        "bridge(modes=\"%\",learn=no)",
        "bridge(swap=0.4,modes=\"%\",learn=no)",
        "bridge(sites=1,modes=\"%\",learn=no)",
        "bridge(components=0.5,swap=0.5,modes=\"%\",learn=no)",
        "sequence(gibbs,bridge(components=1,modes=\"%\",learn=no))",
        "hiss(eta=1,steps=1,inner=bridge(swap=0.3,modes=\"%\",learn=no))",
        "hiss(eta=1,steps=1,inner=bridge(components=1,modes=\"%\",learn=no))",
        "sequence(gibbs,bridge(modes=\"%\"))",
        ("pt(base=sequence(gibbs,bridge(components=0.5,modes=\"%\",learn=no)),"
         "ladder=[1,2,inf])"),
    };
    char path[] = "/tmp/hiss_modes_XXXXXX";
    int mode[MODES][SPACE_DIM], wrong = 0;

    mode_file_write(m, path, mode);
    for (size_t n = 0; n < COUNT(samplers); n++) {
        char sampler[256];

        mode_file_in(sampler, sizeof sampler, samplers[n], path);
        wrong += suite_complaints(name, m, sampler, suite_replicates(QUICK),
                                  suite_seed(seed++), 0.02);
    }
    wrong += compare_bridges(name, m, mode, path, seed);
    unlink(path);
    return wrong;
}

/* *state is a model. */
static void wrong_modes_keep_the_law(void **state)
{
    suite_model which = *(suite_model *)*state;
    hs_model *m = suite_create(which);

    assert_int_equal(
        wrong_modes(suite_names[which], m, 122000 + 100 * (uint64_t)which), 0);
    hs_model_destroy(m);
}

/* Pieces whose U has to be evaluated. */
static void models_without_tables_keep_the_law(void **state)
{
    hs_model *m = suite_model_of("mixture(3,6)");

    (void)state;
    assert_null(m->ops->factors);
    assert_int_equal(wrong_modes("mixture", m, 124000), 0);
    hs_model_destroy(m);
}

/* Pilots of small models with modes, frozen. */
static void what_a_pilot_chose_keeps_the_law(void **state)
{
    static const char *const models[] = {
        "mixture(3,9,strength_low=1.2,strength_high=1.6)",
        "ising(side=3,beta=0.9,field=0.02)",
        "potts(side=2,states=4,beta=1.4)",
        "ladder(d=4,levels=4,beta=0.6)",
        "pairs(d=8,coupling=2)",
        "bernoulli4",
    };
    static const char *const samplers[] = {
        "auto",
        "auto(independent=no)",
        "auto(base=dmala(alpha=auto),independent=no)",
        "pt(base=gibbs,levels=auto)",
        "pt(base=hiss(eta=auto,steps=1,inner=gwg),levels=auto)",
        "pt(base=dmala,levels=auto,max_temperature=6)",
        "pt(base=sequence(gibbs,bridge(swap=0.3)),levels=auto)",
        "sequence(gibbs,bridge)",
    };

    (void)state;
    assert_int_equal(
        suite_all_complaints(models, COUNT(models), samplers, COUNT(samplers),
                             suite_replicates(QUICK), 125000, 0.02),
        0);
}

/* 1 if a verdict is not what it has to be. */
static int judge(const char *name, const hs_model *m, const char *sampler,
                 bool is_right, uint64_t seed)
{
    if (is_right)
        return suite_complaints(name, m, sampler, suite_replicates(QUICK),
                                suite_seed(seed), 0.02);
    return suite_overlooks(name, m, sampler,
                           suite_replicates(10 * (int64_t)QUICK),
                           suite_seed(seed));
}

static void faults_are_seen(void **state)
{
    static const char *const clusters[] = {
        "bad_cluster", "bad_cluster(fault=bond)", "bad_cluster(fault=field)",
        "bad_cluster(fault=sign)"};
    static const char *const bridges[] = {"bad_bridge",
                                          "bad_bridge(fault=ratio)",
                                          "bad_bridge(fault=rest)",
                                          "bad_sites",
                                          "bad_sites(fault=ratio)",
                                          "bad_piece",
                                          "bad_piece(fault=ratio)",
                                          "bad_piece(fault=sign)"};
    static const suite_model kinds[] = {BINARY,      SPIN,  ORDINAL,
                                        CATEGORICAL, MIXED, POTTS};
    uint64_t seed = 127000;
    int wrong = 0;

    (void)state;
    for (size_t i = 1; i < COUNT(pair_models); i++) { /* with fields */
        hs_model *m = suite_model_of(pair_models[i]);

        for (size_t s = 0; s < COUNT(clusters); s++)
            if (s != 2 || !strstr(pair_models[i], "states=3"))
                wrong += judge(pair_models[i], m, clusters[s], s == 0, seed++);
        hs_model_destroy(m);
    }
    for (size_t k = 0; k < COUNT(kinds); k++) {
        hs_model *m = suite_create(kinds[k]);

        for (size_t s = 0; s < COUNT(bridges); s++)
            wrong += judge(suite_names[kinds[k]], m, bridges[s],
                           !strchr(bridges[s], '='), seed++);
        hs_model_destroy(m);
    }
    assert_int_equal(wrong, 0);
}

int main(int argc, char **argv)
{
    static suite_model number[SUITE_MODELS];
    struct CMUnitTest tests[SUITE_MODELS + 6] = {
        cmocka_unit_test(clusters_keep_the_law),
        cmocka_unit_test(other_models_are_refused),
        cmocka_unit_test(clusters_are_as_defined),
        cmocka_unit_test(what_a_pilot_chose_keeps_the_law),
        cmocka_unit_test(faults_are_seen),
        cmocka_unit_test(models_without_tables_keep_the_law),
    };

    suite_begin(argc, argv);
    hs_kernel_extra = broken_jumps;
    for (int i = 0; i < SUITE_MODELS; i++) {
        number[i] = (suite_model)i;
        tests[i + 6] = (struct CMUnitTest){
            .name = suite_names[i],
            .test_func = wrong_modes_keep_the_law,
            .initial_state = &number[i],
        };
    }
    return cmocka_run_group_tests_name("jumps", tests, NULL, NULL);
}
