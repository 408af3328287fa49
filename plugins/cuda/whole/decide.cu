/* decide.cu - whether lanes take what was proposed to them, by sums of many
 * terms that a block of threads makes. */
#include "cuda/whole/steps.h"

HS_KERNEL void HS_BOUNDS(HS_ADDERS)
    decide(hs_card_group g, hs_card_work w, uint64_t clock)
{
    HS_OF_BLOCK hs_adder_parts part;
    int terms = hs_whole_terms(&g);
    hs_adder s = hs_adder_at(terms);
    double sum = 0.0;

    for (int t = s.adder; t < terms; t += s.adders)
        sum =
            sum + ((double)HS_CARD_ROW(w.reverse, s.tile, w.terms, t, s.lane) -
                   (double)HS_CARD_ROW(w.forward, s.tile, w.terms, t, s.lane));
    sum = hs_adder_meet(&s, sum, 0, part);
    if (s.adder == 0)
        hs_whole_decide_lane(&g, &w, s.number, clock, sum);
}

void hs_whole_decide(const hs_card_group *g, const hs_card_work *w,
                     uint64_t clock)
{
    HS_LAUNCH_ADDERS(decide, hs_card_lanes(g), hs_whole_terms(g), *g, *w,
                     clock);
}
