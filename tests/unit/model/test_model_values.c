/* test_model_values.c - built-in models against numbers worked out by hand,
 * their symmetries, and the messages for what cannot be built. */
#include "model/model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "unit/model_fixture.h"
#include "unit/xorshift.h"

#define DIM_MAX 64

static void assert_near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%.12g, expected %.12g", a, b);
}

static double energy(const hs_model *m, const int16_t *x)
{
    double u;

    assert_int_equal(hs_model_energy(m, x, &u, NULL), HISS_OK);
    return u;
}

/* Number n in the mixed radix of the domain, coordinate 0 first. */
static void state_of(const hs_model *m, int n, int16_t *x)
{
    for (int i = m->domain.dim - 1; i >= 0; i--) {
        x[i] = (int16_t)(n % m->domain.states[i]);
        n /= m->domain.states[i];
    }
}

static double partition(const hs_model *m)
{
    int size = (int)hs_domain_size(&m->domain);
    double sum = 0.0;

    for (int n = 0; n < size; n++) {
        int16_t x[DIM_MAX];

        state_of(m, n, x);
        sum += exp(energy(m, x));
    }
    return sum;
}

static void bernoulli4_is_the_papers(void **state)
{
    hs_model *m = fixture_model("bernoulli4");
    static const int16_t mode[] = {1, 1, 1, 0};

    (void)state;
    assert_int_equal(m->domain.dim, 4);
    assert_true(m->domain.is_pair && m->domain.low == 0.0f);
    assert_near(exp(energy(m, mode)), 0.294102, 1e-12);
    assert_near(partition(m), 1.000023466, 1e-9);
    assert_true(m->exact_rows);
    hs_model_destroy(m);
}

/* U of all 512 states: maximum 85.9, minimum 4.9, 32 modes that hold all but
 * 8.1e-9 of the mass, means .197375 and .099668. */
static void check_cross_law(const hs_model *m)
{
    double least = 1e9, most = -1e9, z = 0.0, outer = 0.0, centre = 0.0;
    double outside = 0.0;
    int modes = 0;

    for (int n = 0; n < 512; n++) {
        int16_t x[9];
        bool is_mode = true;
        double u;

        state_of(m, n, x);
        u = energy(m, x);
        for (int i = 0; i < 4; i++)
            is_mode &= x[i] == x[8 - i];
        least = fmin(least, u);
        most = fmax(most, u);
        modes += is_mode;
        z += exp(u);
        outside += is_mode ? 0.0 : exp(u);
        outer += (2 * x[0] - 1) * exp(u);
        centre += (2 * x[4] - 1) * exp(u);
    }
    assert_near(most, 85.9, 1e-5);
    assert_near(least, 4.9, 1e-5);
    assert_int_equal(modes, 32);
    assert_near(outside / z, 8.1e-9, 1e-10);
    assert_near(outer / z, 0.197375, 1e-6);
    assert_near(centre / z, 0.099668, 1e-6);
}

static void cross_is_the_papers(void **state)
{
    static const char *const specs[] = {"cross", "cross(3,dropped)"};

    (void)state;
    for (int k = 0; k < 2; k++) {
        hs_model *m = fixture_model(specs[k]);
        float self = k == 0 ? 20.0f : 0.0f; /* slope of the diagonal */
        hs_float_row row[9];
        hs_point p;

        assert_int_equal(m->domain.dim, 9);
        assert_true(m->domain.is_pair && m->domain.low == 0.0f);
        assert_true(m->exact_rows == (k == 1));
        check_cross_law(m);
        assert_int_equal(hs_point_init(&p, m, NULL), HISS_OK);
        p.x[0][3] = 1; /* s_0 = +1 against s_8 = -1, in lane 3 only */
        hs_model_rows(m, &p, 0, 9, row, NULL);
        assert_near((double)row[1][0], -20.0 + 0.2 - (double)self, 1e-5);
        assert_near((double)row[4][0], 0.2 - (double)self, 1e-6);
        assert_near((double)row[0][3], -20.0 + 0.2 + (double)self, 1e-5);
        assert_near((double)row[8][3], 20.0 + 0.2 - (double)self, 1e-5);
        hs_point_clear(&p);
        hs_model_destroy(m);
    }
}

