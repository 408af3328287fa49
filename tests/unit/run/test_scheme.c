/* What auto and its kin become, as a table of cases; what a pilot may spend. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <hiss/model.h>

#include "api/object/objects.h"
#include "base/alloc.h"
#include "exact/descent.h"
#include "run/pilot/scheme.h"
#include "run/pilot/tour_sampler.h"
#include "run/policy/policy.h"
#include "unit/brief.h"
#include "unit/model_fixture.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))
#define MIXTURE     "mixture(k=3,d=40)"

/* --- models that a spec cannot say -------------------------------------- */

/* A ring of coordinates with three values; neighbors must differ, by
 * `hard`, or rather do. */
static hiss_model *ring(int dim, bool hard)
{
    hiss_kind kind[64];
    int states[64], size[64], scope[128];
    double table[64 * 9];
    hiss_domain domain = {
        .size = sizeof domain, .dim = dim, .kind = kind, .states = states};
    hiss_model *m;

    for (int i = 0; i < dim; i++) {
        kind[i] = HISS_CATEGORICAL;
        states[i] = 3;
        size[i] = 2;
        scope[2 * i] = i;
        scope[2 * i + 1] = (i + 1) % dim;
        for (int v = 0; v < 9; v++)
            table[9 * i + v] = v % 4 ? 0.0 : hard ? -HUGE_VAL : -1.0;
    }
    assert_int_equal(
        hiss_model_factors(&m, &domain, dim, size, scope, table, NULL),
        HISS_OK);
    return m;
}

/* Pairs of coordinates with four values; the second is the first's next but
 * for one in 400. */
static hiss_model *couples(int count)
{
    hiss_kind kind[64];
    int states[64], size[32], scope[64];
    double table[32 * 16];
    hiss_domain domain = {.size = sizeof domain,
                          .dim = 2 * count,
                          .kind = kind,
                          .states = states};
    hiss_model *m;

    for (int i = 0; i < 2 * count; i++) {
        kind[i] = HISS_CATEGORICAL;
        states[i] = 4;
        scope[i] = i;
        size[i / 2] = 2;
    }
    for (int n = 0; n < 16 * count; n++)
        table[n] = (n / 4 + 1) % 4 == n % 4 ? 6.0 : 0.0;
    assert_int_equal(
        hiss_model_factors(&m, &domain, count, size, scope, table, NULL),
        HISS_OK);
    return m;
}

/* Independent spins in a field, as a function that knows nothing of it. */
static int field_u(const void *dim, const int16_t *x, int lanes, double *u,
                   float *gradient)
{
    (void)gradient;
    for (int l = 0; l < lanes; l++) {
        u[l] = 0.0;
        for (int i = 0; i < *(const int *)dim; i++)
            u[l] += 0.6 * x[i * lanes + l];
    }
    return 0;
}

/* --- what a model is like --------------------------------------------- */

static void sites_are_cheap_where_differences_are(void **state)
{
    static const char *const cheap[] = {
        "ising(side=4,beta=0.2)", "potts(side=3,states=3,beta=0.5)",
        "ladder(d=4,levels=5,beta=0.1)", MIXTURE, "rbm(visible=6,hidden=4)"};
    hiss_model *soft = ring(8, false), *hard = ring(8, true);

    (void)state;
    for (size_t n = 0; n < COUNT(cheap); n++) {
        hs_model *m = fixture_model(cheap[n]);

        assert_true(hs_model_has_cheap_sites(m));
        assert_false(hs_model_has_constraints(m));
        hs_model_destroy(m);
    }
    assert_true(hs_model_has_cheap_sites(soft->model));
    assert_false(hs_model_has_constraints(soft->model));
    assert_true(hs_model_has_cheap_sites(hard->model));
    assert_true(hs_model_has_constraints(hard->model));
    hiss_model_destroy(soft);
    hiss_model_destroy(hard);
}

static double sweeps_of(const hs_model *m)
{
    hs_descent_price price;
    double sweeps;

    assert_int_equal(hs_descent_weigh(&price, m, 0.0, NULL), HISS_OK);
    sweeps = price.sweeps;
    hs_descent_price_clear(&price);
    return sweeps;
}

