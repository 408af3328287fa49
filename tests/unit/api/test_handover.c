/* Chains that are handed over with all their levels: each level keeps its own
 * law, and what cannot be handed over is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <hiss/hiss.h>

#define CHAINS  40000
#define LEVELS  3
#define STATES  4
#define SAMPLER "pt(base=gibbs(scan=random,updates=1),ladder=[1,3,9])"

static const double u[STATES] = {0.0, 2.0, -1.0, 1.0};
static const double temperature[LEVELS] = {1.0, 3.0, 9.0};

/* Probability of each state at a level. */
static void law(int level, double *p)
{
    double sum = 0.0;

    for (int k = 0; k < STATES; k++)
        sum += p[k] = exp(u[k] / temperature[level]);
    for (int k = 0; k < STATES; k++)
        p[k] /= sum;
}

/* Exact draws of every level, [CHAINS][LEVELS][2], by stratified numbers whose
 * order is another one at each level. */
static void exact_draws(double *x)
{
    for (int level = 0; level < LEVELS; level++) {
        double p[STATES];

        law(level, p);
        for (int64_t c = 0; c < CHAINS; c++) {
            int64_t place = c * (level == 0 ? 1 : level == 1 ? 201 : 4201);
            double uniform = (double)(place % CHAINS) + 0.5;
            int k = 0;

            for (double upto = p[0] * CHAINS; uniform > upto && k < STATES - 1;
                 upto += p[k] * CHAINS)
                k++;
            x[(c * LEVELS + level) * 2] = k / 2;
            x[(c * LEVELS + level) * 2 + 1] = k % 2;
        }
    }
}

static void check_law(const double *x, int level)
{
    double p[STATES], count[STATES] = {0}, chi2 = 0.0;

    law(level, p);
    for (int64_t c = 0; c < CHAINS; c++) {
        const double *at = x + (c * LEVELS + level) * 2;

        count[2 * (int)at[0] + (int)at[1]] += 1.0;
    }
    for (int k = 0; k < STATES; k++) {
        double gap = count[k] - CHAINS * p[k];

        chi2 += gap * gap / (CHAINS * p[k]);
    }
    if (!(chi2 < 21.1)) /* three degrees of freedom: 1e-4 by chance */
        fail_msg("level %d: chi2 = %.1f", level, chi2);
}

static hiss_model *make_model(void)
{
    hiss_domain domain = HISS_INIT(hiss_domain);
    hiss_model *model = NULL;

    domain.dim = 2;
    assert_int_equal(hiss_model_table(&model, &domain, u, NULL), HISS_OK);
    return model;
}

static void set_up(hiss_settings *set, const double *init)
{
    hiss_settings_init(set);
    set->chains = CHAINS;
    set->samples = 1;
    set->warmup = 0;
    set->init = init;
    set->by_level = 1;
}

static hiss_status run(hiss_result **out, const char *spec,
                       const hiss_settings *set, hiss_error *err)
{
    hiss_model *model = make_model();
    hiss_sampler *sampler = NULL;
    hiss_status rc;

    assert_int_equal(hiss_sampler_create(&sampler, spec, err), HISS_OK);
    rc = hiss_sample(out, model, sampler, set, err);
    hiss_sampler_destroy(sampler);
    hiss_model_destroy(model);
    return rc;
}

/* Chains both of whose coordinates changed at level 0: Gibbs changes one. */
static int exchanged(const double *x, const double *y)
{
    int count = 0;

    for (int64_t c = 0; c < CHAINS; c++) {
        int64_t at = c * LEVELS * 2;

        count += x[at] != y[at] && x[at + 1] != y[at + 1];
    }
    return count;
}

static void every_level_keeps_its_law(void **state)
{
    double *x = malloc(sizeof(double) * CHAINS * LEVELS * 2);
    int moved = 0, swapped = 0;
    hiss_settings set;

    (void)state;
    assert_non_null(x);
    exact_draws(x);
    set_up(&set, x);
    for (int n = 0; n < 3; n++) { /* from one run to the next */
        double *y = malloc(sizeof(double) * CHAINS * LEVELS * 2);
        hiss_result *result = NULL;

        assert_non_null(y);
        set.seed = (uint64_t)n + 1;
        set.init = x;
        set.steps_before = n; /* pairs of levels take turns */
        assert_int_equal(run(&result, SAMPLER, &set, NULL), HISS_OK);
        assert_int_equal(hiss_result_levels(result, y), LEVELS);
        hiss_result_destroy(result);
        for (int level = 0; level < LEVELS; level++)
            check_law(y, level);
        for (int k = 0; k < CHAINS * LEVELS * 2; k++)
            moved += x[k] != y[k];
        swapped += exchanged(x, y);
        free(x);
        x = y;
    }
    assert_true(moved > CHAINS / 2);
    assert_true(swapped > CHAINS / 20);
    free(x);
}

static void what_cannot_be_handed_over(void **state)
{
    hiss_result *result = NULL;
    hiss_error err = {0};
    hiss_settings set;

    (void)state;
    set_up(&set, NULL);
    set.chains = 2;
    set.checkpoint = "levels.ckpt";
    assert_int_equal(run(&result, SAMPLER, &set, &err), HISS_EUNSUP);
    assert_non_null(strstr(err.message, "not in a checkpoint"));
    set.checkpoint = NULL;
    set.device = "auto";
    assert_int_equal(run(&result, SAMPLER, &set, &err), HISS_EUNSUP);
    set.device = NULL;
    assert_int_equal(run(&result, "pt(base=gibbs,levels=auto)", &set, &err),
                     HISS_EUNSUP);
    assert_non_null(strstr(err.message, "give their number"));
    set.by_level = 0;
    assert_int_equal(run(&result, SAMPLER, &set, &err), HISS_OK);
    assert_int_equal(hiss_result_levels(result, NULL), 0);
    hiss_result_destroy(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_level_keeps_its_law),
        cmocka_unit_test(what_cannot_be_handed_over),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
