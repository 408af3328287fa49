/* urn.c - draws weighted rows without replacement. */
#include "kernel/baselines/urn.h"

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"

#define BLOCK 32

hiss_status hs_urn_init(hs_urn *u, int rows, hiss_error *err)
{
    *u = (hs_urn){.rows = rows, .blocks = (rows + BLOCK - 1) / BLOCK};
    u->weight = hs_alloc_array((size_t)rows, sizeof *u->weight);
    u->sum = hs_alloc_array((size_t)u->blocks, sizeof *u->sum);
    return u->weight && u->sum ? HISS_OK : hs_fail_memory(err);
}

void hs_urn_clear(hs_urn *u)
{
    hs_free(u->weight);
    hs_free(u->sum);
}

static int block_end(const hs_urn *u, int block)
{
    int end = (block + 1) * BLOCK;

    return end < u->rows ? end : u->rows;
}

void hs_urn_fill(hs_urn *u, const hs_float_row *logits, const float *max)
{
    for (int b = 0; b < u->blocks; b++)
        hs_lanes()->softmax_weights(logits + b * BLOCK,
                                    block_end(u, b) - b * BLOCK, max,
                                    u->weight + b * BLOCK, u->sum[b]);
}

double hs_urn_total(const hs_urn *u, int lane)
{
    double total = 0.0;

    for (int b = 0; b < u->blocks; b++)
        total += u->sum[b][lane];
    return total;
}

int hs_urn_draw(const hs_urn *u, int lane, double part)
{
    double left = part * hs_urn_total(u, lane);
    int b = 0, last = 0;

    while (b < u->blocks - 1 && left >= u->sum[b][lane])
        left -= u->sum[b++][lane];
    /* rounding may leave nothing for the last block: use one before it */
    while (b > 0 && !(u->sum[b][lane] > 0.0))
        b--;
    for (int r = b * BLOCK; r < block_end(u, b); r++) {
        double w = (double)u->weight[r][lane];

        if (w > 0.0)
            last = r;
        if (left < w)
            return r;
        left -= w;
    }
    return last;
}

static void sum_block(hs_urn *u, int lane, int block)
{
    double sum = 0.0;

    for (int r = block * BLOCK; r < block_end(u, block); r++)
        sum += (double)u->weight[r][lane];
    u->sum[block][lane] = sum;
}

double hs_urn_remove(hs_urn *u, int lane, int first, int end)
{
    double weight = 0.0;

    for (int r = first; r < end; r++) {
        weight += (double)u->weight[r][lane];
        u->weight[r][lane] = 0.0f;
    }
    for (int b = first / BLOCK; b <= (end - 1) / BLOCK; b++)
        sum_block(u, lane, b);
    return weight;
}