/* A tree: every cluster is a coordinate and one neighbor at most.  A ring
 * has one cluster of three, an all-to-all model one of everything. */
static void elimination_costs_what_its_tables_hold(void **state)
{
    hiss_model *soft = ring(20, false);
    hs_model *chain = fixture_model("ladder(d=10,levels=6,beta=0.1)");
    hs_model *lattice = fixture_model("ising(side=24,beta=0.4)");
    hs_model *mixture = fixture_model(MIXTURE);
    double sweeps;

    (void)state;
    sweeps = sweeps_of(chain);
    assert_true(sweeps > 1.0 && sweeps < 100.0);
    sweeps = sweeps_of(soft->model);
    assert_true(sweeps > 1.0 && sweeps < 20.0);
    /* too wide, and no factors at all */
    sweeps = sweeps_of(lattice);
    assert_true(isinf(sweeps));
    sweeps = sweeps_of(mixture);
    assert_true(isinf(sweeps));
    hs_model_destroy(mixture);
    hs_model_destroy(lattice);
    hs_model_destroy(chain);
    hiss_model_destroy(soft);
}

/* --- tour_sampler.h ----------------------------------------------------- */

static void tours_have_defaults_of_their_own(void **state)
{
    static const struct {
        const char *given, *tours;
    } cases[] = {
        {"tour", "tour"},
        {"hiss", "hiss(inner=tour,block=3)"},
        {"hiss(block=5)", "hiss(block=5,inner=tour)"},
        {"hiss(inner=mix(tour))", "hiss(inner=mix(tour),block=3)"},
        {"hiss(2,1,tour)", "hiss(2,1,tour,block=3)"},
        {"hiss(2,1)", "hiss(2,1,inner=tour,block=3)"},
        {"pt", "pt(base=tour)"},
        {"pt(levels=3)", "pt(levels=3,base=tour)"},
        {"pt(hiss)", "pt(hiss(inner=tour,block=3))"},
        {"mix(tour,hiss(eta=2),weights=[1,2])",
         "mix(tour,hiss(eta=2,inner=tour,block=3),weights=[1,2])"},
        {"auto", "pt(base=sequence(tour,hiss(steps=0,inner=tour,block=3)),"
                 "levels=auto)"},
        {"auto(pilot=5000)",
         "pt(base=sequence(tour,hiss(steps=0,inner=tour,block=3)),"
         "levels=auto)"},
        {"auto(base=tour)", "auto(base=tour)"},
        {"gibbs", "gibbs"},
    };
    hs_model tours = {.domain.is_tour = true}, others = {0};

    (void)state;
    for (size_t n = 0; n < COUNT(cases); n++) {
        hs_sampler *given, *made;
        char *text;

        assert_int_equal(hs_sampler_parse(&given, cases[n].given, NULL), 0);
        assert_int_equal(hs_tour_sampler(&made, given, &tours, NULL), 0);
        text = hs_sampler_print_given(made);
        assert_string_equal(text, cases[n].tours);
        hs_free(text);
        hs_sampler_release(made);
        if (!hs_sampler_find(given, &hs_kernel_hiss)) {
            assert_int_equal(hs_tour_sampler(&made, given, &others, NULL), 0);
            assert_ptr_equal(made, given);
            hs_sampler_release(made);
        }
        hs_sampler_release(given);
    }
}

/* --- scheme.h ----------------------------------------------------------- */

/* Resolves or fails the test. */
static void resolve(hs_scheme *s, const hs_model *m, const char *sampler,
                    hs_pilot_account *account)
{
    hs_sampler *tree;
    hiss_error err = {0};

    assert_int_equal(hs_sampler_parse(&tree, sampler, NULL), HISS_OK);
    if (hs_scheme_init(s, m, tree, account, &err) != HISS_OK)
        fail_msg("%s: %s", sampler, err.message);
    hs_sampler_release(tree);
}

#define LINE 70 /* characters of a line of reasons that fit a screen */

