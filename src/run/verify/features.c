/* features.c - the quantities of a state compared before and after. */
#include "run/verify/features.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "diag/tests/flips.h"

#define TAILS          8  /* number of parts between the quantiles of U */
#define MARGINAL_CELLS 16 /* most ranges of a coordinate */
#define PAIR_CELLS     3
#define CLIP_SD        4.0

/* --- U ------------------------------------------------------------------- */

int hs_features_scale_at(const hs_energy_scale *g, double u)
{
    double t = (u - g->low) * g->scale;

    return t > 0.0 ? t < HS_ENERGY_TOP ? (int)(t + 0.5) : HS_ENERGY_TOP : 0;
}

/* Computes mean and sd of U, or of its whole numbers. */
static void moments(const hs_exact *e, const hs_law *law,
                    const hs_energy_scale *g, double *mean, double *sd)
{
    double sum = 0.0, squares = 0.0;

    for (int pass = 0; pass < 2; pass++)
        for (int64_t n = 0; n < e->states; n++) {
            double u;

            if (law->p[n] == 0.0)
                continue;
            u = g ? (double)hs_features_scale_at(g, e->u[n])
                  : e->u[n] - e->max_u;
            if (pass == 0)
                sum += law->p[n] * u;
            else
                squares += law->p[n] * (u - sum) * (u - sum);
        }
    *mean = g ? sum : sum + e->max_u;
    *sd = sqrt(squares);
}

static void make_scale(hs_energy_scale *g, const hs_exact *e, const hs_law *law)
{
    double low = INFINITY, high = e->max_u, mean, sd;

    moments(e, law, NULL, &mean, &sd);
    for (int64_t n = 0; n < e->states; n++)
        if (law->p[n] > 0.0 && e->u[n] < low)
            low = e->u[n];
    low = fmax(low, mean - CLIP_SD * sd);
    high = fmin(high, mean + CLIP_SD * sd);
    *g = (hs_energy_scale){.low = low};
    if (high - low > 1e-9 * fmax(1.0, fabs(mean))) {
        g->scale = HS_ENERGY_TOP / (high - low);
        moments(e, law, g, &mean, &g->sd);
    }
}

/* --- which --------------------------------------------------------------- */

static hiss_status add(hs_features *f, hs_feature one, hiss_error *err)
{
    if (f->count == f->room) {
        hs_feature *wider = hs_realloc_array(
            f->at, (size_t)f->room, (size_t)f->room * 2, sizeof *f->at);

        if (!wider)
            return hs_fail_memory(err);
        f->at = wider;
        f->room *= 2;
    }
    f->at[f->count++] = one;
    f->first[one.kind + 1] = f->count;
    return HISS_OK;
}

struct heavy {
    double u, p;
    double cold; /* probability at level 0 */
};

static int by_u(const void *a, const void *b)
{
    const struct heavy *x = a, *y = b;

    return (x->u > y->u) - (x->u < y->u);
}

/* Finds quantiles of U under the mean of the distributions of all levels; a
 * value with several of them gives one. */
static hiss_status add_tails(hs_features *f, const hs_law *law, hiss_error *err)
{
    const hs_exact *e = f->exact;
    struct heavy *state = hs_alloc_array((size_t)e->states, sizeof *state);
    hiss_status rc = state ? HISS_OK : hs_fail_memory(err);
    double upto = 0.0, cold = 0.0;
    int part = 1;

    for (int64_t n = 0; n < e->states && state; n++) {
        state[n].u = e->u[n];
        state[n].cold = law[0].p[n];
        for (int j = 0; j < f->levels; j++)
            state[n].p += law[j].p[n] / f->levels;
    }
    if (state)
        qsort(state, (size_t)e->states, sizeof *state, by_u);
    for (int64_t n = 0; n < e->states && rc == HISS_OK; n++) {
        upto += state[n].p;
        cold += state[n].cold;
        if (n + 1 < e->states && state[n + 1].u == state[n].u)
            continue;
        if (upto * TAILS < part || upto > 1.0 - 1e-12)
            continue;
        part = (int)(upto * TAILS) + 1;
        rc = add(f,
                 (hs_feature){
                     .kind = HS_TAIL, .above = state[n].u, .share = 1.0 - cold},
                 err);
    }
    hs_free(state);
    return rc;
}

/* Cuts into at most `most` ranges of about equal probability; with few values
 * each is a range.  Returns their number. */
static int cut(const hs_exact *e, int i, int most, hs_range *out)
{
    const double *p = e->marginal + e->first[i];
    int cells = 0, low = 0;
    double upto = 0.0;

    for (int v = 0; v < e->radix[i]; v++) {
        bool is_last = v == e->radix[i] - 1;

        upto += p[v];
        if (!is_last && e->radix[i] > most &&
            (upto * most < cells + 1 || cells == most - 1))
            continue;
        out[cells++] = (hs_range){i, low, v};
        low = v + 1;
    }
    return cells;
}

static hiss_status add_marginals(hs_features *f, hiss_error *err)
{
    hs_range range[MARGINAL_CELLS];

    for (int i = 0; i < f->exact->dim; i++) {
        int cells = cut(f->exact, i, MARGINAL_CELLS, range);

        for (int c = cells <= 2; c < cells; c++) /* of two cells, one is
                                                    sufficient */
            HS_TRY(add(f, (hs_feature){.kind = HS_MARGINAL, .one = range[c]},
                       err));
    }
    return HISS_OK;
}

