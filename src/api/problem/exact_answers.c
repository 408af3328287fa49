/* exact_answers.c - reads exact answers of any method. */
#include "api/problem/exact_answers.h"

#include <math.h>
#include <string.h>

#include "api/object/objects.h"
#include "base/error.h"
#include "sink/sink.h"

int hiss_exact_is_nearly(const hiss_exact *exact)
{
    return exact && exact->nearly.draws > 0.0;
}

double hiss_exact_draws(const hiss_exact *exact)
{
    return exact ? exact->nearly.draws : (double)NAN;
}

double hiss_exact_effective(const hiss_exact *exact)
{
    return exact ? exact->nearly.effective : (double)NAN;
}

double hiss_exact_log_z_se(const hiss_exact *exact)
{
    return exact ? exact->nearly.log_z_se : (double)NAN;
}

double hiss_exact_mean_u_se(const hiss_exact *exact)
{
    return exact ? exact->nearly.mean_u_se : (double)NAN;
}

const double *hiss_exact_marginal_se(const hiss_exact *exact, int coordinate)
{
    if (!hiss_exact_is_nearly(exact) ||
        !hs_has_coordinate(&exact->domain, coordinate))
        return NULL;
    return exact->nearly.error + exact->domain.value[coordinate];
}

double hiss_exact_log_z(const hiss_exact *exact)
{
    if (!exact)
        return (double)NAN;
    if (hiss_exact_is_nearly(exact))
        return exact->nearly.log_z;
    if (exact->is_counted)
        return exact->count_log_z;
    return exact->order ? exact->elimination.log_z : exact->exact.log_z;
}

const char *hiss_exact_count(const hiss_exact *exact)
{
    return exact ? exact->digits : NULL;
}

double hiss_exact_states(const hiss_exact *exact)
{
    return exact ? exact->states : (double)NAN;
}

double hiss_exact_max_u(const hiss_exact *exact)
{
    if (!exact)
        return (double)NAN;
    if (hiss_exact_is_nearly(exact))
        return exact->nearly.max_u;
    if (exact->is_counted)
        return exact->counted.max_u;
    return exact->order ? exact->elimination.max_u : exact->exact.max_u;
}

double hiss_exact_mean_u(const hiss_exact *exact)
{
    if (!exact)
        return (double)NAN;
    if (hiss_exact_is_nearly(exact))
        return exact->nearly.mean_u;
    if (exact->is_counted)
        return exact->counted.mean_u;
    return exact->order ? exact->elimination.mean_u : exact->exact.mean_u;
}

const double *hs_exact_factor_means(const hiss_exact *exact)
{
    return exact->order ? exact->elimination.mean : NULL;
}

double hiss_exact_seconds(const hiss_exact *exact)
{
    return exact ? exact->seconds : (double)NAN;
}

const char *hiss_exact_method(const hiss_exact *exact)
{
    return !exact                        ? NULL
           : hiss_exact_is_nearly(exact) ? "weighted draws"
           : exact->is_counted           ? "counting"
           : exact->order                ? "elimination"
                                         : "enumeration";
}

const char *hiss_exact_order(const hiss_exact *exact)
{
    return exact ? exact->order : NULL;
}

static const double *marginals(const hiss_exact *exact)
{
    if (hiss_exact_is_nearly(exact))
        return exact->nearly.marginal;
    if (exact->is_counted)
        return exact->counted.marginal;
    return exact->order ? exact->elimination.marginal : exact->exact.marginal;
}

const double *hiss_exact_marginal(const hiss_exact *exact, int coordinate)
{
    if (!exact || !hs_has_coordinate(&exact->domain, coordinate))
        return NULL;
    return marginals(exact) + exact->domain.value[coordinate];
}

/* The one known most probable state; NULL after enumeration. */
static const int16_t *best_state(const hiss_exact *exact)
{
    return exact->nearly.best  ? exact->nearly.best
           : exact->is_counted ? exact->counted.best
           : exact->order      ? exact->elimination.best
                               : NULL;
}

int hiss_exact_top(const hiss_exact *exact, int number, double *state,
                   double *probability)
{
    const int16_t *best;
    double u;

    if (!exact || number < 0)
        return 0;
    best = best_state(exact);
    if (number >= (best ? 1 : exact->exact.tops))
        return 0;
    u = best ? hiss_exact_max_u(exact) : exact->exact.top[number].u;
    if (state && !best)
        hs_exact_values(&exact->exact, exact->exact.top[number].state, state);
    for (int i = 0; state && best && i < exact->domain.dim; i++)
        state[i] =
            (double)exact->domain.values[exact->domain.value[i] + best[i]];
    if (probability)
        *probability = exp(u - hiss_exact_log_z(exact));
    return 1;
}

hiss_status hiss_exact_write_mar(const hiss_exact *exact,
                                 const hiss_model *model, const char *path,
                                 int replace, hiss_error *err)
{
    hs_output out = {0};

    if (!exact || !model || !path)
        return hs_fail(err, HISS_EARG,
                       "hiss_exact_write_mar: an argument is NULL");
    if (exact->domain.value_count != model->model->domain.value_count)
        return hs_fail(err, HISS_EARG,
                       "hiss_exact_write_mar: the answers are those of another "
                       "model");
    out.domain = &exact->domain;
    out.fixed_at = model->model->fixed_at;
    out.full_states = model->model->full_states;
    out.marginal = marginals(exact);
    for (int n = 0; hs_sinks[n]; n++)
        if (strcmp(hs_sinks[n]->name, "mar") == 0)
            return hs_sinks[n]->write(&out, path, replace, err);
    return hs_fail(err, HISS_EINTERNAL, "no writer of marginals");
}
