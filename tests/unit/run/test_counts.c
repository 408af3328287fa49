/* What a run says that it has evaluated, against the states for which its
 * function was called. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <hiss/hiss.h>

#include "api/object/objects.h"
#include "run/pilot/scheme.h"
#include "run/policy/policy.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))
#define DIM_MAX     200
#define MODES       3
#define KNOWN                                                                  \
  64                /* states by which a run knows its model, and three
                            tiles that it asks a function for twice, */
#define AFRESH 0.02 /* and U that is made afresh: not counted */

/* ln of a sum of bells, each about a state of its own. */
struct law {
    int dim, values;
    int top[MODES][DIM_MAX];
    double plain, steep; /* states that were asked for, without and with
                            gradient */
};

static double distance(const struct law *f, int mode, const int16_t *x)
{
    double sum = 0.0;

    for (int i = 0; i < f->dim; i++)
        sum += (x[i] - f->top[mode][i]) * (x[i] - f->top[mode][i]);
    return sum;
}

static double energy(const struct law *f, const int16_t *x, float *gradient)
{
    double weight[MODES], sum = 0.0, most = -HUGE_VAL;

    for (int k = 0; k < MODES; k++) {
        weight[k] = -0.75 * distance(f, k, x);
        most = fmax(most, weight[k]);
    }
    for (int k = 0; k < MODES; k++)
        sum += weight[k] = exp(weight[k] - most);
    for (int i = 0; gradient && i < f->dim; i++) {
        double slope = 0.0;

        for (int k = 0; k < MODES; k++)
            slope += 1.5 * (f->top[k][i] - x[i]) * weight[k] / sum;
        gradient[i] = (float)slope;
    }
    return most + log(sum);
}

static int evaluate(const void *context, const int16_t *x, int lanes, double *u,
                    float *gradient)
{
    struct law *f = (struct law *)(uintptr_t)context;

    *(gradient ? &f->steep : &f->plain) += lanes;
    for (int l = 0; l < lanes; l++)
        u[l] = energy(f, x + (ptrdiff_t)l * f->dim,
                      gradient ? gradient + (ptrdiff_t)l * f->dim : NULL);
    return 0;
}

/* Of a width, so that it is asked for no copies. */
static hiss_model *make(struct law *f, int dim, int values, int has_gradient)
{
    hiss_kind kind[DIM_MAX];
    int states[DIM_MAX];
    hiss_domain domain = {
        .size = sizeof domain, .dim = dim, .kind = kind, .states = states};
    hiss_callback callback = {.size = sizeof callback,
                              .domain = &domain,
                              .evaluate = evaluate,
                              .context = f,
                              .has_gradient = has_gradient,
                              .width = 1,
                              .by_state = 1};
    uint32_t word = 12345;
    hiss_model *m;

    *f = (struct law){.dim = dim, .values = values};
    for (int i = 0; i < dim; i++) {
        kind[i] = values > 2 ? HISS_ORDINAL : HISS_BINARY;
        states[i] = values;
        for (int k = 0; k < MODES; k++) {
            word = word * 1664525u + 1013904223u;
            f->top[k][i] = (int)((word >> 16) % (uint32_t)values);
        }
    }
    assert_int_equal(hiss_model_callback(&m, &callback, NULL), HISS_OK);
    f->plain = f->steep = 0.0;
    return m;
}

static hiss_run_info run(const hiss_model *m, const char *spec, int chains,
                         double evals)
{
    hiss_run_info info = {.size = sizeof info};
    hiss_settings set;
    hiss_sampler *sampler;
    hiss_result *result;

    hiss_settings_init(&set);
    set.chains = chains;
    set.samples = 0;
    set.evals = evals;
    set.threads = 1;
    assert_int_equal(hiss_sampler_create(&sampler, spec, NULL), HISS_OK);
    assert_int_equal(hiss_sample(&result, m, sampler, &set, NULL), HISS_OK);
    hiss_result_info(result, &info);
    hiss_result_destroy(result);
    hiss_sampler_destroy(sampler);
    return info;
}

/* U that is had with a gradient may be asked for, and counted, or not. */
static void compare(const char *spec, int dim, int values, int has_gradient,
                    int chains)
{
    struct law f;
    hiss_model *m = make(&f, dim, values, has_gradient);
    hiss_run_info info = run(m, spec, chains, 6000.0);
    double counted = info.energy_evals + info.gradient_evals;
    double most = f.plain + 2.0 * f.steep, least = f.plain + f.steep;

    if (least > (1.0 + AFRESH) * counted + KNOWN ||
        most < (1.0 - AFRESH) * counted - KNOWN)
        fail_msg("%s, %d coordinates of %d values, %d chains: %.0f counted, "
                 "%.0f to %.0f called",
                 spec, dim, values, chains, counted, least, most);
    hiss_model_destroy(m);
}

static const char *const samplers[] = {
    "dmala",
    "hiss",
    "gwg",
    "jumps",
    "tgs",
    "tabu",
    "mtm",
    "ab",
    "gibbs",
    "metropolis",
    "hamming",
    "bridge",
    "sequence(dmala,bridge)",
    "replicas(base=sequence(gibbs,bridge))",
    "mix(dmala,gibbs)",
    "pt(base=gibbs,ladder=[1,2,4])",
};

static void what_is_called_is_counted(void **state)
{
    static const int chains[] = {1, 4, 20};

    (void)state;
    for (size_t n = 0; n < COUNT(samplers); n++)
        for (size_t c = 0; c < COUNT(chains); c++)
            for (int values = 2; values <= 4; values += 2)
                for (int has_gradient = 0; has_gradient < 2; has_gradient++)
                    compare(samplers[n], 12, values, has_gradient, chains[c]);
}

/* Gradients from differences make every step dear, and climbs dearer. */
static void pilot(int dim, int values, double evals)
{
    struct law f;
    hiss_model *m = make(&f, dim, values, 0);
    hs_pilot_account account = {
        .seed = 1,
        .evals = evals,
        .budget = hs_policy(HS_PREPARATION_SHARE) * evals,
        .tuning = 0.5 * hs_policy(HS_PREPARATION_SHARE) * evals,
        .chains = 4,
        .threads = 1};
    hiss_sampler *sampler;
    hs_scheme scheme;

    assert_int_equal(hiss_sampler_create(&sampler, "auto", NULL), HISS_OK);
    assert_int_equal(
        hs_scheme_init(&scheme, m->model, sampler->tree, &account, NULL),
        HISS_OK);
    if (hs_pilot_account_spent(&account) > 0.5 * evals)
        fail_msg("%d coordinates of %d values: %.0f of %.0f evaluations", dim,
                 values, hs_pilot_account_spent(&account), evals);
    hs_scheme_clear(&scheme);
    hiss_sampler_destroy(sampler);
    hiss_model_destroy(m);
}

static void a_pilot_takes_half_at_most(void **state)
{
    static const int dims[] = {30, 100, DIM_MAX};
    static const double evals[] = {4e4, 1e5};

    (void)state;
    for (size_t n = 0; n < COUNT(dims); n++)
        for (size_t e = 0; e < COUNT(evals); e++) {
            pilot(dims[n], 2, evals[e]);
            pilot(dims[n], 4, evals[e]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_called_is_counted),
        cmocka_unit_test(a_pilot_takes_half_at_most),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
