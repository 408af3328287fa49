/* test_network.c - draws from truncated networks: the law is kept however much
 * is cut, q sums to 1, wide bonds give the law itself, faults that must be
 * seen. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/error.h"
#include "conformance/support/suite.h"
#include "exact/network/build.h"
#include "kernel/kernel.h"
#include "model/factor/factor_graph.h"
#include "unit/factor_fixture.h"

enum {
    QUICK = 60000,
    GRAPHS = 8
};

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* A random graph of tables with impossible entries. */
static hs_model *random_graph(uint64_t number)
{
    uint64_t seed = UINT64_C(0x2545f4914f6cdd1d) + number;
    hs_factors f;
    hs_model *m;

    random_factors(&f, &seed, 7, 3, 12, 3, 6);
    assert_int_equal(hs_factor_graph_create(&m, "graph", &f, NULL), HISS_OK);
    return m;
}

static void the_law_is_kept(void **state)
{
    static const char *const bonds[] = {"network(bond=1)", "network(bond=2)",
                                        "network(bond=4)"};
    uint64_t seed = 161000;
    int wrong = 0;

    (void)state;
    for (int i = 0; i < SUITE_MODELS + GRAPHS; i++) {
        hs_model *m = i < SUITE_MODELS ? suite_create((suite_model)i)
                                       : random_graph((uint64_t)i);
        const char *name = i < SUITE_MODELS ? suite_names[i] : "graph";
        double moved = i < SUITE_MODELS ? 0.01 : 0.0; /* some leave no choice */

        for (size_t b = 0; b < COUNT(bonds); b++)
            wrong +=
                suite_complaints(name, m, bonds[b], suite_replicates(QUICK),
                                 suite_seed(seed++), moved);
        hs_model_destroy(m);
    }
    assert_int_equal(wrong, 0);
}

/* Under other tilts the same proposals are tested by another ratio. */
static void other_temperatures_and_tilts_are_kept(void **state)
{
    static const char *const samplers[] = {
        "pt(base=network(bond=2),levels=3,max_temperature=3)",
        "hiss(eta=1,steps=1,inner=network(bond=1))",
        "mix(network(bond=2),gibbs)",
        "sequence(gibbs,network(bond=1))",
    };
    hs_model *m = suite_create(ISING);
    int wrong = 0;

    (void)state;
    for (size_t s = 0; s < COUNT(samplers); s++)
        wrong +=
            suite_complaints("ising", m, samplers[s], suite_replicates(QUICK),
                             suite_seed(162000 + s), 0.02);
    hs_model_destroy(m);
    assert_int_equal(wrong, 0);
}

/* A hottest level that is drawn from a network of its temperature. */
static void tempering_from_a_network_is_kept(void **state)
{
    static const char *const samplers[] = {
        "pt(base=gibbs,levels=3,max_temperature=3,reference=network)",
        "pt(base=metropolis,ladder=[1,2],swap_every=2,reference=network)",
        "pt(base=gibbs,ladder=[1],reference=network)",
    };
    uint64_t seed = 163000;
    int wrong = 0;

    (void)state;
    for (int i = 0; i < SUITE_MODELS; i++) {
        hs_model *m = suite_create((suite_model)i);

        for (size_t s = 0; s < COUNT(samplers); s++)
            wrong += suite_complaints(suite_names[i], m, samplers[s],
                                      suite_replicates(QUICK),
                                      suite_seed(seed++), 0.01);
        hs_model_destroy(m);
    }
    assert_int_equal(wrong, 0);
}

/* --- q, state by state --------------------------------------------------- */

/* Probabilities of all states by a network, and the largest difference of ln q
 * from ln p. */
