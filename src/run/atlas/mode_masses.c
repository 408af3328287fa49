/* mode_masses.c - how heavy each mode is. */
#include "run/atlas/mode_masses.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"
#include "run/policy/policy.h"

#define EACH  3.0 /* mathematics: a step, an evaluation and a draw */
#define PARTS 4   /* capacity: parts of a chain, for errors */

/* A mean of exponentials, relative to the largest; sum is 0 if it is empty. */
struct sum {
    double max, sum, count;
};

/* Adds e^exponent; -infinity is counted and adds nothing. */
static void add(struct sum *s, double exponent)
{
    float e[HS_LANES] = {0};
    bool is_first = s->sum == 0.0, rises = is_first || exponent > s->max;

    s->count += 1.0;
    if (exponent == -HUGE_VAL)
        return;
    if (!is_first)
        e[0] = (float)(rises ? s->max - exponent : exponent - s->max);
    hs_lanes()->exp(e, e);
    s->sum = is_first ? 1.0
             : rises  ? s->sum * (double)e[0] + 1.0
                      : s->sum + (double)e[0];
    s->max = rises ? exponent : s->max;
}

static double exp_of(double exponent)
{
    float e[HS_LANES] = {0};

    e[0] = (float)exponent;
    hs_lanes()->exp(e, e);
    return (double)e[0];
}

static double log_of(double x)
{
    float e[HS_LANES];

    for (int l = 0; l < HS_LANES; l++)
        e[l] = (float)x;
    hs_lanes()->log(e, e);
    return (double)e[0];
}

/* Every chain has PARTS sums of each kind. */
struct weighing {
    const hs_library *b;
    const int *of;     /* borrowed, [lanes]: their modes */
    int probes;        /* probes of every chain in this walk */
    struct sum *ahead; /* owned, [lanes * PARTS]: sqrt(p / q) over q */
    struct sum *back;  /* owned, [lanes * PARTS]: sqrt(q / p) over p */
    double *mass;      /* owned, [modes]: ln Z_k */
    double *error;     /* owned, [modes]: of it */
    hs_point point;    /* owned */
    int16_t *state;    /* owned, [lanes][dim]: latest states of the chains */
};

/* U - ln q_k of all lanes of a group; of[l] is the mode of a lane.  NaN if a
 * state has left its mode, that is, is not typical of q_k. */
static void excess(const hs_library *b, const hs_model *m, const hs_point *p,
                   const int *of, double *out)
{
    hs_library_log(b, &m->domain, (const hs_index_row *)p->x, of, out);
    for (int l = 0; l < HS_LANES; l++)
        out[l] = hs_library_is_typical(b, of[l], out[l]) ? p->u[l] - out[l]
                                                         : (double)NAN;
}

/* Evaluates the states after a step, and one draw of every lane's mode. */
static hiss_status probe(void *context, hs_group *g, int first, int64_t step,
                         hiss_error *err)
{
    struct weighing *w = context;
    hs_tile *t = &g->tile[0];
    hs_rng rng = t->rng;
    const int *of = w->of + first;
    size_t part = (size_t)first * PARTS + (size_t)(step * PARTS / w->probes);
    double out[HS_LANES];
    hiss_status rc = hs_tile_evaluate(t, g->model, &t->at, HS_U);

    if (rc != HISS_OK)
        return hs_group_fail(g, t, rc, "in", "", err);
    excess(w->b, g->model, &t->at, of, out);
    for (int l = 0; l < g->chains; l++)
        if (!isnan(out[l]))
            add(&w->back[part + (size_t)l * PARTS], -0.5 * out[l]);
    rng.clock = (uint64_t)step;
    hs_library_draw_states(w->b, &g->model->domain, &rng, of, &w->point);
    rc = hs_tile_evaluate(t, g->model, &w->point, HS_U);
    if (rc != HISS_OK)
        return hs_group_fail(g, t, rc, "in", "", err);
    excess(w->b, g->model, &w->point, of, out);
    for (int l = 0; l < g->chains; l++)
        add(&w->ahead[part + (size_t)l * PARTS],
            isnan(out[l]) ? -HUGE_VAL : 0.5 * out[l]);
    return HISS_OK;
}

/* Makes this many probes of every chain. */
static hiss_status walk(struct weighing *w, hs_pilot_chains *c,
                        const hs_model *m, const hs_pilot_request *request,
                        int probes, hs_pilot_account *account, hiss_error *err)
{
    w->probes = probes;
    return hs_pilot_chains_walk(
        c, m,
        &(hs_pilot_walk){.sampler = request->base,
                         .first_chain = request->first_chain,
                         .steps = probes,
                         .end = w->state,
                         .visit = probe,
                         .context = w},
        account, err);
}

/* ln of the mean over the chains of a mode, and the square of its relative
 * error: by what chains differ, or parts of chains where they are few.  Every
 * part has the same number of terms, or one less. */
