/* narrow.c - whether a search in a function of numbers is sharp enough.
 *
 * A bell of half the width of the known one is further below it than the last
 * digit of U at nearly every state, so that no search could find it where
 * there are many coordinates, and nobody would know.  What a search would have
 * missed in most cases is a doubt. */
#include "api/verdict/verdict.h"
#include "run/discovery/acuity.h"

#define ENOUGH (HS_ACUITY_MODES / 2)

void hs_tell_narrow(hiss_diagnosis *d, const hs_evidence *e, int seen)
{
    if (seen < 0 || seen >= ENOUGH)
        return;
    hs_find(d, "narrow modes", HISS_DOUBT, seen, ENOUGH,
            "of %d modes of half the width, made up at random places, the "
            "search would have seen %d: such modes may be there",
            HS_ACUITY_MODES, seen);
    hs_find_remedy(d, e,
                   "look at more states (--search 1000000 --probe-time 60s)",
                   "look at more states: diagnose(search=1e6, "
                   "probe_seconds=60)");
}
