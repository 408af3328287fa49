/* test_price.c - prices of steps: the table, and the arithmetic of trees. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <hiss/hiss.h>

#include "api/object/objects.h"
#include "kernel/library.h"
#include "kernel/sampler.h"
#include "run/chain/group.h"
#include "run/price/price.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static hs_model *model_of(const char *spec)
{
    hiss_error err = {0};
    hs_model *m;

    if (hs_model_create(&m, spec, &err) != HISS_OK)
        fail_msg("%s: %s", spec, err.message);
    return m;
}

/* NULL: the sampler is not for this model. */
static hs_kernel *kernel_for(const hs_model *m, const char *spec)
{
    hiss_error err = {0};
    hs_sampler *s;
    hs_kernel *k;

    if (hs_sampler_parse(&s, spec, &err) != HISS_OK)
        fail_msg("%s: %s", spec, err.message);
    assert_int_equal(hs_kernel_create(&k, s, &err), HISS_OK);
    hs_sampler_release(s);
    if (hs_kernel_setup(k, m, &err) == HISS_OK)
        return k;
    hs_kernel_destroy(k);
    return NULL;
}

static double price_on(const hs_model *m, const char *spec)
{
    hs_kernel *k = kernel_for(m, spec);
    double price;

    if (!k)
        return NAN;
    price = hs_price_step(k, m);
    hs_kernel_destroy(k);
    return price;
}

static double price_of(const char *model, const char *spec)
{
    hs_model *m = model_of(model);
    double price = price_on(m, spec);

    hs_model_destroy(m);
    return price;
}

static void is_near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-9 * fabs(a + b)))
        fail_msg("%.12g is not %.12g", a, b);
}

/* --- the table ------------------------------------------------------------ */

static void rows_are_sound(void **state)
{
    (void)state;
    for (const hs_price *p = hs_prices; p->kernel; p++) {
        const double unit[] = {p->step, p->site, p->value, p->term, p->own};
        double sum = 0.0;

        for (size_t u = 0; u < COUNT(unit); u++) {
            assert_true(unit[u] >= 0.0 && unit[u] < 1e12);
            sum += unit[u];
        }
        if (!(sum > 0.0))
            fail_msg("%s %s %s is free", p->kernel, p->variant, p->family);
        if (strcmp(p->kernel, "evaluation") != 0)
            assert_non_null(hs_kernel_type_find(p->kernel));
        for (const hs_price *q = hs_prices; q < p; q++)
            if (strcmp(p->kernel, q->kernel) == 0 &&
                strcmp(p->variant, q->variant) == 0 &&
                strcmp(p->family, q->family) == 0)
                fail_msg("two rows for %s %s %s", p->kernel, p->variant,
                         p->family);
    }
}

/* Kernels that are made of others cost what these do. */
static bool has_children(const hs_kernel_type *type)
{
    for (const hs_option *o = type->options; o->name; o++)
        if (o->type == HS_CHILD || o->type == HS_CHILDREN)
            return true;
    return false;
}

static void every_kernel_has_a_row(void **state)
{
    (void)state;
    for (const hs_kernel_type *const *t = hs_kernel_types; *t; t++) {
        bool is_there = has_children(*t);

        for (const hs_price *p = hs_prices; p->kernel && !is_there; p++)
            is_there = strcmp(p->kernel, (*t)->name) == 0;
        if (!is_there)
            fail_msg("%s has no row in price.def: add it to the probes of "
                     "bench/prices.c and run `make bench-prices`",
                     (*t)->name);
    }
}

/* Families that built-in models name have a price of an evaluation. */
static void every_family_has_a_unit(void **state)
{
    static const char *const models[] = {
        "ising(side=4,beta=0.3)",
        "potts(side=4,states=3,beta=0.3)",
        "ladder(d=4,levels=3,beta=0.3)",
        "mixture(k=2,d=8)",
        "rbm(visible=8,hidden=4)",
        "bernoulli4",
        "cross",
        "pairs(d=6)",
    };

    (void)state;
    for (size_t n = 0; n < COUNT(models); n++) {
        hs_model *m = model_of(models[n]);
        hs_model_work w = hs_model_work_of(m);

        if (!hs_price_find("evaluation", "plain", w.family))
            fail_msg("%s: no price of an evaluation in family %s", models[n],
                     w.family);
        assert_true(w.terms > 0.0);
        hs_model_destroy(m);
    }
}

/* --- trees ---------------------------------------------------------------- */

#define LATTICE "ising(side=8,beta=0.3)"

