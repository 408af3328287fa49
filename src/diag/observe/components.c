/* components.c - the directions in which draws vary most.
 *
 * It uses power iteration, one component after the other, each kept orthogonal
 * to the earlier ones: v <- X' X v / |.|. */
#include "diag/observe/components.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"

#define ROUNDS 20

/* Centers and scales the columns; scale[i] is 1 / sd, 0 for a constant. */
static void standardise(double *x, int64_t rows, int dim, double *scale)
{
    for (int i = 0; i < dim; i++) {
        double mean = 0.0, square = 0.0;

        for (int64_t r = 0; r < rows; r++)
            mean += x[r * dim + i] / (double)rows;
        for (int64_t r = 0; r < rows; r++) {
            x[r * dim + i] -= mean;
            square += x[r * dim + i] * x[r * dim + i];
        }
        scale[i] = square > 0.0 ? sqrt((double)rows / square) : 0.0;
        for (int64_t r = 0; r < rows; r++)
            x[r * dim + i] *= scale[i];
    }
}

/* w = X' X v */
static void multiply(const double *x, int64_t rows, int dim, const double *v,
                     double *w)
{
    for (int i = 0; i < dim; i++)
        w[i] = 0.0;
    for (int64_t r = 0; r < rows; r++) {
        double dot = 0.0;

        for (int i = 0; i < dim; i++)
            dot += x[r * dim + i] * v[i];
        for (int i = 0; i < dim; i++)
            w[i] += dot * x[r * dim + i];
    }
}

/* Removes the parts along the earlier components and scales to length 1; a
 * vector of length 0 stays. */
static void tidy(double *w, int dim, const double *earlier, int count)
{
    double length = 0.0;

    for (int k = 0; k < count; k++) {
        double dot = 0.0;

        for (int i = 0; i < dim; i++)
            dot += w[i] * earlier[(int64_t)k * dim + i];
        for (int i = 0; i < dim; i++)
            w[i] -= dot * earlier[(int64_t)k * dim + i];
    }
    for (int i = 0; i < dim; i++)
        length += w[i] * w[i];
    for (int i = 0; i < dim && length > 0.0; i++)
        w[i] /= sqrt(length);
}

hiss_status hs_components(double *x, int64_t rows, int dim, int count,
                          double *out, hiss_error *err)
{
    double *scale = hs_alloc_array((size_t)dim, sizeof *scale);
    double *w = hs_alloc_array((size_t)dim, sizeof *w);

    if (!scale || !w) {
        hs_free(scale);
        hs_free(w);
        return hs_fail_memory(err);
    }
    standardise(x, rows, dim, scale);
    for (int k = 0; k < count; k++) {
        double *v = out + (int64_t)k * dim;

        for (int i = 0; i < dim; i++) /* any start that is not special */
            v[i] = 1.0 + 0.5 * sin(1.0 + 2.7 * (double)i * (k + 1));
        tidy(v, dim, out, k);
        for (int n = 0; n < ROUNDS; n++) {
            multiply(x, rows, dim, v, w);
            tidy(w, dim, out, k);
            for (int i = 0; i < dim; i++)
                v[i] = w[i];
        }
    }
    for (int k = 0; k < count; k++)
        for (int i = 0; i < dim; i++)
            out[(int64_t)k * dim + i] *= scale[i];
    hs_free(scale);
    hs_free(w);
    return HISS_OK;
}