/* `resolved` begins what it became, `text` is part of why; NULL: no pilot. */
static void check(const char *name, const hs_model *m, const char *sampler,
                  double budget, const char *resolved, const char *text)
{
    hs_pilot_account account = {.seed = 1, .budget = budget};
    hs_scheme s;
    char *got;

    resolve(&s, m, sampler, &account);
    got = hs_sampler_print_given(s.sampler);
    if (strncmp(got, resolved, strlen(resolved)) != 0)
        fail_msg("%s, %s: %s", name, sampler, got);
    if (!text != !s.text || (text && !strstr(s.text, text)))
        fail_msg("%s, %s: %s", name, sampler, s.text ? s.text : "no text");
    for (const char *at = s.text; at && *at; at += *at == '\n') {
        size_t length = strcspn(at, "\n");

        if (length > LINE)
            fail_msg("%s, %s: %.*s", name, sampler, (int)length, at);
        at += length;
    }
    hs_free(got);
    hs_scheme_clear(&s);
}

#define GIBBS "gibbs(scan=systematic,updates=0,packed=no)"

static const struct {
    const char *model, *sampler;
    double budget;
    const char *resolved, *text;
} choices[] = {
    /* nothing to find */
    {"ising(side=8,beta=0.6)", "gibbs", 0, "gibbs", NULL},
    {MIXTURE, "hiss(eta=.3)", 0, "hiss(eta=.3)", NULL},
    {MIXTURE, "pt(gibbs,levels=3)", 0, "pt(gibbs,levels=3)", NULL},
    {MIXTURE, "pt(levels=auto,ladder=[1,3])", 0, "pt(levels=auto,ladder=[1,3])",
     NULL},
    /* all at once */
    {"bernoulli4", "auto", 0, "independent", "is independent"},
    {"ladder(d=10,levels=6,beta=0.1)", "auto", 0, "independent",
     "is independent"},
    /* one mode */
    {"ising(side=8,beta=0.1)", "auto(independent=no)", 3e4, GIBBS,
     "local moves are enough"},
    /* too few evaluations to look for modes */
    {MIXTURE, "auto", 900, "hidden", "may not take as many evaluations"},
    {"ising(side=8,beta=0.6)", "auto(independent=no)", 900,
     "sequence(" GIBBS ",cluster)", "may not take as many evaluations"},
    /* temperatures for a base, which stays what it is */
    {MIXTURE, "pt(gibbs,levels=auto)", 3e4,
     "pt(base=" GIBBS ",levels=", "temperatures, barrier"},
    {MIXTURE, "pt(levels=auto,max_temperature=5,swap_every=3)", 3e4,
     "pt(base=dmala(alpha=auto,adjust=yes),levels=", "temperatures"},
    /* tours: no hotter than they have to be, unless that was asked for */
    {"tsp(" HISS_TEST_DATA "/../../data/tsp/eil14.tsp)", "auto", 1e5,
     "pt(base=sequence(tour(", "none hotter than"},
    {"tsp(" HISS_TEST_DATA "/../../data/tsp/eil14.tsp)", "pt(levels=auto)", 1e5,
     "pt(base=tour(", "temperatures, barrier"},
    /* bridges get a library and stay */
    {MIXTURE, "sequence(gibbs,bridge)", 3e4, "sequence(gibbs,bridge)",
     "3 modes distinguished, 3 learned"},
    {"ising(side=8,beta=0.1)", "bridge", 3e4, "bridge",
     "no two modes were distinguished"},
    {MIXTURE, "pt(sequence(gibbs,bridge),levels=auto)", 3e4,
     "pt(base=sequence(" GIBBS ",bridge(swap=0,components=0,sites=64,",
     "3 modes distinguished"},
    /* large, and no two sites far apart depend on each other */
    {"ising(side=260,beta=0.3)", "auto", 0, "replicas(base=" GIBBS ")",
     "local moves are enough"},
};

static void schemes_are_chosen_by_what_is_found(void **state)
{
    (void)state;
    for (size_t n = 0; n < COUNT(choices); n += test_is_brief() ? 3 : 1) {
        hs_model *m = fixture_model(choices[n].model);

        check(choices[n].model, m, choices[n].sampler, choices[n].budget,
              choices[n].resolved, choices[n].text);
        hs_model_destroy(m);
    }
}

