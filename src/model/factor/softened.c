/* softened.c - hard constraints that hot chains can violate. */
#include "model/softened.h"

#include <math.h>

#include "base/error.h"
#include "model/factor/factor_graph.h"

#define BEYOND 110.0 /* e^-110 is 0 as a float */

/* Finds bounds of U over its possible states, from those of every table; false
 * if a table has no finite entry. */
static bool find_bounds(const hs_factors *f, double *low, double *high)
{
    *low = *high = f->constant;
    for (int64_t n = 0; n < f->count; n++) {
        double least = HUGE_VAL, most = -HUGE_VAL;

        for (int64_t e = f->table_at[n]; e < f->table_at[n + 1]; e++) {
            if (isinf(f->table[e]))
                continue;
            least = fmin(least, f->table[e]);
            most = fmax(most, f->table[e]);
        }
        *low += least;
        *high += most;
    }
    return isfinite(*low) && isfinite(*high);
}

static double log_states(const hs_factors *f)
{
    double sum = 0.0;

    for (int i = 0; i < f->dim; i++)
        sum += log((double)f->states[i]);
    return sum;
}

/* Returns a power of two, so that sums of it and short numbers are exact. */
static double penalty(double least)
{
    int exponent;

    frexp(least, &exponent);
    return ldexp(1.0, exponent);
}

/* Takes ownership of the factors. */
static hiss_status build(hs_model **out, const hs_model *m, hs_factors *f,
                         hiss_error *err)
{
    hs_domain domain;
    hiss_status rc = hs_domain_clone(&domain, &m->domain, err);

    if (rc == HISS_OK)
        return hs_factor_graph_create_over(out, m->name, &domain, f, err);
    hs_factors_clear(f);
    return rc;
}

hiss_status hs_model_soften(hs_model **out, const hs_model *m, hiss_error *err)
{
    double low, high, lambda;
    hs_factors f;
    hiss_status rc;

    *out = NULL;
    if (!m->ops->factors || m->is_dense)
        return HISS_OK;
    rc = m->ops->factors(m, &f, err);
    if (rc == HISS_ELIMIT)
        return HISS_OK; /* the tables are too large */
    HS_TRY(rc);
    if (!hs_factors_have_zeros(&f) || !find_bounds(&f, &low, &high)) {
        hs_factors_clear(&f);
        return HISS_OK;
    }
    lambda = penalty(high - low + log_states(&f) + BEYOND);
    for (int64_t e = 0; e < f.table_at[f.count]; e++)
        if (f.table[e] == -HUGE_VAL)
            f.table[e] = -lambda;
    HS_TRY(build(out, m, &f, err));
    (*out)->hard = m;
    (*out)->penalty = lambda;
    (*out)->floor = low - 0.5 * BEYOND; /* half of the distance, because sums
                                           are rounded */
    return HISS_OK;
}
