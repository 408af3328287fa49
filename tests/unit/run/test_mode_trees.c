/* Laws of modes that are trees: found, drawn from, and what they bring.
 *
 * The model is a mixture of two chains of binary coordinates, equally heavy, a
 * function of the user's: the logit of x_i = 1 is h_ki, and J_ki more or less
 * by what x_(i-1) is, both of random sign and other ones in either mode. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <hiss/hiss.h>

#include "api/object/objects.h"
#include "base/alloc.h"
#include "base/random/rng.h"
#include "run/atlas/mode_laws.h"
#include "run/trees/chow_liu.h"
#include "unit/model_fixture.h"

#define DIM   200
#define MODES 2
#define LANES 16

static hiss_model *chains;
static hs_sampler *local;
static double step_h[MODES][DIM], step_j[MODES][DIM];

/* --- the model ------------------------------------------------------------ */

static double uniform(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) / 16777216.0;
}

/* ln p_ki(v | w); w is -1 without a parent. */
static double log_p(int k, int i, int w, int v)
{
    double logit = step_h[k][i] + (w < 0 ? 0.0 : (2 * w - 1) * step_j[k][i]);

    return -log1p(exp(v ? -logit : logit));
}

static double log_mode(int k, const int16_t *x, int stride)
{
    double sum = 0.0;

    for (int i = 0; i < DIM; i++)
        sum += log_p(k, i, i > 0 ? x[(i - 1) * stride] : -1, x[i * stride]);
    return sum;
}

static double slope(int k, int i, const int16_t *x, int stride)
{
    int w = i > 0 ? x[(i - 1) * stride] : -1;
    double sum = log_p(k, i, w, 1) - log_p(k, i, w, 0);

    if (i + 1 < DIM) {
        int v = x[(i + 1) * stride];

        sum += log_p(k, i + 1, 1, v) - log_p(k, i + 1, 0, v);
    }
    return sum;
}

static int evaluate(const void *context, const int16_t *x, int lanes, double *u,
                    float *gradient)
{
    (void)context;
    for (int l = 0; l < lanes; l++) {
        double one = log_mode(0, x + l, lanes), two = log_mode(1, x + l, lanes);
        double most = fmax(one, two), r = 1.0 / (1.0 + exp(two - one));

        u[l] = most + log(0.5 * exp(one - most) + 0.5 * exp(two - most));
        for (int i = 0; gradient && i < DIM; i++)
            gradient[i * lanes + l] =
                (float)(r * slope(0, i, x + l, lanes) +
                        (1.0 - r) * slope(1, i, x + l, lanes));
    }
    return 0;
}

static double of_random_sign(uint32_t *seed, double low, double high)
{
    double size = low + (high - low) * uniform(seed);

    return uniform(seed) < 0.5 ? -size : size;
}

static int create(void **state)
{
    static hiss_kind kind[DIM];
    static int states[DIM];
    const hiss_domain domain = {
        .size = sizeof domain, .dim = DIM, .kind = kind, .states = states};
    hiss_callback callback = {.size = sizeof callback,
                              .name = "chains",
                              .domain = &domain,
                              .evaluate = evaluate,
                              .has_gradient = 1};
    uint32_t seed = 5;

    (void)state;
    for (int i = 0; i < DIM; i++) {
        kind[i] = HISS_BINARY;
        states[i] = 2;
        for (int k = 0; k < MODES; k++) {
            step_h[k][i] = of_random_sign(&seed, 1.0, 3.0);
            step_j[k][i] = of_random_sign(&seed, 1.0, 2.5);
        }
    }
    return hiss_model_callback(&chains, &callback, NULL) != HISS_OK ||
           hs_sampler_parse(&local, "dmala", NULL) != HISS_OK;
}

static int destroy(void **state)
{
    (void)state;
    hs_sampler_release(local);
    hiss_model_destroy(chains);
    return 0;
}

/* --- what is learnt ------------------------------------------------------- */

static void draw_chain(int k, uint32_t *seed, int16_t *x)
{
    for (int i = 0; i < DIM; i++)
        x[i] = uniform(seed) < exp(log_p(k, i, i > 0 ? x[i - 1] : -1, 1));
}

/* Counts of states as they are; x is [n][DIM]. */
static void count_states(hs_library *b, hs_pair_sums *p, const hs_domain *d,
                         int mode, const int16_t *x, int n)
{
    static hs_index_row row[DIM];
    static double sum[2 * DIM];

    memset(sum, 0, sizeof sum);
    for (int at = 0; at < n; at++) {
        memset(p->conditional, 0, 2 * DIM * sizeof *p->conditional);
        for (int i = 0; i < DIM; i++) {
            row[i][0] = x[at * DIM + i];
            sum[2 * i + row[i][0]] += 1.0;
            p->conditional[2 * i + row[i][0]] = 1.0f;
        }
        hs_pair_sums_add(p, mode, (const hs_index_row *)row, 0);
    }
    hs_library_learn(b, d, mode, sum, 1.0);
}

