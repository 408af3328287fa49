/* there.cu - the beginning of a Langevin step of functions of the user: y is
 * proposed and left where the function reads it, in one launch. */
#include "cuda/next.h"
#include "cuda/whole/propose.h"
#include "cuda/whole/whole.h"

#if defined(__CUDACC__)
#  define EACH    HS_WHOLE_GROUP
#  define TERMS   2   /* of a thread: what it needs of its lane is found once */
#  define ROWS    128 /* coordinates of a block */
#  define ADDERS  (ROWS / EACH / TERMS)
#  define THREADS (ADDERS * HS_LANES)
#  if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800 /* has 1024 threads */
#    define BLOCKS 4
#  else
#    define BLOCKS 5
#  endif

/* A thread proposes some coordinates of a lane, a row each, whose numbers are
 * turned to rows of a state.  Without a tilt nobody looks for one. */
template <int HAS_TILT>
HS_KERNEL void HS_BOUNDS_OF(THREADS, BLOCKS)
    propose_there(hs_card_group g, hs_card_work w, hs_card_function f,
                  hs_clock of, int position)
{
    uint64_t clock;
    __shared__ float turned[ROWS][HS_LANES + 1];
    int dim = g.model.dim, terms = hs_whole_terms(&g);
    int per = (dim + ROWS - 1) / ROWS, first = (int)blockIdx.x % per * ROWS;
    int64_t tile = (int)blockIdx.x / per;
    int adder = (int)threadIdx.x / HS_LANES;
    int lane = (int)threadIdx.x % HS_LANES;
    int r = (int)threadIdx.x % ROWS, y[EACH];
    hs_reach reach;

    if (!HAS_TILT)
        g.tilt.phi = g.tilt.slope = NULL;
    HS_WAIT();
    clock = hs_clock_now(&of);
    reach = hs_reach_at(&g, tile, lane, clock, position);
    HS_UNROLL_NOT
    for (int t = adder; t < TERMS * ADDERS; t += ADDERS) {
        if (first / EACH + t >= terms)
            break;
        hs_reach_to(&g, &reach, first / EACH + t);
        hs_whole_propose(&g, &w, &reach, clock, y);
        HS_UNROLL
        for (int e = 0; e < EACH; e++)
            turned[t * EACH + e][lane] =
                f.domain.low + f.domain.gap * (float)y[e];
    }
    HS_SYNC();
    HS_UNROLL
    for (int l = (int)threadIdx.x / ROWS; l < HS_LANES; l += THREADS / ROWS)
        if (first + r < dim)
            f.x[(tile * HS_LANES + l) * dim + first + r] = turned[r][l];
}

int hs_whole_propose_there(const hs_card_group *g, const hs_card_work *w,
                           uint64_t clock, int position)
{
    int per = (g->model.dim + ROWS - 1) / ROWS;

    if (!hs_whole_is_function(g))
        return 0;
    HS_NEXT_BLOCKS(g->tilt.phi || g->tilt.slope ? propose_there<1>
                                                : propose_there<0>,
                   g->tiles * per, THREADS, 0, *g, *w, g->whole->function,
                   hs_clock_of(clock), position);
    return 1;
}
#else
int hs_whole_propose_there(const hs_card_group *g, const hs_card_work *w,
                           uint64_t clock, int position)
{
    (void)g, (void)w, (void)clock, (void)position;
    return 0;
}
#endif
