/* tile.cu - the end of a Langevin step of functions of the user, in one launch:
 * ln q of the way back, the decision, and the move.
 *
 * A block has a tile, and the gradient that the function has left stays in its
 * shared memory until the lanes have decided: it is read once, and written once
 * where y is taken.  More coordinates than that holds go by finish.cu. */
#include "cuda/next.h"
#include "cuda/whole/back.h"
#include "cuda/whole/whole.h"

#if defined(__CUDACC__)
#  define THREADS 512
#  define WARP    32
#  define EACH    HS_WHOLE_GROUP
#  define ADDERS  (THREADS / HS_LANES)
#  define GROUPS  (WARP / EACH) /* of an adder: a bit per coordinate */
#  define OTHERS  8192 /* bytes of a block beside the gradient, at most */

/* One coordinate more than a lane has, so that a warp meets all banks. */
typedef float cells[HS_LANES + 1];

/* What a thread knows of its coordinates before the function is looked at:
 * those of groups adder, adder + ADDERS, ... */
typedef struct known {
    hs_ends ends;
    double there; /* ln q of the way there */
} known;

HS_ON_CARD known look(const hs_card_group *g, const hs_card_work *w,
                      const hs_card_place *at, int adder)
{
    int terms = hs_whole_terms(g);
    known k = {{0, 0}, 0.0};

    HS_UNROLL_TWO
    for (int n = 0; n < GROUPS; n++) {
        int t = adder + n * ADDERS;
        hs_ends ends;

        if (t >= terms)
            break;
        ends = hs_ends_at(g, w, at, t * EACH);
        k.ends.x |= ends.x << n * EACH;
        k.ends.y |= ends.y << n * EACH;
        k.there = k.there + (double)HS_CARD_ROW(w->forward, at->tile, w->terms,
                                                t, at->lane);
    }
    return k;
}

/* The gradient of all lanes, a warp each, under way when this returns. */
HS_ON_CARD void fetch(const hs_function_answer *a, int64_t tile, int rows,
                      cells *turned)
{
    int lane = (int)threadIdx.x / WARP;
    const float *from = a->gradient + (tile * HS_LANES + lane) * rows;

    HS_UNROLL_SOME
    for (int r = (int)threadIdx.x % WARP; r < rows; r += WARP)
        hs_copy_word_ahead(&turned[r][lane], &from[r]);
    hs_copy_commit();
}

/* ln q(x | y) - ln q(y | x), with the change of the tilt, of a thread's; odd:
 * 0, or NaN if a number of the gradient is none. */
HS_ON_CARD double way(const hs_card_group *g, const hs_card_law *law,
                      const hs_card_place *at, int adder, const known *k,
                      const cells *turned, float *odd)
{
    int terms = hs_whole_terms(g);
    double sum = -k->there;

    HS_UNROLL_NOT
    for (int n = 0, t = adder; t < terms; n++, t += ADDERS) {
        hs_ends ends = {k->ends.x >> n * EACH, k->ends.y >> n * EACH};
        float row[EACH];

        HS_UNROLL
        for (int e = 0; e < EACH; e++) {
            row[e] = turned[t * EACH + e][at->lane];
            if (t * EACH + e < g->model.dim)
                *odd = *odd + (row[e] - row[e]);
        }
        sum = sum + (double)hs_way_back(g, law, at, t * EACH, ends, row);
    }
    return sum;
}

/* What all adders have, to thread `lane`. */
HS_ON_CARD double meet(double (*part)[HS_LANES], int adder, int lane,
                       double own)
{
    part[adder][lane] = own;
    for (int half = ADDERS / 2; half > 0; half /= 2) {
        HS_SYNC();
        if (adder < half)
            part[adder][lane] = part[adder][lane] + part[adder + half][lane];
    }
    return part[0][lane];
}

HS_ON_CARD void take(const hs_card_group *g, const hs_card_work *w,
                     const hs_card_place *at, int adder, hs_ends ends,
                     const cells *turned)
{
    int dim = g->model.dim;

    for (int i = adder * EACH; i < dim; i += ADDERS * EACH) {
        HS_UNROLL
        for (int e = 0; e < EACH && i + e < dim; e++) {
            HS_CARD_ROW(w->at.grad, at->tile, dim, i + e, at->lane) =
                turned[i + e][at->lane];
            if ((ends.x ^ ends.y) >> e & 1)
                HS_CARD_ROW(w->at.x, at->tile, dim, i + e, at->lane) =
                    (int16_t)(ends.y >> e & 1);
        }
        ends.x >>= EACH;
        ends.y >>= EACH;
    }
}

HS_KERNEL void HS_BOUNDS(THREADS)
    finish_tile(hs_card_group g, hs_card_work w, hs_card_function f,
                hs_function_answer a, hs_clock of, int position)
{
    extern __shared__ cells turned[];
    __shared__ double part[ADDERS][HS_LANES];
    __shared__ uint8_t is_taken[HS_LANES];
    int adder = (int)threadIdx.x / HS_LANES;
    uint64_t clock;
    hs_card_place at;
    hs_card_law law;
    known k;
    double sum, u = 0.0;
    float odd = 0.0f;

    at.tile = blockIdx.x;
    at.lane = (int)threadIdx.x % HS_LANES;
    at.number = at.tile * HS_LANES + at.lane;
    HS_WAIT();
    clock = hs_clock_now(&of);
    fetch(&a, at.tile, g.model.dim, turned);
    law = hs_card_law_at(&g, at.number, clock, position);
    k = look(&g, &w, &at, adder);
    if (adder == 0) {
        u = hs_answer_energy(&a, at.number);
        hs_answer_check(&f, at.number, u);
    }
    hs_copy_wait_all();
    HS_SYNC();
    sum = way(&g, &law, &at, adder, &k, turned, &odd);
    hs_answer_check_gradient(&f, &a, at.number, odd);
    sum = meet(part, adder, at.lane, sum);
    if (adder == 0) {
        w.y.u[at.tile][at.lane] = u;
        hs_whole_decide_lane(&g, &w, at.number, clock, sum);
        is_taken[at.lane] = w.accept[at.tile][at.lane];
    }
    HS_SYNC();
    if (is_taken[at.lane])
        take(&g, &w, &at, adder, k.ends, turned);
}

int hs_whole_finish_tiles(const hs_card_group *g, const hs_card_work *w,
                          const hs_function_answer *a, uint64_t clock,
                          int position)
{
    int rows = hs_whole_terms(g) * EACH, device = 0, most = 0;
    size_t bytes = (size_t)rows * sizeof(cells);

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                           device);
    if (rows > ADDERS * WARP || bytes + OTHERS > (size_t)most)
        return 0;
    HS_NEXT_BLOCKS(finish_tile, g->tiles, THREADS, bytes, *g, *w,
                   g->whole->function, *a, hs_clock_of(clock), position);
    return 1;
}
#endif