/* What must win a race, whatever the seed; tempering needs not. */
static const struct {
    const char *model, *sampler;
    double budget;
    const hs_kernel_type *winner, *another; /* NULL: none */
} races[] = {
    /* domains of all sizes: clusters turn them over, and no library can hold
     * them */
    {"ising(side=16,beta=0.44)", "auto(independent=no)", 2e5,
     &hs_kernel_cluster, NULL},
    /* two and three modes and little or nothing between them: jumps as well */
    {"potts(side=12,states=3,beta=1)", "auto(independent=no)", 2e5,
     &hs_kernel_cluster, &hs_kernel_bridge},
    {"ising(side=8,beta=0.6)", "auto(independent=no)", 3e4, &hs_kernel_cluster,
     &hs_kernel_bridge},
    {"potts(side=6,states=3,beta=1.5)", "auto(independent=no)", 5e4,
     &hs_kernel_cluster, &hs_kernel_bridge},
    /* product laws, which a library has exactly */
    {MIXTURE, "auto", 1e5, &hs_kernel_bridge, NULL},
    {MIXTURE, "auto(base=gibbs(scan=random))", 3e4, &hs_kernel_bridge, NULL},
    /* of many modes, where jumps are accepted always; whether one or more to a
     * local move the slowest column decides, modes or what varies inside */
    {"mixture(k=20,d=300)", "auto", 2e5, &hs_kernel_bridge, NULL},
    /* a step of gwg changes one site of 64, one of blocks all of them */
    {"ising(side=8,beta=0.1)", "auto(independent=no,base=gwg)", 2e5,
     &hs_kernel_blocks, NULL},
};

static void races_are_won_for_good_reasons(void **state)
{
    (void)state;
    for (size_t n = 0; n < COUNT(races); n += test_is_brief() ? 3 : 1)
        for (uint64_t seed = 1; seed <= (test_is_brief() ? 1 : 3); seed++) {
            hs_model *m = fixture_model(races[n].model);
            hs_pilot_account account = {.seed = seed,
                                        .budget = races[n].budget,
                                        .evals = 5.0 * races[n].budget};
            hs_scheme s;

            resolve(&s, m, races[n].sampler, &account);
            if (!(hs_sampler_find(s.sampler, races[n].winner) ||
                  (races[n].another &&
                   hs_sampler_find(s.sampler, races[n].another))) ||
                hs_sampler_find(s.sampler, &hs_kernel_pt))
                fail_msg("%s, seed %d: %s", races[n].model, (int)seed, s.text);
            assert_non_null(strstr(s.text, "effective draws per"));
            hs_scheme_clear(&s);
            hs_model_destroy(m);
        }
}

/* Where single sites are dear gibbs becomes dmala, where they may be stuck
 * blocks, and so where chains agree by blocks alone; what was asked for by
 * name stays. */
static void the_local_sampler_suits_the_model(void **state)
{
    static const int dim = 8;
    static const hiss_kind kind[8] = {HISS_BINARY};
    static const int states[] = {2, 2, 2, 2, 2, 2, 2, 2};
    const hiss_domain domain = {
        .size = sizeof domain, .dim = dim, .kind = kind, .states = states};
    hiss_callback callback = {.size = sizeof callback,
                              .name = "field",
                              .domain = &domain,
                              .evaluate = field_u,
                              .context = &dim};
    hiss_model *hard = ring(40, true), *pairs = couples(32), *dear;

    (void)state;
    assert_int_equal(hiss_model_callback(&dear, &callback, NULL), HISS_OK);
    assert_false(hs_model_has_cheap_sites(dear->model));
    /* a gradient of differences would cost as much as a sweep */
    check("callback", dear->model, "auto", 3e4, GIBBS,
          "local moves are enough");
    check("callback", dear->model, "auto(base=gibbs(updates=0))", 3e4, GIBBS,
          "local moves are enough");
    check("callback", dear->model, "auto(base=dmala(alpha=5))", 3e4,
          "dmala(alpha=5,adjust=yes)", "local moves are enough");
    /* how wide they are the price of a step decides */
    check("ring", hard->model, "auto(independent=no)", 3e4,
          "blocks(table=", "effective draws per");
    /* clusters can be, of constraints that are softened */
    check("ring", hard->model, "auto(independent=no)", 3e4,
          "blocks(table=", "clusters");
    check("ring", hard->model, "auto", 3e4, "independent", "is independent");
    check("couples", pairs->model, "auto(independent=no)", 3e4,
          "blocks(table=", "effective draws per");
    hiss_model_destroy(dear);
    hiss_model_destroy(hard);
    hiss_model_destroy(pairs);
}

