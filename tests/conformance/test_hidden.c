/* test_hidden.c - block Gibbs through hidden units.
 *
 * The law on Boltzmann machines and mixtures, plain, tilted, tempered and with
 * coordinates fixed; transitions at two temperatures against matrices summed
 * over all hidden states; copies with a fault, which must be seen.  Limits of p
 * as in the other suites. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "conformance/support/suite.h"
#include "kernel/kernel.h"
#include "kernel/sampler.h"
#include "model/builders.h"
#include "model/factor/fixed.h"
#include "model/hidden.h"

#define QUICK   60000
#define VISIBLE 3
#define HIDDEN  2
#define STATES  8
#define STEPS   4000 /* times 16 lanes, from every state */

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const double weight[VISIBLE * HIDDEN] = {2.0, -1.0, 1.5, -2.5, 0.5, 1.0};
static const double visible_bias[VISIBLE] = {-0.5, 0.25, -1.0};
static const double hidden_bias[HIDDEN] = {-1.0, 0.75};

/* Another unit with a bias of 5000 is always on, and makes it wide. */
static hs_model *machine(bool is_wide)
{
    double w[VISIBLE * (HIDDEN + 1)], c[HIDDEN + 1];
    int hidden = HIDDEN + is_wide;
    hs_machine from = {VISIBLE, hidden, w, visible_bias, c};
    hs_model *m;

    for (int i = 0; i < VISIBLE; i++)
        for (int j = 0; j < hidden; j++)
            w[i * hidden + j] = j < HIDDEN ? weight[i * HIDDEN + j] : 0.0;
    for (int j = 0; j < hidden; j++)
        c[j] = j < HIDDEN ? hidden_bias[j] : 5000.0;
    assert_int_equal(hs_build_machine(&m, "machine", &from, NULL), HISS_OK);
    assert_int_equal(hs_model_is_wide(m), is_wide);
    return m;
}

static hs_model *fixed(const char *spec)
{
    int at[16] = {1, -1, 0};
    hs_model *m = suite_model_of(spec);

    for (int i = 3; i < m->domain.dim; i++)
        at[i] = -1;
    assert_int_equal(hs_model_fix(&m, at, NULL), HISS_OK);
    return m;
}

static int check(const char *name, hs_model *m, uint64_t seed)
{
    static const char *const samplers[] = {
        "hidden",
        "hiss(eta=0.8,steps=1,inner=hidden)",
        "sequence(gibbs,hidden)",
        "pt(base=hidden,ladder=[1,2,inf])",
        "pt(base=hiss(eta=1,steps=1,inner=hidden),ladder=[1,3,inf])",
    };
    int wrong = 0;

    for (size_t s = 0; s < COUNT(samplers); s++)
        wrong += suite_complaints(name, m, samplers[s], suite_replicates(QUICK),
                                  suite_seed(seed + s), 0.1);
    hs_model_destroy(m);
    return wrong;
}

static void hidden_keeps_the_law(void **state)
{
    static const char *const specs[] = {
        "rbm(visible=6,hidden=5,seed=3,modes=2,strength=2)",
        "mixture(k=3,d=7,seed=5,weights=[1,2,3])",
        "mixture(k=40,d=6)", /* more than HS_FEW */
    };
    uint64_t seed = 160000;
    int wrong = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(specs); i++, seed += 10)
        wrong += check(specs[i], suite_model_of(specs[i]), seed);
    wrong += check("wide", machine(true), seed);
    wrong += check("fixed rbm", fixed(specs[0]), seed + 10);
    wrong += check("fixed mixture", fixed(specs[1]), seed + 20);
    assert_int_equal(wrong, 0);
}

static void other_models_are_refused(void **state)
{
    (void)state;
    suite_refuses("hidden", "bernoulli4", "hidden units");
    suite_refuses("hidden", "ising(3,0.2)", "hidden units");
}

static int bit(int state, int i)
{
    return state >> i & 1;
}

static double joint(int v, int h)
{
    double e = 0.0;

    for (int i = 0; i < VISIBLE; i++)
        e += bit(v, i) * visible_bias[i];
    for (int j = 0; j < HIDDEN; j++) {
        e += bit(h, j) * hidden_bias[j];
        for (int i = 0; i < VISIBLE; i++)
            e += bit(v, i) * bit(h, j) * weight[i * HIDDEN + j];
    }
    return e;
}

/* sum over h of e^(beta E), to the power `power`. */
static double marginal(int v, double beta, double power)
{
    double sum = 0.0;

    for (int h = 0; h < 1 << HIDDEN; h++)
        sum += exp(beta * joint(v, h));
    return pow(sum, power);
}

