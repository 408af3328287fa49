/* decide.cu - whether lanes take what was proposed to them, by sums of many
 * terms that a block of threads makes. */
#include "cuda/whole/steps.h"

HS_KERNEL void HS_BOUNDS(HS_STRANDS *HS_STRAND_LANES)
    decide(hs_card_group g, hs_card_work w, uint64_t clock, const double *given)
{
    HS_OF_BLOCK hs_strand_parts part;
    hs_strand s = hs_strand_at();
    int terms = given ? 0 : hs_whole_terms(&g);
    double sum = 0.0;

    for (int t = s.strand; t < terms; t += HS_STRANDS)
        sum =
            sum + ((double)HS_CARD_ROW(w.reverse, s.tile, w.terms, t, s.lane) -
                   (double)HS_CARD_ROW(w.forward, s.tile, w.terms, t, s.lane));
    if (!given)
        sum = hs_strand_meet(&s, sum, 0, part);
    if (s.strand == 0)
        hs_whole_settle(&g, &w, s.number, clock, given ? given[s.number] : sum);
}

void hs_whole_decide(const hs_card_group *g, const hs_card_work *w,
                     uint64_t clock, const double *given)
{
    HS_LAUNCH_STRANDS(decide, hs_card_lanes(g), *g, *w, clock, given);
}
