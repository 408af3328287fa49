/* scan.c - lists of neighbors in the order of a sweep. */
#include "model/pair/scan.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"

static int64_t degree_of(const hs_sparse *j, int i)
{
    return j->start[i + 1] - j->start[i];
}

/* Counts the negative, or the positive, bonds of site i. */
static int64_t bonds_of(const hs_sparse *j, int i, bool negative)
{
    int64_t count = 0;

    for (int64_t e = j->start[i]; e < j->start[i + 1]; e++)
        count += (hs_sparse_coupling(j, e) < 0.0f) == negative;
    return count;
}

static int64_t filled_up(int64_t count)
{
    return (count + HS_SCAN_STEP - 1) / HS_SCAN_STEP * HS_SCAN_STEP;
}

static float strength(const hs_sparse *j)
{
    return j->start[j->dim] > 0 ? fabsf(hs_sparse_coupling(j, 0)) : 0.0f;
}

bool hs_scan_fits(const hs_sparse *j)
{
    float most = strength(j);

    for (int i = 0; i < j->dim; i++)
        if (degree_of(j, i) > UINT8_MAX)
            return false;
    for (int64_t e = 0; j->value && e < j->start[j->dim]; e++)
        if (fabsf(j->value[e]) != most)
            return false;
    return most > 0.0f;
}

/* Whether couplings are a whole number times 2^e whose multiples are below
 * 2^24. */
bool hs_scan_is_exact(const hs_sparse *j)
{
    int64_t most = 1;
    int exponent;
    double whole = ldexp(frexp((double)strength(j), &exponent), 24);

    while (whole > 0.0 && fmod(whole, 2.0) == 0.0)
        whole /= 2.0;
    for (int i = 0; i < j->dim; i++)
        if (degree_of(j, i) > most)
            most = degree_of(j, i);
    return whole * (double)most < 0x1p24;
}

/* Lists the neighbors of site i by bonds of one sign, padded; returns the
 * end. */
static int64_t fill_list(hs_scan *g, const hs_sparse *j, int i, bool negative,
                         int64_t at)
{
    int64_t end = at + filled_up(bonds_of(j, i, negative));

    for (int64_t e = j->start[i]; e < j->start[i + 1]; e++)
        if ((hs_sparse_coupling(j, e) < 0.0f) == negative)
            g->column[at++] = j->column[e];
    for (; at < end; at++)
        g->column[at] = j->dim;
    return end;
}

hiss_status hs_scan_init(hs_scan *g, const hs_sparse *j, const int *order,
                         float low, float gap, float step, hiss_error *err)
{
    size_t dim = (size_t)j->dim;
    int64_t entries = 0;
    bool has_signs = j->uniform == 0.0f, is_negative = j->uniform < 0.0f;

    for (int i = 0; i < j->dim; i++)
        entries +=
            filled_up(bonds_of(j, i, false)) + filled_up(bonds_of(j, i, true));
    *g = (hs_scan){.dim = j->dim,
                   .start = hs_alloc_array(dim + 1, sizeof *g->start),
                   .middle = has_signs ? hs_alloc_array(dim, sizeof *g->middle)
                                       : NULL,
                   .column = hs_alloc_array((size_t)entries, sizeof *g->column),
                   .base = hs_alloc_array(dim, sizeof *g->base),
                   .field = j->field,
                   .gap = gap,
                   .coupling = is_negative ? -strength(j) : strength(j),
                   .step = step};
    if (!g->start || !g->column || !g->base || (has_signs && !g->middle)) {
        hs_scan_clear(g);
        return hs_fail_memory(err);
    }
    for (int n = 0; n < j->dim; n++) {
        int i = order[n];
        int64_t at = fill_list(g, j, i, is_negative, g->start[n]);
        int64_t less = bonds_of(j, i, !is_negative);

        if (has_signs)
            g->middle[n] = at;
        g->start[n + 1] = fill_list(g, j, i, !is_negative, at);
        g->base[n] = low * (float)(degree_of(j, i) - 2 * less);
    }
    return HISS_OK;
}

void hs_scan_clear(hs_scan *g)
{
    hs_free(g->start);
    hs_free(g->middle);
    hs_free(g->column);
    hs_free(g->base);
    *g = (hs_scan){0};
}
