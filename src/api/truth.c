/* truth.c - the draws against exact answers, where they can be had.
 *
 * Every marginal must be within HS_SIGMAS standard errors, both of those that
 * the draws suggest and of those that the exact law does (a value that was
 * seen once suggests a smaller error than it has), or within MATTERS; and no
 * mode of more than HS_MISSED_MASS may be without draws. */
#include <math.h>
#include <stdio.h>

#include "api/verdict.h"
#include "base/alloc.h"

#define MATTERS     0.005 /* smaller errors are nobody's concern */
#define MEAN_SMALL  0.01  /* and SMALL: errors that leave no doubt */
#define SMALL       0.05
#define SECONDS_MAX 5.0 /* an estimate */
#define BYTES_MAX   1e9
#define STATES_MAX  262144.0 /* whose modes are all found */

/* The worst marginal so far. */
struct worst {
    double sigmas, error;
    int coordinate, state;
    double mean_error; /* of all marginals */
    double largest;    /* error */
};

static int is_dear(void *context, const hiss_exact_cost *cost)
{
    (void)context;
    return cost->seconds > SECONDS_MAX || cost->bytes > BYTES_MAX;
}

hiss_status hiss_exact_quick(hiss_exact **out, const hiss_model *model,
                             int threads, hiss_error *err)
{
    hiss_exact_settings settings = {.threads = threads, .begin = is_dear};
    hiss_status rc = hiss_exact_solve(out, model, &settings, err);

    /* too many states, or tables too large: refused before it began */
    if (rc == HISS_ESTOP || rc == HISS_ELIMIT || rc == HISS_ENOMEM)
        rc = HISS_OK;
    return rc;
}

/* Autocorrelation time of a coordinate, from its columns; of the energy where
 * it never changed. */
static double time_of(const hs_columns *c, int coordinate, double usual)
{
    double tau = 0.0;

    for (int n = 0; n < c->count; n++) {
        const hs_examined *x = &c->at[n];

        if ((x->of == HS_OF_COORDINATE || x->of == HS_OF_LABEL) &&
            x->index == coordinate && x->column.tau > tau)
            tau = x->column.tau;
    }
    return tau > 0.0 ? tau : usual;
}

static void compare_coordinate(const hiss_result *result, int i,
                               const double *exact, double draws, double tau,
                               double *share, struct worst *w)
{
    const hs_domain *d = &result->domain;
    double effective = draws / tau;

    for (int v = 0; v < d->states[i]; v++) {
        double p = exact[v], error = fabs(share[v] - p);
        double law = sqrt(p * (1.0 - p) / effective);
        double seen = sqrt(share[v] * (1.0 - share[v]) / effective);
        double least = seen > 0.0 && seen < law ? seen : law;
        double sigmas;

        w->largest = error > w->largest ? error : w->largest;
        /* a value that was never seen says no more than this */
        least = least > 1.0 / effective ? least : 1.0 / effective;
        sigmas = error / least;
        if (error > MATTERS && sigmas > w->sigmas) {
            w->sigmas = sigmas;
            w->error = error;
            w->coordinate = i;
            w->state = v;
        }
    }
}

/* Shares of the values among the draws. */
static void shares_of(const hs_store *s, int64_t samples, const hs_domain *d,
                      int i, double *column, double *share)
{
    int64_t total = s->chains * samples;

    hs_store_column(s, samples, i, column);
    for (int v = 0; v < d->states[i]; v++) {
        double value = (double)d->values[d->value[i] + v];
        int64_t hits = 0;

        for (int64_t n = 0; n < total; n++)
            hits += column[n] == value;
        share[v] = (double)hits / (double)total;
    }
}

