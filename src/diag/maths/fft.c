/* fft.c - the two halves of a convolution by fast Fourier transform.
 *
 * Radix 2: decimation in frequency forward, in time backward.  Between them the
 * frequencies are in bit-reversed order, which does not matter for a product of
 * spectra, so no reordering pass is needed.  O(length log length).
 *
 * Written out because the FFT packages of Debian do not fit: kissfft is built
 * in single precision only, and FFTW is under the GPL. */
#include "diag/maths/fft.h"

#include <math.h>

#define TWO_PI 6.28318530717958647693

void hs_fft_twiddles(int64_t length, double *cosine, double *sine)
{
    for (int64_t k = 0; k < length / 2; k++) {
        double angle = -TWO_PI * (double)k / (double)length;

        cosine[k] = cos(angle);
        sine[k] = sin(angle);
    }
}

void hs_fft_forward(int64_t length, double *re, double *im,
                    const double *cosine, const double *sine)
{
    for (int64_t half = length / 2; half >= 1; half /= 2) {
        int64_t stride = length / (2 * half);

        for (int64_t start = 0; start < length; start += 2 * half) {
            for (int64_t j = start; j < start + half; j++) {
                double c = cosine[(j - start) * stride];
                double s = sine[(j - start) * stride];
                double dr = re[j] - re[j + half];
                double di = im[j] - im[j + half];

                re[j] += re[j + half];
                im[j] += im[j + half];
                re[j + half] = dr * c - di * s;
                im[j + half] = dr * s + di * c;
            }
        }
    }
}

void hs_fft_backward(int64_t length, double *re, double *im,
                     const double *cosine, const double *sine)
{
    for (int64_t half = 1; half < length; half *= 2) {
        int64_t stride = length / (2 * half);

        for (int64_t start = 0; start < length; start += 2 * half) {
            for (int64_t j = start; j < start + half; j++) {
                double c = cosine[(j - start) * stride];
                double s = -sine[(j - start) * stride];
                double hr = re[j + half] * c - im[j + half] * s;
                double hi = re[j + half] * s + im[j + half] * c;

                re[j + half] = re[j] - hr;
                im[j + half] = im[j] - hi;
                re[j] += hr;
                im[j] += hi;
            }
        }
    }
}