/* Half of a lattice and its mirror image are one mode with clusters, so
 * tempering needs no round trips; without them it does. */
static void settling_is_known_where_tempering_alone_mixes(void **state)
{
    static const struct {
        const char *sampler;
        bool is_known;
    } cases[] = {
        {"pt(gibbs,levels=auto)", true},
        {"pt(sequence(gibbs,cluster),levels=auto)", false},
        {"gibbs", false},
    };
    hs_model *m = fixture_model("ising(side=8,beta=0.5)");

    (void)state;
    for (size_t n = 0; n < COUNT(cases); n++) {
        hs_pilot_account account = {.seed = 1, .budget = 3e4};
        hs_scheme s;

        resolve(&s, m, cases[n].sampler, &account);
        assert_int_equal(s.settling > 0.0, cases[n].is_known);
        hs_scheme_clear(&s);
    }
    hs_model_destroy(m);
}

static void libraries_know_what_was_told_apart(void **state)
{
    hs_model *m = fixture_model(MIXTURE);
    hs_pilot_account account = {.seed = 1, .budget = 3e4};
    hs_scheme s;

    (void)state;
    resolve(&s, m, "bridge", &account);
    assert_true(s.knows_all);
    assert_int_equal(s.library->modes, 3);
    assert_true(s.energy_evals + s.gradient_evals ==
                hs_pilot_account_spent(&account));
    hs_scheme_clear(&s);
    hs_model_destroy(m);
}

/* --- budgets ------------------------------------------------------------ */

/* Parts look at what they have spent before a step, so that a pilot may go on
 * for a few steps of all its chains: a tenth, and 200 evaluations. */
static void keeps_to(const char *name, const hs_model *m)
{
    static const char *const samplers[] = {"auto(independent=no,pilot=1e7)",
                                           "pt(gibbs,levels=auto)",
                                           "sequence(gibbs,bridge)"};

    for (size_t n = 0; n < COUNT(samplers); n++)
        for (double budget = 1000; budget < 2e5; budget *= 10.0) {
            hs_pilot_account account = {.seed = 2, .budget = budget};
            double spent;
            hs_scheme s;

            resolve(&s, m, samplers[n], &account);
            spent = hs_pilot_account_spent(&account);
            if (spent > 1.1 * budget + 200.0)
                fail_msg("%s, %s: %g of %g", name, samplers[n], spent, budget);
            hs_scheme_clear(&s);
        }
}

static void pilots_keep_to_their_budgets(void **state)
{
    static const char *const models[] = {"ising(side=8,beta=0.1)",
                                         "ising(side=8,beta=0.6)",
                                         MIXTURE,
                                         "mixture(k=10,d=200)",
                                         "potts(side=6,states=3,beta=1.5)",
                                         "ladder(d=10,levels=6,beta=0.1)",
                                         "rbm(visible=30,hidden=8)"};
    hiss_model *hard = ring(40, true), *pairs = couples(32);

    (void)state;
    for (size_t k = 0; k < COUNT(models); k += test_is_brief() ? 3 : 1) {
        hs_model *m = fixture_model(models[k]);

        keeps_to(models[k], m);
        hs_model_destroy(m);
    }
    keeps_to("ring", hard->model);
    keeps_to("couples", pairs->model);
    hiss_model_destroy(hard);
    hiss_model_destroy(pairs);
}

/* The caller may stop it, and learns how far it is. */
static int stop(void *calls, const hiss_progress *progress)
{
    assert_true(progress->is_warmup);
    return ++*(int *)calls == 1; /* asked at once, then now and then */
}

