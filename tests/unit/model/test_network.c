/* test_network.c - binary networks: gradients on every data set of the paper
 * against finite differences, single weights, predictions. */
#include "model/network/network.h"

#include <hiss/hiss.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "lanes/lanes.h"
#include "unit/network_sets.h"
#include "unit/xorshift.h"

static void scatter(const hs_model *m, hs_point *p, uint64_t *seed)
{
    for (int i = 0; i < m->domain.dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            p->x[i][l] = (int16_t)xorshift_below(seed, 2);
    p->have = 0;
}

/* One network of a tile in double: its hidden sums and outputs. */
struct relaxed {
    const hs_cases *cases;
    int inputs, hidden;
    double *weight, *a; /* owned: [dim], [cases][hidden] */
};

static void relax(struct relaxed *r, const hs_model *m, const hs_point *p,
                  int l)
{
    const hs_dataset *data = hs_network_data(m);
    int dim = m->domain.dim;

    r->cases = &data->part[HS_FITTED];
    r->inputs = data->inputs;
    r->hidden = hs_network_hidden(m);
    r->weight = hs_alloc_array((size_t)dim, sizeof *r->weight);
    r->a = hs_alloc_array((size_t)r->cases->count,
                          (size_t)r->hidden * sizeof *r->a);
    for (int i = 0; i < dim; i++)
        r->weight[i] = 2.0 * p->x[i][l] - 1.0;
    for (int n = 0; n < r->cases->count; n++)
        for (int i = 0; i <= r->inputs; i++) {
            double z =
                (double)r->cases
                    ->input[(size_t)n * (size_t)(r->inputs + 1) + (size_t)i];

            for (int j = 0; z != 0.0 && j < r->hidden; j++)
                r->a[n * r->hidden + j] += z * r->weight[i * r->hidden + j];
        }
}

static void relax_clear(struct relaxed *r)
{
    hs_free(r->weight);
    hs_free(r->a);
}

/* -sum (f - y)^2 with x_i moved by step; o are the outputs without. */
static double relaxed_u(const struct relaxed *r, int i, double step,
                        const double *o)
{
    int last = (r->inputs + 1) * r->hidden, j = i % r->hidden;
    double u = 0.0;

    for (int n = 0; n < r->cases->count; n++) {
        const float *z = r->cases->input + (size_t)n * (size_t)(r->inputs + 1);
        double a = r->a[n * r->hidden + j], out = o[n], f;

        if (i < last)
            out += r->weight[last + j] *
                   (tanh(a + 2.0 * step * (double)z[i / r->hidden]) - tanh(a));
        else
            out += 2.0 * step * (i == last + r->hidden ? 1.0 : tanh(a));
        f = 1.0 / (1.0 + exp(-out)) - (double)r->cases->target[n];
        u -= f * f;
    }
    return u;
}

static double *outputs(const struct relaxed *r)
{
    int last = (r->inputs + 1) * r->hidden;
    double *o = hs_alloc_array((size_t)r->cases->count, sizeof *o);

    for (int n = 0; n < r->cases->count; n++) {
        o[n] = r->weight[last + r->hidden];
        for (int j = 0; j < r->hidden; j++)
            o[n] += r->weight[last + j] * tanh(r->a[n * r->hidden + j]);
    }
    return o;
}

/* Weights of every layer; differences of step 2^-12 have errors of 1e-6 of
 * the curvature, the gradient is of single precision. */
static void check_gradient(const struct set *s)
{
    hs_model *m = open_set(s, "");
    int dim = m->domain.dim;
    uint64_t seed = 31;
    struct relaxed r;
    double *o;
    hs_point p;

    assert_int_equal(hs_point_init(&p, m, NULL), HISS_OK);
    scatter(m, &p, &seed);
    assert_int_equal(hs_model_evaluate(m, &p, HS_U | HS_GRAD), HISS_OK);
    relax(&r, m, &p, 3);
    o = outputs(&r);
    assert_true(fabs(p.u[3] - relaxed_u(&r, 0, 0.0, o)) < 1e-3);
    for (int k = 0; k < 60; k++) {
        int i = k < 20   ? xorshift_below(&seed, dim - 201)
                : k < 40 ? dim - 201 + xorshift_below(&seed, 100)
                : k < 59 ? dim - 101 + xorshift_below(&seed, 100)
                         : dim - 1;
        double slope =
            (relaxed_u(&r, i, 0x1p-12, o) - relaxed_u(&r, i, -0x1p-12, o)) *
            0x1p11;

        if (fabs((double)p.grad[i][3] - slope) > 1e-4 * (1.0 + fabs(slope)))
            fail_msg("%s: slope %d is %.9g, expected %.9g", s->name, i,
                     (double)p.grad[i][3], slope);
    }
    hs_free(o);
    relax_clear(&r);
    hs_point_clear(&p);
    hs_model_destroy(m);
}

static void wdbc_has_its_gradient(void **state)
{
    (void)state;
    check_gradient(&sets[0]);
}

static void compas_has_its_gradient(void **state)
{
    (void)state;
    check_gradient(&sets[1]);
}

static void hiv_has_its_gradient(void **state)
{
    (void)state;
    check_gradient(&sets[2]);
}

static void blog_has_its_gradient(void **state)
{
    (void)state;
    check_gradient(&sets[3]);
}

/* Raw inputs, all weights equal, whatever their sign: 1 for every case, wrong
 * for 242 of 325 test cases and 997 of 1287 fitted ones. */
static void equal_weights_say_one(void **state)
{
    hs_model *m = open_set(&sets[2], "");
    const hs_cases *test = &hs_network_data(m)->part[HS_TEST];
    hs_float_row *said = hs_alloc_array((size_t)test->count, sizeof *said);
    hs_point p;

    (void)state;
    assert_int_equal(hs_point_init(&p, m, NULL), HISS_OK);
    for (int i = 0; i < m->domain.dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            p.x[i][l] = (int16_t)(l % 2);
    hs_network_predict(m, &p, HS_TEST, said);
    for (int l = 0; l < HS_LANES; l++) {
        double sum = 0.0;

        for (int n = 0; n < test->count; n++) {
            double gap = (double)(said[n][l] - test->target[n]);

            sum += gap * gap;
        }
        assert_true(sum == 242.0);
    }
    assert_int_equal(hs_model_evaluate(m, &p, HS_U), HISS_OK);
    assert_true(p.u[0] == -997.0 && p.u[1] == -997.0);
    hs_free(said);
    hs_point_clear(&p);
    hs_model_destroy(m);
}

/* --- one weight at a time ------------------------------------------------ */

/* Against U from scratch, also after many moves and units in turn. */
static void differences_and_moves_keep_u(void **state)
{
    hs_model *m = create("bnn(" TINY ",y,hidden=7,lambda=0.5)");
    int dim = m->domain.dim;
    uint64_t seed = 5;
    hs_point p, fresh;

    (void)state;
    assert_int_equal(hs_point_init(&p, m, NULL), HISS_OK);
    assert_int_equal(hs_point_init(&fresh, m, NULL), HISS_OK);
    scatter(m, &p, &seed);
    for (int k = 0; k < 300; k++) {
        int i = k % 3 ? xorshift_below(&seed, dim) : m->order[k % dim];
        float change[HS_LANES];
        int16_t to[HS_LANES];
        hs_float_row out[2];

        assert_int_equal(hs_model_differences(m, &p, i, out, &fresh), HISS_OK);
        for (int l = 0; l < HS_LANES; l++) {
            to[l] = (int16_t)xorshift_below(&seed, 2);
            change[l] = out[to[l]][l];
        }
        hs_model_move(m, &p, i, to, change);
        memcpy(fresh.x, p.x, (size_t)dim * sizeof *p.x);
        fresh.have = 0;
        assert_int_equal(hs_model_evaluate(m, &fresh, HS_U), HISS_OK);
        for (int l = 0; l < HS_LANES; l++)
            assert_true(fabs(p.u[l] - fresh.u[l]) < 1e-4);
    }
    hs_point_clear(&p);
    hs_point_clear(&fresh);
    hs_model_destroy(m);
}

static void every_weight_is_visited_once(void **state)
{
    hs_model *m = create("bnn(" TINY ",y,hidden=7)");
    bool seen[64] = {false};

    (void)state;
    assert_true(m->domain.dim <= 64);
    for (int k = 0; k < m->domain.dim; k++) {
        assert_false(seen[m->order[k]]);
        seen[m->order[k]] = true;
    }
    hs_model_destroy(m);
}

static void energies_and_priors(void **state)
{
    hs_model *sum = create("bnn(" TINY ",y,hidden=3)");
    hs_model *mean = create("bnn(" TINY ",y,hidden=3,energy=mean100)");
    hs_model *sparse = create("bnn(" TINY ",y,hidden=3,lambda=2)");
    int16_t x[13] = {1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1};
    double a, b, c;

    (void)state;
    assert_int_equal(sum->domain.dim, 13);
    assert_int_equal(hs_model_energy(sum, x, &a, NULL), HISS_OK);
    assert_int_equal(hs_model_energy(mean, x, &b, NULL), HISS_OK);
    assert_int_equal(hs_model_energy(sparse, x, &c, NULL), HISS_OK);
    assert_true(fabs(b - a * 100.0 / 12.0) < 1e-9);
    assert_true(fabs(c - a + 2.0 * 6) < 1e-9);
    hs_model_destroy(sum);
    hs_model_destroy(mean);
    hs_model_destroy(sparse);
}

/* --- lanes --------------------------------------------------------------- */

#define CASES 5
#define ROWS  3

struct passed {
    hs_float_row a[CASES * ROWS], o[CASES], slope[CASES], grad[ROWS];
    hs_float_row moved[CASES];
    float bias[HS_CHAINS];
    double loss[HS_LANES];
};

static void pass(const hs_lane_table *t, struct passed *out)
{
    hs_float_row output[ROWS + 1];
    float y[CASES];
    uint64_t seed = 9;

    memset(out, 0, sizeof *out);
    for (int k = 0; k < CASES * ROWS; k++)
        for (int l = 0; l < HS_LANES; l++)
            out->a[k][l] = (float)(xorshift_below(&seed, 20001) - 10000) / 999;
    for (int k = 0; k <= ROWS; k++)
        for (int l = 0; l < HS_LANES; l++)
            output[k][l] = xorshift_below(&seed, 2) ? 1.0f : -1.0f;
    for (int n = 0; n < CASES; n++)
        y[n] = (float)(n % 2);
    t->network_forward(CASES, ROWS, (const hs_float_row *)output, output[ROWS],
                       out->a, out->o, 8);
    t->network_replace(CASES, (const hs_float_row *)out->a,
                       (const hs_float_row *)out->a + CASES, output[0],
                       output[1], (const hs_float_row *)out->o, out->moved);
    t->network_loss(CASES, y, (const hs_float_row *)out->o, -4.0f, out->slope,
                    out->loss);
    t->network_backward(CASES, ROWS, (const hs_float_row *)output,
                        (const hs_float_row *)out->slope, 8, out->a, out->grad,
                        out->bias);
}

static void every_table_gives_the_same_bits(void **state)
{
    static struct passed first, other;

    (void)state;
    pass(hs_lanes_all()[0], &first);
    for (const hs_lane_table *const *t = hs_lanes_all(); *t; t++) {
        pass(*t, &other);
        assert_memory_equal(&first, &other, sizeof first);
    }
}

/* Bit for bit, whatever the other lanes hold. */
static void lanes_in_use_are_evaluated_alike(void **state)
{
    static const int in_use[] = {1, 4, 5, 13, 16};
    hs_model *m;
    hs_point all, some;
    uint64_t seed = 12;

    (void)state;
    assert_int_equal(hs_model_create(&m, "bnn(" TINY ",y,hidden=6)", NULL),
                     HISS_OK);
    assert_int_equal(hs_point_init(&all, m, NULL), HISS_OK);
    assert_int_equal(hs_point_init(&some, m, NULL), HISS_OK);
    scatter(m, &all, &seed);
    memcpy(some.x, all.x, (size_t)m->domain.dim * sizeof *all.x);
    assert_int_equal(hs_model_evaluate(m, &all, HS_U | HS_GRAD), HISS_OK);
    for (size_t n = 0; n < sizeof in_use / sizeof *in_use; n++) {
        some.have = 0;
        some.lanes = in_use[n];
        assert_int_equal(hs_model_evaluate(m, &some, HS_U | HS_GRAD), HISS_OK);
        for (int l = 0; l < in_use[n]; l++) {
            assert_true(some.u[l] == all.u[l]);
            for (int i = 0; i < m->domain.rows; i++)
                assert_true(some.grad[i][l] == all.grad[i][l]);
        }
    }
    hs_point_clear(&all);
    hs_point_clear(&some);
    hs_model_destroy(m);
}

/* --- the public side ------------------------------------------------------ */

/* More networks than a tile has lanes; -U is their squared error. */
static void predictions_are_those_of_u(void **state)
{
    enum {
        COUNT = 21,
        DIM = 17
    };
    static int8_t states[COUNT][DIM];
    hiss_model *m, *other;
    uint64_t seed = 4;
    hiss_network n = HISS_INIT(hiss_network);
    const float *y;
    float *said;

    (void)state;
    assert_int_equal(
        hiss_model_create(&m, "bnn(" TINY ",y,hidden=4,test=0.25)", NULL),
        HISS_OK);
    assert_true(hiss_model_network(m, &n));
    assert_int_equal(n.inputs, 2);
    assert_int_equal(n.hidden, 4);
    assert_int_equal(n.cases[HISS_FITTED], 9);
    assert_int_equal(n.cases[HISS_TEST], 3);
    assert_true(hiss_network_inputs(m, HISS_TEST)[2] == 1.0f);
    for (int k = 0; k < COUNT; k++)
        for (int i = 0; i < DIM; i++)
            states[k][i] = (int8_t)xorshift_below(&seed, 2);
    said = hs_alloc_array(COUNT * 9, sizeof *said);
    assert_int_equal(
        hiss_network_predict(m, HISS_FITTED, states[0], COUNT, said, NULL),
        HISS_OK);
    y = hiss_network_targets(m, HISS_FITTED);
    for (int k = 0; k < COUNT; k++) {
        double x[DIM], u, sum = 0.0;

        for (int i = 0; i < DIM; i++)
            x[i] = states[k][i];
        for (int c = 0; c < 9; c++)
            sum += pow((double)(said[k * 9 + c] - y[c]), 2.0);
        assert_int_equal(hiss_model_energy(m, x, &u, NULL), HISS_OK);
        assert_true(fabs(u + sum) < 1e-5);
    }
    states[20][3] = 2;
    assert_int_equal(
        hiss_network_predict(m, HISS_FITTED, states[0], COUNT, said, NULL),
        HISS_EARG);
    assert_int_equal(hiss_model_create(&other, "bernoulli4", NULL), HISS_OK);
    assert_false(hiss_model_network(other, &n));
    assert_int_equal(
        hiss_network_predict(other, HISS_TEST, states[0], 1, said, NULL),
        HISS_EARG);
    hs_free(said);
    hiss_model_destroy(other);
    hiss_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wdbc_has_its_gradient),
        cmocka_unit_test(compas_has_its_gradient),
        cmocka_unit_test(hiv_has_its_gradient),
        cmocka_unit_test(blog_has_its_gradient),
        cmocka_unit_test(equal_weights_say_one),
        cmocka_unit_test(differences_and_moves_keep_u),
        cmocka_unit_test(every_weight_is_visited_once),
        cmocka_unit_test(energies_and_priors),
        cmocka_unit_test(every_table_gives_the_same_bits),
        cmocka_unit_test(lanes_in_use_are_evaluated_alike),
        cmocka_unit_test(predictions_are_those_of_u),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