static void trees_add_up(void **state)
{
    hs_model *m = model_of(LATTICE);
    double gibbs = price_on(m, "gibbs"), dmala = price_on(m, "dmala");

    (void)state;
    is_near(price_on(m, "sequence(gibbs,dmala,gibbs)"), 2.0 * gibbs + dmala);
    is_near(price_on(m, "mix(gibbs,dmala)"), 0.5 * (gibbs + dmala));
    is_near(price_on(m, "mix(gibbs,dmala,weights=[3,1])"),
            0.75 * gibbs + 0.25 * dmala);
    is_near(price_on(m, "smc(base=gibbs)"), gibbs);
    is_near(price_on(m, "metropolis(updates=640)"),
            10.0 * price_on(m, "metropolis"));
    is_near(price_on(m, "mix(gibbs(scan=random,updates=32),dmala)") -
                0.5 * dmala,
            0.25 * price_on(m, "gibbs(scan=random)"));
    hs_model_destroy(m);
}

static void inner_steps_count(void **state)
{
    hs_model *m = model_of(LATTICE);
    double none = price_on(m, "hiss(eta=1,steps=0)");
    double one = price_on(m, "hiss(eta=1,steps=1)") - none;

    (void)state;
    assert_true(one > 0.0);
    is_near(price_on(m, "hiss(eta=1,steps=5)"), none + 5.0 * one);
    is_near(price_on(m, "hiss(eta=1,steps=2,sweeps=3)"),
            3.0 * (none + 2.0 * one));
    is_near(price_on(m, "hiss(eta=1,steps=2,order=palindrome)"),
            none + 4.0 * one);
    is_near(price_on(m, "edlp(inner=gwg,steps=3)") -
                price_on(m, "edlp(inner=gwg,steps=1)"),
            2.0 * (price_on(m, "edlp(inner=gwg,steps=2)") -
                   price_on(m, "edlp(inner=gwg,steps=1)")));
    hs_model_destroy(m);
}

static void replicas_cost_their_lanes(void **state)
{
    hs_model *m = model_of(LATTICE);
    hs_kernel *k = kernel_for(m, "pt(base=gibbs,levels=8)");
    double step = hs_price_step(k, m);

    (void)state;
    assert_true(step > price_on(m, "gibbs"));
    is_near(hs_price_chain(k, m), 1e-9 * step * 8.0 / 16.0);
    assert_true(price_on(m, "pt(base=gibbs,levels=8,swap_every=10)") < step);
    assert_true(price_on(m, "pt(base=gibbs,levels=8,houdayer=1)") >
                price_on(m, "pt(base=gibbs,levels=8,houdayer=10)"));
    hs_kernel_destroy(k);
    hs_model_destroy(m);
}

/* Five chains of eight replicas are two tiles and a half. */
static void groups_pay_for_whole_tiles(void **state)
{
    hs_model *m = model_of(LATTICE);
    hs_sampler *s;
    hs_group *g;
    double tile = price_on(m, "replicas(base=gibbs,count=8)");

    (void)state;
    assert_int_equal(hs_sampler_parse(&s, "replicas(base=gibbs,count=8)", NULL),
                     HISS_OK);
    assert_int_equal(hs_group_create(&g, m, s, 1, 0, 5, NULL), HISS_OK);
    assert_int_equal(g->tiles, 3);
    is_near(hs_price_group(g), 3e-9 * tile);
    hs_group_destroy(g);
    hs_sampler_release(s);
    hs_model_destroy(m);
}

static void larger_models_cost_more(void **state)
{
    static const char *const small[] = {
        LATTICE, "potts(side=6,states=4,beta=0.3)", "mixture(k=4,d=30)",
        "rbm(visible=20,hidden=10)", "ladder(d=20,levels=4,beta=0.3)"};
    static const char *const large[] = {
        "ising(side=24,beta=0.3)", "potts(side=12,states=8,beta=0.3)",
        "mixture(k=9,d=90)", "rbm(visible=60,hidden=30)",
        "ladder(d=90,levels=8,beta=0.3)"};

    (void)state;
    for (size_t n = 0; n < COUNT(small); n++)
        for (const hs_kernel_type *const *t = hs_kernel_types; *t; t++) {
            double a, b;

            /* a library or a time of a step is missing, or a table too large */
            if (strcmp((*t)->name, "bridge") == 0 || has_children(*t) ||
                strcmp((*t)->name, "independent") == 0)
                continue;
            a = price_of(small[n], (*t)->name);
            b = price_of(large[n], (*t)->name);
            if (a >= b)
                fail_msg("%s costs %.4g on %s and %.4g on %s", (*t)->name, a,
                         small[n], b, large[n]);
        }
}

