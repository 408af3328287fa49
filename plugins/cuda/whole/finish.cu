/* finish.cu - the end of a Langevin step of networks and of functions of the
 * user, in one launch but for the move: gradient and U from the chunks or from
 * where the function has left them, ln q of the way back, and the decision.
 *
 * A block has a few coordinates of a tile.  The last one to finish, whichever
 * that is, adds up what all of a tile have left, in the order of the blocks, so
 * that sums do not depend on it. */
#include "cuda/next.h"
#include "cuda/whole/back.h"
#include "cuda/whole/whole.h"

#if defined(__CUDACC__)
#  define ROWS    64 /* coordinates of a block */
#  define EACH    HS_WHOLE_GROUP
#  define THREADS (ROWS * HS_LANES / EACH)
#  define ADDERS  (THREADS / HS_LANES)
#  define AT_ONCE 5 /* chunks whose parts are asked for before one is added */

typedef float cells[ROWS][HS_LANES + 1];

/* What is said of y: by a network, or by a function. */
struct of_network {
    hs_card_network n;
};

struct of_function {
    hs_card_function f;
    hs_function_answer a;
};

/* The gradient of the block's coordinates and lanes, read by lane. */
HS_ON_CARD void turn(const of_function *s, int64_t tile, int first,
                     cells turned)
{
    int r = (int)threadIdx.x % ROWS, l = (int)threadIdx.x / ROWS;
    int rows = s->f.domain.rows;
    float row[EACH];

    HS_UNROLL
    for (int e = 0; e < EACH; e++)
        row[e] =
            first + r < rows
                ? s->a.gradient[(tile * HS_LANES + l + e * (THREADS / ROWS)) *
                                    rows +
                                first + r]
                : 0.0f;
    HS_UNROLL
    for (int e = 0; e < EACH; e++) {
        turned[r][l + e * (THREADS / ROWS)] = row[e];
        hs_answer_check_gradient(
            &s->f, &s->a, tile * HS_LANES + l + e * (THREADS / ROWS), row[e]);
    }
}

HS_ON_CARD void turn(const of_network *s, int64_t tile, int first, cells turned)
{
    const hs_card_network *n = &s->n;
    int r = (int)threadIdx.x % ROWS, l = (int)threadIdx.x / ROWS;
    float sum[EACH];

    HS_UNROLL
    for (int e = 0; e < EACH; e++)
        sum[e] = (float)-n->form.lambda;
    for (int c = 0; first + r < n->dim && c < n->chunks; c += AT_ONCE) {
        float part[AT_ONCE][EACH];

        HS_UNROLL
        for (int k = 0; k < AT_ONCE; k++) {
            const float *from =
                n->part + ((c + k) * n->all + tile * HS_LANES + l) * n->dim +
                first + r;

            HS_UNROLL
            for (int e = 0; e < EACH; e++)
                part[k][e] = c + k < n->chunks
                                 ? from[(int64_t)e * (THREADS / ROWS) * n->dim]
                                 : 0.0f;
        }
        HS_UNROLL
        for (int k = 0; k < AT_ONCE * EACH; k++)
            sum[k % EACH] = sum[k % EACH] + part[k / EACH][k % EACH];
    }
    HS_UNROLL
    for (int e = 0; e < EACH; e++)
        turned[r][l + e * (THREADS / ROWS)] = sum[e];
}

/* A term of the way there; each adder has one of the block's. */
HS_ON_CARD float there(const hs_card_work *w, const hs_card_place *at,
                       int block)
{
    int t = block * ADDERS + (int)threadIdx.x / HS_LANES;

    return t < w->terms
               ? HS_CARD_ROW(w->forward, at->tile, w->terms, t, at->lane)
               : 0.0f;
}

/* Sums of a block over its coordinates, of the way back less the way there. */
HS_ON_CARD void leave(const hs_card_work *w, int64_t tile, int block,
                      cells term)
{
    int lane = (int)threadIdx.x;
    double sum = 0.0;

    if (lane >= HS_LANES)
        return;
    HS_UNROLL
    for (int r = 0; r < ADDERS; r++)
        sum = sum + ((double)term[r][lane] - (double)term[ADDERS + r][lane]);
    HS_CARD_ROW(w->part, tile, w->blocks, block, lane) = sum;
}

HS_ON_CARD double energy(const of_function *s, int64_t lane)
{
    double u = hs_answer_energy(&s->a, lane);

    hs_answer_check(&s->f, lane, u);
    return u;
}

