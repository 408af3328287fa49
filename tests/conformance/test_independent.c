/* test_independent.c - independent draws by elimination: the law on all kinds
 * and on graphs of tables with zeros, that a step forgets where it was, faults
 * that must be seen, and tables that chains share. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/error.h"
#include "conformance/support/matrix.h"
#include "conformance/support/suite.h"
#include "kernel/gibbs/fresh.h"
#include "kernel/kernel.h"
#include "model/factor/factor_graph.h"
#include "unit/factor_fixture.h"

enum {
    QUICK = 60000,
    GRAPHS = 8
};

static const hs_descent_request one = {.threads = 1}, two = {.threads = 2};

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* A random graph of tables with impossible entries. */
static hs_model *random_graph(uint64_t number)
{
    uint64_t seed = UINT64_C(0x2545f4914f6cdd1d) + number;
    hs_factors f;
    hs_model *m;

    random_factors(&f, &seed, 5, 3, 9, 3, 6);
    assert_int_equal(hs_factor_graph_create(&m, "graph", &f, NULL), HISS_OK);
    return m;
}

static void the_law_is_kept(void **state)
{
    uint64_t seed = 151000;
    int wrong = 0;

    (void)state;
    for (int i = 0; i < SUITE_MODELS + GRAPHS; i++) {
        hs_model *m = i < SUITE_MODELS ? suite_create((suite_model)i)
                                       : random_graph((uint64_t)i);
        const char *name = i < SUITE_MODELS ? suite_names[i] : "graph";
        double moved = i < SUITE_MODELS ? 0.02 : 0.0; /* some leave no choice */

        wrong +=
            suite_complaints(name, m, "independent", suite_replicates(QUICK),
                             suite_seed(seed++), moved);
        hs_model_destroy(m);
    }
    assert_int_equal(wrong, 0);
}

/* The law, from wherever. */
static void matrix_law(const space *s, matrix p)
{
    double sum = 0.0;

    for (int y = 0; y < s->n; y++)
        sum += exp(s->u[y]);
    for (int x = 0; x < s->n; x++)
        for (int y = 0; y < s->n; y++)
            p[x][y] = exp(s->u[y]) / sum;
}

static void a_step_forgets_where_it_was(void **state)
{
    static matrix p;
    int wrong = 0;

    (void)state;
    for (int i = 0; i < GRAPHS; i++) {
        hs_model *m = random_graph((uint64_t)i);
        hs_verdict v;
        double chance;
        space s;

        space_init(&s, m);
        matrix_law(&s, p);
        suite_verify(&v, m, "independent", suite_replicates(2 * (int64_t)QUICK),
                     suite_seed(152000 + (uint64_t)i));
        chance = matrix_p_value(s.n, p, &v);
        printf("%s  graph %d p = %.3g\n", chance > 1e-6 ? "ok   " : "WRONG", i,
               chance);
        wrong += chance <= 1e-6;
        hs_verdict_clear(&v);
        hs_model_destroy(m);
    }
    assert_int_equal(wrong, 0);
}

/* --- broken copies ------------------------------------------------------- */

enum {
    NONE,
    DEAF,  /* the last table of a coordinate is not added */
    STALE, /* one of the others is taken at index 0 */
};

struct bad_independent {
    hs_fresh own; /* with tables of its own */
    int fault;
    const hs_descent *held;
    hs_descent wrong;
    hs_descent_stop *stop; /* owned */
    hs_descent_part *part; /* owned */
};

static int64_t parts_of(const hs_descent *d)
{
    int64_t parts = 0;

    for (int n = 0; n < d->count; n++)
        parts += d->stop[n].parts;
    return parts;
}

static hiss_status bad_setup(hs_kernel *k, const hs_model *m, hiss_error *err)
{
    struct bad_independent *s = k->state;
    size_t states = (size_t)m->domain.states_max;
    int64_t parts;

    HS_TRY(hs_descent_hold(&s->held, m, &one, err));
    parts = parts_of(s->held);
    s->stop = hs_alloc_array((size_t)s->held->count, sizeof *s->stop);
    s->part = hs_alloc_array((size_t)parts, sizeof *s->part);
    s->own.weight = hs_alloc_array(states, sizeof *s->own.weight);
    s->own.logits = hs_alloc_array(2 * states, sizeof *s->own.logits);
    assert_true(s->stop && s->part && s->own.weight && s->own.logits);
    memcpy(s->stop, s->held->stop, (size_t)s->held->count * sizeof *s->stop);
    memcpy(s->part, s->held->part, (size_t)parts * sizeof *s->part);
    for (int n = 0; n < s->held->count; n++) {
        hs_descent_part *last =
            &s->part[s->stop[n].part + s->stop[n].parts - 1];

        if (s->fault == DEAF && s->stop[n].parts > 1)
            s->stop[n].parts--;
        if (s->fault == STALE && s->stop[n].parts > 0 && last->others > 0)
            last->others--;
    }
    s->wrong = *s->held;
    s->wrong.stop = s->stop;
    s->wrong.part = s->part;
    s->own.descent = &s->wrong;
    return HISS_OK;
}