/* Of exact draws of a chain and of a product: the first has a tree, nearly the
 * true one, the second has none. */
static void chains_are_found_and_products_left(void **state)
{
    enum {
        N = 2000
    };
    static const double states[MODES] = {N, N}, worth[MODES] = {1.0, 1.0};
    static int16_t x[N * DIM];
    const hs_model *m = chains->model;
    const hs_domain *d = &m->domain;
    hs_pair_sums p;
    hs_tree_evidence seen = {&p, states, worth};
    uint32_t seed = 9;
    hs_library *b;
    int right = 0;

    (void)state;
    assert_int_equal(hs_library_create(&b, d, MODES, NULL), HISS_OK);
    assert_int_equal(hs_pair_sums_init(&p, m, MODES, NULL), HISS_OK);
    for (int n = 0; n < N; n++)
        draw_chain(0, &seed, x + n * DIM);
    count_states(b, &p, d, 0, x, N);
    for (int n = 0; n < N * DIM; n++)
        x[n] = uniform(&seed) < 0.2 + 0.003 * (n % DIM);
    count_states(b, &p, d, 1, x, N);
    assert_int_equal(hs_chow_liu_learn(b, d, &seen, NULL), HISS_OK);
    assert_non_null(b->trees);
    for (int i = 1; i < DIM; i++) {
        right += b->trees->parent[i] == i - 1;
        assert_int_equal(b->trees->parent[DIM + i], -1);
    }
    assert_true(right > 0.95 * DIM);
    for (int i = 1; i < DIM; i++) /* counts of 2000: within .1 or so */
        for (int w = 0; w < 2 && b->trees->parent[i] == i - 1; w++)
            assert_true(
                fabs(b->trees
                         ->share[hs_mode_trees_row(b->trees, d, 0, i, w) + 1] -
                     exp(log_p(0, i, w, 1))) < 0.15);
    hs_pair_sums_clear(&p);
    hs_library_destroy(b);
}

/* Of a model with tables pairs are those that share one, both ways; where there
 * is no room for sums there are none. */
static void pairs_are_those_of_tables(void **state)
{
    hs_model *m = fixture_model("ising(side=4,beta=0.3)");
    hs_pair_sums p;

    (void)state;
    assert_int_equal(hs_pair_sums_init(&p, m, 3, NULL), HISS_OK);
    assert_int_equal(p.modes, 3);
    assert_false(p.is_complete);
    for (int i = 0; i < 16; i++) {
        int right = i / 4 * 4 + (i + 1) % 4, below = (i + 4) % 16;

        assert_int_equal(p.at[i + 1] - p.at[i], 4);
        assert_non_null(hs_pair_sums_row(&p, 2, i, 1, right));
        assert_non_null(hs_pair_sums_row(&p, 2, right, 0, i));
        assert_non_null(hs_pair_sums_row(&p, 0, i, 0, below));
        assert_null(hs_pair_sums_row(&p, 0, i, 0, (i + 5) % 16));
    }
    hs_pair_sums_clear(&p);
    assert_int_equal(hs_pair_sums_init(&p, m, 1 << 20, NULL), HISS_OK);
    assert_int_equal(p.modes, 0); /* no room for sums of so many modes */
    hs_pair_sums_clear(&p);
    hs_model_destroy(m);
}

/* Two products: nothing is worth a tree. */
static void noise_makes_no_trees(void **state)
{
    enum {
        N = 500
    };
    static const double states[MODES] = {N, N}, worth[MODES] = {1.0, 1.0};
    static int16_t x[N * DIM];
    const hs_model *m = chains->model;
    hs_pair_sums p;
    hs_tree_evidence seen = {&p, states, worth};
    uint32_t seed = 10;
    hs_library *b;

    (void)state;
    assert_int_equal(hs_library_create(&b, &m->domain, MODES, NULL), HISS_OK);
    assert_int_equal(hs_pair_sums_init(&p, m, MODES, NULL), HISS_OK);
    for (int k = 0; k < MODES; k++) {
        for (int n = 0; n < N * DIM; n++)
            x[n] = uniform(&seed) < 0.3;
        count_states(b, &p, &m->domain, k, x, N);
    }
    assert_int_equal(hs_chow_liu_learn(b, &m->domain, &seen, NULL), HISS_OK);
    assert_null(b->trees);
    hs_pair_sums_clear(&p);
    hs_library_destroy(b);
}

/* Draws of a library have the mean and deviation of ln q that it states, and
 * its tables. */
