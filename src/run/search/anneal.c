/* anneal.c - one batch of a search: sixteen restarts in the lanes of a tile. */
#include "run/search/anneal.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"

/* In a bred batch, the first anneal takes 1/8 of the steps. */
#define FIRST_SHARE 8
#define CYCLES      16  /* and each cycle 1/16 */
#define CYCLE_MIN   4   /* steps */
#define REHEAT      0.4 /* reheating in ln beta, from hot (0) to cold (1) */
/* every fourth lane starts from a state proposed by the model */
#define SCATTERED 4

hiss_status hs_anneal_init(hs_anneal *a, const hs_anneal_plan *plan,
                           hiss_error *err)
{
    size_t dim = (size_t)plan->model->domain.dim;
    hiss_status rc;

    *a = (hs_anneal){.plan = plan};
    rc = hs_ascent_init(&a->ascent, plan->model, err);
    if (rc == HISS_OK && plan->parts)
        rc = hs_recombine_init(&a->mixer, plan->parts, err);
    if (rc == HISS_OK && plan->begin)
        rc = hs_network_scratch_create(&a->draws, plan->begin->network, err);
    a->best = hs_alloc_array(dim, sizeof *a->best);
    a->elite = hs_alloc_array(dim, sizeof *a->elite);
    a->other = hs_alloc_array(dim, sizeof *a->other);
    if (rc == HISS_OK && (!a->best || !a->elite || !a->other))
        rc = hs_fail_memory(err);
    if (rc != HISS_OK)
        hs_anneal_clear(a);
    return rc;
}

void hs_anneal_clear(hs_anneal *a)
{
    hs_group_destroy(a->group);
    hs_ascent_clear(&a->ascent);
    hs_recombine_clear(&a->mixer);
    hs_network_scratch_destroy(a->draws);
    hs_free(a->best);
    hs_free(a->elite);
    hs_free(a->other);
    *a = (hs_anneal){0};
}

static hiss_status fail(const hs_anneal *a, hiss_status status, hiss_error *err)
{
    const hs_model *m = a->plan->model;

    return hs_fail_model(err, status, m, &a->group->tile[0].at.fault, "");
}

static void take_lane(const hs_anneal *a, const hs_index_row *x, int lane,
                      int16_t *to)
{
    for (int i = 0; i < a->plan->model->domain.dim; i++)
        to[i] = x[i][lane];
}

/* Steps of the first anneal, and of a cycle, of a bred batch. */
static int64_t first_steps(int64_t steps)
{
    int64_t first = steps / FIRST_SHARE;

    first = first < CYCLE_MIN ? CYCLE_MIN : first;
    return first < steps ? first : steps;
}

static int64_t cycle_steps(int64_t steps)
{
    return steps / CYCLES < CYCLE_MIN ? CYCLE_MIN : steps / CYCLES;
}

double hs_anneal_climbs(int64_t steps, bool is_bred)
{
    int64_t left = steps - first_steps(steps);

    return is_bred ? 2.0 + (double)(left / cycle_steps(steps)) : 1.0;
}

/* From here on beta rises from from[l] to cold in `steps` steps. */
static void begin_leg(hs_anneal *a, int64_t steps)
{
    double last = steps > 1 ? (double)(steps - 1) : 1.0;

    a->leg = a->step;
    a->leg_steps = steps;
    for (int l = 0; l < HS_LANES; l++) {
        double from = steps > 1 ? a->from[l] : a->plan->cold;

        a->beta[l] = from;
        a->ratio[l] = exp(log(a->plan->cold / from) / last);
    }
}

/* Lanes with higher numbers are reheated less, so some search far and some
 * near. */
static double reheated(const hs_anneal *a, int lane)
{
    const hs_anneal_plan *p = a->plan;
    double place = REHEAT + (1.0 - REHEAT) * lane / a->lanes;

    return p->hot * exp(log(p->cold / p->hot) * (place < 1.0 ? place : 1.0));
}

static bool is_scattered(const hs_anneal *a, int lane)
{
    return (a->plan->begin || a->plan->model->ops->scatter) &&
           lane % SCATTERED == SCATTERED - 1;
}