static const double phi[VISIBLE] = {1.0, -0.5, 1.5};

static double tilt(int v, double strength)
{
    double sum = 0.0;

    for (int i = 0; i < VISIBLE; i++)
        sum += strength * phi[i] * bit(v, i);
    return sum;
}

/* p[x][y] under e^(beta U + phi): sum_h p(h|x) p(y|h), accepted with the ratio
 * of e^(beta U) / g. */
static void define(double beta, double strength, double p[STATES][STATES])
{
    for (int x = 0; x < STATES; x++) {
        double stay = 1.0;

        for (int y = 0; y < STATES; y++) {
            double ratio = marginal(y, 1.0, beta) / marginal(y, beta, 1.0) /
                           marginal(x, 1.0, beta) * marginal(x, beta, 1.0);

            p[x][y] = 0.0;
            for (int h = 0; h < 1 << HIDDEN; h++) {
                double all = 0.0;

                for (int v = 0; v < STATES; v++)
                    all += exp(beta * joint(v, h) + tilt(v, strength));
                p[x][y] += exp(beta * (joint(x, h) + joint(y, h)) +
                               tilt(y, strength)) /
                           marginal(x, beta, 1.0) / all;
            }
            if (y != x)
                p[x][y] *= ratio < 1.0 ? ratio : 1.0;
            stay -= y != x ? p[x][y] : 0.0;
        }
        p[x][x] = stay;
    }
}

static int number(const hs_point *p, int l)
{
    int n = 0;

    for (int i = 0; i < VISIBLE; i++)
        n |= p->x[i][l] << i;
    return n;
}

static void step_from(hs_kernel *k, const hs_model *m, hs_tile *x, int from,
                      int seen[STATES])
{
    for (int n = 0; n < STEPS; n++) {
        for (int i = 0; i < VISIBLE; i++)
            for (int l = 0; l < HS_LANES; l++)
                x->at.x[i][l] = (int16_t)bit(from, i);
        x->at.have = 0;
        assert_int_equal(hs_kernel_step(k, m, &x->tilt, x), HISS_OK);
        for (int l = 0; l < HS_LANES; l++)
            seen[number(&x->at, l)]++;
    }
}

/* Each entry within five standard errors: one false alarm in 2000
 * seeds. */
static int compare(const hs_model *m, float beta, double strength,
                   uint64_t seed)
{
    double p[STATES][STATES], draws = (double)STEPS * HS_LANES;
    hs_sampler *tree;
    hs_kernel *k;
    hs_tile x;
    int wrong = 0;

    define((double)beta, strength, p);
    assert_int_equal(hs_sampler_parse(&tree, "hidden", NULL), HISS_OK);
    assert_int_equal(hs_kernel_create(&k, tree, NULL), HISS_OK);
    assert_int_equal(hs_kernel_setup(k, m, NULL), HISS_OK);
    assert_int_equal(hs_tile_init(&x, m, seed, NULL), HISS_OK);
    assert_int_equal(hs_tilt_init(&x.tilt, &m->domain, false, NULL), HISS_OK);
    x.lanes = HS_LANES;
    for (int i = 0; i < VISIBLE; i++)
        for (int l = 0; l < HS_LANES; l++)
            x.tilt.phi[i][l] = (float)(strength * phi[i]);
    for (int l = 0; l < HS_LANES; l++) {
        x.rng.chain[l] = (uint32_t)l;
        x.tilt.beta[l] = beta;
    }
    for (int from = 0; from < STATES; from++) {
        int seen[STATES] = {0};

        step_from(k, m, &x, from, seen);
        for (int to = 0; to < STATES; to++) {
            double q = p[from][to], error = sqrt(q * (1.0 - q) / draws);

            wrong += fabs(seen[to] / draws - q) > 5.0 * error;
        }
    }
    if (wrong)
        printf("beta %g, tilt %g: %d transitions are not as defined\n",
               (double)beta, strength, wrong);
    hs_tile_clear(&x);
    hs_kernel_destroy(k);
    hs_sampler_release(tree);
    return wrong;
}

static void transitions_are_as_defined(void **state)
{
    int wrong = 0;

    (void)state;
    for (int wide = 0; wide < 2; wide++) {
        hs_model *m = machine(wide);

        wrong += compare(m, 1.0f, 0.0, 161000);
        wrong += compare(m, 0.3f, 0.0, 161001);
        wrong += compare(m, 2.0f, 0.0, 161002);
        wrong += compare(m, 0.0f, 0.0, 161003);
        wrong += compare(m, 1.0f, 1.0, 161004);
        wrong += compare(m, 0.4f, 1.0, 161005);
        hs_model_destroy(m);
    }
    assert_int_equal(wrong, 0);
}