HS_ON_CARD double energy(const of_network *s, int64_t lane)
{
    const hs_card_network *n = &s->n;
    double loss = 0.0, on = 0.5 * ((double)n->sum[lane] + (double)n->dim);

    for (int c = 0; c < n->chunks; c += AT_ONCE) {
        double part[AT_ONCE];

        HS_UNROLL
        for (int k = 0; k < AT_ONCE; k++)
            part[k] =
                c + k < n->chunks ? n->loss[(c + k) * n->all + lane] : 0.0;
        HS_UNROLL
        for (int k = 0; k < AT_ONCE; k++)
            loss = loss + part[k];
    }
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

/* What all blocks of a tile have left, to thread `lane`. */
HS_ON_CARD double meet(const hs_card_work *w, const hs_card_place *at, int per)
{
    __shared__ double part[ADDERS][HS_LANES];
    int adder = (int)threadIdx.x / HS_LANES;
    double sum = 0.0;

    for (int b = adder; b < per; b += ADDERS)
        sum = sum + *(volatile double *)&HS_CARD_ROW(w->part, at->tile,
                                                     w->blocks, b, at->lane);
    part[adder][at->lane] = sum;
    for (int half = ADDERS / 2; half > 0; half /= 2) {
        HS_SYNC();
        if (adder < half)
            part[adder][at->lane] =
                part[adder][at->lane] + part[adder + half][at->lane];
    }
    return part[0][at->lane];
}

template <class SAID>
HS_KERNEL void HS_BOUNDS(THREADS) finish(hs_card_group g, hs_card_work w,
                                         SAID said, hs_clock of, int position)
{
    uint64_t clock;
    __shared__ cells turned;
    __shared__ double u[HS_LANES];
    int dim = g.model.dim;
    int per = (dim + ROWS - 1) / ROWS, block = (int)blockIdx.x % per;
    int k = (int)threadIdx.x, first = k / HS_LANES * EACH;
    int i = block * ROWS + first;
    float row[EACH], term, before;
    hs_card_place at;
    hs_card_law law;
    double sum;

    HS_WAIT();
    clock = hs_clock_now(&of);
    at.tile = (int)blockIdx.x / per;
    at.lane = k % HS_LANES;
    at.number = at.tile * HS_LANES + at.lane;
    law = hs_card_law_at(&g, at.number, clock, position);
    before = there(&w, &at, block);
    turn(&said, at.tile, block * ROWS, turned);
    HS_SYNC();
    HS_UNROLL
    for (int e = 0; e < EACH; e++) {
        row[e] = turned[first + e][at.lane];
        if (i + e < dim)
            HS_CARD_ROW(w.y.grad, at.tile, dim, i + e, at.lane) = row[e];
    }
    term = hs_way_back(&g, &law, &at, i, hs_ends_at(&g, &w, &at, i), row);
    HS_SYNC();
    turned[k / HS_LANES][at.lane] = term;
    turned[ADDERS + k / HS_LANES][at.lane] = before;
    HS_SYNC();
    leave(&w, at.tile, block, turned);
    if (!is_last(w.arrived, at.tile, per))
        return;
    if (k / HS_LANES == ADDERS - 1) /* while others add */
        u[at.lane] = energy(&said, at.number);
    sum = meet(&w, &at, per);
    if (k < HS_LANES) {
        w.y.u[at.tile][at.lane] = u[at.lane];
        hs_whole_decide_lane(&g, &w, at.number, clock, sum);
    }
}

static void finish_function(const hs_card_group *g, const hs_card_work *w,
                            uint64_t clock, int position, int64_t blocks)
{
    of_function said = {g->whole->function};

    if (hs_whole_has_failed(g->whole) ||
        !hs_card_function_call(&said.f, 1, &said.a) ||
        hs_whole_finish_tiles(g, w, &said.a, clock, position))
        return;
    HS_NEXT_BLOCKS(finish<of_function>, blocks, THREADS, 0, *g, *w, said,
                   hs_clock_of(clock), position);
    hs_whole_move(g, w);
}

int hs_whole_finish(const hs_card_group *g, const hs_card_work *w,
                    uint64_t clock, int position)
{
    const hs_card_network *n = &g->whole->network;
    int64_t blocks = g->tiles * ((g->model.dim + ROWS - 1) / ROWS);

    if (hs_whole_is_function(g)) {
        finish_function(g, w, clock, position, blocks);
        return 1;
    }
    if (g->whole->form != HS_DEVICE_NETWORK || !n->steps)
        return 0;
    hs_network_begin(n, &w->y.x[0][0]);
    HS_NEXT_BLOCKS(finish<of_network>, blocks, THREADS, 0, *g, *w,
                   of_network{*n}, hs_clock_of(clock), position);
    hs_whole_move(g, w);
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