/* Draws states of the network, which depend on the batch only. */
static void draw_cold(hs_anneal *a, hs_point *p)
{
    hs_network_address address = {.seed = a->plan->seed};
    double log_q[HS_LANES];

    for (int l = 0; l < HS_LANES; l++)
        address.chain[l] = (uint32_t)a->number * HS_GROUP_CHAINS + (uint32_t)l;
    hs_network_draw(a->plan->begin->network, a->draws, &address, p->x, log_q);
    p->have = 0;
    a->climbs += a->plan->begin->draw / HS_LANES;
}

/* Starts some lanes from states of the model's own structure, which hot lanes
 * would forget; impossible ones are omitted. */
static hiss_status scatter(hs_anneal *a, hiss_error *err)
{
    const hs_model *m = a->plan->model;
    hs_tile *t = &a->group->tile[0];
    hs_point *p = &a->ascent.spare;
    hiss_status rc = HISS_OK;

    if (a->plan->begin)
        draw_cold(a, p);
    else
        rc = hs_model_scatter(m, p, &t->rng, HS_LANES);
    if (rc == HISS_OK)
        rc = hs_tile_evaluate(t, m, p, HS_U);
    if (rc != HISS_OK)
        return hs_fail_model(err, rc, m, &t->fault, "");
    for (int l = 0; l < a->lanes; l++)
        if (is_scattered(a, l) && p->u[l] > -HUGE_VAL) {
            take_lane(a, (const hs_index_row *)p->x, l, a->other);
            hs_group_set(a->group, l, 0, a->other);
        }
    p->have = 0;
    return HISS_OK;
}

hiss_status hs_anneal_begin(hs_anneal *a, int64_t number, int lanes,
                            int64_t steps, bool is_bred, hiss_error *err)
{
    const hs_anneal_plan *p = a->plan;

    hs_group_destroy(a->group);
    a->group = NULL;
    a->number = number;
    a->lanes = lanes;
    a->is_bred = is_bred;
    a->steps = steps;
    a->step = 0;
    a->climbs = 0.0;
    for (int l = 0; l < HS_LANES; l++) {
        a->u[l] = -HUGE_VAL;
        a->is_hit[l] = false;
        a->from[l] = is_scattered(a, l) ? reheated(a, l) : p->hot;
    }
    begin_leg(a, is_bred ? first_steps(steps) : steps);
    HS_TRY(hs_group_create(&a->group, p->model, p->kernel, p->seed,
                           (uint32_t)number * HS_GROUP_CHAINS, lanes, err));
    HS_TRY(hs_group_start(a->group, false, err));
    if ((p->begin || p->model->ops->scatter) && lanes >= SCATTERED)
        HS_TRY(scatter(a, err));
    hs_group_tune(a->group, steps); /* tuned values follow beta */
    return HISS_OK;
}

/* Stores the state of lanes that have improved. */
static void keep_best(hs_anneal *a)
{
    const hs_tile *t = &a->group->tile[0];
    int32_t take[HS_LANES];
    bool any = false;

    for (int l = 0; l < HS_LANES; l++) {
        take[l] = l < a->lanes && t->at.u[l] > a->u[l];
        any |= take[l] != 0;
        if (take[l])
            a->u[l] = t->at.u[l];
    }
    if (any)
        hs_lanes()->select_index(take, a->plan->model->domain.dim,
                                 (const hs_index_row *)t->at.x, a->best);
}

static bool note_hits(hs_anneal *a, const double *u)
{
    bool any = false;

    for (int l = 0; l < a->lanes; l++) {
        a->is_hit[l] |= u[l] >= a->plan->goal;
        any |= a->is_hit[l];
    }
    return any;
}

static hiss_status climb(hs_anneal *a, hiss_error *err)
{
    const hs_model *m = a->plan->model;
    double before = a->ascent.visits;
    hiss_status rc;

    if (!a->plan->may_ascend)
        return HISS_OK;
    rc = hs_ascend(&a->ascent, m, &a->group->tile[0].at, a->lanes);
    a->climbs += (a->ascent.visits - before) / m->domain.dim;
    return rc == HISS_OK ? HISS_OK : fail(a, rc, err);
}

/* Combines the best state so far with the best components of the present
 * states, and gives every lane the result. */