/* A copy with a fault: `ratio` accepts whatever the temperature, `units`
 * draws them as if it were not tempered. */
enum {
    NONE,
    RATIO,
    UNITS
};

struct bad {
    int fault;
    hs_point y; /* owned */
};

static hiss_status bad_setup(hs_kernel *k, const hs_model *m, hiss_error *err)
{
    return hs_point_init(&((struct bad *)k->state)->y, m, err);
}

static void bad_clear(hs_kernel *k)
{
    hs_point_clear(&((struct bad *)k->state)->y);
}

static hiss_status bad_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                            hs_tile *x)
{
    static const int16_t first[HS_LANES] = {0};
    struct bad *s = k->state;
    const hs_hidden *units = hs_model_structure(m, HS_STRUCTURE_HIDDEN);
    float plain[HS_LANES];
    double ratio[HS_LANES], there[HS_LANES];
    hs_float_row odds[16], value[2];
    int32_t accept[HS_LANES];

    for (int l = 0; l < HS_LANES; l++)
        plain[l] = 1.0f;
    hs_tile_tick(x);
    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U));
    units->draw(m, &x->at, s->fault == UNITS ? plain : t->beta, &x->rng, odds);
    for (int i = 0; i < m->domain.dim; i++) {
        memset(value, 0, sizeof value);
        hs_tilt_add_values(t, &m->domain, i, first, value);
        for (int l = 0; l < HS_LANES; l++)
            odds[i][l] += value[1][l];
    }
    hs_hidden_units(&x->rng, HS_DRAW_PROPOSE, m->domain.dim, odds);
    for (int i = 0; i < m->domain.dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            s->y.x[i][l] = odds[i][l] != 0.0f;
    s->y.have = 0;
    HS_TRY(hs_tile_evaluate(x, m, &s->y, HS_U));
    units->excess(m, &x->at, t->beta, ratio);
    units->excess(m, &s->y, t->beta, there);
    for (int l = 0; l < HS_LANES; l++)
        ratio[l] = s->fault == RATIO ? 0.0 : ratio[l] - there[l];
    hs_tile_decide(x, ratio, accept);
    hs_tile_move(x, m, &s->y, accept);
    return HISS_OK;
}

static hs_traits pretend(const hs_kernel *k)
{
    (void)k;
    return (hs_traits){
        .exact = true, .reversible = true, .homogeneous = true, .period = 1};
}

static const hs_option bad_options[] = {
    {"fault", HS_CHOICE, offsetof(struct bad, fault), "none",
     "none|ratio|units", ""},
    {0},
};

static const hs_kernel_type bad_hidden = {
    .name = "bad_hidden",
    .summary = "",
    .size = sizeof(struct bad),
    .options = bad_options,
    .setup = bad_setup,
    .step = bad_step,
    .clear = bad_clear,
    .traits = pretend,
};

static const hs_kernel_type *const broken[] = {&bad_hidden, NULL};

static void faults_are_seen(void **state)
{
    static const char *const samplers[] = {
        "pt(base=bad_hidden,ladder=[1,2,4])",
        "hiss(eta=0.8,steps=1,inner=bad_hidden)",
        "pt(base=bad_hidden(fault=ratio),ladder=[1,2,4])",
        "pt(base=bad_hidden(fault=units),ladder=[1,2,4])",
    };
    hs_model *m =
        suite_model_of("rbm(visible=6,hidden=5,seed=3,modes=2,strength=2)");
    uint64_t seed = 162000;
    int wrong = 0;

    (void)state;
    for (size_t s = 0; s < COUNT(samplers); s++) {
        hs_verdict v;
        bool is_seen;

        suite_verify(&v, m, samplers[s], suite_replicates(4 * (int64_t)QUICK),
                     suite_seed(seed++));
        is_seen = v.result.p_value < 1e-8;
        printf("%s %-50s p = %.3g\n", is_seen ? "seen" : "kept", samplers[s],
               v.result.p_value);
        wrong += is_seen != (s >= 2);
        hs_verdict_clear(&v);
    }
    hs_model_destroy(m);
    assert_int_equal(wrong, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hidden_keeps_the_law),
        cmocka_unit_test(other_models_are_refused),
        cmocka_unit_test(transitions_are_as_defined),
        cmocka_unit_test(faults_are_seen),
    };

    suite_begin(argc, argv);
    hs_kernel_extra = broken;
    return cmocka_run_group_tests_name("hidden", tests, NULL, NULL);
}