/* A bridge without a library does nothing; one with it costs its modes. */
static void modes_cost(void **state)
{
    hs_model *m = model_of("mixture(k=4,d=40)");
    hs_kernel *k = kernel_for(m, "bridge");
    double last = hs_price_step(k, m);

    (void)state;
    for (int modes = 2; modes <= 128; modes *= 8) {
        hs_library *b;
        int16_t top[40] = {0};
        double now;

        assert_int_equal(hs_library_create(&b, &m->domain, modes, NULL),
                         HISS_OK);
        for (int n = 0; n < modes; n++) {
            for (int i = 0; i < 40; i++)
                top[i] = (int16_t)(n >> i % 7 & 1);
            assert_int_equal(hs_library_state(b, &m->domain, n, top, NULL),
                             HISS_OK);
        }
        hs_library_weigh(b, NULL);
        hs_kernel_attach(k, b);
        now = hs_price_step(k, m);
        if (!(now > last))
            fail_msg("%d modes cost %g, fewer %g", modes, now, last);
        last = now;
        hs_kernel_attach(k, NULL);
        hs_library_destroy(b);
    }
    hs_kernel_destroy(k);
    hs_model_destroy(m);
}

/* --- functions ------------------------------------------------------------ */

static int nothing(const void *context, const int16_t *x, int lanes, double *u,
                   float *gradient)
{
    (void)context;
    (void)x;
    (void)gradient;
    for (int l = 0; l < lanes; l++)
        u[l] = 0.0;
    return 0;
}

static hiss_model *function_of(int dim, int has_gradient)
{
    hiss_domain d = {.size = sizeof d, .dim = dim};
    hiss_callback c = {.size = sizeof c,
                       .domain = &d,
                       .evaluate = nothing,
                       .has_gradient = has_gradient};
    hiss_model *m;

    assert_int_equal(hiss_model_callback(&m, &c, NULL), HISS_OK);
    return m;
}

/* A sweep of 40 sites with two values evaluates each other value; Langevin a
 * proposal with its gradient, and that is 40 states where there is none. */
static void functions_count_evaluations(void **state)
{
    hiss_model *m = function_of(40, 1), *plain = function_of(40, 0);
    double unit = hs_price_find("evaluation", "plain", "function")->step;
    double sweep = price_on(m->model, "gibbs") / unit;
    double langevin = price_on(m->model, "dmala") / unit;
    double without = price_on(plain->model, "dmala") / unit;
    hs_kernel *k = kernel_for(m->model, "gibbs");

    (void)state;
    if (!(fabs(sweep - 40.0) < 2.0))
        fail_msg("a sweep has %g evaluations", sweep);
    if (!(fabs(langevin - 2.0) < 0.1) || !(without > 35.0 && without < 45.0))
        fail_msg("a Langevin step has %g, and %g without a gradient", langevin,
                 without);
    is_near(hs_price_tile(k, m->model, 4), 0.25 * hs_price_step(k, m->model));
    hs_kernel_destroy(k);
    hiss_model_destroy(m);
    hiss_model_destroy(plain);
}

/* --- kernels without a row ------------------------------------------------ */

static hiss_status stay(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                        hs_tile *x)
{
    (void)k;
    (void)m;
    (void)t;
    hs_tile_tick(x);
    return HISS_OK;
}

static hs_traits stay_traits(const hs_kernel *k)
{
    (void)k;
    return (hs_traits){.exact = true, .reversible = true, .period = 1};
}

static const hs_option no_options[] = {{0}};
static const hs_kernel_type foreign = {.name = "foreign",
                                       .summary = "has no row",
                                       .size = 1,
                                       .options = no_options,
                                       .step = stay,
                                       .traits = stay_traits};

static void a_foreign_kernel_costs_an_evaluation(void **state)
{
    const hs_kernel_type *const more[] = {&foreign, NULL};
    hs_model *m = model_of(LATTICE);
    const hs_price *own = hs_price_find("evaluation", "plain", "lattice");

    (void)state;
    hs_kernel_extra = more;
    is_near(price_on(m, "foreign"), own->step + own->site * 64.0 +
                                        own->value * 64.0 + own->term * 256.0);
    hs_kernel_extra = NULL;
    hs_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_sound),
        cmocka_unit_test(every_kernel_has_a_row),
        cmocka_unit_test(every_family_has_a_unit),
        cmocka_unit_test(trees_add_up),
        cmocka_unit_test(inner_steps_count),
        cmocka_unit_test(replicas_cost_their_lanes),
        cmocka_unit_test(groups_pay_for_whole_tiles),
        cmocka_unit_test(larger_models_cost_more),
        cmocka_unit_test(modes_cost),
        cmocka_unit_test(functions_count_evaluations),
        cmocka_unit_test(a_foreign_kernel_costs_an_evaluation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
