/* hurry.c - a verdict in a limited time: what it ends, and what is said of it.
 *
 * Modes have MODES_TIME of the limit, columns a share of their own, and any
 * further part half of what is left (hs_seconds_for). */
#include <math.h>

#include "verdict/verdict.h"

#define ASK_EVERY  0.02 /* seconds */
#define MODES_TIME 0.2

bool hs_diagnosis_is_stopped(const hs_evidence *e, double fraction)
{
    hs_hurry *h = e->hurry;
    double now = hs_now();
    hiss_progress p = {
        .size = sizeof p, .fraction = fraction, .seconds = now - h->began};

    if (!e->set->progress || h->is_stopped || now < h->next)
        return h->is_stopped;
    h->next = now + ASK_EVERY;
    h->is_stopped = e->set->progress(e->set->context, &p) != 0;
    return h->is_stopped;
}

int hs_hurry_columns(void *context)
{
    return hs_diagnosis_is_stopped(context, 0.0);
}

hiss_ended hs_hurry_modes(void *context, double done, double aim)
{
    const hs_evidence *e = context;
    const hs_hurry *h = e->hurry;
    double most = MODES_TIME * (h->until - h->began);
    double seconds = hs_now() - h->began;

    if (hs_diagnosis_is_stopped(e, 0.0))
        return HISS_ENDED_STOPPED;
    if (h->until > 0.0 &&
        (seconds > most || (done > 0.0 && seconds * aim > most * done)))
        return HISS_ENDED_TIME;
    return HISS_ENDED_DONE;
}

void hs_judge_hurry(hiss_diagnosis *d, const hs_evidence *e)
{
    const hs_hurry *h = e->hurry;

    if (!h->missing[0])
        return;
    hs_find(d, "time", HISS_UNCHECKED, h->until - h->began, NAN,
            "a limit of %.3g s was not enough for everything: %s",
            h->until - h->began, h->missing);
    hs_find_remedy(d, e, "allow more (--time-limit)",
                   "allow more: diagnose(time_limit=...)");
}
