/* suite.c - models of every coordinate kind, and a verdict on a sampler. */
#include "conformance/support/suite.h"

#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/random/rng.h"
#include "model/law/lookup.h"
#include "model/tour/cities.h"

#define SURELY 1e-8
#define DOUBT  1e-4

#define BRIEF 2000 /* replicates, at most: of what is passed through */

static bool is_slow, is_brief;
static uint64_t first_seed = 20260101;

const char *const suite_names[SUITE_MODELS] = {
    "binary", "spin",  "ordinal", "categorical", "mixed", "holes",
    "lone",   "ising", "field",   "ladder",      "potts",
};

/* Kinds and states of a table. */
struct shape {
    int dim;
    hiss_kind kind[5];
    int states[5];
    double levels[8];
};

static const struct shape shapes[] = {
    [BINARY] = {3, {HISS_BINARY, HISS_BINARY, HISS_BINARY}, {2, 2, 2}, {0}},
    [SPIN] = {3, {HISS_SPIN, HISS_SPIN, HISS_SPIN}, {2, 2, 2}, {0}},
    [ORDINAL] = {3,
                 {HISS_ORDINAL, HISS_ORDINAL, HISS_ORDINAL},
                 {3, 3, 2},
                 {0, 1, 3, 0, 0.5, 2, 2, 5}},
    [CATEGORICAL] = {2, {HISS_CATEGORICAL, HISS_CATEGORICAL}, {3, 4}, {0}},
    [MIXED] = {4,
               {HISS_BINARY, HISS_ORDINAL, HISS_CATEGORICAL, HISS_SPIN},
               {2, 3, 3, 2},
               {-1, 0, 2}},
    [LONE] = {5,
              {HISS_ORDINAL, HISS_BINARY, HISS_CATEGORICAL, HISS_CATEGORICAL,
               HISS_ORDINAL},
              {1, 2, 1, 3, 2},
              {7, 0, 1.5}},
};

/* U between -1.2 and 1.2, the same in every run. */
static hs_model *create_table(const struct shape *s, int holes)
{
    hs_domain domain;
    hs_model *m;
    double *u;
    int size = 1;

    for (int i = 0; i < s->dim; i++)
        size *= s->states[i];
    u = hs_alloc_array((size_t)size, sizeof *u);
    assert_non_null(u);
    for (int n = 0; n < size; n++) {
        uint32_t word = hs_rng_word(size, 0, 0, 0, HS_DRAW_INIT, (uint32_t)n);

        u[n] = 1.2 * (2.0 * hs_uniform(word) - 1.0);
        if (holes && n % holes == 1)
            u[n] = -HUGE_VAL;
    }
    assert_int_equal(hs_domain_init_mixed(&domain, s->dim, s->kind, s->states,
                                          s->levels, NULL),
                     HISS_OK);
    assert_int_equal(hs_lookup_create(&m, &domain, u, NULL), HISS_OK);
    m->name = hs_strdup("table");
    return m;
}

hs_model *suite_create(suite_model which)
{
    static const char *const specs[SUITE_MODELS] = {
        [ISING] = "ising(side=3,beta=0.3)",
        [FIELD] = "ising(side=3,beta=0.2,field=0.3)",
        [LADDER] = "ladder(d=3,levels=4,beta=0.3)",
        [POTTS] = "potts(side=2,states=3,beta=0.3)",
    };
    hiss_error err = {0};
    hs_model *m;

    if (which == HOLES)
        return create_table(&shapes[MIXED], 5);
    if (!specs[which])
        return create_table(&shapes[which], 0);
    if (hs_model_create(&m, specs[which], &err) != HISS_OK)
        fail_msg("%s", err.message);
    return m;
}

hs_model *suite_tours(int count, int form)
{
    static double x[] = {0.0, 1.5, 1.1, -0.4, 0.6};
    static double y[] = {0.0, 0.3, 1.9, 1.0, 0.7};
    hs_cities cities = {.count = count, .metric = HS_EUC_2D, .x = x, .y = y};
    hs_tour_law law = {.temperature = 0.8, .form = form};
    hs_model *m;

    assert_int_equal(hs_build_tours(&m, "tours", &cities, &law, NULL), HISS_OK);
    return m;
}

void suite_begin(int argc, char **argv)
{
    const char *size = getenv("HISS_TEST_REPLICATES");

    is_brief = size && strcmp(size, "brief") == 0;
    is_slow = argc > 1 && strcmp(argv[1], "--slow") == 0;
    if (is_slow)
        first_seed = (uint64_t)time(NULL) << 20;
    printf("first seed %llu\n", (unsigned long long)first_seed);
}

uint64_t suite_seed(uint64_t number)
{
    return first_seed + number;
}

int64_t suite_replicates(int64_t quick)
{
    int64_t few = quick / 50 < BRIEF ? quick / 50 : BRIEF;

    return is_slow ? 10 * quick : is_brief ? few : quick;
}

