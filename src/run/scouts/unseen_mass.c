/* unseen_mass.c - what share of the distribution the library may lack. */
#include <math.h>

#include "run/policy/policy.h"
#include "run/scouts/survey.h"

/* The share of climbs that ended where no other one did. */
static double single_climbs(const hs_quench *q)
{
    int64_t single = 0;

    for (int64_t k = 0; k < q->optima.used; k++)
        single += q->optima.mode[k].draws == 1;
    return q->climbs > 0 ? (double)single / (double)q->climbs : 0.0;
}

/* The share of the mass of all optima that lies in no known mode. */
static double unknown_optima(const hs_quench *q, const hs_library *b,
                             const hs_domain *d)
{
    const hs_mode_table *t = &q->optima;
    double most = -HUGE_VAL, all = 0.0, unknown = 0.0;

    for (int64_t k = 0; k < t->used; k++)
        most = fmax(most, t->mode[k].mass);
    for (int64_t k = 0; k < t->used; k++) {
        double mass = exp(t->mode[k].mass - most);

        all += mass;
        if (hs_library_mode(b, d, t->state + k * t->dim) < 0)
            unknown += mass;
    }
    return all > 0.0 ? unknown / all : 0.0;
}

double hs_survey_single_chains(const hs_survey *f)
{
    int lanes = f->pilots.lanes, single = 0;

    for (int l = 0; l < lanes; l++) {
        int others = 0;

        for (int k = 0; k < lanes && !others; k++)
            others += k != l && f->of[k] == f->of[l];
        single += !others;
    }
    return lanes > 0 ? (double)single / lanes : 0.0;
}

bool hs_survey_is_open(const hs_survey *f)
{
    return single_climbs(&f->quench) > hs_policy(HS_OPEN_CLIMBS);
}

double hs_survey_unseen(const hs_survey *f, const hs_domain *d)
{
    double unseen = 0.0;

    if (!f->library || f->is_sketch || f->modes > f->library->modes ||
        hs_survey_is_open(f))
        return 1.0;
    if (f->looks > 0)
        unseen = 1.0 - f->coverage * (f->looks + 0.5) / f->looks;
    return fmax(unseen, unknown_optima(&f->quench, f->library, d));
}
