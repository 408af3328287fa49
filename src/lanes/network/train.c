/* train.c - small dense matrices in double, for tensor trains.
 *
 * Sums run in a fixed order, so that every instruction set gives the same bits;
 * no BLAS is involved.  Matrices are row-major. */
#include <math.h>
#include <string.h>

#include "lanes/lanes.h"
#include "lanes/vec/vec.h"

void HS_NAME(train_right)(int left, int stride, int right, const double *a,
                          const double (*in)[HS_LANES],
                          double (*out)[HS_LANES]);
void HS_NAME(train_left)(int left, int stride, int right, const double *a,
                         const double (*in)[HS_LANES], double (*out)[HS_LANES]);
void HS_NAME(train_product)(int rows, int inner, int columns, const double *a,
                            const double *b, double *out);
int HS_NAME(train_basis)(int rows, int columns, int most, double discard,
                         double *a, double *norm, double *basis, double *share,
                         double *total);

#define BLOCK  4
#define PACKED 256 /* columns of packed rows */
#define HALF   8   /* lanes: BLOCK sums of them fit in registers */

/* Computes columns of the product with the transposed matrix. */
HS_INLINE void left_block(int count, int left, size_t stride, const double *a,
                          const double (*in)[HS_LANES], int lane,
                          double (*out)[HS_LANES])
{
    double sum[BLOCK][HALF] = {{0.0}};

    for (int x = 0; x < left; x++)
        for (int k = 0; k < count; k++)
            for (int l = 0; l < HALF; l++)
                sum[k][l] +=
                    a[(size_t)x * stride + (size_t)k] * in[x][lane + l];
    for (int k = 0; k < count; k++)
        memcpy(out[k] + lane, sum[k], sizeof sum[k]);
}

/* Copies BLOCK rows side by side, so that both products read memory in the same
 * order.  For separate rows GCC 12 emits gathers, which are four times
 * slower. */
HS_INLINE void pack(int right, size_t stride, const double *a, double *packed)
{
    for (int y = 0; y < right; y++)
        for (int k = 0; k < BLOCK; k++)
            packed[y * BLOCK + k] = a[(size_t)k * stride + (size_t)y];
}

void HS_NAME(train_right)(int left, int stride, int right, const double *a,
                          const double (*in)[HS_LANES], double (*out)[HS_LANES])
{
    double packed[PACKED * BLOCK];
    size_t step = (size_t)stride;
    int x = 0;

    for (; right <= PACKED && x + BLOCK <= left; x += BLOCK) {
        pack(right, step, a + (size_t)x * step, packed);
        for (int lane = 0; lane < HS_LANES; lane += HALF)
            left_block(BLOCK, right, BLOCK, packed, in, lane, out + x);
    }
    for (; x < left; x++)
        for (int lane = 0; lane < HS_LANES; lane += HALF)
            left_block(1, right, 1, a + (size_t)x * step, in, lane, out + x);
}

void HS_NAME(train_left)(int left, int stride, int right, const double *a,
                         const double (*in)[HS_LANES], double (*out)[HS_LANES])
{
    int y = 0;

    for (; y + BLOCK <= right; y += BLOCK)
        for (int lane = 0; lane < HS_LANES; lane += HALF)
            left_block(BLOCK, left, (size_t)stride, a + y, in, lane, out + y);
    for (; y < right; y++)
        for (int lane = 0; lane < HS_LANES; lane += HALF)
            left_block(1, left, (size_t)stride, a + y, in, lane, out + y);
}

