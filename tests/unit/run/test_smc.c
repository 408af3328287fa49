/* test_smc.c - runs of populations: what they draw, report and refuse. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "unit/run_fixture.h"

#include <hiss/hiss.h>

#include "api/object/objects.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))
#define ISING    "ising(side=4,beta=0.5)"

static hiss_population population_of(const hiss_result *r)
{
    hiss_population p = HISS_INIT(hiss_population);

    assert_true(hiss_result_population(r, &p));
    return p;
}

static double exact_log_z(const char *spec)
{
    hiss_model *m;
    hiss_exact *exact;
    hiss_exact_settings set;
    double log_z;

    hiss_exact_settings_init(&set);
    assert_int_equal(hiss_model_create(&m, spec, NULL), HISS_OK);
    assert_int_equal(hiss_exact_solve(&exact, m, &set, NULL), HISS_OK);
    log_z = hiss_exact_log_z(exact);
    hiss_exact_destroy(exact);
    hiss_model_destroy(m);
    return log_z;
}

static bool is_same(const hiss_result *a, const hiss_result *b)
{
    size_t bytes = (size_t)a->run.info.dim * (size_t)a->run.info.samples;

    return bytes > 0 && a->run.info.element == HISS_INT8 &&
           memcmp(a->run.store.draws, b->run.store.draws, bytes) == 0;
}

/* By the pilot's temperatures, tuned kernels, tours, constraints that are
 * softened, packed replicas. */
static void log_z_is_right(void **state)
{
    static const struct {
        const char *model, *sampler;
    } cases[] = {
        {ISING, "smc"},
        {ISING, "smc(resample=1,steps=1)"},
        {ISING, "smc(base=gibbs(packed=yes))"},
        {ISING, "smc(base=dmala(alpha=auto),steps=10)"},
        {"potts(side=3,states=3,beta=0.8)", "smc(base=acs)"},
        {"ladder(d=4,levels=5,beta=0.7)", "smc(base=hiss(eta=auto))"},
        {"pairs(d=8)", "smc(betas=[0.1,0.3,0.6,1])"},
    };

    (void)state;
    for (size_t n = 0; n < COUNT(cases); n++) {
        double truth = exact_log_z(cases[n].model);
        hiss_settings set;
        hiss_result *r;
        hiss_population p;

        hiss_settings_init(&set);
        set.samples = 500;
        r = run(cases[n].model, cases[n].sampler, &set);
        p = population_of(r);
        if (!(fabs(p.log_z - truth) < 4.0 * p.log_z_se) || p.log_z_se > 0.2)
            fail_msg("%s with %s: log Z %.4f +- %.4f, not %.4f", cases[n].model,
                     cases[n].sampler, p.log_z, p.log_z_se, truth);
        assert_int_equal(p.replicas, 500);
        assert_true(p.beta[p.temperatures - 1] == 1.0);
        for (int c = 0; c < p.chains; c++) {
            assert_true(p.rho_t[c] >= 1.0 && p.rho_t[c] <= 500.0);
            assert_true(p.rho_s[c] >= 1.0 && p.rho_s[c] <= p.rho_t[c] + 1e-9);
            assert_true(p.families[c] >= 500.0 / p.rho_s[c] - 1e-6);
        }
        hiss_result_destroy(r);
    }
}

static void threads_and_chains_change_nothing(void **state)
{
    hiss_settings set;
    hiss_result *one, *three, *more;

    (void)state;
    hiss_settings_init(&set);
    set.samples = 100;
    set.threads = 1;
    one = run(ISING, "smc(base=mix(gibbs,dmala(alpha=auto)))", &set);
    set.threads = 3;
    three = run(ISING, "smc(base=mix(gibbs,dmala(alpha=auto)))", &set);
    set.chains = 6;
    more = run(ISING, "smc(base=mix(gibbs,dmala(alpha=auto)))", &set);
    assert_true(is_same(one, three));
    assert_true(is_same(one, more));
    assert_true(population_of(one).log_z == population_of(three).log_z);
    hiss_result_destroy(one);
    hiss_result_destroy(three);
    hiss_result_destroy(more);
}