static hiss_status breed(hs_anneal *a, hiss_error *err)
{
    const hs_anneal_plan *p = a->plan;
    hs_tile *t = &a->group->tile[0];
    int top = 0;
    hiss_status rc;

    for (int l = 1; l < a->lanes; l++)
        top = a->u[l] > a->u[top] ? l : top;
    take_lane(a, (const hs_index_row *)a->best, top, a->elite);
    for (int l = 0; p->parts && l < a->lanes; l++) {
        if (t->at.u[l] == -HUGE_VAL)
            continue;
        take_lane(a, (const hs_index_row *)t->at.x, l, a->other);
        hs_recombine_best(&a->mixer, a->elite, a->other, p->is_mirrored);
    }
    for (int l = 0; l < a->lanes; l++)
        hs_group_set(a->group, l, 0, a->elite);
    rc = hs_tile_evaluate(t, p->model, &t->at, HS_U);
    return rc == HISS_OK ? HISS_OK : fail(a, rc, err);
}

static void reheat(hs_anneal *a)
{
    int64_t left = a->steps - a->step, steps = cycle_steps(a->steps);

    for (int l = 0; l < HS_LANES; l++)
        a->from[l] = reheated(a, l);
    begin_leg(a, left < 2 * steps ? left : steps);
}

/* Ends a section of a bred batch's schedule. */
static hiss_status end_leg(hs_anneal *a, hiss_error *err)
{
    HS_TRY(climb(a, err));
    keep_best(a);
    HS_TRY(breed(a, err));
    keep_best(a);
    note_hits(a, a->u);
    return HISS_OK;
}

void hs_anneal_heat(hs_anneal *a)
{
    hs_tile *t = &a->group->tile[0];

    for (int l = 0; l < HS_LANES; l++) {
        t->tilt.beta[l] = (float)a->beta[l];
        a->beta[l] *= a->ratio[l];
    }
}

/* While it is hot, better states are sure to come later. */
bool hs_anneal_keeps(const hs_anneal *a)
{
    return 2 * (a->step + 1 - a->leg) >= a->leg_steps;
}

bool hs_anneal_is_turning(const hs_anneal *a)
{
    return a->is_bred && a->step < a->steps && a->step == a->leg + a->leg_steps;
}

hiss_status hs_anneal_turn(hs_anneal *a, hiss_error *err)
{
    HS_TRY(end_leg(a, err));
    reheat(a);
    return HISS_OK;
}

hiss_status hs_anneal_step(hs_anneal *a, bool *is_done, hiss_error *err)
{
    hs_tile *t = &a->group->tile[0];
    bool keeps = hs_anneal_keeps(a);
    hiss_status rc;

    hs_anneal_heat(a);
    HS_TRY(hs_group_step(a->group, err));
    rc = hs_tile_evaluate(t, a->plan->model, &t->at, HS_U);
    if (rc != HISS_OK)
        return fail(a, rc, err);
    a->step++;
    *is_done = a->step == a->steps;
    if (note_hits(a, t->at.u)) {
        keep_best(a);
        *is_done |= a->plan->stops;
    }
    if (keeps)
        keep_best(a);
    return !*is_done && hs_anneal_is_turning(a) ? hs_anneal_turn(a, err)
                                                : HISS_OK;
}

hiss_status hs_anneal_finish(hs_anneal *a, hiss_error *err)
{
    const hs_model *m = a->plan->model;
    hs_point *p = &a->group->tile[0].at;
    hiss_status rc = hs_model_evaluate(m, p, HS_U);

    if (rc != HISS_OK)
        return fail(a, rc, err);
    if (a->is_bred)
        HS_TRY(end_leg(a, err));
    else
        keep_best(a);
    for (int l = 0; l < a->lanes; l++) {
        take_lane(a, (const hs_index_row *)a->best, l, a->other);
        hs_group_set(a->group, l, 0, a->other);
    }
    HS_TRY(climb(a, err));
    rc = hs_tile_evaluate(&a->group->tile[0], m, p, HS_U);
    if (rc != HISS_OK)
        return fail(a, rc, err);
    for (int l = 0; l < a->lanes; l++) {
        a->u[l] = -HUGE_VAL; /* tracked values may have rounding errors */
        a->is_hit[l] = false;
    }
    keep_best(a);
    note_hits(a, a->u);
    return HISS_OK;
}

double hs_anneal_best(const hs_anneal *a)
{
    double best = -HUGE_VAL;

    for (int l = 0; l < a->lanes; l++)
        best = a->u[l] > best ? a->u[l] : best;
    return best;
}

double hs_anneal_evals(const hs_anneal *a)
{
    double energy, gradient;

    hs_group_evals(a->group, &energy, &gradient);
    return (energy + gradient + a->climbs) * a->lanes;
}