static void bad_clear(hs_kernel *k)
{
    struct bad_independent *s = k->state;

    hs_descent_release(s->held);
    hs_free(s->stop);
    hs_free(s->part);
    hs_free(s->own.weight);
    hs_free(s->own.logits);
}

static hiss_status bad_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                            hs_tile *x)
{
    struct bad_independent *s = k->state;

    (void)t;
    hs_tile_tick(x);
    hs_fresh_draw(&s->own, &m->domain, x);
    x->at.have = 0;
    return hs_tile_evaluate(x, m, &x->at, HS_U);
}

static hs_traits bad_traits(const hs_kernel *k)
{
    (void)k;
    return (hs_traits){.exact = true, .homogeneous = true, .period = 1};
}

static const hs_option bad_options[] = {
    {"fault", HS_CHOICE, offsetof(struct bad_independent, fault), "none",
     "none|deaf|stale", "what is wrong"},
    {0},
};

static const hs_kernel_type bad_independent = {
    .name = "bad_independent",
    .summary = "independent draws with a fault",
    .size = sizeof(struct bad_independent),
    .options = bad_options,
    .setup = bad_setup,
    .step = bad_step,
    .clear = bad_clear,
    .traits = bad_traits,
};

static const hs_kernel_type *const broken[] = {&bad_independent, NULL};

static void faults_are_seen(void **state)
{
    static const char *const specs[] = {"ising(side=3,beta=0.3,field=0.3)",
                                        "potts(side=2,states=3,beta=0.6)"};
    static const char *const faults[] = {"none", "deaf", "stale"};
    uint64_t seed = 153000;
    int wrong = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(specs); i++) {
        hs_model *m = suite_model_of(specs[i]);

        for (size_t f = 0; f < COUNT(faults); f++) {
            char sampler[64];
            hs_verdict v;

            snprintf(sampler, sizeof sampler, "bad_independent(fault=%s)",
                     faults[f]);
            suite_verify(&v, m, sampler, suite_replicates(4 * (int64_t)QUICK),
                         suite_seed(seed++));
            printf("%-34s %-30s p = %.3g\n", specs[i], sampler,
                   v.result.p_value);
            wrong += (v.result.p_value > 1e-8) != (f == 0);
            hs_verdict_clear(&v);
        }
        hs_model_destroy(m);
    }
    assert_int_equal(wrong, suite_is_brief() ? wrong : 0);
}

/* --- what is refused and shared ------------------------------------------ */

static void other_models_and_nesting_are_refused(void **state)
{
    hs_sampler *s;

    (void)state;
    suite_refuses("independent", "mixture(2,4)", "not a sum of small tables");
    assert_int_not_equal(hs_sampler_parse(&s, "pt(base=independent)", NULL),
                         HISS_OK);
}

static void tables_are_made_once(void **state)
{
    hs_model *m = suite_model_of("ising(side=3,beta=0.3)");
    hs_model *twin = suite_model_of("ising(side=3,beta=0.3)");
    const hs_descent *a, *b, *c;

    (void)state;
    assert_int_equal(hs_descent_hold(&a, m, &one, NULL), HISS_OK);
    assert_int_equal(hs_descent_hold(&b, m, &two, NULL), HISS_OK);
    assert_int_equal(hs_descent_hold(&c, twin, &one, NULL), HISS_OK);
    assert_ptr_equal(a, b);
    assert_ptr_not_equal(a, c);
    hs_descent_release(a);
    hs_descent_release(c);
    assert_int_equal(b->count, 9); /* still there */
    hs_descent_release(b);
    hs_descent_release(NULL);
    hs_model_destroy(m);
    hs_model_destroy(twin);
}

static int stop_at_once(void *context)
{
    (void)context;
    return 1;
}

static void tables_can_be_interrupted(void **state)
{
    hs_model *m = suite_model_of("ising(side=3,beta=0.3)");
    hs_poll poll = {stop_at_once, NULL};
    const hs_descent_request impatient = {.threads = 1, .poll = &poll};
    const hs_descent_request poor = {.threads = 1, .most = 2.0};
    const hs_descent *d;

    (void)state;
    assert_int_equal(hs_descent_hold(&d, m, &impatient, NULL), HISS_ESTOP);
    assert_null(d);
    assert_int_equal(hs_descent_hold(&d, m, &poor, NULL), HISS_EARG);
    assert_null(d);
    assert_int_equal(hs_descent_hold(&d, m, &one, NULL), HISS_OK);
    hs_descent_release(d);
    hs_model_destroy(m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_law_is_kept),
        cmocka_unit_test(a_step_forgets_where_it_was),
        cmocka_unit_test(faults_are_seen),
        cmocka_unit_test(other_models_and_nesting_are_refused),
        cmocka_unit_test(tables_are_made_once),
        cmocka_unit_test(tables_can_be_interrupted),
    };

    suite_begin(argc, argv);
    hs_kernel_extra = broken;
    return cmocka_run_group_tests_name("independent", tests, NULL, NULL);
}
