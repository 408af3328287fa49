/* halves.c - a column cut into half-chains, shared by all figures. */
#include "diag/chains/halves.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "diag/maths/moments.h"

#define RESOLUTION 1e-15 /* a smaller range counts as constant */

static double range_of(const double *x, int64_t size)
{
    double low = x[0], high = x[0];

    for (int64_t i = 1; i < size; i++) {
        low = x[i] < low ? x[i] : low;
        high = x[i] > high ? x[i] : high;
    }
    return high - low;
}

hiss_status hs_halves_init(hs_halves *h, double *x, int count, int64_t n,
                           hiss_error *err)
{
    double ignored;

    *h = (hs_halves){.count = count, .n = n};
    h->mean = hs_alloc_array((size_t)count, sizeof *h->mean);
    if (!h->mean)
        return hs_fail_memory(err);
    h->is_varying = !(range_of(x, count * n) < RESOLUTION);
    for (int c = 0; c < count; c++) {
        hs_moments(x + c * n, n, &h->mean[c], &ignored);
        for (int64_t i = 0; i < n; i++)
            x[c * n + i] -= h->mean[c];
    }
    hs_moments(h->mean, count, &ignored, &h->between);
    return hs_autocov_init(&h->acov, x, count, n, err);
}

/* Packs one half-chain; returns the number of its draws above low. */
static int64_t pack(const double *draws, int64_t n, double low, uint64_t *bits)
{
    int64_t ones = 0;

    for (int64_t from = 0; from < n; from += 64) {
        int64_t most = n - from < 64 ? n - from : 64;
        uint64_t word = 0;

        for (int64_t k = 0; k < most; k++)
            word |= (uint64_t)(draws[from + k] > low) << k;
        bits[from / 64] = word;
        ones += hs_autocov_ones(word);
    }
    return ones;
}

hiss_status hs_halves_init_bits(hs_halves *h, const double *draws, int chains,
                                int64_t n, double low, hiss_error *err)
{
    int64_t half = n / 2, words = hs_autocov_words(half), all = 0;
    double ignored;

    *h = (hs_halves){.count = 2 * chains, .n = half};
    h->mean = hs_alloc_array((size_t)h->count, sizeof *h->mean);
    h->bits = hs_alloc_array((size_t)(h->count * words), sizeof *h->bits);
    if (!h->mean || !h->bits)
        return hs_fail_memory(err);
    for (int c = 0; c < h->count; c++) {
        const double *from = draws + c / 2 * n + (c % 2 ? n - half : 0);
        int64_t ones = pack(from, half, low, h->bits + c * words);

        all += ones;
        h->mean[c] = (double)ones / (double)half;
    }
    h->is_varying = all > 0 && all < h->count * half;
    hs_moments(h->mean, h->count, &ignored, &h->between);
    return hs_autocov_init_bits(&h->acov, h->bits, h->mean, h->count, half,
                                err);
}

void hs_halves_clear(hs_halves *h)
{
    hs_autocov_clear(&h->acov);
    hs_free(h->mean);
    hs_free(h->bits);
    hs_free(h->own);
    *h = (hs_halves){0};
}

hiss_status hs_halves_rhat(hs_halves *h, double *rhat, hiss_error *err)
{
    double n = (double)h->n, within;

    HS_TRY(hs_autocov_need(&h->acov, 0, err));
    within = h->acov.value[0] * n / (n - 1.0);
    *rhat = sqrt((n * h->between / within + (n - 1.0)) / n);
    return HISS_OK;
}
