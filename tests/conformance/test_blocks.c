/* test_blocks.c - coordinates drawn together: the law, the transitions
 * against joint conditionals by enumeration, and faults that must be seen. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/error.h"
#include "conformance/support/matrix.h"
#include "conformance/support/suite.h"
#include "exact/cutset.h"
#include "kernel/gibbs/block.h"
#include "kernel/kernel.h"
#include "model/factor/factor_graph.h"
#include "model/pair/ising_dense.h"
#include "unit/factor_fixture.h"

enum {
    QUICK = 60000,
    WINDOWS = 1500, /* each makes a network anew */
    GRAPHS = 6
};

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* A random graph of tables with impossible entries. */
static hs_model *random_graph(uint64_t number)
{
    uint64_t seed = UINT64_C(0x9e3779b97f4a7c15) + number;
    hs_factors f;
    hs_model *m;

    random_factors(&f, &seed, 5, 3, 9, 3, 6);
    assert_int_equal(hs_factor_graph_create(&m, "graph", &f, NULL), HISS_OK);
    return m;
}

static void blocks_keep_the_law(void **state)
{
    static const char *const samplers[] = {
        "blocks",
        "blocks(table=1)",
        "blocks(table=4)",
        "blocks(table=12)",
        "hiss(eta=0.8,steps=1,inner=blocks(table=6))",
        "pt(base=blocks(table=6),ladder=[1,2,inf])",
        "mix(dmala(alpha=1),blocks(table=4))",
    };
    uint64_t seed = 140000;
    int wrong = 0;

    (void)state;
    for (int i = 0; i < SUITE_MODELS + GRAPHS; i++) {
        hs_model *m = i < SUITE_MODELS ? suite_create((suite_model)i)
                                       : random_graph((uint64_t)i);
        const char *name = i < SUITE_MODELS ? suite_names[i] : "graph";
        double moved = i < SUITE_MODELS ? 0.02 : 0.0; /* some leave no choice */

        for (size_t s = 0; s < COUNT(samplers); s++)
            wrong +=
                suite_complaints(name, m, samplers[s], suite_replicates(QUICK),
                                 suite_seed(seed++), moved);
        hs_model_destroy(m);
    }
    assert_int_equal(wrong, 0);
}

/* Windows with neighbors outside, and bonds that are too small for them. */
static void windows_keep_the_law(void **state)
{
    static const char *const samplers[] = {
        "blocks(bond=1)",
        "blocks(table=1,bond=2)",
        "blocks(table=2,bond=2)",
        "hiss(eta=0.8,steps=1,inner=blocks(table=1,bond=2))",
        "pt(base=blocks(table=1,bond=2),ladder=[1,2,inf])",
    };
    uint64_t seed = 145000;
    int wrong = 0;

    (void)state;
    for (int i = 0; i < SUITE_MODELS + GRAPHS; i++) {
        hs_model *m = i < SUITE_MODELS ? suite_create((suite_model)i)
                                       : random_graph((uint64_t)i);
        const char *name = i < SUITE_MODELS ? suite_names[i] : "graph";
        double moved = i < SUITE_MODELS ? 0.02 : 0.0; /* some leave no choice */

        for (size_t s = 0; s < COUNT(samplers); s++)
            wrong += suite_complaints(name, m, samplers[s],
                                      suite_replicates(WINDOWS),
                                      suite_seed(seed++), moved);
        hs_model_destroy(m);
    }
    assert_int_equal(wrong, 0);
}

/* The conditional of the members given the others, as a matrix. */
static void matrix_block(const space *s, const hs_cutset *c, matrix p)
{
    for (int x = 0; x < s->n; x++) {
        double sum = 0.0;

        for (int y = 0; y < s->n; y++) {
            bool is_same = true;

            for (int i = 0; i < s->dim; i++) {
                bool is_member = false;

                for (int k = 0; k < c->count; k++)
                    is_member = is_member || c->member[k] == i;
                is_same = is_same && (is_member || space_index(s, x, i) ==
                                                       space_index(s, y, i));
            }
            p[x][y] = is_same && s->u[x] > -HUGE_VAL ? exp(s->u[y]) : 0.0;
            sum += p[x][y];
        }
        for (int y = 0; y < s->n; y++)
            p[x][y] = sum > 0.0 ? p[x][y] / sum : x == y;
    }
}