/* Families of copies beside each other. */
static void draws_are_by_families(void **state)
{
    hiss_settings set;
    hiss_result *r;
    int same = 0;

    (void)state;
    hiss_settings_init(&set);
    set.samples = 400;
    set.chains = 1;
    r = run("ising(side=6,beta=0.4)", "smc(steps=0,resample=1)", &set);
    for (int64_t n = 1; n < set.samples; n++) {
        const int8_t *x = r->run.store.draws;

        same += memcmp(x + 36 * n, x + 36 * (n - 1), 36) == 0;
    }
    assert_int_equal(set.samples - same, (int)population_of(r).families[0]);
    hiss_result_destroy(r);
}

static void budgets_are_kept(void **state)
{
    hiss_settings set;
    hiss_result *r;
    double spent;

    (void)state;
    hiss_settings_init(&set);
    set.chains = 4;
    set.samples = 0;
    set.evals = 60000;
    r = run(ISING, "smc", &set);
    spent = r->run.info.energy_evals + r->run.info.gradient_evals;
    assert_true(spent > 0.8 * set.evals && spent < 1.01 * set.evals);
    assert_true(r->run.info.samples == population_of(r).replicas);
    hiss_result_destroy(r);
    set.samples_most = 50;
    r = run(ISING, "smc", &set);
    assert_int_equal(r->run.info.samples, 50);
    assert_true(population_of(r).replicas > 100);
    hiss_result_destroy(r);
    set.samples = 100000;
    r = run(ISING, "smc", &set);
    assert_int_equal(r->run.info.ended, HISS_ENDED_EVALS);
    hiss_result_destroy(r);
}

static void thinning_has_more_replicas(void **state)
{
    hiss_settings set;
    hiss_result *r;

    (void)state;
    hiss_settings_init(&set);
    set.samples = 50;
    set.thin = 4;
    r = run(ISING, "smc", &set);
    assert_int_equal(r->run.info.samples, 50);
    assert_int_equal(r->run.info.thin, 4);
    assert_int_equal(population_of(r).replicas, 200);
    hiss_result_destroy(r);
}

/* Weighted over all replicas, also those that are no draws. */
static void marginals_are_weighted(void **state)
{
    hiss_settings set;
    hiss_result *r;
    hiss_model *m;
    hiss_exact *exact;
    hiss_exact_settings how;

    (void)state;
    hiss_settings_init(&set);
    hiss_exact_settings_init(&how);
    set.samples = 10;
    set.thin = 2000;
    set.marginals = 1;
    r = run("bernoulli4", "smc(resample=0,steps=1)", &set);
    assert_int_equal(hiss_model_create(&m, "bernoulli4", NULL), HISS_OK);
    assert_int_equal(hiss_exact_solve(&exact, m, &how, NULL), HISS_OK);
    for (int i = 0; i < 4; i++) {
        const double *truth = hiss_exact_marginal(exact, i);
        double found[2];

        hiss_result_marginal(r, i, found);
        assert_true(fabs(found[1] - truth[1]) < 0.02);
    }
    hiss_exact_destroy(exact);
    hiss_model_destroy(m);
    hiss_result_destroy(r);
}

/* Weights add up to 1, their ESS is the one that is reported, and the weighted
 * mean of a coordinate is the marginal of the run. */