static void pairs_have_known_marginals(void **state)
{
    hs_model *m = fixture_model("pairs(d=4)");
    double z = 0.0, up = 0.0;

    (void)state;
    for (int n = 0; n < 16; n++) {
        int16_t x[4];

        state_of(m, n, x);
        z += exp(energy(m, x));
        up += x[2] * exp(energy(m, x));
    }
    assert_near(up / z, 1.0 / (1.0 + exp(-0.4)), 1e-7);
    hs_model_destroy(m);
}

/* All up: every bond of a 3 x 3 torus once is 18; of 2 x 2, doubled, 8. */
static void lattices_count_each_bond_once(void **state)
{
    static const struct {
        const char *spec;
        double u;
    } cases[] = {
        {"ising(side=3,beta=1)", 18.0},
        {"ising(side=3,beta=1,field=0.5)", 18.0 - 4.5},
        {"ising(side=2,beta=1)", 8.0},
        {"ising(side=2,beta=1,dims=3)", 24.0},
        {"ising(side=3,beta=1,dims=3)", 81.0},
        {"potts(side=3,states=3,beta=1)", 18.0},
        {"potts(side=2,states=3,beta=1)", 8.0},
        {"potts(side=2,states=3,beta=1,field=0.25)", 9.0},
        {"potts(side=3,states=2,beta=1,dims=3)", 81.0},
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        hs_model *m = fixture_model(cases[k].spec);
        int16_t zero[DIM_MAX] = {0};

        assert_near(energy(m, zero), cases[k].u, 1e-6);
        hs_model_destroy(m);
    }
}

/* Flipping one spin of the 2 x 2 torus breaks 4 of its 8 bonds. */
static void side_two_doubles_the_bonds(void **state)
{
    hs_model *m = fixture_model("ising(side=2,beta=0.25)");
    int16_t x[4] = {1, 0, 0, 0};

    (void)state;
    assert_near(energy(m, x), 0.0, 1e-7);
    x[3] = 1; /* across the diagonal: no bond kept */
    assert_near(energy(m, x), -2.0, 1e-7);
    hs_model_destroy(m);
}

/* [a = b] = (1 + s_a s_b) / 2: U_potts(2 beta) - U_ising(beta) is constant. */
static void two_state_potts_is_ising(void **state)
{
    hs_model *potts = fixture_model("potts(side=3,states=2,beta=0.8)");
    hs_model *ising = fixture_model("ising(side=3,beta=0.4)");
    int16_t x[9];

    (void)state;
    for (int n = 0; n < 512; n++) {
        state_of(ising, n, x);
        assert_near(energy(potts, x) - energy(ising, x), 0.4 * 18, 1e-5);
    }
    hs_model_destroy(potts);
    hs_model_destroy(ising);
}

/* Moving every site by one, in any direction, keeps U: the law is that of the
 * permuted coordinates. */
static void translations_keep_the_law(void **state)
{
    static const char *const specs[] = {
        "ising(side=4,beta=0.3,field=0.1)", "ising(side=3,beta=0.3,dims=3)",
        "potts(side=4,states=3,beta=0.5,field=0.2)",
        "potts(side=3,states=4,beta=0.5,dims=3)"};
    static const int side[] = {4, 3, 4, 3};
    uint64_t seed = 21;

    (void)state;
    for (int k = 0; k < 4; k++) {
        hs_model *m = fixture_model(specs[k]);
        int dim = m->domain.dim;
        int16_t x[DIM_MAX], y[DIM_MAX];

        for (int trial = 0; trial < 20; trial++)
            for (int stride = 1; stride < dim; stride *= side[k]) {
                for (int i = 0; i < dim; i++)
                    x[i] = (int16_t)xorshift_below(&seed, m->domain.states[i]);
                for (int i = 0; i < dim; i++) {
                    int at = i / stride % side[k];
                    int to = i + ((at + 1) % side[k] - at) * stride;

                    y[to] = x[i];
                }
                assert_near(energy(m, y), energy(m, x), 1e-9);
            }
        hs_model_destroy(m);
    }
}

