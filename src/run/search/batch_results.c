/* batch_results.c - collects the results of batches in order. */
#include "run/search/batch_results.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

struct hs_batch_result {
    hs_batch_result *next; /* owned */
    int64_t number;
    int lanes;
    int64_t steps;
    bool is_bred, is_whole;
    double evals;
    double seconds;
    double u[HS_LANES];
    bool is_hit[HS_LANES];
    int16_t state[]; /* [lanes][dim] */
};

hiss_status hs_batch_results_init(hs_batch_results *o,
                                  const hs_anneal_plan *plan, int top,
                                  hiss_error *err)
{
    int dim = plan->model->domain.dim;

    *o = (hs_batch_results){.plan = plan, .last = INT64_MAX};
    HS_TRY(hs_solutions_init(&o->solutions, dim, top, plan->is_mirrored, err));
    o->child = hs_alloc_array((size_t)dim, sizeof *o->child);
    if (!o->child)
        return hs_fail_memory(err);
    return plan->parts ? hs_recombine_init(&o->mixer, plan->parts, err)
                       : HISS_OK;
}

void hs_batch_results_clear(hs_batch_results *o)
{
    while (o->waiting) {
        hs_batch_result *first = o->waiting;

        o->waiting = first->next;
        hs_free(first);
    }
    hs_solutions_clear(&o->solutions);
    hs_recombine_clear(&o->mixer);
    hs_free(o->child);
    o->child = NULL;
}

double hs_batch_results_best(const hs_batch_results *o)
{
    return o->solutions.count > 0 ? o->solutions.at[0].u : -HUGE_VAL;
}

static hs_search_row *row_of(hs_batch_results *o, const hs_batch_result *from)
{
    for (int n = 0; n < o->rows; n++)
        if (o->row[n].sweeps == from->steps &&
            o->row[n].is_bred == from->is_bred)
            return &o->row[n];
    if (o->rows == HS_ROWS_MAX)
        return NULL;
    o->row[o->rows] =
        (hs_search_row){.is_bred = from->is_bred, .sweeps = from->steps};
    return &o->row[o->rows++];
}

/* Forgets hits if the best so far improves by more than rounding: earlier
 * batches have not reached the new goal of a search without a given goal. */
static void forget_hits(hs_batch_results *o, double before)
{
    double best = hs_batch_results_best(o);

    if (!isinf(o->plan->goal) || before >= best - hs_optimum_tolerance(best))
        return;
    for (int n = 0; n < o->rows; n++)
        o->row[n].hits = 0;
}

static void count(hs_batch_results *o, const hs_batch_result *from)
{
    double best = hs_batch_results_best(o);
    double goal = isinf(o->plan->goal) ? best - hs_optimum_tolerance(best)
                                       : o->plan->goal;
    hs_search_row *row;
    int hits = 0;

    o->evals += from->evals;
    o->restarts += from->lanes;
    row = from->is_whole ? row_of(o, from) : NULL;
    if (!row)
        return;
    for (int l = 0; l < from->lanes; l++)
        hits += from->is_hit[l] || from->u[l] >= goal;
    row->restarts += from->is_bred ? 1 : from->lanes;
    row->hits += from->is_bred ? hits > 0 : hits;
    row->evals += from->evals;
}

/* Combines the best of a batch with the best of all before it. */
static hiss_status mix(hs_batch_results *o, const int16_t *state,
                       hiss_error *err)
{
    const hs_model *m = o->plan->model;
    double u;

    memcpy(o->child, o->solutions.at[0].state,
           (size_t)m->domain.dim * sizeof *o->child);
    if (!(hs_recombine_best(&o->mixer, o->child, state, o->plan->is_mirrored) >
          0.0))
        return HISS_OK;
    HS_TRY(hs_model_energy(m, o->child, &u, err));
    hs_solutions_add(&o->solutions, o->child, u);
    return HISS_OK;
}

static hiss_status take(hs_batch_results *o, const hs_batch_result *from,
                        hiss_error *err)
{
    size_t dim = (size_t)o->plan->model->domain.dim;
    double before = hs_batch_results_best(o);
    int top = 0;

    for (int l = 0; l < from->lanes; l++)
        top = from->u[l] > from->u[top] ? l : top;
    if (o->plan->parts && before > -HUGE_VAL)
        HS_TRY(mix(o, from->state + (size_t)top * dim, err));
    for (int l = 0; l < from->lanes; l++)
        hs_solutions_add(&o->solutions, from->state + (size_t)l * dim,
                         from->u[l]);
    if (hs_batch_results_best(o) > before)
        o->best_seconds = from->seconds;
    forget_hits(o, before);
    count(o, from);
    if (o->plan->stops && hs_batch_results_best(o) >= o->plan->goal &&
        from->number < o->last)
        o->last = from->number;
    return HISS_OK;
}

/* Takes the first waiting result. */
static hiss_status take_first(hs_batch_results *o, hiss_error *err)
{
    hs_batch_result *first = o->waiting;
    hiss_status rc = HISS_OK;

    o->waiting = first->next;
    o->next = first->number + 1;
    if (first->number <= o->last)
        rc = take(o, first, err);
    hs_free(first);
    return rc;
}

static hs_batch_result *copy(const hs_anneal *a, bool is_whole, double seconds)
{
    size_t dim = (size_t)a->plan->model->domain.dim, lanes = (size_t)a->lanes;
    hs_batch_result *to =
        hs_alloc_array(sizeof *to + lanes * dim * sizeof *to->state, 1);

    if (!to)
        return NULL;
    to->number = a->number;
    to->lanes = a->lanes;
    to->steps = a->steps;
    to->is_bred = a->is_bred;
    to->is_whole = is_whole;
    to->evals = hs_anneal_evals(a);
    to->seconds = seconds;
    memcpy(to->u, a->u, sizeof to->u);
    memcpy(to->is_hit, a->is_hit, sizeof to->is_hit);
    for (size_t i = 0; i < dim; i++)
        for (size_t l = 0; l < lanes; l++)
            to->state[l * dim + i] = a->best[i][l];
    return to;
}

hiss_status hs_batch_results_add(hs_batch_results *o, const hs_anneal *a,
                                 bool is_whole, double seconds, hiss_error *err)
{
    hs_batch_result *fresh = copy(a, is_whole, seconds), **at = &o->waiting;

    if (!fresh)
        return hs_fail_memory(err);
    for (int l = 0; l < a->lanes; l++)
        if (o->plan->stops && a->is_hit[l] && a->number < o->last)
            o->last = a->number;
    while (*at && (*at)->number < fresh->number)
        at = &(*at)->next;
    fresh->next = *at;
    *at = fresh;
    while (o->waiting && o->waiting->number == o->next)
        HS_TRY(take_first(o, err));
    return HISS_OK;
}

hiss_status hs_batch_results_end(hs_batch_results *o, hiss_error *err)
{
    while (o->waiting)
        HS_TRY(take_first(o, err));
    return HISS_OK;
}