static void look_at_all(const hs_model *m, int bond, double *total,
                        double *worst)
{
    const hs_network_request request = {.bond = bond};
    const hs_network *n;
    hs_network_scratch *s;
    hs_index_row *x = hs_alloc_array((size_t)m->domain.dim, sizeof *x);
    double log_q[HS_LANES], u[HS_LANES];
    int64_t states = (int64_t)hs_domain_size(&m->domain);
    double *difference = hs_alloc_array((size_t)states, sizeof *difference);
    double log_z;

    assert_int_equal(hs_network_hold(&n, m, &request, NULL), HISS_OK);
    assert_int_equal(hs_network_scratch_create(&s, n, NULL), HISS_OK);
    *total = *worst = 0.0;
    for (int64_t at = 0; at < states; at++) {
        int64_t rest = at;

        for (int i = 0; i < m->domain.dim; i++) {
            for (int l = 0; l < HS_LANES; l++)
                x[i][l] = (int16_t)(rest % m->domain.states[i]);
            rest /= m->domain.states[i];
        }
        hs_network_draw(n, s, NULL, x, log_q);
        hs_network_energy(n, (const hs_index_row *)x, u);
        *total += exp(log_q[0]);
        difference[at] = u[0] > -HUGE_VAL ? u[0] - log_q[0] : (double)NAN;
        if (u[0] > -HUGE_VAL) /* wherever p > 0 */
            assert_true(log_q[0] > -HUGE_VAL);
    }
    log_z = hs_network_about(n)->log_z;
    for (int64_t at = 0; at < states; at++)
        if (!isnan(difference[at]) && exp(log_z - difference[at]) > 0.0)
            *worst = fmax(*worst, fabs(difference[at] - log_z));
    hs_network_scratch_destroy(s);
    hs_network_release(n);
    hs_free(x);
    hs_free(difference);
}

static void q_is_a_law(void **state)
{
    (void)state;
    for (int i = 0; i < SUITE_MODELS + GRAPHS; i++) {
        hs_model *m = i < SUITE_MODELS ? suite_create((suite_model)i)
                                       : random_graph((uint64_t)i);

        for (int bond = 1; bond <= 64; bond *= 4) {
            double total, worst;

            look_at_all(m, bond, &total, &worst);
            printf("%d bond %d: sum of q %.15g, ln p/q off by %.3g\n", i, bond,
                   total, worst);
            assert_float_equal(total, 1.0, 1e-9);
            if (bond == 64) /* nothing is cut but rounding */
                assert_true(worst < 1e-4);
        }
        hs_model_destroy(m);
    }
}

/* --- broken copies ------------------------------------------------------- */

enum {
    NONE,
    UNCOUNTED, /* a weight is raised, and q does not count it */
    STALE,     /* ln q of the state is that of the one before */
};

struct bad_network {
    int fault;
    const hs_network *held;
    hs_network_scratch *scratch;
    hs_index_row *x; /* owned */
    hs_point y;
};

static hiss_status bad_setup(hs_kernel *k, const hs_model *m, hiss_error *err)
{
    const hs_network_request request = {.bond = 1};
    struct bad_network *s = k->state;

    HS_TRY(hs_network_hold(&s->held, m, &request, err));
    HS_TRY(hs_network_scratch_create(&s->scratch, s->held, err));
    s->x = hs_alloc_array((size_t)m->domain.dim, sizeof *s->x);
    assert_non_null(s->x);
    return hs_point_init(&s->y, m, err);
}

static void bad_clear(hs_kernel *k)
{
    struct bad_network *s = k->state;

    hs_network_scratch_destroy(s->scratch);
    hs_network_release(s->held);
    hs_free(s->x);
    hs_point_clear(&s->y);
}

/* A high floor, so that every draw is likely to have a raised weight. */
#define HIGH 0.3

static void set_floor(struct bad_network *s, double floor)
{
    hs_network *own; /* others hold it, but do not draw meanwhile */

    memcpy(&own, &s->held, sizeof own);
    own->floor = floor;
}

static hiss_status bad_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                            hs_tile *x)
{
    struct bad_network *s = k->state;
    double ratio[HS_LANES], q_of_x[HS_LANES], q_of_y[HS_LANES];
    hs_network_address a = {.seed = x->rng.seed};
    int32_t accept[HS_LANES];

    hs_tile_tick(x);
    for (int l = 0; l < HS_LANES; l++) {
        a.chain[l] = x->rng.chain[l];
        a.replica[l] = x->rng.replica[l];
        a.clock[l] = x->rng.clock;
    }
    set_floor(s, HIGH);
    hs_network_draw(s->held, s->scratch, &a, s->y.x, q_of_y);
    if (s->fault == UNCOUNTED)
        set_floor(s, 1e-9);
    hs_network_draw(s->held, s->scratch, NULL, s->y.x, q_of_y);
    hs_network_draw(s->held, s->scratch, NULL,
                    s->fault == STALE ? s->y.x : x->at.x, q_of_x);
    s->y.have = 0;
    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U));
    HS_TRY(hs_tile_evaluate(x, m, &s->y, HS_U));
    hs_tile_log_ratio(m, t, &x->at, &s->y, ratio);
    for (int l = 0; l < HS_LANES; l++)
        ratio[l] += q_of_x[l] - q_of_y[l];
    hs_tile_decide(x, ratio, accept);
    hs_tile_move(x, m, &s->y, accept);
    return HISS_OK;
}