static void ladder_is_a_chain_of_springs(void **state)
{
    hs_model *m = fixture_model("ladder(d=3,levels=4,beta=0.5)");
    static const int16_t x[] = {0, 3, 1};

    (void)state;
    assert_near(energy(m, x), -0.5 * (9 + 4), 1e-12);
    assert_int_equal(m->order[1], 2);
    hs_model_destroy(m);
    m = fixture_model("ladder(d=1,levels=3,beta=2)");
    assert_near(partition(m), 3.0, 1e-12);
    hs_model_destroy(m);
}

/* A mixture is normalized, and so is each component in it. */
static void mixtures_are_normalized(void **state)
{
    static const char *const specs[] = {
        "mixture(k=3,d=7,seed=5,weights=[1,2,3])", "mixture(2,6,symmetric=yes)",
        "mixture(k=1,d=5)", "mixture(4,8,strength_low=0,strength_high=0)"};

    (void)state;
    for (int k = 0; k < 4; k++) {
        hs_model *m = fixture_model(specs[k]);

        assert_near(partition(m), 1.0, 1e-6);
        hs_model_destroy(m);
    }
}

/* U of mixture(k=4,d=1000,seed=2) by logarithms of double precision. */
static double wide_u(const hs_point *p, int l)
{
    double a[4], max = -1e300, sum = 0.0;

    for (int k = 0; k < 4; k++) {
        a[k] = -log(4.0);
        for (int i = 0; i < 1000; i++) {
            double sign, u, h;

            fixture_draw(2, k, i, &sign, &u);
            h = (double)(float)(sign * (0.3 + 1.4 * u));
            a[k] += h * (2 * p->x[i][l] - 1) - log(2.0 * cosh(h));
        }
        max = fmax(max, a[k]);
    }
    for (int k = 0; k < 4; k++)
        sum += exp(a[k] - max);
    return max + log(sum);
}

/* Far from all modes the terms differ by hundreds of nats, and U of minus a
 * thousand keeps six decimals, also after moves. */
static void wide_mixtures_stay_exact(void **state)
{
    hs_model *m = fixture_model("mixture(k=4,d=1000,seed=2)");
    uint64_t seed = 22;
    hs_float_row out[2];
    int16_t to[HS_LANES];
    hs_point p;

    (void)state;
    assert_int_equal(hs_point_init(&p, m, NULL), HISS_OK);
    fixture_scatter(m, &p, &seed);
    assert_int_equal(hs_model_evaluate(m, &p, HS_U | HS_GRAD), HISS_OK);
    for (int l = 0; l < HS_LANES; l++) {
        assert_near(p.u[l], wide_u(&p, l), 2e-6);
        for (int i = 0; i < 1000; i++)
            assert_true(fabsf(p.grad[i][l]) <= 1.7001f);
        to[l] = 1;
    }
    for (int i = 0; i < 1000; i += 3) {
        hs_model_differences(m, &p, i, out, NULL);
        hs_model_move(m, &p, i, to, out[1]);
    }
    for (int l = 0; l < HS_LANES; l++)
        assert_near(p.u[l], wide_u(&p, l), 2e-4); /* 333 rounded changes */
    hs_point_clear(&p);
    hs_model_destroy(m);
}

/* Planted modes: agreeing with a pattern in 11 of 12 bits or more has the
 * mass that a product law of agreement sigma(5) gives, for each alike. */
static void rbm_modes_have_equal_mass(void **state)
{
    hs_model *m =
        fixture_model("rbm(visible=12,hidden=2,seed=4,modes=2,strength=5)");
    double mass[2] = {0}, z = 0.0, q = 1.0 / (1.0 + exp(-5.0));
    double expected = pow(q, 12) + 12 * pow(q, 11) * (1.0 - q);
    int16_t pattern[2][12];

    (void)state;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 12; i++) {
            double sign, u;

            fixture_draw(4, k, i, &sign, &u);
            pattern[k][i] = sign > 0.0;
        }
    for (int n = 0; n < 4096; n++) {
        int16_t x[12];
        double p;

        state_of(m, n, x);
        p = exp(energy(m, x));
        z += p;
        for (int k = 0; k < 2; k++) {
            int same = 0;

            for (int i = 0; i < 12; i++)
                same += x[i] == pattern[k][i];
            mass[k] += same >= 11 ? p : 0.0;
        }
    }
    assert_near(mass[0] / mass[1], 1.0, 1e-3);
    assert_true(mass[0] / z > 0.45 * expected);
    assert_true(mass[0] / z < 0.51 * expected);
    hs_model_destroy(m);
}