/* Block after block, chosen as the kernel chooses them; returns how many. */
static int matrix_blocks(const space *s, const hs_model *m, double table,
                         matrix p)
{
    static matrix one, product;
    int drawn[SPACE_DIM] = {0}, blocks = 0, left = s->dim;
    hs_factors f;
    hs_graph g = {0};

    assert_int_equal(m->ops->factors(m, &f, NULL), HISS_OK);
    assert_int_equal(hs_graph_init(&g, &f, NULL), HISS_OK);
    for (int x = 0; x < s->n; x++)
        for (int y = 0; y < s->n; y++)
            p[x][y] = x == y;
    while (left > 0) {
        hs_cutset c;

        assert_int_equal(hs_cutset_init(&c, &g, f.states, table, 1e6, drawn,
                                        (uint64_t)blocks + 1, NULL),
                         HISS_OK);
        assert_true(c.count > 0);
        matrix_block(s, &c, one);
        matrix_multiply(s->n, p, one, product);
        memcpy(p, product, sizeof product);
        hs_cutset_clear(&c);
        blocks++;
        left = 0;
        for (int i = 0; i < s->dim; i++)
            left += drawn[i] == 0;
    }
    hs_graph_clear(&g);
    hs_factors_clear(&f);
    return blocks;
}

static void transitions_are_joint_conditionals(void **state)
{
    static const int tables[] = {1, 4, 9, 27, 1024};
    static matrix p;
    uint64_t seed = 142000;
    int wrong = 0, several = 0;

    (void)state;
    for (int i = 0; i < GRAPHS; i++) {
        hs_model *m = random_graph((uint64_t)i);
        space s;

        space_init(&s, m);
        for (size_t t = 0; t < COUNT(tables); t++) {
            char sampler[32];
            hs_verdict v;
            double chance;

            several += matrix_blocks(&s, m, tables[t], p) > 1;
            snprintf(sampler, sizeof sampler, "blocks(table=%d)", tables[t]);
            suite_verify(&v, m, sampler, suite_replicates(2 * (int64_t)QUICK),
                         suite_seed(seed++));
            chance = matrix_p_value(s.n, p, &v);
            hs_verdict_clear(&v);
            printf("%s  graph %d %-20s p = %.3g\n",
                   chance > 1e-6 ? "ok   " : "WRONG", i, sampler, chance);
            wrong += chance <= 1e-6;
        }
        hs_model_destroy(m);
    }
    assert_true(several >= GRAPHS);
    assert_int_equal(wrong, 0);
}

/* --- broken copies ------------------------------------------------------- */

enum {
    NONE,
    BETA, /* a little too cold */
    PHI,  /* the tilt's phi twice */
    STALE /* coordinates outside the block at index 0 */
};

struct bad_blocks {
    int fault;
    hs_factors factors; /* owned */
    hs_block block[SPACE_DIM];
    int blocks;
    hs_block_room room; /* owned */
    hs_float_row *phi;  /* owned */
};

static hiss_status bad_setup(hs_kernel *k, const hs_model *m, hiss_error *err)
{
    struct bad_blocks *s = k->state;
    int drawn[SPACE_DIM] = {0};
    hs_graph g = {0};

    assert_true(m->domain.dim <= SPACE_DIM);
    HS_TRY(m->ops->factors(m, &s->factors, err));
    HS_TRY(hs_graph_init(&g, &s->factors, err));
    for (int i = 0; i < m->domain.dim; i++)
        while (drawn[i] == 0) {
            hs_cutset c;

            HS_TRY(hs_cutset_init(&c, &g, s->factors.states, 6, 1e6, drawn, 1,
                                  err));
            HS_TRY(hs_block_init(&s->block[s->blocks++], &s->factors, &c, err));
            hs_cutset_clear(&c);
        }
    hs_graph_clear(&g);
    s->phi = hs_alloc_array((size_t)hs_tilt_rows(&m->domain), sizeof *s->phi);
    assert_non_null(s->phi);
    return hs_block_room_init(&s->room, s->block, s->blocks, m, err);
}

static void bad_clear(hs_kernel *k)
{
    struct bad_blocks *s = k->state;

    for (int n = 0; n < s->blocks; n++)
        hs_block_clear(&s->block[n]);
    hs_factors_clear(&s->factors);
    hs_block_room_clear(&s->room);
    hs_free(s->phi);
}

static hiss_status bad_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                            hs_tile *x)
{
    struct bad_blocks *s = k->state;
    double changed[HS_LANES] = {0};
    hs_tilt wrong = *t;

    if (s->fault == BETA)
        for (int l = 0; l < HS_LANES; l++)
            wrong.beta[l] *= 1.3f;
    if (s->fault == PHI && t->phi) {
        for (int r = 0; r < hs_tilt_rows(&m->domain); r++)
            for (int l = 0; l < HS_LANES; l++)
                s->phi[r][l] = 2.0f * t->phi[r][l];
        wrong.phi = s->phi;
    }
    for (int n = 0; n < s->blocks; n++) {
        hs_block b = s->block[n];

        hs_tile_tick(x);
        if (s->fault == STALE && n == 1)
            b.part[0].others = 0;
        hs_block_draw(&b, &s->room, &m->domain, &wrong, x, changed);
    }
    x->at.have = 0;
    return hs_tile_evaluate(x, m, &x->at, HS_U);
}

static hs_traits bad_traits(const hs_kernel *k)
{
    (void)k;
    return (hs_traits){.exact = true, .homogeneous = true, .period = 1};
}