static double log_mean(const struct sum *s, const int *of, int lanes, int mode,
                       double *error)
{
    double max = -HUGE_VAL, sum = 0.0, square = 0.0, chains = 0.0, units;
    double terms = 0.0;
    int parts;

    for (int l = 0; l < lanes; l++) {
        chains += of[l] == mode;
        for (int n = 0; of[l] == mode && n < PARTS; n++)
            if (s[l * PARTS + n].sum > 0.0)
                max = fmax(max, s[l * PARTS + n].max);
    }
    parts = chains < hs_policy_count(HS_MIN_CHAINS) ? PARTS : 1;
    for (int l = 0; l < lanes; l++) {
        double own = 0.0;

        for (int n = 0; of[l] == mode && n < PARTS; n++) {
            const struct sum *p = &s[l * PARTS + n];

            own += p->sum > 0.0 ? p->sum * exp_of(p->max - max) : 0.0;
            terms += p->count;
            if (parts == PARTS || n + 1 == PARTS) {
                sum += own;
                square += own * own;
                own = 0.0;
            }
        }
    }
    units = chains * parts;
    *error = HUGE_VAL;
    if (!(sum > 0.0))
        return -HUGE_VAL;
    if (units > 1.0)
        *error = fmax(0.0, units * square / (sum * sum) - 1.0) / (units - 1.0);
    return max + log_of(sum / terms);
}

static void conclude(const struct weighing *w, int modes, const int *of,
                     int lanes)
{
    for (int k = 0; k < modes; k++) {
        double off, more;
        double ahead = log_mean(w->ahead, of, lanes, k, &off);
        double back = log_mean(w->back, of, lanes, k, &more);

        w->mass[k] = back == -HUGE_VAL   ? -HUGE_VAL /* all have left it */
                     : ahead > -HUGE_VAL ? ahead - back
                                         : -2.0 * back;
        w->error[k] = sqrt(off + more);
    }
}

/* The fraction of the states of its own chains that each distribution explains.
 * If it is near 0, the chains have left, or another distribution covers the
 * same states and fits better. */
static hiss_status find_held(const struct weighing *w, hs_library *b,
                             const int *of, int lanes, const hs_domain *d,
                             hiss_error *err)
{
    size_t modes = (size_t)b->modes;
    double *share = hs_alloc_array(modes, sizeof *share);
    double *sum = hs_alloc_array(modes, sizeof *sum);
    double *chains = hs_alloc_array(modes, sizeof *chains);
    bool is_there = share && sum && chains;
    double least = hs_policy(HS_NEGLIGIBLE);

    for (int l = 0; is_there && l < lanes; l++)
        if (b->weight[of[l]] > least) {
            hs_library_shares(b, d, w->state + (size_t)l * (size_t)b->dim,
                              share);
            sum[of[l]] += share[of[l]];
            chains[of[l]] += 1.0;
        }
    for (int k = 0; is_there && k < b->modes; k++)
        if (chains[k] > 0.0)
            b->held[k] = sum[k] / chains[k];
    hs_free(share);
    hs_free(sum);
    hs_free(chains);
    return is_there ? HISS_OK : hs_fail_memory(err);
}

/* The number of probes that the budget allows: each is a step, an evaluation
 * and a draw. */
static int probes_for(double budget, int lanes)
{
    return hs_policy_steps(2.0 * budget / (EACH * lanes)) / 2;
}

static hiss_status weigh(struct weighing *w, hs_library *b, hs_pilot_chains *c,
                         const int *of, const hs_model *m,
                         const hs_pilot_request *request,
                         hs_pilot_account *account, hiss_error *err)
{
    HS_TRY(walk(w, c, m, request, probes_for(request->budget, c->lanes),
                account, err));
    conclude(w, b->modes, of, c->lanes);
    hs_library_weigh(b, w->mass);
    memcpy(b->log_error, w->error, (size_t)b->modes * sizeof *w->error);
    return find_held(w, b, of, c->lanes, &m->domain, err);
}

hiss_status hs_mode_masses_weigh(hs_library *b, hs_pilot_chains *c,
                                 const int *of, const hs_model *m,
                                 const hs_pilot_request *request,
                                 hs_pilot_account *account, hiss_error *err)
{
    size_t sums = (size_t)c->lanes * PARTS, modes = (size_t)b->modes;
    struct weighing w = {.b = b, .of = of};
    hiss_status rc = hs_point_init(&w.point, m, err);

    w.ahead = hs_alloc_array(sums, sizeof *w.ahead);
    w.back = hs_alloc_array(sums, sizeof *w.back);
    w.mass = hs_alloc_array(modes, sizeof *w.mass);
    w.error = hs_alloc_array(modes, sizeof *w.error);
    w.state =
        hs_alloc_array((size_t)c->lanes * (size_t)c->dim, sizeof *w.state);
    if (rc == HISS_OK &&
        (!w.ahead || !w.back || !w.mass || !w.error || !w.state))
        rc = hs_fail_memory(err);
    if (rc == HISS_OK)
        rc = weigh(&w, b, c, of, m, request, account, err);
    hs_point_clear(&w.point);
    hs_free(w.ahead);
    hs_free(w.back);
    hs_free(w.mass);
    hs_free(w.error);
    hs_free(w.state);
    return rc;
}
