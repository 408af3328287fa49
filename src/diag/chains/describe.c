/* describe.c - a column of draws: mean, spread, and effective draws.
 *
 * The figures are those of ess.h, rhat.h and mcse.h, from one sort and one
 * autocovariance for each transform of the column.  For a column of two values
 * every transform is its indicator, up to scale, so all figures agree. */
#include "diag/chains/describe.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "diag/chains/column.h"
#include "diag/chains/levels.h"
#include "diag/chains/split.h"

static const hiss_column_state states[] = {
    [HS_COLUMN_VARIES] = HISS_VARIES,
    [HS_COLUMN_CONSTANT] = HISS_CONSTANT,
    [HS_COLUMN_STUCK] = HISS_STUCK,
    [HS_COLUMN_SHORT] = HISS_TOO_SHORT,
    [HS_COLUMN_UNDEFINED] = HISS_NOT_FINITE,
};

/* --- two values ----------------------------------------------------------- */

struct pair {
    double low, high;
    int64_t lows; /* draws at the first level */
};

static bool has_two_values(const double *x, int64_t total, struct pair *out)
{
    double a = x[0], b = a;
    int64_t as = 0, bs = 0;

    for (int64_t i = 0; i < total && b == a; i++)
        b = x[i];
    for (int64_t i = 0; i < total; i++) {
        as += x[i] == a;
        bs += x[i] == b;
    }
    *out = (struct pair){fmin(a, b), fmax(a, b), a < b ? as : bs};
    return a != b && as + bs == total;
}

static double least_ess(const struct pair *p, int64_t total, double ess,
                        double size)
{
    double value[2] = {p->low, p->high}, least = HUGE_VAL;
    int64_t below[3] = {0, p->lows, total};
    const hs_levels l = {value, below, 2};

    for (int side = 0; side < 2; side++) {
        double q = hs_levels_quantile(&l, side ? 0.95 : 0.05);

        least = fmin(least, q >= p->high ? size : ess);
    }
    return least;
}

static hiss_status describe_pair(const double *draws, int chains, int64_t n,
                                 const struct pair *p, hs_halves *h,
                                 hiss_column *out, double *ess, hiss_error *err)
{
    double size = (double)hs_split_size(chains, n);

    HS_TRY(hs_halves_init_bits(h, draws, chains, n, p->low, err));
    HS_TRY(hs_halves_ess(h, ess, err));
    out->ess_bulk = *ess;
    out->ess_tail = least_ess(p, chains * n, *ess, size);
    return chains > 1 ? hs_halves_rhat(h, &out->rhat, err) : HISS_OK;
}

/* --- many values ---------------------------------------------------------- */

/* Work space. */
struct ranked {
    double *x, *z; /* owned: the split column, and a transform of it */
    int64_t *at;   /* owned: the level of each draw */
    double *score; /* owned: the score of each level */
    hs_levels l;   /* owned */
    int64_t size;
};

static void ranked_clear(struct ranked *r)
{
    hs_levels_clear(&r->l);
    hs_free(r->x);
    hs_free(r->z);
    hs_free(r->at);
    hs_free(r->score);
}

static hiss_status ranked_init(struct ranked *r, const double *draws,
                               int chains, int64_t n, hiss_error *err)
{
    *r = (struct ranked){.size = hs_split_size(chains, n)};
    r->x = hs_alloc_array((size_t)r->size, sizeof *r->x);
    r->z = hs_alloc_array((size_t)r->size, sizeof *r->z);
    r->at = hs_alloc_array((size_t)r->size, sizeof *r->at);
    if (!r->x || !r->z || !r->at)
        return hs_fail_memory(err);
    hs_split_chains(draws, chains, n, r->x);
    HS_TRY(hs_levels_init_ranked(&r->l, r->x, r->size, r->at, err));
    r->score = hs_alloc_array((size_t)r->l.count, sizeof *r->score);
    return r->score ? HISS_OK : hs_fail_memory(err);
}

/* Writes the scores of all draws to z, and computes their figures. */
static hiss_status describe_scores(struct ranked *r, int chains, int64_t half,
                                   double *ess, double *rhat, hiss_error *err)
{
    hs_halves h;
    hiss_status rc;

    for (int64_t i = 0; i < r->size; i++)
        r->z[i] = r->score[r->at[i]];
    rc = hs_halves_init(&h, r->z, 2 * chains, half, err);
    if (rc == HISS_OK && ess)
        rc = hs_halves_ess(&h, ess, err);
    if (rc == HISS_OK)
        rc = hs_halves_rhat(&h, rhat, err);
    hs_halves_clear(&h);
    return rc;
}

/* Computes scores of |value - median|: levels sorted by that, from the middle
 * outwards on both sides; equal ones share a rank. */
