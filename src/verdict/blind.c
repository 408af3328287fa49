/* blind.c - what a search of a function could not have found.
 *
 * Narrow modes: a bell-shaped mode of half the width of the known one is below
 * it by less than the last digit of U at nearly every state, so in many
 * dimensions no search could find it, and nobody would know.  If a search would
 * miss such a mode in most cases, that is a doubt.
 *
 * Impossible states: if most states are impossible, climbs are expensive and
 * few.  If many of them end in different optima, the next one would too: a band
 * of possible states has countless optima, and climbs may never reach another
 * band. */
#include <math.h>

#include "run/policy/policy.h"
#include "run/scouts/quench.h"
#include "verdict/verdict.h"

#define ENOUGH (hs_policy_count(HS_NARROW_MODES) / 2)
#define APART  0.25 /* distinct optima per climb */
#define MORE   1.5  /* times the evaluations for HS_CLIMBS_IN_GAPS climbs, */
#define AGAIN  4.0  /* but at least this many times the last number */

static void remedy(hiss_diagnosis *d, const hs_evidence *e, double evals)
{
    char shell[80], python[80];

    hs_snprintf(shell, sizeof shell,
                "search more states (--search %.0f --thorough)", evals);
    hs_snprintf(python, sizeof python,
                "search more states: diagnose(search=%.0f, thorough=True)",
                evals);
    hs_find_remedy(d, e, shell, python);
}

static void tell_narrow(hiss_diagnosis *d, const hs_evidence *e,
                        const hs_acuity *a)
{
    if (a->seen == HS_ACUITY_UNTESTED) {
        hs_find(d, "narrow modes", HISS_DOUBT, 0.0, ENOUGH,
                "the search had no evaluations left to tell which modes it "
                "would have seen: narrow ones may be there");
        remedy(d, e, 1e6);
        return;
    }
    if (a->seen < 0 || a->seen >= ENOUGH)
        return;
    hs_find(d, "narrow modes", HISS_DOUBT, a->seen, ENOUGH,
            "of %d modes of %.2g of the width, made up at random places, the "
            "search would have seen %d: such modes may be there",
            hs_policy_count(HS_NARROW_MODES), a->width, a->seen);
    remedy(d, e, 1e6);
}

/* spent: evaluations of the whole search. */
static void tell_few(hiss_diagnosis *d, const hs_evidence *e,
                     const hs_quench *q, double spent)
{
    double climbs = (double)q->climbs, optima = (double)q->optima.used;
    double times = climbs < hs_policy_count(HS_CLIMBS_IN_GAPS)
                       ? MORE * hs_policy_count(HS_CLIMBS_IN_GAPS) / climbs
                       : AGAIN;

    if (!q->is_hard || optima < APART * climbs)
        return;
    hs_find(d, "few climbs", HISS_DOUBT, climbs, optima / APART,
            "of a function with impossible states there were %.0f climbs, "
            "which ended in %.0f optima: too few to know of all",
            climbs, optima);
    remedy(d, e, 1e5 * ceil(times * spent / 1e5));
}

void hs_tell_blind(hiss_diagnosis *d, const hs_evidence *e,
                   const struct hs_quench *q, double spent)
{
    tell_narrow(d, e, &q->narrow);
    tell_few(d, e, q, spent);
}