/* auto's own limit, and that of the model's size: 4e9 coordinates. */
static void the_least_of_all_limits_holds(void **state)
{
    hs_model *m = fixture_model("ising(side=8,beta=0.1)");
    hs_model *large = fixture_model("ising(side=200,beta=0.1)");
    hs_pilot_account own = {.seed = 2, .budget = 5e4};
    int calls = 0;
    hs_pilot_account size = {.seed = 2, .progress = stop, .context = &calls};
    hs_sampler *tree;
    hs_scheme s;

    (void)state;
    resolve(&s, m, "auto(independent=no,pilot=2000)", &own);
    assert_true(own.budget == 2000.0);
    hs_scheme_clear(&s);
    assert_int_equal(hs_sampler_parse(&tree, "auto(pilot=1e12)", NULL), 0);
    assert_int_equal(hs_scheme_init(&s, large, tree, &size, NULL), HISS_ESTOP);
    assert_true(size.budget == 4e9 / 40000.0);
    hs_sampler_release(tree);
    hs_model_destroy(m);
    hs_model_destroy(large);
}

/* Values of auto options: so many steps and evaluations at most, or none. */
static void tuning_keeps_to_its_budget(void **state)
{
    static const struct {
        double evals;
        int64_t steps;
        bool is_tuned;
    } cases[] = {{5, 0, false},  {100, 0, true},  {1000, 0, true},
                 {1e6, 0, true}, {1e6, 20, true}, {0, 20, true}};
    hs_model *m = fixture_model("ising(side=8,beta=0.3)");
    hs_sampler *tree;

    (void)state;
    assert_int_equal(hs_sampler_parse(&tree, "dmala", NULL), HISS_OK);
    for (size_t n = 0; n < COUNT(cases); n++) {
        hs_pilot_account account = {
            .seed = 2, .tuning = cases[n].evals, .steps = cases[n].steps};
        hs_pilot p;

        assert_int_equal(
            hs_pilot_init(&p, m, tree, &(hs_pilot_found){0}, &account, NULL),
            0);
        assert_int_equal(p.group != NULL, cases[n].is_tuned);
        assert_int_equal(p.text != NULL, cases[n].is_tuned);
        if (cases[n].evals > 0.0)
            assert_true(hs_pilot_account_spent(&account) <= cases[n].evals);
        if (cases[n].steps > 0)
            assert_int_equal(p.group->kernel[0]->steps, cases[n].steps);
        else if (cases[n].evals > 1e5)
            assert_int_equal(p.group->kernel[0]->steps,
                             hs_policy_count(HS_TUNE_STEPS));
        hs_pilot_clear(&p);
    }
    hs_sampler_release(tree);
    hs_model_destroy(m);
}

static void a_pilot_can_be_stopped(void **state)
{
    hs_model *m = fixture_model(MIXTURE);
    int calls = 0;
    hs_pilot_account account = {
        .seed = 2, .budget = 3e4, .progress = stop, .context = &calls};
    hs_sampler *tree;
    hs_scheme s;

    (void)state;
    assert_int_equal(hs_sampler_parse(&tree, "auto", NULL), HISS_OK);
    assert_int_equal(hs_scheme_init(&s, m, tree, &account, NULL), HISS_ESTOP);
    assert_null(s.sampler);
    assert_int_equal(calls, 1);
    hs_sampler_release(tree);
    hs_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sites_are_cheap_where_differences_are),
        cmocka_unit_test(elimination_costs_what_its_tables_hold),
        cmocka_unit_test(tours_have_defaults_of_their_own),
        cmocka_unit_test(schemes_are_chosen_by_what_is_found),
        cmocka_unit_test(races_are_won_for_good_reasons),
        cmocka_unit_test(the_local_sampler_suits_the_model),
        cmocka_unit_test(settling_is_known_where_tempering_alone_mixes),
        cmocka_unit_test(libraries_know_what_was_told_apart),
        cmocka_unit_test(pilots_keep_to_their_budgets),
        cmocka_unit_test(the_least_of_all_limits_holds),
        cmocka_unit_test(tuning_keeps_to_its_budget),
        cmocka_unit_test(a_pilot_can_be_stopped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