static void particles_have_weights(void **state)
{
    hiss_particles all = HISS_INIT(hiss_particles);
    hiss_settings set;
    hiss_result *r;
    hiss_population p;
    double up = 0.0, marginal[2], mean_u = 0.0;

    (void)state;
    hiss_settings_init(&set);
    set.chains = 3;
    set.samples = 50;
    set.thin = 4;
    set.marginals = 1;
    set.particles = 1;
    r = run("ising(side=4,beta=0.5,field=0.2)",
            "smc(resample=0,betas=[0.3,0.6,1])", &set);
    p = population_of(r);
    assert_true(hiss_result_particles(r, &all));
    assert_int_equal(all.chains, 3);
    assert_int_equal(all.replicas, 200);
    for (int c = 0; c < all.chains; c++) {
        double sum = 0.0, squares = 0.0;

        for (int64_t n = 0; n < all.replicas; n++) {
            int64_t at = c * all.replicas + n;
            double w = all.weight[at];

            sum += w;
            squares += w * w;
            mean_u += w * all.lp[at] / all.chains;
            up += w * (((const int8_t *)all.states)[16 * at + 5] == 1);
        }
        assert_true(fabs(sum - 1.0) < 1e-9);
        assert_true(fabs(1.0 / (200.0 * squares) - p.ess[c]) < 1e-9);
        assert_true(p.ess[c] < 0.99);
    }
    assert_true(fabs(mean_u - p.energy[p.temperatures - 1]) < 1e-6);
    hiss_result_marginal(r, 5, marginal);
    assert_true(fabs(up / all.chains - marginal[1]) < 1e-9);
    hiss_result_destroy(r);
    set.particles = 0;
    r = run(ISING, "smc(betas=[0.3,0.6,1])", &set);
    assert_false(hiss_result_particles(r, &all));
    hiss_result_destroy(r);
}

static void refuse(const hiss_settings *set, const char *spec, const char *word)
{
    hiss_model *m;
    hiss_sampler *s = NULL;
    hiss_result *r = NULL;
    hiss_error err = {0};
    hiss_status rc;

    assert_int_equal(hiss_model_create(&m, ISING, NULL), HISS_OK);
    rc = hiss_sampler_create(&s, spec, &err);
    if (rc == HISS_OK)
        rc = hiss_sample(&r, m, s, set, &err);
    assert_int_not_equal(rc, HISS_OK);
    if (!strstr(err.message, word))
        fail_msg("no \"%s\" in: %s", word, err.message);
    assert_null(r);
    hiss_sampler_destroy(s);
    hiss_model_destroy(m);
}

static int stop(void *context, const hiss_progress *progress)
{
    (void)context;
    return progress->fraction > 0.4 && !progress->is_pilot;
}

static int stop_at_once(void *context, const hiss_progress *progress)
{
    (void)context;
    return !progress->is_pilot;
}

static void what_cannot_be_is_refused(void **state)
{
    hiss_settings set, plain;

    (void)state;
    hiss_settings_init(&plain);
    set = plain;
    set.checkpoint = "smc.checkpoint";
    refuse(&set, "smc", "checkpoints");
    set = plain;
    set.ess = 100.0;
    refuse(&set, "smc", "ESS");
    set = plain;
    set.init_best = 1;
    refuse(&set, "smc", "starts");
    set = plain;
    set.warmup = 10;
    refuse(&set, "smc", "warm-up");
    set = plain;
    set.save_warmup = 1;
    refuse(&set, "smc", "warm-up");
    set = plain;
    set.particles = 1;
    refuse(&set, "gibbs", "those of smc");
    set = plain;
    set.device = "cuda";
    refuse(&set, "smc", "card");
    refuse(&plain, "smc(betas=[0.5,0.4,1])", "rise");
    refuse(&plain, "smc(betas=[0.5])", "end with 1");
    refuse(&plain, "pt(base=smc)", "outermost");
    set = plain;
    set.progress = stop_at_once;
    refuse(&set, "smc", "before a population");
}

/* Populations that are done are kept. */
static void a_stopped_run_has_whole_chains(void **state)
{
    hiss_settings set;
    hiss_result *r;

    (void)state;
    hiss_settings_init(&set);
    set.chains = 4;
    set.samples = 100;
    set.progress = stop;
    r = run(ISING, "smc", &set);
    assert_int_equal(r->run.info.ended, HISS_ENDED_STOPPED);
    assert_int_equal(r->run.info.chains, 1);
    assert_int_equal(population_of(r).chains, 1);
    assert_true(isnan(population_of(r).log_z_se));
    hiss_result_destroy(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_z_is_right),
        cmocka_unit_test(threads_and_chains_change_nothing),
        cmocka_unit_test(draws_are_by_families),
        cmocka_unit_test(budgets_are_kept),
        cmocka_unit_test(thinning_has_more_replicas),
        cmocka_unit_test(marginals_are_weighted),
        cmocka_unit_test(particles_have_weights),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(a_stopped_run_has_whole_chains),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
