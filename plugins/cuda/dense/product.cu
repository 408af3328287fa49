/* product.cu - a matrix times the lanes of all tiles. */
#include <stdlib.h>

#include "cuda/dense/dense.h"

hiss_status hs_card_matrix_put(hs_card_matrix *m, hs_card_memory *memory,
                               const float *from, int rows, int inner,
                               int is_transposed, hiss_error *err)
{
    int stride = (rows + HS_PRODUCT_ROWS - 1) / HS_PRODUCT_ROWS;
    float *a;
    hiss_status rc;

    stride *= HS_PRODUCT_ROWS;
    m->rows = rows;
    m->inner = inner;
    m->stride = stride;
    a = (float *)calloc((size_t)inner * (size_t)stride, sizeof *a);
    if (!a)
        return hs_card_fail(err, HISS_ENOMEM, "a matrix",
                            cudaErrorMemoryAllocation);
    for (int64_t k = 0; k < inner; k++)
        for (int64_t r = 0; r < rows; r++)
            a[k * stride + r] =
                is_transposed ? from[r * inner + k] : from[k * rows + r];
    rc = hs_card_put(memory, &m->a, a, (int64_t)inner * stride, sizeof *a, err);
    free(a);
    return rc;
}

/* Threads: lanes are neighbors, then rows of a tile. */
HS_KERNEL void product(hs_card_matrix m, const int16_t *states, float low,
                       float gap, const float *x, float *out, int64_t lanes)
{
    int64_t n = hs_card_thread(), groups = m.stride / HS_PRODUCT_ROWS;
    int64_t lane = n % HS_LANES, tile = n / HS_LANES / groups;
    int first = (int)(n / HS_LANES % groups) * HS_PRODUCT_ROWS;
    int64_t from = tile * m.inner * HS_LANES + lane;
    const float *a = m.a + first;
    float sum[HS_PRODUCT_ROWS] = {0.0f};

    if (n >= lanes * groups)
        return;
    for (int k = 0; k < m.inner; k++, a += m.stride, from += HS_LANES) {
        float v = states ? low + gap * (float)states[from] : x[from];
        uint32_t row[HS_PRODUCT_ROWS];

        hs_load_four((const uint32_t *)a, row);
        hs_load_four((const uint32_t *)a + 4, row + 4);
        HS_UNROLL
        for (int r = 0; r < HS_PRODUCT_ROWS; r++)
            sum[r] = HS_FMA(HS_BITS_FLOAT((int32_t)row[r]), v, sum[r]);
    }
    HS_UNROLL
    for (int r = 0; r < HS_PRODUCT_ROWS; r++)
        if (first + r < m.rows)
            out[(tile * m.rows + first + r) * HS_LANES + lane] = sum[r];
}

void hs_card_product(const hs_card_matrix *m, const int16_t *states, float low,
                     float gap, const float *x, float *out, int64_t lanes)
{
    HS_LAUNCH(product, lanes * (m->stride / HS_PRODUCT_ROWS), *m, states, low,
              gap, x, out, lanes);
}