static void bad_specs_are_refused(void **state)
{
    static const char *const cases[][2] = {
        {"isng(side=3,beta=1)", "unknown model 'isng'; did you mean 'ising'?"},
        {"frobnicate", "unknown model 'frobnicate'"},
        {"ising(side=1,beta=1)", "side must be a whole number in [2,32767]"},
        {"ising(beta=1)", "side must be given"},
        {"ising(side=3,beta=nan)", "beta"},
        {"ising(side=3,beta=1,dims=4)", "dims"},
        {"ising(side=3,beta=1,feld=2)", "field"},
        {"ising(side=30000,beta=1)", "more than 268435456 sites"},
        {"potts(side=3,states=1,beta=1)", "states"},
        {"potts(side=9999,states=32767,beta=1)", "states in all"},
        {"cross(side=4)", "expected an odd number"},
        {"cross(diagonal=droped)", "dropped"},
        {"pairs(d=3)", "expected an even number"},
        {"ladder(d=3,levels=1,beta=1)", "levels"},
        {"mixture(k=3,d=4,symmetric=yes)", "expected 2 with symmetric=yes"},
        {"mixture(k=3,d=4,weights=[1,2])", "2 weights, expected k = 3"},
        {"mixture(k=2,d=4,weights=[1,0])", "weights"},
        {"mixture(k=2,d=4,strength_low=2)", "at most strength_high"},
        {"rbm(visible=3,hidden=2,modes=3)", "at most hidden = 2"},
        {"bernoulli4(3)", "takes no arguments"},
        {"[1,2]", "1"},
        {"\"ising\"", "ising"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        hiss_error err = {0};
        hs_model *m;
        hiss_status rc = hs_model_create(&m, cases[k][0], &err);

        assert_null(m);
        assert_true(rc == HISS_EARG || rc == HISS_ELIMIT);
        if (!strstr(err.message, cases[k][1]))
            fail_msg("%s: '%s' does not say '%s'", cases[k][0], err.message,
                     cases[k][1]);
    }
}

static void bad_states_are_refused(void **state)
{
    hs_model *m = fixture_model("ladder(d=2,levels=3,beta=1)");
    static const int16_t high[] = {0, 3}, low[] = {-1, 0};
    hiss_error err = {0};
    double u;

    (void)state;
    assert_int_equal(hs_model_energy(m, high, &u, &err), HISS_EARG);
    assert_non_null(strstr(err.message, "index 3, expected 0 to 2"));
    assert_int_equal(hs_model_energy(m, low, &u, NULL), HISS_EARG);
    hs_model_destroy(m);
}

/* Two bytes per chain and coordinate of a local model, within rounding. */
static void points_are_small(void **state)
{
    hs_model *m = fixture_model("ising(side=8,beta=0.4)");

    (void)state;
    assert_int_equal(hs_point_bytes(m), 64 * 2 * HS_LANES);
    hs_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bernoulli4_is_the_papers),
        cmocka_unit_test(cross_is_the_papers),
        cmocka_unit_test(pairs_have_known_marginals),
        cmocka_unit_test(lattices_count_each_bond_once),
        cmocka_unit_test(side_two_doubles_the_bonds),
        cmocka_unit_test(two_state_potts_is_ising),
        cmocka_unit_test(translations_keep_the_law),
        cmocka_unit_test(ladder_is_a_chain_of_springs),
        cmocka_unit_test(mixtures_are_normalized),
        cmocka_unit_test(wide_mixtures_stay_exact),
        cmocka_unit_test(rbm_modes_have_equal_mass),
        cmocka_unit_test(bad_specs_are_refused),
        cmocka_unit_test(bad_states_are_refused),
        cmocka_unit_test(points_are_small),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