static const hs_option bad_options[] = {
    {"fault", HS_CHOICE, offsetof(struct bad_blocks, fault), "none",
     "none|beta|phi|stale", "what is wrong"},
    {0},
};

static const hs_kernel_type bad_blocks = {
    .name = "bad_blocks",
    .summary = "blocks with a fault",
    .size = sizeof(struct bad_blocks),
    .options = bad_options,
    .setup = bad_setup,
    .step = bad_step,
    .clear = bad_clear,
    .traits = bad_traits,
};

static const hs_kernel_type *const broken[] = {&bad_blocks, NULL};

static void faults_are_seen(void **state)
{
    static const struct {
        const char *sampler;
        bool is_right;
    } trials[] = {
        {"bad_blocks", true},
        {"hiss(eta=0.5,steps=1,inner=bad_blocks)", true},
        {"bad_blocks(fault=beta)", false},
        {"bad_blocks(fault=stale)", false},
        {"hiss(eta=0.5,steps=1,inner=bad_blocks(fault=phi))", false},
    };
    static const char *const specs[] = {"ising(side=3,beta=0.3,field=0.3)",
                                        "potts(side=2,states=3,beta=0.6)"};
    uint64_t seed = 146000;
    int wrong = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(specs); i++) {
        hs_model *m;

        assert_int_equal(hs_model_create(&m, specs[i], NULL), HISS_OK);
        for (size_t t = 0; t < COUNT(trials); t++) {
            hs_verdict v;
            bool is_kept;

            suite_verify(&v, m, trials[t].sampler,
                         suite_replicates(4 * (int64_t)QUICK),
                         suite_seed(seed++));
            is_kept = v.result.p_value > 1e-8;
            printf("%-34s %-50s p = %.3g\n", specs[i], trials[t].sampler,
                   v.result.p_value);
            wrong += is_kept != trials[t].is_right;
            hs_verdict_clear(&v);
        }
        hs_model_destroy(m);
    }
    assert_int_equal(wrong, 0);
}

static void other_models_are_refused(void **state)
{
    hs_model *m;
    hs_sampler *tree;
    hs_kernel *k;
    hiss_error err = {0};

    (void)state;
    assert_int_equal(hs_sampler_parse(&tree, "blocks", NULL), HISS_OK);
    assert_int_equal(hs_model_create(&m, "mixture(2,4)", NULL), HISS_OK);
    assert_int_equal(hs_kernel_create(&k, tree, NULL), HISS_OK);
    assert_int_equal(hs_kernel_setup(k, m, &err), HISS_EUNSUP);
    assert_non_null(strstr(err.message, "not a sum of small tables"));
    hs_kernel_destroy(k);
    hs_model_destroy(m);
    hs_sampler_release(tree);
}

/* Dense storage offers its pairs as tables, too. */
static hs_model *dense_pairs(hiss_kind kind)
{
    enum {
        SITES = 7
    };
    float *j = hs_alloc_array((size_t)(SITES * SITES), sizeof *j);
    float *h = hs_alloc_array(SITES, sizeof *h);
    hs_model *m;

    assert_non_null(j);
    assert_non_null(h);
    for (int a = 0; a < SITES; a++) {
        h[a] = 0.1f * (float)(a - 2);
        for (int b = 0; b < SITES; b++)
            j[a * SITES + b] = a == b ? 0.0f : 0.2f * (float)((a * b) % 5 - 2);
    }
    assert_int_equal(hs_ising_dense_create(&m, kind, SITES, j, h, 0.3, NULL),
                     HISS_OK);
    m->name = hs_strdup("dense");
    return m;
}

static void dense_pairs_take_blocks_and_clusters(void **state)
{
    static const char *const samplers[] = {
        "blocks",
        "blocks(table=8)",
        "cluster",
        "cluster(update=one)",
        "pt(base=gibbs,ladder=[1,2,4],houdayer=1)",
    };
    static const hiss_kind kinds[] = {HISS_SPIN, HISS_BINARY};
    int wrong = 0;

    (void)state;
    for (size_t k = 0; k < COUNT(kinds); k++) {
        hs_model *m = dense_pairs(kinds[k]);

        for (size_t s = 0; s < COUNT(samplers); s++)
            wrong += suite_complaints("dense", m, samplers[s],
                                      suite_replicates(QUICK),
                                      suite_seed(149000 + 10 * k + s), 0.05);
        hs_model_destroy(m);
    }
    assert_int_equal(wrong, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_pairs_take_blocks_and_clusters),
        cmocka_unit_test(blocks_keep_the_law),
        cmocka_unit_test(windows_keep_the_law),
        cmocka_unit_test(transitions_are_joint_conditionals),
        cmocka_unit_test(faults_are_seen),
        cmocka_unit_test(other_models_are_refused),
    };

    suite_begin(argc, argv);
    hs_kernel_extra = broken;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
