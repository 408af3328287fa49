/* autocov.c - autocovariances of chains, averaged over them, on demand.
 *
 * A chain that mixes needs a handful of lags, one that does not needs all of
 * them: if two chains are in different modes, the correlations level off above
 * 0 and Geyer's sum never stops. So the first DIRECT_LAGS are summed directly,
 * a block at a time, O(chains n) per lag, and a request beyond them computes
 * every lag by FFT, O(chains n log n).  At 4 chains of 10^5 draws the FFT costs
 * as much as about 250 lags; the worst case of the direct sums, all lags, costs
 * 60 times as much.
 *
 * The FFT works on two chains at once, z = x + i y.  Only the sum of the
 * spectra is needed, and the real part of its back transform,
 *     Re IFFT(|Z|^2) = acov(x) + acov(y),
 * is the sum of the autocovariances; so one transform back serves them all.
 *
 * Indicators are bits.  With S_t the number of i at which both i and i + t are
 * set, the sum of a chain of mean m is
 *     S_t - m (those set before n - t, and from t on) + (n - t) m^2. */
#include "diag/chains/autocov.h"

#include "base/alloc.h"
#include "base/error.h"
#include "diag/maths/fft.h"

#include <string.h>

#define BLOCK       8
#define DIRECT_LAGS 128
#define BIT_LAGS    1024 /* the same for bits, 64 of which take one step */

hiss_status hs_autocov_init(hs_autocov *a, const double *x, int chains,
                            int64_t n, hiss_error *err)
{
    *a = (hs_autocov){.x = x, .n = n, .chains = chains};
    a->value = hs_alloc_array((size_t)n, sizeof *a->value);
    return a->value ? HISS_OK : hs_fail_memory(err);
}

hiss_status hs_autocov_init_bits(hs_autocov *a, const uint64_t *bits,
                                 const double *mean, int chains, int64_t n,
                                 hiss_error *err)
{
    *a = (hs_autocov){.bits = bits, .mean = mean, .n = n, .chains = chains};
    a->value = hs_alloc_array((size_t)n, sizeof *a->value);
    return a->value ? HISS_OK : hs_fail_memory(err);
}

void hs_autocov_clear(hs_autocov *a)
{
    hs_free(a->value);
    hs_free(a->whole);
    *a = (hs_autocov){0};
}

/* sum[k] += sum_i x_i x_(i+t+k) for k < BLOCK.  The sums are independent, so
 * the inner loop vectorizes without reordering any of them. */
static void add_products(const double *x, int64_t n, int64_t t, double *sum)
{
    int64_t i = 0;

    for (; i < n - t - (BLOCK - 1); i++)
        for (int k = 0; k < BLOCK; k++)
            sum[k] += x[i] * x[i + t + k];
    for (; i < n - t; i++)
        for (int64_t k = 0; k < n - t - i; k++)
            sum[k] += x[i] * x[i + t + k];
}

static void direct_block(hs_autocov *a)
{
    double sum[BLOCK] = {0};
    double scale = 1.0 / ((double)a->n * (double)a->chains);

    for (int c = 0; c < a->chains; c++)
        add_products(a->x + c * a->n, a->n, a->ready, sum);
    for (int k = 0; k < BLOCK && a->ready < a->n; k++)
        a->value[a->ready++] = sum[k] * scale;
}

/* Computes the sum of one chain of bits at lag t. */
static double bit_products(const uint64_t *bits, int64_t n, int64_t t, double m)
{
    int64_t kept = n - t, step = t / 64, both = 0, early = 0, late = 0;
    int shift = (int)(t % 64);

    for (int64_t i = 0; 64 * i < kept; i++) {
        uint64_t a = bits[i], b = bits[i + step] >> shift;

        if (shift)
            b |= bits[i + step + 1] << (64 - shift);
        if (kept - 64 * i < 64)
            a &= ((uint64_t)1 << (kept - 64 * i)) - 1;
        both += hs_autocov_ones(a & b);
        early += hs_autocov_ones(a);
        late += hs_autocov_ones(b);
    }
    return (double)both - m * (double)(early + late) + (double)kept * m * m;
}

static void bit_lag(hs_autocov *a)
{
    int64_t words = hs_autocov_words(a->n);
    double sum = 0.0;

    for (int c = 0; c < a->chains; c++)
        sum += bit_products(a->bits + c * words, a->n, a->ready, a->mean[c]);
    a->value[a->ready++] = sum / ((double)a->n * (double)a->chains);
}

/* Makes numbers of bits, for the transform. */
static hiss_status unpack(hs_autocov *a, hiss_error *err)
{
    int64_t words = hs_autocov_words(a->n);

    a->whole =
        hs_alloc_array((size_t)a->chains * (size_t)a->n, sizeof *a->whole);
    if (!a->whole)
        return hs_fail_memory(err);
    for (int c = 0; c < a->chains; c++)
        for (int64_t i = 0; i < a->n; i++)
            a->whole[c * a->n + i] =
                (double)(a->bits[c * words + i / 64] >> i % 64 & 1) -
                a->mean[c];
    a->x = a->whole;
    return HISS_OK;
}

/* Adds the spectrum of chains c and c + 1 to power. */
static void add_power(const hs_autocov *a, int c, int64_t length, double *re,
                      double *im, double *power, const double *cosine)
{
    size_t bytes = (size_t)a->n * sizeof *re;
    size_t all = (size_t)length * sizeof *re;

    memset(re, 0, all);
    memset(im, 0, all);
    memcpy(re, a->x + c * a->n, bytes);
    if (c + 1 < a->chains)
        memcpy(im, a->x + (c + 1) * a->n, bytes);
    hs_fft_forward(length, re, im, cosine, cosine + length / 2);
    for (int64_t f = 0; f < length; f++)
        power[f] += re[f] * re[f] + im[f] * im[f];
}

static hiss_status every_lag(hs_autocov *a, hiss_error *err)
{
    int64_t length = 2;

    while (length < 2 * a->n) /* long enough that the ends do not overlap */
        length *= 2;

    double scale = 1.0 / ((double)length * (double)a->n * (double)a->chains);
    double *work = hs_alloc_array(4 * (size_t)length, sizeof *work);

    if (!work)
        return hs_fail_memory(err);

    double *re = work;
    double *im = work + length;
    double *power = work + 2 * length;
    double *cosine = work + 3 * length; /* the sines follow them */

    hs_fft_twiddles(length, cosine, cosine + length / 2);
    for (int c = 0; c < a->chains; c += 2)
        add_power(a, c, length, re, im, power, cosine);
    memset(im, 0, (size_t)length * sizeof *im);
    hs_fft_backward(length, power, im, cosine, cosine + length / 2);
    for (; a->ready < a->n; a->ready++)
        a->value[a->ready] = power[a->ready] * scale;
    hs_free(work);
    return HISS_OK;
}

hiss_status hs_autocov_need(hs_autocov *a, int64_t t, hiss_error *err)
{
    while (a->bits && a->ready <= t && a->ready < BIT_LAGS)
        bit_lag(a);
    while (!a->bits && a->ready <= t && a->ready < DIRECT_LAGS)
        direct_block(a);
    if (a->ready > t)
        return HISS_OK;
    if (a->bits && !a->x)
        HS_TRY(unpack(a, err));
    return every_lag(a, err);
}