static hs_traits bad_traits(const hs_kernel *k)
{
    (void)k;
    return (hs_traits){.exact = true, .homogeneous = true, .period = 1};
}

static const hs_option bad_options[] = {
    {"fault", HS_CHOICE, offsetof(struct bad_network, fault), "none",
     "none|uncounted|stale", "what is wrong"},
    {0},
};

static const hs_kernel_type bad_network = {
    .name = "bad_network",
    .summary = "draws from a network with a fault",
    .size = sizeof(struct bad_network),
    .options = bad_options,
    .setup = bad_setup,
    .step = bad_step,
    .clear = bad_clear,
    .traits = bad_traits,
};

static const hs_kernel_type *const broken[] = {&bad_network, NULL};

static void faults_are_seen(void **state)
{
    static const char *const specs[] = {
        "ising(side=3,beta=0.3,field=0.3)",
        "potts(side=2,states=3,beta=0.6)",
        "ladder(d=4,levels=4,beta=0.5)",
    };
    static const char *const faults[] = {"none", "uncounted", "stale"};
    uint64_t seed = 163000;
    int wrong = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(specs); i++) {
        hs_model *m = suite_model_of(specs[i]);

        for (size_t f = 0; f < COUNT(faults); f++) {
            char sampler[64];
            hs_verdict v;

            snprintf(sampler, sizeof sampler, "bad_network(fault=%s)",
                     faults[f]);
            suite_verify(&v, m, sampler, suite_replicates(4 * (int64_t)QUICK),
                         suite_seed(seed++));
            printf("%-34s %-30s p = %.3g, moved %.3f\n", specs[i], sampler,
                   v.result.p_value, v.result.moved);
            wrong += (v.result.p_value > 1e-8) != (f == 0);
            hs_verdict_clear(&v);
        }
        hs_model_destroy(m);
    }
    assert_int_equal(wrong, suite_is_brief() ? wrong : 0);
}

/* --- what is refused, shared and stopped ---------------------------------- */

static void other_models_are_refused(void **state)
{
    (void)state;
    suite_refuses("network", "mixture(2,4)", "not a sum of small tables");
}

static int stop_at_once(void *context)
{
    (void)context;
    return 1;
}

static void networks_are_shared_and_stopped(void **state)
{
    hs_model *m = suite_model_of("ising(side=3,beta=0.3)");
    hs_poll poll = {stop_at_once, NULL};
    const hs_network_request impatient = {.bond = 4, .poll = &poll};
    const hs_network_request four = {.bond = 4}, two = {.bond = 2};
    const hs_network *a, *b, *c;

    (void)state;
    assert_int_equal(hs_network_hold(&a, m, &impatient, NULL), HISS_ESTOP);
    assert_null(a);
    assert_int_equal(hs_network_hold(&a, m, &four, NULL), HISS_OK);
    assert_int_equal(hs_network_hold(&b, m, &four, NULL), HISS_OK);
    assert_int_equal(hs_network_hold(&c, m, &two, NULL), HISS_OK);
    assert_ptr_equal(a, b);
    assert_ptr_not_equal(a, c);
    hs_network_release(a);
    hs_network_release(c);
    assert_true(hs_network_about(b)->bond == 4);
    hs_network_release(b);
    hs_network_release(NULL);
    hs_model_destroy(m);
}

/* Every allocation that can fail does, once: no crash, nothing left. */
static void memory_may_run_out(void **state)
{
    hs_model *m = suite_model_of("ising(side=3,beta=0.3)");
    const hs_network_request request = {.bond = 2};
    hiss_status rc = HISS_ENOMEM;

    (void)state;
    for (int64_t n = 1; rc != HISS_OK; n += 1 + n / 8) {
        const hs_network *a;

        hs_alloc_fail_after(n);
        rc = hs_network_hold(&a, m, &request, NULL);
        hs_alloc_fail_after(0);
        assert_true(rc == HISS_OK || rc == HISS_ENOMEM);
        hs_network_release(a);
    }
    hs_model_destroy(m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_law_is_kept),
        cmocka_unit_test(other_temperatures_and_tilts_are_kept),
        cmocka_unit_test(tempering_from_a_network_is_kept),
        cmocka_unit_test(q_is_a_law),
        cmocka_unit_test(faults_are_seen),
        cmocka_unit_test(other_models_are_refused),
        cmocka_unit_test(networks_are_shared_and_stopped),
        cmocka_unit_test(memory_may_run_out),
    };

    suite_begin(argc, argv);
    hs_kernel_extra = broken;
    return cmocka_run_group_tests_name("network", tests, NULL, NULL);
}