/* Computes `count` rows of a times all of b, HALF columns at a time. */
HS_INLINE void product_block(int count, int inner, size_t columns,
                             const double *a, const double *b, double *out)
{
    size_t c = 0;

    for (; c + HALF <= columns; c += HALF) {
        double sum[BLOCK][HALF] = {{0.0}};

        for (int i = 0; i < inner; i++)
            for (int k = 0; k < count; k++)
                for (int l = 0; l < HALF; l++)
                    sum[k][l] += a[k * inner + i] *
                                 b[(size_t)i * columns + c + (size_t)l];
        for (int k = 0; k < count; k++)
            memcpy(out + (size_t)k * columns + c, sum[k], sizeof sum[k]);
    }
    for (; c < columns; c++)
        for (int k = 0; k < count; k++) {
            double sum = 0.0;

            for (int i = 0; i < inner; i++)
                sum += a[k * inner + i] * b[(size_t)i * columns + c];
            out[(size_t)k * columns + c] = sum;
        }
}

void HS_NAME(train_product)(int rows, int inner, int columns, const double *a,
                            const double *b, double *out)
{
    size_t width = (size_t)columns;
    int r = 0;

    for (; r + BLOCK <= rows; r += BLOCK)
        product_block(BLOCK, inner, width, a + (size_t)r * (size_t)inner, b,
                      out + (size_t)r * width);
    for (; r < rows; r++)
        product_block(1, inner, width, a + (size_t)r * (size_t)inner, b,
                      out + (size_t)r * width);
}

HS_INLINE double add_up(const double *part)
{
    return ((part[0] + part[1]) + (part[2] + part[3])) +
           ((part[4] + part[5]) + (part[6] + part[7]));
}

HS_INLINE double dot(int count, const double *a, const double *b)
{
    double part[HALF] = {0.0}, rest = 0.0;
    int i = 0;

    for (; i + HALF <= count; i += HALF)
        for (int l = 0; l < HALF; l++)
            part[l] += a[i + l] * b[i + l];
    for (; i < count; i++)
        rest += a[i] * b[i];
    return add_up(part) + rest;
}

/* Subtracts c q from a; returns the rest of |a|^2. */
HS_INLINE double remove_part(int count, double c, const double *q, double *a)
{
    double part[HALF] = {0.0}, rest = 0.0;
    int i = 0;

    for (; i + HALF <= count; i += HALF)
        for (int l = 0; l < HALF; l++) {
            a[i + l] -= c * q[i + l];
            part[l] += a[i + l] * a[i + l];
        }
    for (; i < count; i++) {
        a[i] -= c * q[i];
        rest += a[i] * a[i];
    }
    return add_up(part) + rest;
}

/* Gram-Schmidt, the longest remaining row first.  Every row is reduced by each
 * new vector at once, so its rest is known exactly. */
int HS_NAME(train_basis)(int rows, int columns, int most, double discard,
                         double *a, double *norm, double *basis, double *share,
                         double *total)
{
    double sum = 0.0, left;
    int rank = 0;

    for (int r = 0; r < rows; r++) {
        const double *row = a + (size_t)r * (size_t)columns;

        norm[r] = dot(columns, row, row);
        sum += norm[r];
    }
    total[0] = left = sum;
    memset(share, 0, (size_t)rows * (size_t)most * sizeof *share);
    while (rank < most) {
        double *q = basis + (size_t)rank * (size_t)columns, length;
        int top = 0;

        for (int r = 1; r < rows; r++)
            top = norm[r] > norm[top] ? r : top;
        if (!(norm[top] > 0.0) || (rank > 0 && !(left > discard * sum)))
            break;
        length = sqrt(norm[top]);
        for (int i = 0; i < columns; i++)
            q[i] = a[(size_t)top * (size_t)columns + (size_t)i] / length;
        left = 0.0;
        for (int r = 0; r < rows; r++) {
            double *row = a + (size_t)r * (size_t)columns, c;

            if (!(norm[r] > 0.0))
                continue;
            c = dot(columns, q, row);
            share[(size_t)r * (size_t)most + (size_t)rank] = c;
            norm[r] = remove_part(columns, c, q, row);
            left += norm[r];
        }
        left -= norm[top];
        norm[top] = 0.0;
        rank++;
    }
    total[1] = left > 0.0 ? left : 0.0;
    return rank;
}