static void draws_are_of_the_law(void **state)
{
    enum {
        ROUNDS = 500
    };
    hs_model *m = fixture_model("potts(side=3,states=3,beta=0)");
    const hs_domain *d = &m->domain;
    static const int32_t parent[2][9] = {{-1, 0, 1, 2, 3, 4, 5, 6, 7},
                                         {8, 8, 8, 2, 2, 2, 3, 3, -1}};
    hs_rng rng = {.seed = 7};
    double sum[2] = {0}, square[2] = {0}, log_q[HS_LANES];
    int of[HS_LANES];
    hs_library *b;
    hs_point p;

    (void)state;
    assert_int_equal(hs_library_create(&b, d, 2, NULL), HISS_OK);
    assert_int_equal(hs_mode_trees_create(&b->trees, d, 2, parent[0], NULL),
                     HISS_OK);
    for (int64_t c = 0; c < b->trees->cells; c++)
        b->trees->share[c] = 1.0 + (double)(c * c % 7);
    assert_int_equal(hs_mode_trees_finish(b->trees, d, NULL), HISS_OK);
    assert_int_equal(hs_point_init(&p, m, NULL), HISS_OK);
    for (int l = 0; l < HS_LANES; l++) {
        rng.chain[l] = (uint32_t)l;
        of[l] = l % 2;
    }
    for (int n = 0; n < ROUNDS; n++) {
        rng.clock = (uint64_t)n;
        hs_library_draw_states(b, d, &rng, of, &p);
        hs_library_log(b, d, (const hs_index_row *)p.x, of, log_q);
        for (int l = 0; l < HS_LANES; l++) {
            sum[of[l]] += log_q[l];
            square[of[l]] += log_q[l] * log_q[l];
        }
    }
    for (int k = 0; k < 2; k++) {
        double n = ROUNDS * HS_LANES / 2, mean = sum[k] / n;
        double sd = sqrt(square[k] / n - mean * mean);

        /* five standard errors of a mean and, generously, of a deviation */
        assert_true(fabs(mean - b->trees->typical[k]) < 5.0 * sd / sqrt(n));
        assert_true(fabs(sd / b->trees->spread[k] - 1.0) < 0.1);
    }
    hs_point_clear(&p);
    hs_library_destroy(b);
    hs_model_destroy(m);
}

/* Jumps between the two chains in 200 coordinates: with products none but to
 * where they are is accepted, with trees most; masses are right. */
static void trees_bring_jumps(void **state)
{
    const hs_model *m = chains->model;
    hs_pilot_request request = {.base = local,
                                .first_chain = HS_PILOT_CHAIN,
                                .budget = 2e4,
                                .more = 2e4};
    hs_pilot_account account = {.seed = 11};
    uint32_t seed = 12;
    int of[LANES];
    hs_pilot_chains c;
    hs_library *b;

    (void)state;
    assert_int_equal(hs_pilot_chains_init(&c, m, LANES, NULL), HISS_OK);
    for (int l = 0; l < LANES; l++) {
        of[l] = l % MODES;
        draw_chain(of[l], &seed, c.state + l * DIM);
    }
    assert_int_equal(
        hs_mode_laws_learn(&b, &c, of, MODES, m, &request, &account, NULL),
        HISS_OK);
    assert_int_equal(b->modes, MODES);
    assert_non_null(b->trees);
    assert_true(hs_mode_trees_joined(b->trees) > 0.8 * DIM);
    assert_true(b->trees->as_product < 0.6);
    assert_true(b->trees->accepted > b->trees->as_product + 0.15);
    assert_true(fabs(b->log_mass[0] - b->log_mass[1]) <
                5.0 * hypot(b->log_error[0], b->log_error[1]));
    assert_true(hypot(b->log_error[0], b->log_error[1]) < 1.0);
    assert_true(hs_pilot_account_spent(&account) < 1.1 * 4e4);
    hs_library_destroy(b);
    hs_pilot_chains_clear(&c);
}

/* Every allocation of learning may fail. */
static void memory_may_end(void **state)
{
    const hs_model *m = chains->model;
    static const double states[MODES] = {40, 40}, worth[MODES] = {1, 1};
    static int16_t x[40 * DIM];
    uint32_t seed = 3;
    hiss_status rc = HISS_ENOMEM;

    (void)state;
    for (int n = 0; n < 40; n++)
        draw_chain(0, &seed, x + n * DIM);
    for (int64_t after = 1; rc != HISS_OK; after++) {
        hs_pair_sums p = {0};
        hs_tree_evidence seen = {&p, states, worth};
        hs_library *b;

        assert_true(after < 1000);
        assert_int_equal(hs_library_create(&b, &m->domain, MODES, NULL), 0);
        hs_alloc_fail_after(after);
        rc = hs_pair_sums_init(&p, m, MODES, NULL);
        if (rc == HISS_OK) {
            for (int k = 0; k < MODES; k++)
                count_states(b, &p, &m->domain, k, x, 40);
            rc = hs_chow_liu_learn(b, &m->domain, &seen, NULL);
        }
        hs_alloc_fail_after(0);
        assert_true(rc == HISS_OK || rc == HISS_ENOMEM);
        hs_pair_sums_clear(&p);
        hs_library_destroy(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_are_found_and_products_left),
        cmocka_unit_test(pairs_are_those_of_tables),
        cmocka_unit_test(noise_makes_no_trees),
        cmocka_unit_test(draws_are_of_the_law),
        cmocka_unit_test(trees_bring_jumps),
        cmocka_unit_test(memory_may_end),
    };

    return cmocka_run_group_tests_name("mode_trees", tests, create, destroy);
}
