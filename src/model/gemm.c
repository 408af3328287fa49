/* gemm.c - multiplies a matrix by a tile, by BLAS or by plain loops. */
#include "model/gemm.h"

#include <string.h>

#if defined(HS_HAVE_BLAS)
#  include <cblas.h>
#  include <pthread.h>

/* Tiles are spread over our own threads, so BLAS uses one.  Also, the bits of a
 * product may depend on how BLAS splits it. */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void use_one_thread(void)
{
    openblas_set_num_threads(1);
}

void hs_gemm(int rows, int inner, const float *a, const float (*x)[HS_LANES],
             float (*out)[HS_LANES])
{
    pthread_once(&once, use_one_thread);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, HS_LANES,
                inner, 1.0f, a, inner, &x[0][0], HS_LANES, 0.0f, &out[0][0],
                HS_LANES);
}

void hs_gemm_wide(int rows, int columns, int inner, const float *a,
                  const float *x, float *out)
{
    pthread_once(&once, use_one_thread);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, columns, inner,
                1.0f, a, inner, x, columns, 0.0f, out, columns);
}

void hs_gemm_wide_transposed_add(int rows, int columns, int inner,
                                 const float *a, const float *x, float *out)
{
    pthread_once(&once, use_one_thread);
    cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, rows, columns, inner,
                1.0f, a, rows, x, columns, 1.0f, out, columns);
}

bool hs_gemm_is_blas(void)
{
    return true;
}

const char *hs_gemm_name(void)
{
    return openblas_get_config();
}

#else

static void add_scaled(float a, const float *x, float *out)
{
    for (int l = 0; l < HS_LANES; l++)
        out[l] += a * x[l];
}

void hs_gemm(int rows, int inner, const float *a, const float (*x)[HS_LANES],
             float (*out)[HS_LANES])
{
    memset(out, 0, (size_t)rows * sizeof *out);
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < inner; k++)
            add_scaled(a[(size_t)r * (size_t)inner + (size_t)k], x[k], out[r]);
}

static void add_scaled_wide(int columns, float a, const float *x, float *out)
{
    for (int c = 0; c < columns; c++)
        out[c] += a * x[c];
}

void hs_gemm_wide(int rows, int columns, int inner, const float *a,
                  const float *x, float *out)
{
    size_t width = (size_t)columns;

    memset(out, 0, (size_t)rows * width * sizeof *out);
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < inner; k++)
            add_scaled_wide(columns, a[(size_t)r * (size_t)inner + (size_t)k],
                            x + (size_t)k * width, out + (size_t)r * width);
}

void hs_gemm_wide_transposed_add(int rows, int columns, int inner,
                                 const float *a, const float *x, float *out)
{
    size_t width = (size_t)columns;

    for (int k = 0; k < inner; k++)
        for (int r = 0; r < rows; r++)
            add_scaled_wide(columns, a[(size_t)k * (size_t)rows + (size_t)r],
                            x + (size_t)k * width, out + (size_t)r * width);
}

bool hs_gemm_is_blas(void)
{
    return false;
}

const char *hs_gemm_name(void)
{
    return NULL;
}

#endif
