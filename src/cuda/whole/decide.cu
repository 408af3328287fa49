/* decide.cu - whether lanes take what was proposed to them, by sums of many
 * terms that a block of threads makes. */
#include "cuda/whole/steps.h"

/* The lane's decision, and what goes with it but the states. */
HS_ON_CARD void settle(const hs_card_group *g, const hs_card_work *w,
                       int64_t number, uint64_t clock, double terms)
{
    float beta = g->lanes.beta[0][number];
    double u = w->y.u[0][number], ratio = HS_MINUS_INFINITY;
    int accept;

    if (u != HS_MINUS_INFINITY)
        ratio = hs_card_tempered(beta, u) -
                hs_card_tempered(beta, w->at.u[0][number]) + terms;
    accept = hs_card_decide(g, number, clock, ratio);
    g->lanes.changed[0][number] += (double)accept;
    w->accept[0][number] = (uint8_t)accept;
    if (accept)
        w->at.u[0][number] = u;
}

HS_ON_CARD double term_of(const hs_card_group *g, const hs_card_work *w,
                          int64_t tile, int lane, int t, int has_paths)
{
    double sum = 0.0;

    if (has_paths)
        sum = (double)HS_CARD_ROW(w->reverse, tile, w->terms, t, lane) -
              (double)HS_CARD_ROW(w->forward, tile, w->terms, t, lane);
    if (g->tilt.phi)
        sum = sum + (double)HS_CARD_ROW(w->bend, tile, w->terms, t, lane);
    return sum;
}

#if defined(__CUDACC__)
#  define LANES   8 /* of a block: what one read of memory brings */
#  define STRANDS 128

/* Strand s adds up terms s, s + STRANDS, ..., then strands meet in pairs. */
HS_KERNEL void HS_BOUNDS(LANES *STRANDS)
    decide(hs_card_group g, hs_card_work w, uint64_t clock, int has_paths)
{
    __shared__ double part[STRANDS][LANES];
    int l = (int)threadIdx.x % LANES, s = (int)threadIdx.x / LANES;
    int64_t number = (int64_t)blockIdx.x * LANES + l;
    int64_t tile = number / HS_LANES;
    int lane = (int)(number % HS_LANES), terms = hs_whole_terms(&g);
    double sum = 0.0;

    for (int t = s; (has_paths || g.tilt.phi) && t < terms; t += STRANDS)
        sum = sum + term_of(&g, &w, tile, lane, t, has_paths);
    part[s][l] = sum;
    for (int half = STRANDS / 2; half > 0; half /= 2) {
        HS_SYNC();
        if (s < half)
            part[s][l] = part[s][l] + part[s + half][l];
    }
    if (s == 0)
        settle(&g, &w, number, clock, part[0][l]);
}

void hs_whole_decide(const hs_card_group *g, const hs_card_work *w,
                     uint64_t clock, int has_paths)
{
    HS_LAUNCH_BLOCKS(decide, hs_card_lanes(g) / LANES, LANES * STRANDS, 0, *g,
                     *w, clock, has_paths);
}
#else
HS_KERNEL void decide(hs_card_group g, hs_card_work w, uint64_t clock,
                      int has_paths)
{
    int64_t number = hs_card_thread(), tile = number / HS_LANES;
    int lane = (int)(number % HS_LANES), terms = hs_whole_terms(&g);
    double sum = 0.0;

    for (int t = 0; (has_paths || g.tilt.phi) && t < terms; t++)
        sum = sum + term_of(&g, &w, tile, lane, t, has_paths);
    settle(&g, &w, number, clock, sum);
}

void hs_whole_decide(const hs_card_group *g, const hs_card_work *w,
                     uint64_t clock, int has_paths)
{
    HS_LAUNCH(decide, hs_card_lanes(g), *g, *w, clock, has_paths);
}
#endif
