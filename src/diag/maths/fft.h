/* fft.h - the two halves of a convolution by fast Fourier transform. */
#ifndef HS_DIAG_MATHS_FFT_H
#define HS_DIAG_MATHS_FFT_H

#include <stdint.h>

/* Fills cosine and sine [length / 2] with the angles -2 pi k / length.  length
 * is a power of two in all three functions. */
void hs_fft_twiddles(int64_t length, double *cosine, double *sine);

/* Forward transform in place; the frequencies come out in bit-reversed
 * order. */
void hs_fft_forward(int64_t length, double *re, double *im,
                    const double *cosine, const double *sine);

/* Takes frequencies in bit-reversed order back to natural order, times
 * length. */
void hs_fft_backward(int64_t length, double *re, double *im,
                     const double *cosine, const double *sine);

#endif
