/* limits.c - the work limit of a verdict, and its deadline.
 *
 * A part of the verdict gets its WEIGHT of the remaining work, relative to
 * those of the parts that come after it. */
#include <math.h>

#include "run/policy/policy.h"
#include "verdict/verdict.h"

#define ASK_EVERY 0.02 /* seconds */

static const double weight[HS_VERDICT_PARTS] = {
    [HS_VERDICT_MODES] = 1.0,
    [HS_VERDICT_SAME] = 1.0,
    [HS_VERDICT_OTHER] = 2.0, /* it may have a pilot */
    [HS_VERDICT_SEARCH] = 2.0,
};

/* --- work ----------------------------------------------------------------- */

double hs_work_share(const hs_evidence *e, hs_verdict_part part)
{
    double later = 0.0;

    for (int p = (int)part; p < HS_VERDICT_PARTS; p++)
        later += weight[p];
    return fmax(e->work->left, 0.0) * weight[part] / later;
}

void hs_work_take(const hs_evidence *e, double seconds)
{
    e->work->left -= seconds > 0.0 ? seconds : 0.0;
}

/* --- the hard stop -------------------------------------------------------- */

bool hs_diagnosis_is_stopped(const hs_evidence *e, double fraction)
{
    hs_deadline *h = e->deadline;
    double now = hs_now();
    hiss_progress p = {
        .size = sizeof p, .fraction = fraction, .seconds = now - h->began};

    if (!e->set->progress || h->is_stopped || now < h->next)
        return h->is_stopped;
    h->next = now + ASK_EVERY;
    h->is_stopped = e->set->progress(e->set->context, &p) != 0;
    return h->is_stopped;
}

bool hs_deadline_is_over(const hs_evidence *e, const char *part)
{
    hs_deadline *h = e->deadline;

    if (!(h->until > 0.0) || hs_now() <= h->until)
        return false;
    if (!h->missing[0])
        hs_snprintf(h->missing, sizeof h->missing, "%s", part);
    return true;
}

int hs_deadline_columns(void *context)
{
    return hs_diagnosis_is_stopped(context, 0.0);
}

int hs_deadline_columns_over(void *context)
{
    return hs_deadline_is_over(context, "columns");
}

/* Begins no more draws than fit. */
hiss_ended hs_deadline_modes(void *context, double done, double aim)
{
    const hs_evidence *e = context;
    const hiss_run_info *info = &e->result->run.info;
    double draws = (double)info->chains * (double)info->samples;
    double first = fmin(hs_policy(HS_SAMPLES), draws);
    double wanted = aim > 0.0 ? aim * draws : first;

    (void)done;
    if (hs_diagnosis_is_stopped(e, 0.0))
        return HISS_ENDED_STOPPED;
    if (hs_deadline_is_over(e, "modes") ||
        hs_work_climbs(e->model->model, &e->work->said, wanted) >
            hs_work_share(e, HS_VERDICT_MODES))
        return HISS_ENDED_TIME;
    return HISS_ENDED_DONE;
}

void hs_judge_deadline(hiss_diagnosis *d, const hs_evidence *e)
{
    const hs_deadline *h = e->deadline;

    if (!h->missing[0])
        return;
    hs_find(d, "time", HISS_UNCHECKED, h->until - h->began, NAN,
            "the limit of %.3g s was over before everything was checked: %s",
            h->until - h->began, h->missing);
    hs_find_more(d, e);
}

void hs_find_more(hiss_diagnosis *d, const hs_evidence *e)
{
    if (e->deadline->missing[0])
        hs_find_remedy(d, e, "allow more time (--time-limit)",
                       "allow more time: diagnose(time_limit=...)");
    else
        hs_find_remedy(d, e, "allow more work (--thorough)",
                       "allow more work: diagnose(thorough=True)");
}
