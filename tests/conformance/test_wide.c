/* test_wide.c - laws too large to enumerate: more coordinates than any block,
 * word or group of the loops, and not a multiple of them.
 *
 *     U(x) = sum_i h_i v_i + sum_k J_k v_k v_(k+HALF),   k < HALF,
 * with v_i the number that x_i stands for.  Coordinates k and k + HALF are
 * independent of all others, so that exact draws and the law of every pair are
 * known.  After one step from exact draws, the counts of every pair, and of
 * neighbors that belong to different pairs, are compared with their laws:
 * independent tests, summed to one chi-square each.  Fails for p <= 1e-6, that
 * is with fresh seeds once in 10^4 runs of some 90 tests. */
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
#include "diag/tests/chi2.h"
#include "model/builders.h"
#include "run/chain/group.h"

#define HALF  75
#define DIM   (2 * HALF)
#define CELLS 9

static float field(int i)
{
    return 0.3f * sinf(3.0f * (float)i);
}

/* Between i and its partner. */
static float coupling(int i)
{
    return 0.25f * cosf(5.0f * (float)(i % HALF));
}

static int partner(int i)
{
    return i < HALF ? i + HALF : i - HALF;
}

static float value_of(const hs_domain *d, const hs_point *p, int i, int l)
{
    return d->values[d->value[i] + p->x[i][l]];
}

/* Rows of one coordinate; half of each pair's term belongs to either end. */
static void coordinate(const hs_domain *d, const hs_point *p, int i,
                       hs_float_row *out, double *u)
{
    float own = field(i), bond = coupling(i);

    for (int l = 0; l < HS_LANES; l++) {
        float other = value_of(d, p, partner(i), l);
        float slope = own + bond * other;

        if (u)
            u[l] += (double)value_of(d, p, i, l) *
                    ((double)own + 0.5 * (double)bond * (double)other);
        if (!out)
            continue;
        if (d->kind[i] != HISS_CATEGORICAL)
            out[0][l] = slope;
        else
            for (int c = 0; c < d->states[i]; c++)
                out[c][l] = slope * d->values[d->value[i] + c];
    }
}

static void wide_rows(const hs_model *base, const hs_point *p, int first,
                      int last, hs_float_row *out, double *u)
{
    const int *row = base->domain.row;

    for (int i = first; i < last; i++)
        coordinate(&base->domain, p, i,
                   out ? out + (row[i] - row[first]) : NULL, u);
}

static hiss_status wide_evaluate(const hs_model *base, hs_point *p,
                                 unsigned want)
{
    const int *row = base->domain.row;

    (void)want;
    memset(p->u, 0, sizeof p->u);
    for (int i = 0; i < DIM; i++)
        coordinate(&base->domain, p, i, p->grad + row[i], p->u);
    p->have = HS_U | HS_GRAD;
    return HISS_OK;
}

static const hs_model_ops local_ops = {.rows = wide_rows};
static const hs_model_ops stored_ops = {.evaluate = wide_evaluate};

static hs_model *create(bool is_mixed, bool is_local)
{
    static const hiss_kind cycle[] = {HISS_BINARY, HISS_ORDINAL,
                                      HISS_CATEGORICAL, HISS_SPIN};
    static const int counts[] = {2, 3, 3, 2};
    hs_model *m = hs_alloc_array(1, sizeof *m);
    hiss_kind kind[DIM];
    int states[DIM];
    double levels[3 * DIM];

    assert_non_null(m);
    for (int i = 0; i < DIM; i++) {
        kind[i] = is_mixed ? cycle[i % 4] : HISS_BINARY;
        states[i] = is_mixed ? counts[i % 4] : 2;
        for (int v = 0; v < 3; v++)
            levels[3 * i + v] = v == 2 ? 2.5 : v - 0.5;
    }
    m->ops = is_local ? &local_ops : &stored_ops;
    m->name = hs_strdup("wide");
    m->exact_rows = true;
    assert_int_equal(
        hs_domain_init_mixed(&m->domain, DIM, kind, states, levels, NULL),
        HISS_OK);
    return m;
}

