/* finish.cu - the end of a Langevin step of networks, in one launch: gradient
 * and U from the chunks, ln q of the way back, and the decision.
 *
 * A block has a few coordinates of a tile.  The last one to finish, whichever
 * that is, adds up what all of a tile have left, in the order of the blocks, so
 * that sums do not depend on it. */
#include "cuda/whole/steps.h"
#include "cuda/whole/whole.h"

#if defined(__CUDACC__)
#  define ROWS    64 /* coordinates of a block */
#  define CELLS   (ROWS * HS_LANES)
#  define STRANDS (CELLS / HS_LANES)

/* The gradient of a coordinate and lane, read by lane, for the thread that has
 * it by coordinate. */
HS_ON_CARD float turn(const hs_card_network *n, int64_t tile, int first,
                      float turned[ROWS][HS_LANES + 1])
{
    int k = (int)threadIdx.x;
    int64_t lane = tile * HS_LANES + k / ROWS;
    float sum = (float)-n->form.lambda;

    HS_UNROLL_TWO
    for (int c = 0; first + k % ROWS < n->dim && c < n->chunks; c++)
        sum = sum + n->part[(c * n->all + lane) * n->dim + first + k % ROWS];
    turned[k % ROWS][k / ROWS] = sum;
    HS_SYNC();
    return turned[k / HS_LANES][k % HS_LANES];
}

/* ln q(x | y) and the change of the tilt, of one coordinate. */
HS_ON_CARD float way_back(const hs_card_group *g, const hs_card_work *w,
                          const hs_card_law *law, const hs_card_place *at,
                          int i, float row)
{
    int dim = g->model.dim;
    int x = HS_CARD_ROW(w->at.x, at->tile, dim, i, at->lane);
    int y = HS_CARD_ROW(w->y.x, at->tile, dim, i, at->lane);
    float gap = g->model.domain.gap;
    float z = law->balance * hs_card_gain_flip(g, law->beta, at, i, y, row) -
              law->stiffness * (gap * gap);
    float term = vf_min(vf_negate_if(1 - (x ^ y), z), 0.0f) -
                 vf_log_normal(1.0f + vf_exp_negative(-vf_abs(z)));

    return g->tilt.phi ? term + hs_card_bend(g, at, i, x, y) : term;
}

/* Sums of a block over its coordinates, less those of the way there. */
HS_ON_CARD void leave(const hs_card_work *w, int64_t tile, int block,
                      float term[ROWS][HS_LANES + 1])
{
    int lane = (int)threadIdx.x, groups = ROWS / HS_WHOLE_GROUP;
    double sum = 0.0;

    if (lane >= HS_LANES)
        return;
    for (int r = 0; r < ROWS; r++)
        sum = sum + (double)term[r][lane];
    for (int t = block * groups; t < (block + 1) * groups && t < w->terms; t++)
        sum = sum - (double)HS_CARD_ROW(w->forward, tile, w->terms, t, lane);
    HS_CARD_ROW(w->part, tile, w->blocks, block, lane) = sum;
}

HS_ON_CARD double energy(const hs_card_network *n, int64_t lane)
{
    double loss = 0.0, on = 0.5 * ((double)n->sum[lane] + (double)n->dim);

    for (int c = 0; c < n->chunks; c++)
        loss = loss + n->loss[c * n->all + lane];
    return -n->form.scale * loss - n->form.lambda * on;
}

/* True in all threads of the last block of a tile. */
HS_ON_CARD int is_last(int *arrived, int64_t tile, int blocks)
{
    __shared__ int last;

    __threadfence();
    HS_SYNC();
    if (threadIdx.x == 0) {
        last = atomicAdd(&arrived[tile], 1) == blocks - 1;
        if (last)
            arrived[tile] = 0;
    }
    HS_SYNC();
    __threadfence();
    return last;
}

HS_KERNEL void HS_BOUNDS(CELLS)
    finish(hs_card_group g, hs_card_work w, hs_card_network n, uint64_t clock,
           int position)
{
    __shared__ float turned[ROWS][HS_LANES + 1];
    __shared__ double part[STRANDS][HS_LANES];
    int per = (n.dim + ROWS - 1) / ROWS, block = (int)blockIdx.x % per;
    int k = (int)threadIdx.x, i = block * ROWS + k / HS_LANES;
    hs_card_place at;
    hs_card_law law;
    double sum = 0.0;
    float row;

    at.tile = (int)blockIdx.x / per;
    at.lane = k % HS_LANES;
    at.number = at.tile * HS_LANES + at.lane;
    law = hs_card_law_at(&g, at.number, clock, position);
    row = turn(&n, at.tile, block * ROWS, turned);
    HS_SYNC();
    if (i < n.dim)
        HS_CARD_ROW(w.y.grad, at.tile, n.dim, i, at.lane) = row;
    turned[k / HS_LANES][at.lane] =
        i < n.dim ? way_back(&g, &w, &law, &at, i, row) : 0.0f;
    HS_SYNC();
    leave(&w, at.tile, block, turned);
    if (!is_last(w.arrived, at.tile, per))
        return;
    for (int b = k / HS_LANES; b < per; b += STRANDS)
        sum = sum + ((volatile double *)&HS_CARD_ROW(w.part, at.tile, w.blocks,
                                                     b, at.lane))[0];
    part[k / HS_LANES][at.lane] = sum;
    for (int half = STRANDS / 2; half > 0; half /= 2) {
        HS_SYNC();
        if (k / HS_LANES < half)
            part[k / HS_LANES][at.lane] = part[k / HS_LANES][at.lane] +
                                          part[k / HS_LANES + half][at.lane];
    }
    if (k < HS_LANES) {
        w.y.u[at.tile][at.lane] = energy(&n, at.number);
        hs_whole_settle(&g, &w, at.number, clock, part[0][at.lane]);
    }
}

int hs_whole_finish(const hs_card_group *g, const hs_card_work *w,
                    uint64_t clock, int position)
{
    const hs_card_network *n = &g->whole->network;
    int per = (g->model.dim + ROWS - 1) / ROWS;

    if (g->whole->form != HS_DEVICE_NETWORK || !n->steps)
        return 0;
    hs_network_begin(n, &w->y.x[0][0]);
    HS_LAUNCH_BLOCKS(finish, g->tiles * per, CELLS, 0, *g, *w, *n, clock,
                     position);
    return 1;
}
#else
int hs_whole_finish(const hs_card_group *g, const hs_card_work *w,
                    uint64_t clock, int position)
{
    (void)g, (void)w, (void)clock, (void)position;
    return 0;
}
#endif
