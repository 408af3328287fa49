/* test_model.c - problems to models: U of the model is that of the problem,
 * sparse and dense, with one coupling for all and with many. */
#include "format/problem/problem.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "format/problem/terms.h"
#include "unit/xorshift.h"

enum {
    DIM_MAX = 100
};

struct shape {
    int dim;
    int percent;     /* of all pairs */
    bool is_uniform; /* all couplings are 1 */
    bool has_field;
};

static const struct shape shapes[] = {
    {1, 0, false, true},    {2, 100, true, false},  {9, 30, true, false},
    {9, 30, false, true},   {70, 5, true, true},    {70, 5, false, false},
    {64, 100, false, true}, {100, 60, true, false}, {100, 60, false, true},
};

static void draw(hs_problem *p, const struct shape *s, uint64_t *random)
{
    hs_terms t = {0};

    *p = (hs_problem){.scale = 1.0};
    for (int i = 0; i < s->dim; i++) {
        if (s->has_field)
            hs_terms_add(&t, i, i, xorshift_below(random, 9) - 4, NULL);
        for (int j = 0; j < i; j++) {
            double v = s->is_uniform ? 1 : xorshift_below(random, 17) * 0.125;

            if (xorshift_below(random, 100) < s->percent)
                hs_terms_add(&t, i, j, v, NULL);
        }
    }
    assert_int_equal(hs_terms_finish(&t, p, s->dim, 0, NULL), HISS_OK);
    p->quadratic.offset = 0.5;
}

static void models_have_the_energies_of_problems(void **state)
{
    enum {
        STATES = 20
    };
    uint64_t random = 11;
    int16_t x[STATES][DIM_MAX];
    double energy[STATES];

    (void)state;
    for (size_t n = 0; n < 4 * sizeof shapes / sizeof shapes[0]; n++) {
        hs_problem p;
        hs_model *m;
        double u;

        draw(&p, &shapes[n / 4], &random);
        p.quadratic.kind = n % 2 ? HISS_SPIN : HISS_BINARY;
        p.quadratic.maximize = n / 2 % 2;
        for (int k = 0; k < STATES; k++) {
            for (int i = 0; i < p.dim; i++)
                x[k][i] = (int16_t)xorshift_below(&random, 2);
            energy[k] = hs_problem_energy(&p, x[k]);
        }
        assert_int_equal(hs_problem_model(&m, &p, "m", NULL), HISS_OK);
        assert_int_equal(m->domain.kind[0], p.quadratic.kind);
        for (int k = 0; k < STATES; k++) {
            assert_int_equal(hs_model_energy(m, x[k], &u, NULL), HISS_OK);
            assert_true(fabs(u - energy[k]) <= 1e-4);
        }
        hs_model_destroy(m);
        hs_problem_clear(&p);
    }
}

/* Sums of bearable numbers that no longer fit are refused. */
static void what_overflows_is_refused(void **state)
{
    hs_problem p;
    hs_model *m;
    hiss_error err;

    (void)state;
    assert_int_equal(hs_problem_init_quadratic(&p, HISS_SPIN, true, 1, 0, NULL),
                     HISS_OK);
    p.quadratic.linear[0] = 1e39;
    assert_int_equal(hs_problem_model(&m, &p, "m", &err), HISS_EUNSUP);
    assert_null(m);
    hs_problem_clear(&p);
}

static void notes_and_objectives_are_handed_on(void **state)
{
    hs_problem p;
    hs_model *m;

    (void)state;
    assert_int_equal(hs_problem_init_quadratic(&p, HISS_SPIN, true, 1, 0, NULL),
                     HISS_OK);
    hs_problem_assume(&p, NULL, "log p = as %s", "said");
    assert_int_equal(hs_problem_say(&p, "/folder/m.rudy", "graph", NULL),
                     HISS_OK);
    hs_problem_remark(&p, NULL, "one");
    hs_problem_remark(&p, NULL, "two");
    p.objective = "cut";
    p.scale = -2.0;
    p.shift = 3.0;
    assert_int_equal(hs_problem_model(&m, &p, "m", NULL), HISS_OK);
    assert_string_equal(m->note, "one; two");
    assert_string_equal(m->reads_as, "m.rudy: 0 couplings, 1 spin, read as "
                                     "graph: log p = as said");
    assert_string_equal(m->name, "m");
    assert_string_equal(m->objective, "cut");
    assert_true(m->objective_scale == -2.0 && m->objective_shift == 3.0);
    hs_model_destroy(m);
    hs_problem_clear(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_have_the_energies_of_problems),
        cmocka_unit_test(what_overflows_is_refused),
        cmocka_unit_test(notes_and_objectives_are_handed_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