static void fold_scores(struct ranked *r)
{
    const hs_levels *l = &r->l;
    double median = hs_levels_median(l), value[2];
    int64_t up = 0, down, first = 0;

    while (up < l->count && l->value[up] < median)
        up++;
    down = up - 1;
    while (up < l->count || down >= 0) {
        int64_t from = down, to = up, below[2] = {first, first}, all[2];
        double near;

        value[0] = down >= 0 ? median - l->value[down] : HUGE_VAL;
        value[1] = up < l->count ? l->value[up] - median : HUGE_VAL;
        near = fmin(value[0], value[1]);
        for (; down >= 0 && median - l->value[down] == near; down--)
            below[1] += l->below[down + 1] - l->below[down];
        for (; up < l->count && l->value[up] - median == near; up++)
            below[1] += l->below[up + 1] - l->below[up];
        all[0] = below[0];
        all[1] = below[1];
        for (int64_t k = from; k > down; k--)
            r->score[k] = hs_levels_score_of(all[0], all[1], r->size);
        for (int64_t k = to; k < up; k++)
            r->score[k] = hs_levels_score_of(all[0], all[1], r->size);
        first = below[1];
    }
}

static hiss_status indicator_ess(const double *draws, int chains, int64_t n,
                                 double quantile, double *ess, hiss_error *err)
{
    hs_halves h;
    hiss_status rc = hs_halves_init_bits(&h, draws, chains, n, quantile, err);

    if (rc == HISS_OK)
        rc = hs_halves_ess(&h, ess, err);
    hs_halves_clear(&h);
    return rc;
}

/* Quantiles are those of all draws, although the split drops the middle one of
 * an odd number. */
static hiss_status tail_ess(const struct ranked *r, const double *draws,
                            int chains, int64_t n, double *ess, hiss_error *err)
{
    double side[2] = {NAN, NAN};
    hs_levels all = {0};
    const hs_levels *l = &r->l;

    if (n % 2) {
        HS_TRY(hs_levels_init(&all, draws, chains * n, err));
        l = &all;
    }
    for (int k = 0; k < 2; k++) {
        double q = hs_levels_quantile(l, k ? 0.95 : 0.05);
        hiss_status rc = indicator_ess(draws, chains, n, q, &side[k], err);

        if (rc != HISS_OK) {
            hs_levels_clear(&all);
            return rc;
        }
    }
    hs_levels_clear(&all);
    *ess = fmin(side[0], side[1]);
    return HISS_OK;
}

static hiss_status describe_ranked(struct ranked *r, const double *draws,
                                   int chains, int64_t n, hiss_column *out,
                                   hiss_error *err)
{
    double bulk = NAN, folded = NAN;

    for (int64_t k = 0; k < r->l.count; k++)
        r->score[k] = hs_levels_score(&r->l, k);
    HS_TRY(describe_scores(r, chains, n / 2, &out->ess_bulk, &bulk, err));
    HS_TRY(tail_ess(r, draws, chains, n, &out->ess_tail, err));
    if (chains < 2)
        return HISS_OK;
    fold_scores(r);
    HS_TRY(describe_scores(r, chains, n / 2, NULL, &folded, err));
    out->rhat = fmax(bulk, folded);
    return HISS_OK;
}

static hiss_status describe_many(const double *draws, int chains, int64_t n,
                                 hs_halves *h, hiss_column *out, double *ess,
                                 hiss_error *err)
{
    struct ranked r;
    hiss_status rc = ranked_init(&r, draws, chains, n, err);

    if (rc == HISS_OK)
        rc = describe_ranked(&r, draws, chains, n, out, err);
    if (rc == HISS_OK)
        rc = hs_halves_init(h, r.x, 2 * chains, n / 2, err);
    if (rc == HISS_OK)
        rc = hs_halves_ess(h, ess, err);
    if (rc == HISS_OK) { /* the caller may request more lags */
        h->own = r.x;
        r.x = NULL;
    }
    ranked_clear(&r);
    return rc;
}

/* --- any ------------------------------------------------------------------ */

hiss_status hs_describe_halves(const double *draws, int chains, int64_t n,
                               hiss_column *out, hs_halves *h, hiss_error *err)
{
    hs_column c = hs_column_inspect(draws, chains, n);
    double count = (double)chains * (double)n, sum = 0.0, square = 0.0;
    struct pair pair;
    double ess;

    *h = (hs_halves){0};
    *out = (hiss_column){.state = states[c.state],
                         .still = c.still,
                         .mcse = NAN,
                         .ess_bulk = NAN,
                         .ess_tail = NAN,
                         .rhat = NAN,
                         .tau = NAN};
    for (int64_t i = 0; i < chains * n; i++)
        sum += draws[i];
    out->mean = sum / count;
    for (int64_t i = 0; i < chains * n; i++)
        square += (draws[i] - out->mean) * (draws[i] - out->mean);
    out->sd = count > 1.0 ? sqrt(square / (count - 1.0)) : (double)NAN;
    if (c.state != HS_COLUMN_VARIES)
        return HISS_OK;
    if (has_two_values(draws, chains * n, &pair))
        HS_TRY(describe_pair(draws, chains, n, &pair, h, out, &ess, err));
    else
        HS_TRY(describe_many(draws, chains, n, h, out, &ess, err));
    out->mcse = sqrt(out->sd * out->sd / ess);
    out->tau = count * out->mcse * out->mcse / (out->sd * out->sd);
    return HISS_OK;
}

hiss_status hs_describe(const double *draws, int chains, int64_t n,
                        hiss_column *out, hiss_error *err)
{
    hs_halves h;
    hiss_status rc = hs_describe_halves(draws, chains, n, out, &h, err);

    hs_halves_clear(&h);
    return rc;
}