static hiss_status add_pair(hs_features *f, int i, int j, hiss_error *err)
{
    const hs_exact *e = f->exact;
    hs_feature pair = {
        .kind = HS_PAIR, .one.coordinate = i, .other.coordinate = j};
    hs_range one[PAIR_CELLS], other[PAIR_CELLS];
    int ones = cut(e, i, PAIR_CELLS, one);
    int others = cut(e, j, PAIR_CELLS, other);

    if (ones < 2 || others < 2)
        return HISS_OK;
    if (e->radix[i] == e->radix[j]) {
        pair.is_equal = true;
        HS_TRY(add(f, pair, err));
        pair.is_equal = false;
    }
    if (e->radix[i] == 2 && e->radix[j] == 2)
        return HISS_OK; /* together with the marginals, this is the whole
                           table */
    for (int a = 0; a < ones; a++)
        for (int b = 0; b < others; b++) {
            pair.one = one[a];
            pair.other = other[b];
            HS_TRY(add(f, pair, err));
        }
    return HISS_OK;
}

static hiss_status choose(hs_features *f, const hs_law *law, hiss_error *err)
{
    HS_TRY(add_tails(f, law, err));
    f->first[HS_MARGINAL + 1] = f->count;
    HS_TRY(add_marginals(f, err));
    f->first[HS_PAIR + 1] = f->count;
    for (int i = 0; i < f->exact->dim; i++)
        for (int j = i + 1; j < f->exact->dim; j++)
            HS_TRY(add_pair(f, i, j, err));
    return HISS_OK;
}

/* --- bits ---------------------------------------------------------------- */

static bool is_in(const hs_range *r, const int16_t *x)
{
    return x[r->coordinate] >= r->low && x[r->coordinate] <= r->high;
}

static bool holds(const hs_feature *f, const int16_t *x, double u)
{
    if (f->kind == HS_TAIL)
        return u > f->above;
    if (f->is_equal)
        return x[f->one.coordinate] == x[f->other.coordinate];
    return is_in(&f->one, x) && (f->kind == HS_MARGINAL || is_in(&f->other, x));
}

static hiss_status fill(hs_features *f, hiss_error *err)
{
    const hs_exact *e = f->exact;
    int16_t *x = hs_alloc_array((size_t)e->dim, sizeof *x);

    f->words = hs_flips_words(f->count);
    f->bits =
        hs_alloc_array((size_t)e->states * (size_t)f->words, sizeof *f->bits);
    if (!x || !f->bits) {
        hs_free(x);
        return hs_fail_memory(err);
    }
    for (int64_t n = 0; n < e->states; n++) {
        uint64_t *bits = f->bits + n * f->words;

        if (e->u[n] == -HUGE_VAL)
            continue; /* impossible states are seen by the test of the
                         distribution */
        hs_exact_state(e, n, x);
        for (int k = 0; k < f->count; k++)
            bits[k / 64] |= (uint64_t)holds(&f->at[k], x, e->u[n]) << k % 64;
    }
    hs_free(x);
    return HISS_OK;
}

hiss_status hs_features_init(hs_features *f, const hs_exact *e,
                             const hs_law *law, int levels, hiss_error *err)
{
    hiss_status rc = HISS_OK;

    *f = (hs_features){.exact = e, .levels = levels, .room = 64};
    f->at = hs_alloc_array((size_t)f->room, sizeof *f->at);
    f->gauge = hs_alloc_array((size_t)levels, sizeof *f->gauge);
    if (!f->at || !f->gauge)
        rc = hs_fail_memory(err);
    for (int j = 0; j < levels && rc == HISS_OK; j++)
        make_scale(&f->gauge[j], e, &law[j]);
    if (rc == HISS_OK)
        rc = choose(f, law, err);
    if (rc == HISS_OK)
        rc = fill(f, err);
    if (rc != HISS_OK)
        hs_features_clear(f);
    return rc;
}

void hs_features_clear(hs_features *f)
{
    hs_free(f->at);
    hs_free(f->bits);
    hs_free(f->gauge);
    *f = (hs_features){0};
}

/* --- names --------------------------------------------------------------- */

static int name_range(const hs_exact *e, const hs_range *r, char *text,
                      size_t size)
{
    const float *value = e->values + e->first[r->coordinate];

    if (r->low == r->high)
        return hs_snprintf(text, size, "x.%d = %g", r->coordinate + 1,
                           (double)value[r->low]);
    return hs_snprintf(text, size, "x.%d = %g..%g", r->coordinate + 1,
                       (double)value[r->low], (double)value[r->high]);
}

void hs_feature_name(const hs_features *f, int number, char *text, size_t size)
{
    const hs_feature *one = &f->at[number];
    int used;

    if (one->kind == HS_TAIL) {
        hs_snprintf(text, size, "U > %g", one->above);
    } else if (one->is_equal) {
        snprintf(text, size, "x.%d = x.%d", one->one.coordinate + 1,
                 one->other.coordinate + 1);
    } else {
        used = name_range(f->exact, &one->one, text, size);
        if (one->kind != HS_PAIR || used < 0 || (size_t)used + 3 >= size)
            return;
        used += snprintf(text + used, size - (size_t)used, ", ");
        name_range(f->exact, &one->other, text + used, size - (size_t)used);
    }
}