/* The same over bits, by the model that is there for it. */
static hs_model *create_sparse(void)
{
    int64_t start[DIM + 1] = {0};
    int column[HALF];
    double value[HALF], h[DIM];
    hs_model *m;

    for (int i = 0; i < DIM; i++) {
        h[i] = (double)field(i);
        start[i + 1] = i < HALF ? i + 1 : HALF;
    }
    for (int k = 0; k < HALF; k++) {
        column[k] = partner(k);
        value[k] = (double)coupling(k);
    }
    assert_int_equal(
        hs_build_csr(&m, "wide", HS_QUBO, DIM, start, column, value, h, NULL),
        HISS_OK);
    return m;
}

/* Laws of pairs [HALF][CELLS], a * states_b + b, and of coordinates. */
struct laws {
    double pair[HALF][CELLS];
    double one[DIM][3];
};

static void find_laws(const hs_domain *d, struct laws *laws)
{
    memset(laws, 0, sizeof *laws);
    for (int k = 0; k < HALF; k++) {
        int a_count = d->states[k], b_count = d->states[k + HALF];
        double sum = 0.0;

        for (int c = 0; c < a_count * b_count; c++) {
            double a = (double)d->values[d->value[k] + c / b_count];
            double b = (double)d->values[d->value[k + HALF] + c % b_count];

            sum += laws->pair[k][c] =
                exp((double)field(k) * a + (double)field(k + HALF) * b +
                    (double)coupling(k) * a * b);
        }
        for (int c = 0; c < a_count * b_count; c++) {
            laws->pair[k][c] /= sum;
            laws->one[k][c / b_count] += laws->pair[k][c];
            laws->one[k + HALF][c % b_count] += laws->pair[k][c];
        }
    }
}

static void draw_exactly(const struct laws *laws, const hs_domain *d,
                         uint64_t seed, uint32_t chain, int16_t *state)
{
    for (int k = 0; k < HALF; k++) {
        double left = hs_uniform(
            hs_rng_word(seed, chain, 0, 0, HS_DRAW_EXACT, (uint32_t)k));
        int cells = d->states[k] * d->states[k + HALF], c = 0;

        while (c < cells - 1 && left >= laws->pair[k][c])
            left -= laws->pair[k][c++];
        state[k] = (int16_t)(c / d->states[k + HALF]);
        state[k + HALF] = (int16_t)(c % d->states[k + HALF]);
    }
}

/* Coordinates i and i + 1 of the second kind of test: i = 1, 3, ... */
enum {
    NEXTS = (HALF - 1) / 2
};

struct counts {
    int64_t pair[HALF][CELLS];
    int64_t next[NEXTS][CELLS];
    int64_t changed, made; /* coordinates */
};

static void count(struct counts *c, const hs_domain *d, const hs_tile *t, int l,
                  const int16_t *before)
{
    for (int k = 0; k < HALF; k++)
        c->pair[k]
               [t->at.x[k][l] * d->states[k + HALF] + t->at.x[k + HALF][l]]++;
    for (int n = 0; n < NEXTS; n++)
        c->next[n][t->at.x[2 * n + 1][l] * d->states[2 * n + 2] +
                   t->at.x[2 * n + 2][l]]++;
    for (int i = 0; i < DIM; i++)
        c->changed += t->at.x[i][l] != before[i];
    c->made += DIM;
}

static void add_test(hs_chi2 *all, const double *law, const int64_t *seen,
                     int cells, int64_t n)
{
    double expected[CELLS];
    hs_chi2 one;

    for (int c = 0; c < cells; c++)
        expected[c] = law[c] * (double)n;
    assert_int_equal(hs_chi2_pooled(expected, seen, cells, &one, NULL),
                     HISS_OK);
    all->statistic += one.statistic;
    all->df += one.df;
}

static int judge(const char *name, const char *sampler, const hs_model *m,
                 const struct laws *laws, const struct counts *c, int64_t n)
{
    const hs_domain *d = &m->domain;
    double moved = (double)c->changed / (double)c->made;
    hs_chi2 pairs = {0}, nexts = {0};
    bool is_wrong;

    for (int k = 0; k < HALF; k++)
        add_test(&pairs, laws->pair[k], c->pair[k],
                 d->states[k] * d->states[k + HALF], n);
    for (int i = 1; i < 2 * NEXTS; i += 2) {
        double law[CELLS];
        int cells = d->states[i] * d->states[i + 1];

        for (int x = 0; x < cells; x++)
            law[x] = laws->one[i][x / d->states[i + 1]] *
                     laws->one[i + 1][x % d->states[i + 1]];
        add_test(&nexts, law, c->next[i / 2], cells, n);
    }
    hs_chi2_finish(&pairs);
    hs_chi2_finish(&nexts);
    is_wrong = pairs.p <= 1e-6 || nexts.p <= 1e-6 || moved < 0.002;
    printf("%s  %-12s %-58s p = %-7.3g %-7.3g moved %.3f\n",
           is_wrong ? "WRONG" : "ok   ", name, sampler, pairs.p, nexts.p,
           moved);
    return is_wrong;
}

