/* test_autocov.c - autocovariances, summed directly and by FFT. */
#include "diag/chains/halves.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include "diag/maths/fft.h"
#include "unit/diag_draws.h"

#include <cmocka.h>

/* The definition, lag by lag. */
static double by_hand(const double *x, int chains, int64_t n, int64_t t)
{
    double sum = 0.0;

    for (int c = 0; c < chains; c++)
        for (int64_t i = 0; i + t < n; i++)
            sum += x[c * n + i] * x[c * n + i + t];
    return sum / ((double)n * chains);
}

/* The last lag asked first (all by FFT beyond 128), or one after the other. */
static void check_lags(int chains, int64_t n, bool last_first)
{
    const struct golden g = {"", AR, chains, n, 9, 0.5, 0, 0, 0, 0, 0, 0, 0};
    double *x = draw_all(&g);
    hs_autocov a;

    assert_non_null(x);
    assert_int_equal(hs_autocov_init(&a, x, chains, n, NULL), HISS_OK);
    for (int64_t t = 0; t < n; t++) {
        int64_t ask = last_first ? n - 1 : t;

        assert_int_equal(hs_autocov_need(&a, ask, NULL), HISS_OK);
        assert_true(a.ready > t && a.ready <= n);
        if (fabs(a.value[t] - by_hand(x, chains, n, t)) > 1e-14)
            fail_msg("lag %d of %d draws", (int)t, (int)n);
    }
    hs_autocov_clear(&a);
    free(x);
}

/* Odd and even numbers of chains, lengths around the block and around powers
 * of two. */
static void every_lag_is_the_sum_of_products(void **state)
{
    static const int64_t lengths[] = {2, 3, 7, 8, 9, 17, 128, 129, 256, 300};

    (void)state;
    for (int k = 0; k < 10; k++) {
        for (int chains = 1; chains <= 5; chains++) {
            check_lags(chains, lengths[k], false);
            check_lags(chains, lengths[k], true);
        }
    }
}

/* Bits give the sums of the centered indicators, by lags and by FFT. */
static void check_bits(int chains, int64_t n, bool last_first)
{
    double *draws = calloc((size_t)(2 * chains * n), sizeof *draws);
    hs_halves bits, numbers;
    uint64_t seed = (uint64_t)n;

    assert_non_null(draws);
    for (int64_t i = 0; i < chains * 2 * n; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        draws[i] = seed >> 62 ? 3.0 : -1.0;
    }
    assert_int_equal(
        hs_halves_init_bits(&bits, draws, chains, 2 * n, -1.0, NULL), HISS_OK);
    for (int64_t i = 0; i < chains * 2 * n; i++)
        draws[i] = draws[i] > -1.0;
    assert_int_equal(hs_halves_init(&numbers, draws, 2 * chains, n, NULL),
                     HISS_OK);
    assert_true(bits.is_varying == numbers.is_varying);
    assert_true(fabs(bits.between - numbers.between) < 1e-15);
    for (int64_t t = 0; t < n; t++) {
        int64_t ask = last_first ? n - 1 : t;

        assert_int_equal(hs_autocov_need(&bits.acov, ask, NULL), HISS_OK);
        assert_int_equal(hs_autocov_need(&numbers.acov, ask, NULL), HISS_OK);
        if (fabs(bits.acov.value[t] - numbers.acov.value[t]) > 1e-13)
            fail_msg("lag %d of %d bits", (int)t, (int)n);
    }
    hs_halves_clear(&bits);
    hs_halves_clear(&numbers);
    free(draws);
}

static void bits_are_their_numbers(void **state)
{
    static const int64_t lengths[] = {2, 3, 63, 64, 65, 128, 129, 300, 1500};

    (void)state;
    for (int k = 0; k < 9; k++)
        for (int chains = 1; chains <= 3; chains++) {
            check_bits(chains, lengths[k], false);
            check_bits(chains, lengths[k], true);
        }
}

#define N 64

static void transforms_invert_each_other(void **state)
{
    double re[N], im[N], cosine[N / 2], sine[N / 2];
    double re0[N], im0[N];
    uint64_t seed = 5;

    (void)state;
    for (int i = 0; i < N; i++) {
        re[i] = re0[i] = draw_uniform(&seed);
        im[i] = im0[i] = draw_uniform(&seed);
    }
    hs_fft_twiddles(N, cosine, sine);
    hs_fft_forward(N, re, im, cosine, sine);
    hs_fft_backward(N, re, im, cosine, sine);
    for (int i = 0; i < N; i++) {
        assert_true(fabs(re[i] / N - re0[i]) < 1e-15);
        assert_true(fabs(im[i] / N - im0[i]) < 1e-15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_lag_is_the_sum_of_products),
        cmocka_unit_test(bits_are_their_numbers),
        cmocka_unit_test(transforms_invert_each_other),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