static hiss_status compare_marginals(const hs_evidence *e,
                                     const hiss_exact *exact, struct worst *w,
                                     hiss_error *err)
{
    const hiss_result *r = e->result;
    const hs_domain *d = &r->domain;
    int64_t samples = r->run.info.samples;
    double draws = (double)r->run.info.chains * (double)samples;
    double usual = e->columns->at[0].column.tau; /* of the energy */
    double *column = hs_alloc_array((size_t)draws, sizeof *column);
    double *share = hs_alloc_array((size_t)d->states_max, sizeof *share);

    if (!column || !share) {
        hs_free(column);
        hs_free(share);
        return hs_fail_memory(err);
    }
    for (int i = 0; i < d->dim; i++) {
        const double *p = hiss_exact_marginal(exact, i);

        shares_of(&r->run.store, samples, d, i, column, share);
        compare_coordinate(r, i, p, draws,
                           time_of(e->columns, i, usual > 0.0 ? usual : 1.0),
                           share, w);
        hiss_result_marginal(r, i, share);
        for (int v = 0; v < d->states[i]; v++)
            w->mean_error += fabs(share[v] - p[v]) / d->value_count;
    }
    hs_free(column);
    hs_free(share);
    return HISS_OK;
}

/* The heaviest mode without draws; NaN when there are too many states. */
static hiss_status missed_mass(const hs_evidence *e, const hiss_exact *exact,
                               double *mass, hiss_error *err)
{
    hs_modes modes;

    *mass = NAN;
    if (hiss_exact_states(exact) > STATES_MAX)
        return HISS_OK;
    HS_TRY(hs_modes_init(&modes, &e->result->run.store,
                         e->result->run.info.samples, e->model->model,
                         hiss_exact_log_z(exact), err));
    *mass = isnan(modes.missed) ? 0.0 : modes.missed;
    hs_modes_clear(&modes);
    return HISS_OK;
}

static void tell(hiss_diagnosis *d, const hs_evidence *e, const struct worst *w,
                 double missed)
{
    const hs_domain *dom = &e->result->domain;
    bool is_off = w->sigmas > HS_SIGMAS, is_missed = missed > HS_MISSED_MASS;
    float value = dom->values[dom->value[w->coordinate] + w->state];

    if (is_missed) {
        hs_find(d, "exact answers", HISS_FAILED, missed, HS_MISSED_MASS,
                "a mode that holds %.3f of the law was never visited", missed);
    } else if (is_off) {
        hs_find(d, "exact answers", HISS_FAILED, w->sigmas, HS_SIGMAS,
                "P(x.%d = %g) is off by %.3g, %.1f standard errors",
                w->coordinate + 1, (double)value, w->error, w->sigmas);
    } else {
        char most[64];

        if (w->sigmas > 0.0)
            snprintf(most, sizeof most, "%.1f standard errors", w->sigmas);
        else /* none is large enough to matter */
            snprintf(most, sizeof most, "%.2g", w->largest);
        d->has_exact = w->mean_error <= MEAN_SMALL && w->largest <= SMALL;
        hs_find(d, "exact answers", HISS_PASSED, w->sigmas, HS_SIGMAS,
                "all marginals agree with the exact ones%s: off by %.2g in "
                "the mean, none by more than %s%s",
                d->has_exact ? "" : ", within errors that are not small",
                w->mean_error, most,
                isnan(missed) ? "" : "; no mode of weight is missed");
        return;
    }
    hs_find_remedy(d, "use a sampler that crosses modes, such as "
                      "pt(base=...), and draw more");
}

hiss_status hs_compare_exact(hiss_diagnosis *d, const hs_evidence *e,
                             hiss_error *err)
{
    struct worst w = {0};
    hiss_exact *exact = NULL;
    double missed = NAN;
    hiss_status rc;

    if (!e->set->blind && e->model)
        HS_TRY(hiss_exact_quick(&exact, e->model, e->set->threads, err));
    if (!exact) {
        hs_find(d, "exact answers", HISS_SKIPPED, NAN, NAN, "%s",
                e->set->blind ? "exact answers were not asked for"
                : e->model    ? "exact answers cannot be had quickly"
                              : "no exact answers: the model is not at hand");
        return HISS_OK;
    }
    rc = compare_marginals(e, exact, &w, err);
    if (rc == HISS_OK)
        rc = missed_mass(e, exact, &missed, err);
    if (rc == HISS_OK)
        tell(d, e, &w, missed);
    d->is_compared = true;
    hiss_exact_destroy(exact);
    return rc;
}