static int complaints(const char *name, const hs_model *m, const char *sampler,
                      uint64_t seed)
{
    hs_sampler *tree;
    hs_group *g;
    struct laws laws;
    static struct counts seen;
    int16_t before[HS_GROUP_CHAINS][DIM];
    int64_t n = suite_replicates(12000);
    bool shares;

    memset(&seen, 0, sizeof seen);
    find_laws(&m->domain, &laws);
    assert_int_equal(hs_sampler_parse(&tree, sampler, NULL), HISS_OK);
    assert_int_equal(hs_group_create(&g, m, tree, seed, 0, 16, NULL), HISS_OK);
    shares = hs_kernel_traits(g->kernel[0]).shares;
    if (shares) { /* one chain at a time: lanes would not be independent */
        hs_group_destroy(g);
        assert_int_equal(hs_group_create(&g, m, tree, seed, 0, 1, NULL),
                         HISS_OK);
        n /= 4;
    }
    for (int64_t first = 0; first < n; first += g->chains) {
        for (int c = 0; c < g->chains; c++) {
            uint32_t chain = (uint32_t)(first + c);

            draw_exactly(&laws, &m->domain, seed, chain, before[c]);
            hs_group_set(g, c, 0, before[c]);
            g->tile[0].rng.chain[c] = chain;
        }
        g->tile[0].rng.clock = (uint64_t)first << 8;
        assert_int_equal(hs_group_step(g, NULL), HISS_OK);
        for (int c = 0; c < g->chains; c++)
            count(&seen, &m->domain, &g->tile[0], c, before[c]);
    }
    hs_group_destroy(g);
    hs_sampler_release(tree);
    return judge(name, sampler, m, &laws, &seen, n);
}

static const char *const samplers[] = {
    "dmala(alpha=0.4)",
    "gwg",
    "informed(balance=barker)",
    "pafs(length=4)",
    "dlmc(time=0.2)",
    "hamming(block=4,updates=8)",
    "jumps(time=0.1)",
    "tgs(time=0.1)",
    "tabu(time=0.1)",
    "ab(sigma=0.4)",
    "mtm",
    "acs(tune=no,alpha=0.3,cycle=1)",
    "gibbs",
    "gibbs(scan=random)",
    "metropolis",
    "hiss(eta=0.2,steps=0)",
    "hiss(eta=0.2,steps=2,inner=dmala(alpha=0.4))",
    "hiss(eta=0.3,steps=2,kernel=gaussian,inner=dmala(alpha=0.4))",
    "hiss(eta=0.3,steps=2,tilt=gradient,inner=dmala(alpha=0.4))",
    "hiss(eta=0.2,steps=2,order=palindrome,inner=gwg)",
    "hiss(eta=2,block=5,steps=1,order=palindrome,inner=dmala(alpha=0.4))",
    "hiss(eta=0.3,steps=1,inner=gibbs)",
};

static void wide_laws_are_kept(void **state)
{
    static const char *const names[] = {"bits stored", "bits local",
                                        "mixed stored", "mixed local",
                                        "bits sparse"};
    int wrong = 0;

    (void)state;
    for (int which = 0; which < 5; which++) {
        hs_model *m =
            which == 4 ? create_sparse() : create(which >= 2, which % 2 == 1);

        for (size_t s = 0; s < sizeof samplers / sizeof *samplers; s++)
            wrong += complaints(names[which], m, samplers[s],
                                suite_seed(85000 + 100 * (uint64_t)which + s));
        hs_model_destroy(m);
    }
    assert_int_equal(wrong, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wide_laws_are_kept),
    };

    suite_begin(argc, argv);
    return cmocka_run_group_tests_name("wide", tests, NULL, NULL);
}
