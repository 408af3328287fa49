/* repeat.c - states with counts as draws.
 *
 * Programs sort and count reads, so their order has no meaning.  They are
 * shuffled here, because equal ones side by side would look like a chain that
 * does not move.  They make up to CHAINS chains. */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/random/rng.h"
#include "format/draws/draws.h"

#define CHAINS    4
#define READS_MIN 40 /* from this number on, several chains */
#define READS_MAX 100000000

static void exchange(hs_drawn *out, int64_t a, int64_t b)
{
    double lp;

    for (int64_t i = 0; i < out->dim; i++) {
        double x = out->x[a * out->dim + i];

        out->x[a * out->dim + i] = out->x[b * out->dim + i];
        out->x[b * out->dim + i] = x;
    }
    if (!out->lp)
        return;
    lp = out->lp[a];
    out->lp[a] = out->lp[b];
    out->lp[b] = lp;
}

static hiss_status expand(hs_drawn *d, const int64_t *times, int64_t reads,
                          hiss_error *err)
{
    size_t dim = (size_t)d->dim;
    hs_drawn out = {.dim = d->dim};
    int64_t n = 0;

    out.x = hs_alloc_array((size_t)reads * dim, sizeof *out.x);
    out.lp = d->lp ? hs_alloc_array((size_t)reads, sizeof *out.lp) : NULL;
    if (!out.x || (d->lp && !out.lp)) {
        hs_drawn_clear(&out);
        return hs_fail_memory(err);
    }
    for (int64_t r = 0; r < d->samples; r++)
        for (int64_t k = times[r]; k > 0; k--, n++) {
            memcpy(out.x + n * d->dim, d->x + r * d->dim, dim * sizeof *out.x);
            if (out.lp)
                out.lp[n] = d->lp[r];
        }
    for (int64_t k = reads - 1; k > 0; k--)
        exchange(&out, k,
                 hs_below(hs_rng_word(1, 0, 0, 0, HS_DRAW_PROBE, (uint32_t)k),
                          (int)k + 1));
    out.chains = reads >= READS_MIN ? CHAINS : 1;
    out.samples = reads / out.chains; /* drops up to three */
    hs_drawn_clear(d);
    *d = out;
    return HISS_OK;
}

hiss_status hs_drawn_repeat(hs_drawn *d, const int64_t *times, const char *path,
                            hiss_error *err)
{
    int64_t reads = 0;

    for (int64_t r = 0; r < d->samples; r++) {
        if (times[r] < 0 || times[r] > READS_MAX - reads)
            return hs_fail(err, HISS_EPARSE,
                           "%s: the count of state %lld is %lld, expected 0 or "
                           "more, and at most %d in all",
                           path, (long long)(r + 1), (long long)times[r],
                           READS_MAX);
        reads += times[r];
    }
    if (reads == 0)
        return hs_fail(err, HISS_EPARSE, "%s: there are no samples", path);
    return expand(d, times, reads, err);
}
