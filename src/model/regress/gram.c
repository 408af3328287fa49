/* gram.c - inner products of the columns of a regression. */
#include "model/regress/gram.h"

#include "base/alloc.h"
#include "base/error.h"

#define KEPT_BYTES ((size_t)1 << 27) /* bytes of stored rows */

hiss_status hs_gram_init(hs_gram *g, const hs_design *design, hiss_error *err)
{
    size_t terms = (size_t)design->terms;
    size_t room = KEPT_BYTES / sizeof(double) / terms;

    *g = (hs_gram){.design = design};
    g->room = room < terms ? (int)room : (int)terms;
    g->row = hs_alloc_array(terms, sizeof(double *));
    g->block = hs_alloc_array((size_t)g->room * terms, sizeof *g->block);
    g->used = hs_alloc_array(1, sizeof *g->used);
    return g->row && g->block && g->used ? HISS_OK : hs_fail_memory(err);
}

void hs_gram_clear(hs_gram *g)
{
    hs_free(g->row);
    hs_free(g->block);
    hs_free(g->used);
    *g = (hs_gram){0};
}

/* Sums have the same order, and so the same bits, under every instruction
 * set. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&         \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#  define WIDE __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#  define WIDE
#endif

WIDE double hs_gram_dot(const double *a, const double *b, int stride)
{
    double sum[HS_DESIGN_LANES] = {0};

    for (int r = 0; r < stride; r += HS_DESIGN_LANES)
        for (int k = 0; k < HS_DESIGN_LANES; k++)
            sum[k] += a[r + k] * b[r + k];
    return ((sum[0] + sum[4]) + (sum[1] + sum[5])) +
           ((sum[2] + sum[6]) + (sum[3] + sum[7]));
}

static void fill(const hs_gram *g, int j, int first, int count, double *out)
{
    const hs_design *d = g->design;
    const double *own = hs_design_column(d, j);

    for (int i = 0; i < count; i++)
        out[i] = hs_gram_dot(own, hs_design_column(d, first + i), d->stride);
}

/* Returns the whole row, computed now if there is room, or NULL.  Threads that
 * compute a row at the same time get the same bits; one copy is stored. */
static const double *keep(const hs_gram *g, int j)
{
    double *row = __atomic_load_n(&g->row[j], __ATOMIC_ACQUIRE);
    double *none = NULL;
    int slot;

    if (row || __atomic_load_n(g->used, __ATOMIC_RELAXED) >= g->room)
        return row;
    slot = __atomic_fetch_add(g->used, 1, __ATOMIC_RELAXED);
    if (slot >= g->room)
        return NULL;
    row = g->block + (size_t)slot * (size_t)g->design->terms;
    fill(g, j, 0, g->design->terms, row);
    return __atomic_compare_exchange_n(&g->row[j], &none, row, 0,
                                       __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)
               ? row
               : none;
}

double hs_gram_at(const hs_gram *g, int i, int j)
{
    const hs_design *d = g->design;
    const double *row = __atomic_load_n(&g->row[j], __ATOMIC_ACQUIRE);

    if (row)
        return row[i];
    row = __atomic_load_n(&g->row[i], __ATOMIC_ACQUIRE);
    if (row)
        return row[j];
    return hs_gram_dot(hs_design_column(d, i), hs_design_column(d, j),
                       d->stride);
}

const double *hs_gram_row(const hs_gram *g, int j, int first, int count,
                          double *out)
{
    const double *row = keep(g, j);

    if (row)
        return row + first;
    fill(g, j, first, count, out);
    return out;
}