bool suite_is_brief(void)
{
    return is_brief;
}

bool suite_is_slow(void)
{
    return is_slow;
}

void suite_verify(hs_verdict *v, const hs_model *m, const char *sampler,
                  int64_t replicates, uint64_t seed)
{
    hiss_verify_settings set = {
        .replicates = replicates, .seed = seed, .threads = 2};
    hiss_error err = {0};
    hs_sampler *tree;
    hiss_status rc = hs_sampler_parse(&tree, sampler, &err);

    if (rc == HISS_OK)
        rc = hs_verify(v, m, tree, &set, &err);
    hs_sampler_release(tree);
    if (rc != HISS_OK)
        fail_msg("%s: %s", sampler, err.message);
}

/* The smaller p: of the law, and of reversibility where it is claimed. */
static double least_p(const hs_verdict *v)
{
    const hiss_verify_result *r = &v->result;
    double p = r->claims_reversible ? r->reversible_p_value : 1.0;

    return r->p_value < p ? r->p_value : p;
}

/* Whether a word is among the names of a sampler, as dmala is in
 * hiss(inner=dmala). */
static bool names(const char *sampler, const char *word)
{
    size_t length = strlen(word);

    for (const char *at = strstr(sampler, word); at;
         at = strstr(at + 1, word)) {
        bool begins = at == sampler || !isalnum((unsigned char)at[-1]);

        if (begins && !isalnum((unsigned char)at[length]))
            return true;
    }
    return false;
}

int suite_complaints(const char *name, const hs_model *m, const char *sampler,
                     int64_t replicates, uint64_t seed, double least_moved)
{
    hs_verdict v;
    double p, moved;
    bool is_wrong;
    const char *only = getenv("HISS_TEST_ONLY");

    if (only && *only && !names(sampler, only))
        return 0;
    suite_verify(&v, m, sampler, replicates, seed);
    p = least_p(&v);
    if (p > SURELY && p <= DOUBT) {
        printf("       %s %s: p = %.3g, once more\n", name, sampler, p);
        hs_verdict_clear(&v);
        suite_verify(&v, m, sampler, 10 * replicates, seed + 1000003);
        p = least_p(&v);
    }
    moved = v.result.moved;
    is_wrong = p <= DOUBT || moved < least_moved || !v.result.claims_exact;
    printf("%s  %-11s %-62s p = %-9.3g%s %-9.3g moved %.3f\n",
           is_wrong ? "WRONG" : "ok   ", name, sampler, v.result.p_value,
           v.result.claims_reversible ? "reversible" : "          ",
           v.result.reversible_p_value, moved);
    hs_verdict_clear(&v);
    return is_wrong;
}

int suite_all_complaints(const char *const *models, size_t model_count,
                         const char *const *samplers, size_t sampler_count,
                         int64_t replicates, uint64_t seed, double least_moved)
{
    int wrong = 0;

    for (size_t i = 0; i < model_count; i++) {
        hs_model *m = suite_model_of(models[i]);

        for (size_t s = 0; s < sampler_count; s++)
            wrong += suite_complaints(models[i], m, samplers[s], replicates,
                                      suite_seed(seed++), least_moved);
        hs_model_destroy(m);
    }
    return wrong;
}

int suite_overlooks(const char *name, const hs_model *m, const char *sampler,
                    int64_t replicates, uint64_t seed)
{
    bool is_seen = false;

    for (int64_t n = (replicates + 7) / 8; !is_seen && n > 0;
         n = n < replicates ? 2 * n : 0) {
        hs_verdict v;

        suite_verify(&v, m, sampler, n, seed);
        is_seen = v.result.p_value < SURELY && !v.result.is_invariant;
        if (is_seen || n >= replicates)
            printf("%s  %-11s %-62s p = %-9.3g moved %.3f\n",
                   is_seen ? "seen " : "OVERLOOKED", name, sampler,
                   v.result.p_value, v.result.moved);
        hs_verdict_clear(&v);
    }
    return !is_seen;
}

hs_model *suite_model_of(const char *spec)
{
    hiss_error err = {0};
    hs_model *m;

    if (hs_model_create(&m, spec, &err) != HISS_OK)
        fail_msg("%s", err.message);
    return m;
}

void suite_refuses(const char *sampler, const char *model, const char *word)
{
    hs_model *m = suite_model_of(model);
    hiss_error err = {0};
    hs_sampler *tree;
    hs_kernel *k;

    assert_int_equal(hs_sampler_parse(&tree, sampler, NULL), HISS_OK);
    assert_int_equal(hs_kernel_create(&k, tree, NULL), HISS_OK);
    assert_int_equal(hs_kernel_setup(k, m, &err), HISS_EUNSUP);
    assert_non_null(strstr(err.message, word));
    hs_kernel_destroy(k);
    hs_sampler_release(tree);
    hs_model_destroy(m);
}
