/* decide.cu - whether lanes take what was proposed to them, by sums of many
 * terms that a block of threads makes. */
#include "cuda/whole/steps.h"

HS_KERNEL void HS_BOUNDS(HS_STRANDS)
    decide(hs_card_group g, hs_card_work w, uint64_t clock)
{
    HS_OF_BLOCK hs_strand_parts part;
    int terms = hs_whole_terms(&g);
    hs_strand s = hs_strand_at(terms);
    double sum = 0.0;

    for (int t = s.strand; t < terms; t += s.strands)
        sum =
            sum + ((double)HS_CARD_ROW(w.reverse, s.tile, w.terms, t, s.lane) -
                   (double)HS_CARD_ROW(w.forward, s.tile, w.terms, t, s.lane));
    sum = hs_strand_meet(&s, sum, 0, part);
    if (s.strand == 0)
        hs_whole_settle(&g, &w, s.number, clock, sum);
}

void hs_whole_decide(const hs_card_group *g, const hs_card_work *w,
                     uint64_t clock)
{
    HS_LAUNCH_STRANDS(decide, hs_card_lanes(g), hs_whole_terms(g), *g, *w,
                      clock);
}
