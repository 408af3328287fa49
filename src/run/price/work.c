/* work.c - a work limit that does not depend on a clock. */
#include "run/price/work.h"

#include <math.h>

#include "run/price/price.h"

#define CHEAPEST  1e-8 /* bounds, in seconds, of an evaluation of a function, */
#define COSTLIEST 10.0 /* whatever a file states */

#define SWEEPS 3.0 /* sweeps of a climb, about; the last one changes nothing */

double hs_work_limit(const hs_work_said *said, double times)
{
    double seconds = said->seconds > 0.0 ? said->seconds : 0.0;

    return times * fmin(fmax(seconds, HS_WORK_LEAST), HS_WORK_MOST);
}

static double row_of(const hs_price *p, const hs_model *m, double terms)
{
    const hs_domain *d = &m->domain;
    double price = p->step + p->site * d->dim +
                   p->value * (d->value_count - d->dim) + p->term * terms;

    return price > 1.0 ? price : 1.0; /* nothing is free */
}

/* Nanoseconds of an evaluation of a tile. */
static double evaluation_of(const hs_model *m, const hs_model_work *work)
{
    const hs_price *p = hs_price_find("evaluation", "plain", work->family);

    if (!p)
        p = hs_price_find("evaluation", "plain", "function");
    return row_of(p, m, work->terms);
}

double hs_work_evaluation(const hs_model *m, const hs_work_said *said)
{
    hs_model_work work = hs_model_work_of(m);

    if (m->is_user && said->seconds > 0.0 && said->evals >= 1.0)
        return fmin(fmax(said->seconds / said->evals, CHEAPEST), COSTLIEST);
    return 1e-9 / HS_LANES * evaluation_of(m, &work);
}

/* It evaluates all values of every coordinate, like a Gibbs sweep. */
double hs_work_sweep(const hs_model *m, const hs_work_said *said)
{
    hs_model_work work = hs_model_work_of(m);
    const hs_price *p = hs_price_find("gibbs", "plain", work.family);
    double each = 1.0;

    if (p)
        each = row_of(p, m, work.terms) / evaluation_of(m, &work);
    else if (!hs_model_has_cheap_sites(m))
        each = fmax(m->domain.value_count - m->domain.dim, 1.0);
    return each * hs_work_evaluation(m, said);
}

double hs_work_climbs(const hs_model *m, const hs_work_said *said,
                      double states)
{
    return states * SWEEPS * hs_work_sweep(m, said);
}
