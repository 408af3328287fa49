/* flatten.c - weights w(U) for multicanonical sampling, learned by a pilot. */
#include "run/flat/flatten.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/random/streams.h"
#include "kernel/multicanonical/log_weights.h"
#include "run/chain/group.h"
#include "run/policy/policy.h"
#include "run/walk/advance.h"

#define CHAINS    16   /* capacity: of a pilot group, */
#define REPLICAS  4    /* capacity: and of a chain */
#define POINTS    4000 /* capacity: temperatures of a branch */
#define COLDEST   1.5  /* precision: cooling ends beyond the target */
#define STAGES    6    /* precision: the last decrement is 1/64 of the first */
#define MIN_CELLS 8    /* precision: parts of the range of log p */
#define MAX_CELLS 96   /* capacity: the same */

struct flatten {
    const hs_model *m;
    const hs_sampler *base;
    hs_pilot_account *account;
    hs_group *group; /* owned */
    hs_pilot_mark before;
    double budget;       /* evaluations, in all */
    double began;        /* evaluations before it began */
    double *beta, *mean; /* owned, [POINTS]: the cooling branch */
    int points;
    double widths;    /* length of the range, in steps of one standard
                         deviation */
    double parting;   /* mean U where cooling passes the target */
    double top;       /* U at the end of heating */
    int16_t *warm;    /* owned, [lanes][dim]: states where cooling passed it */
    hs_log_weights w; /* owned */
    double *sum;      /* owned, [cells + 1]: sum of w over steps of a stage */
    int sums;
    int heading[HS_FLATTEN_LANES];
};

static double spent(const struct flatten *s)
{
    return hs_pilot_account_spent(s->account) - s->began;
}

static hs_tile *lane_at(const struct flatten *s, int i, int *lane)
{
    *lane = i % HS_LANES;
    return &s->group->tile[i / HS_LANES];
}

static hiss_status begin_group(struct flatten *s, const hs_sampler *sampler,
                               uint32_t first, hiss_error *err)
{
    hs_group_destroy(s->group);
    s->group = NULL;
    s->before = hs_pilot_account_mark(s->account);
    return hs_group_create(&s->group, s->m, sampler, s->account->seed,
                           hs_stream(HS_STREAM_FLATTENING, first), CHAINS, err);
}

static hiss_status step_group(struct flatten *s, hiss_error *err)
{
    HS_TRY(hs_group_walk(s->group, err));
    return hs_advance_pay(s->group, s->before, s->account, err);
}

static void save_states(const struct flatten *s, int16_t *out)
{
    int dim = s->m->domain.dim;

    for (int i = 0; i < HS_FLATTEN_LANES; i++) {
        int lane;
        const hs_tile *t = lane_at(s, i, &lane);

        hs_point_read(&t->at, dim, lane, out + (size_t)i * (size_t)dim);
    }
}

/* --- cooling, and heating back ------------------------------------------- */

/* Mean and standard deviation of U over the lanes. */
static hiss_status moments(struct flatten *s, double *mean, double *sd,
                           hiss_error *err)
{
    double sum = 0.0, square = 0.0;

    for (int i = 0; i < s->group->tiles; i++) {
        hs_tile *t = &s->group->tile[i];

        if (hs_tile_evaluate(t, s->m, &t->at, HS_U) != HISS_OK)
            return hs_group_fail(s->group, t, HISS_ENUMERIC, "in", "", err);
    }
    for (int i = 0; i < HS_FLATTEN_LANES; i++) {
        int lane;
        double u = lane_at(s, i, &lane)->at.u[lane];

        sum += u;
        square += u * u;
    }
    *mean = sum / HS_FLATTEN_LANES;
    *sd = sqrt(fmax(square / HS_FLATTEN_LANES - *mean * *mean, 0.0));
    return HISS_OK;
}

static hiss_status stay(struct flatten *s, double beta, double *mean,
                        double *sd, hiss_error *err)
{
    int steps = (hs_policy_count(HS_MIN_STEPS) / 2);

    hs_group_heat(s->group, beta);
    for (int n = 0; n < steps; n++)
        HS_TRY(step_group(s, err));
    return moments(s, mean, sd, err);
}

/* The distance to the next temperature. */
static double stride(double beta, double sd)
{
    double most = 2.0 * hs_policy(HS_NEGLIGIBLE), own = 1.0 / (sd + 1e-300);

    return fmin(fmax(own, hs_policy(HS_NEGLIGIBLE) * beta), most);
}

static hiss_status cool(struct flatten *s, hiss_error *err)
{
    double coldest = COLDEST, beta = 0.0, sd, mean;
    bool is_past = false;

    while (beta < coldest && s->points < POINTS) {
        HS_TRY(stay(s, beta, &mean, &sd, err));
        if (s->points > 0 && beta <= 1.0)
            s->widths += fabs(mean - s->mean[s->points - 1]) / (sd + 1e-300);
        s->beta[s->points] = beta;
        s->mean[s->points++] = mean;
        if (beta >= 1.0 && !is_past) {
            is_past = true;
            s->parting = mean;
            save_states(s, s->warm);
        }
        sd = stride(beta, sd);
        beta = beta < 1.0 && beta + sd > 1.0 ? 1.0 : beta + sd;
    }
    return HISS_OK;
}

/* Finds the largest mean over time of a lane at the target. */
static hiss_status heat(struct flatten *s, hiss_error *err)
{
    double sum[HS_FLATTEN_LANES] = {0}, mean, sd;
    int times = hs_policy_count(HS_MIN_STEPS);

    for (double beta = COLDEST; beta > 1.0;) {
        HS_TRY(stay(s, beta, &mean, &sd, err));
        beta -= stride(beta, sd);
    }
    for (int n = 0; n < times; n++) {
        HS_TRY(stay(s, 1.0, &mean, &sd, err));
        for (int i = 0; i < HS_FLATTEN_LANES; i++) {
            int lane;

            sum[i] += lane_at(s, i, &lane)->at.u[lane] / times;
        }
    }
    s->top = s->parting;
    for (int i = 0; i < HS_FLATTEN_LANES; i++)
        s->top = fmax(s->top, sum[i]);
    return HISS_OK;
}

static hiss_status make_branches(struct flatten *s, hiss_error *err)
{
    hs_sampler *free_ones = NULL;
    hiss_status rc;

    HS_TRY(hs_sampler_make(&free_ones, &hs_kernel_replicas,
                           (hs_setting[]){{"base", .sampler = s->base},
                                          {"count", .number = REPLICAS},
                                          {0}},
                           err));
    rc = begin_group(s, free_ones, 0, err);
    hs_sampler_release(free_ones);
    if (rc == HISS_OK)
        rc = hs_group_start_given(s->group, s->account->given,
                                  s->account->given_count, err);
    if (rc == HISS_OK)
        rc = cool(s, err);
    return rc == HISS_OK ? heat(s, err) : rc;
}

/* --- the first weights --------------------------------------------------- */

/* beta at which cooling had this mean, at most 1. */
static double beta_of(const struct flatten *s, double u)
{
    double below = s->mean[0];

    for (int n = 1; n < s->points && s->beta[n] <= 1.0; n++) {
        double gap = s->mean[n] - below;

        if (s->mean[n] > u && gap > 0.0)
            return s->beta[n - 1] +
                   (s->beta[n] - s->beta[n - 1]) * fmax(u - below, 0.0) / gap;
        below = fmax(below, s->mean[n]);
    }
    return 1.0;
}

static int count_cells(const struct flatten *s)
{
    double gap =
        (s->top - s->parting) * s->widths / (s->parting - s->mean[0] + 1e-300);
    double cells = 2.0 * (s->widths + gap);

    return (int)fmin(fmax(cells, MIN_CELLS), MAX_CELLS);
}

static hiss_status first_weights(struct flatten *s, hiss_error *err)
{
    int cells = count_cells(s);
    double width = (s->top - s->mean[0]) / (cells - 0.5), low;
    double *slope = hs_alloc_array((size_t)cells, sizeof *slope);
    hiss_status rc;

    if (!slope)
        return hs_fail_memory(err);
    low = s->mean[0] - 0.5 * width;
    for (int c = 1; c < cells; c++)
        slope[c] = beta_of(s, low + (c + 0.5) * width);
    rc = hs_log_weights_init(&s->w, low, s->top, slope, cells, err);
    hs_free(slope);
    s->sum = hs_alloc_array((size_t)cells + 1, sizeof *s->sum);
    if (rc == HISS_OK && !s->sum)
        rc = hs_fail_memory(err);
    return rc;
}

/* --- learning ------------------------------------------------------------ */

static double end_of(const hs_log_weights *w)
{
    return w->low + w->width * w->cells;
}

/* Gives the ends the slopes of infinite temperature and at most that of the
 * target, so that states outside the range stay rare. */
static void mend_ends(hs_log_weights *w)
{
    int last = w->cells - 1;

    w->slope[0] = 0.0;
    if (!(w->slope[last] < 1.0))
        w->slope[last] = 1.0;
    hs_log_weights_sum(w);
}

/* Copies the weights to every tile. */
static void spread(const struct flatten *s)
{
    for (int i = 0; i < s->group->tiles; i++) {
        hs_log_weights *to = hs_multicanonical_weights(s->group->kernel[i]);

        to->low = s->w.low;
        to->width = s->w.width;
        memcpy(to->slope, s->w.slope, (size_t)s->w.cells * sizeof *s->w.slope);
        hs_log_weights_sum(to);
    }
}

/* Whether cooling and heating have parted. */
static bool has_gap(const struct flatten *s)
{
    return s->top - s->parting >
           0.5 * hs_policy(HS_AGREEMENT) * (s->top - s->mean[0]);
}

/* Less time is spent where one phase alone is, as far from the target. */
static double haste(const struct flatten *s, double u)
{
    return has_gap(s) && u < s->parting ? 2.0 : 1.0;
}

/* Lowers w around U, shared between the ends of its cell.  States outside the
 * range count for its end, and the first cell, whose slope is 0, counts as a
 * whole. */
static void lower(struct flatten *s, double u, double by)
{
    hs_log_weights *w = &s->w;
    int c = hs_log_weights_cell(w, u);
    double part = fmin((u - w->low) / w->width - c, 1.0);

    if (c == 0)
        part = 1.0;
    by *= haste(s, u);
    w->at[c] -= by * (1.0 - part);
    w->at[c + 1] -= by * part;
}

static void differentiate(hs_log_weights *w)
{
    for (int c = 0; c < w->cells; c++)
        w->slope[c] = (w->at[c + 1] - w->at[c]) / w->width;
    mend_ends(w);
}

/* Whether this lane has reached the other end. */
static int crosses(struct flatten *s, int i, double u, const double *end)
{
    int heading = u <= end[0] ? -1 : u >= end[1] ? 1 : s->heading[i];
    int has = s->heading[i] != 0 && heading != s->heading[i];

    s->heading[i] = heading;
    return has;
}

/* Runs until enough chains have crossed. */
static hiss_status run_stage(struct flatten *s, double by, double most,
                             hs_flattening *f, hiss_error *err)
{
    double all = end_of(&s->w) - s->w.low;
    double end[2] = {s->w.low + 0.1 * all, s->w.low + 0.9 * all};
    double enough = 0.5 * hs_policy(HS_SAMPLES);
    int least = hs_policy_count(HS_RUN_STEPS);

    if (haste(s, s->w.low) > 1.0)
        end[0] = s->parting;
    f->crossings = 0.0;
    for (int n = 0; n < least || f->crossings < enough; n++) {
        if (spent(s) > most)
            break;
        HS_TRY(step_group(s, err));
        for (int i = 0; i < HS_FLATTEN_LANES; i++) {
            int lane;
            double u = lane_at(s, i, &lane)->at.u[lane];

            f->crossings += crosses(s, i, u, end);
            lower(s, u, by);
        }
        differentiate(&s->w);
        for (int c = 0; c <= s->w.cells; c++)
            s->sum[c] += s->w.at[c];
        s->sums++;
        spread(s);
    }
    return HISS_OK;
}

/* Averages w over the last stage. */
static void average(struct flatten *s)
{
    if (s->sums == 0)
        return;
    for (int c = 0; c <= s->w.cells; c++)
        s->w.at[c] = s->sum[c] / s->sums;
    differentiate(&s->w);
}

static hiss_status learn(struct flatten *s, hs_flattening *f, hiss_error *err)
{
    int stages = STAGES;
    double by = hs_policy(HS_FLATTEN_FIRST);

    for (int n = 0; n < stages; n++, by *= 0.5) {
        double left = s->budget - spent(s);
        hiss_status rc;

        s->sums = 0;
        memset(s->sum, 0, ((size_t)s->w.cells + 1) * sizeof *s->sum);
        f->evals = -spent(s);
        rc = run_stage(s, by, spent(s) + left / (stages - n), f, err);
        f->evals += spent(s);
        HS_TRY(rc);
        f->halvings = n;
    }
    return HISS_OK;
}

/* Starts chains under the first weights, half of them from each branch. */
static hiss_status begin_learning(struct flatten *s, int16_t *cold,
                                  hiss_error *err)
{
    hs_reals slopes = {s->w.slope, s->w.cells};
    double ends[2] = {s->w.low, end_of(&s->w)};
    hs_reals range = {ends, 2};
    hs_sampler *flat = NULL;
    size_t dim = (size_t)s->m->domain.dim;
    hiss_status rc;

    save_states(s, cold);
    HS_TRY(hs_sampler_make(&flat, &hs_kernel_multicanonical,
                           (hs_setting[]){{"base", .sampler = s->base},
                                          {"replicas", .number = REPLICAS},
                                          {"range", .list = &range},
                                          {"slopes", .list = &slopes},
                                          {0}},
                           err));
    rc = begin_group(s, flat, CHAINS, err);
    hs_sampler_release(flat);
    for (int i = 0; rc == HISS_OK && i < HS_FLATTEN_LANES; i++) {
        int lane;
        hs_tile *t = lane_at(s, i, &lane);

        hs_group_set(s->group, i / REPLICAS, i % REPLICAS,
                     (i % 2 ? s->warm : cold) + (size_t)i * dim);
        t->level[lane] = 1; /* under w */
        t->is_warmup = true;
    }
    return rc;
}

/* --- what comes of it ---------------------------------------------------- */

/* Finds the two maxima of the target by w. */
static hiss_status find_phases(hs_flattening *f, const hs_log_weights *w,
                               hiss_error *err)
{
    double *log_p = hs_alloc_array((size_t)w->cells + 1, sizeof *log_p);
    int at[3];

    if (!log_p)
        return hs_fail_memory(err);
    for (int c = 0; c <= w->cells; c++)
        log_p[c] = w->low + w->width * c - w->at[c];
    f->has_phases = hs_log_weights_valley(log_p, w->cells + 1, 0.5, at);
    f->barrier =
        f->has_phases ? fmin(log_p[at[0]], log_p[at[2]]) - log_p[at[1]] : 0.0;
    for (int n = 0; f->has_phases && n < 2; n++)
        f->phase[n] = w->low + w->width * at[2 * n];
    hs_free(log_p);
    return HISS_OK;
}

/* Six digits suffice and are readable. */
static double rounded(double x)
{
    double unit = x != 0.0 ? pow(10.0, 5.0 - floor(log10(fabs(x)))) : 1.0;

    return floor(x * unit + 0.5) / unit;
}

static hiss_status take(hs_flattening *f, struct flatten *s, hiss_error *err)
{
    f->slope = hs_alloc_array((size_t)s->w.cells, sizeof *f->slope);
    if (!f->slope)
        return hs_fail_memory(err);
    f->cells = s->w.cells;
    f->range[0] = rounded(s->w.low);
    f->range[1] = rounded(end_of(&s->w));
    HS_TRY(find_phases(f, &s->w, err));
    f->phase[0] = rounded(f->phase[0]);
    f->phase[1] = rounded(f->phase[1]);
    for (int c = 0; c < f->cells; c++)
        f->slope[c] = rounded(s->w.slope[c]);
    save_states(s, f->state);
    return HISS_OK;
}

static hiss_status flatten(hs_flattening *f, struct flatten *s, bool needs_gap,
                           hiss_error *err)
{
    hiss_status rc = make_branches(s, err);

    if (rc == HISS_OK && (!(s->top > s->mean[0]) || (needs_gap && !has_gap(s))))
        return HISS_OK; /* U is the same everywhere, or has one phase */
    if (rc == HISS_OK)
        rc = first_weights(s, err);
    if (rc == HISS_OK)
        rc = begin_learning(s, f->state, err);
    if (rc == HISS_OK)
        rc = learn(s, f, err);
    if (rc != HISS_OK && !(s->account->is_late && s->w.cells > 0))
        return rc;
    average(s);
    return take(f, s, err);
}

double hs_flatten_evals(int dim)
{
    double large = hs_policy(HS_PILOT_WORK) / (hs_policy(HS_PILOT_EVALS) * dim);

    return hs_policy(HS_FLATTEN_EVALS) * fmin(1.0, large);
}

hiss_status hs_flatten(hs_flattening *f, const hs_model *m,
                       const hs_sampler *base, bool needs_gap,
                       hs_pilot_account *account, hiss_error *err)
{
    struct flatten s = {.m = m, .base = base, .account = account};
    size_t states = HS_FLATTEN_LANES * (size_t)m->domain.dim;
    hiss_status rc;

    *f = (hs_flattening){0};
    s.began = hs_pilot_account_spent(account);
    s.budget = hs_flatten_evals(m->domain.dim);
    if (account->budget > 0.0)
        s.budget = fmin(s.budget, account->budget);
    s.beta = hs_alloc_array(POINTS, sizeof *s.beta);
    s.mean = hs_alloc_array(POINTS, sizeof *s.mean);
    s.warm = hs_alloc_array(states, sizeof *s.warm);
    f->state = hs_alloc_array(states, sizeof *f->state);
    rc = s.beta && s.mean && s.warm && f->state ? flatten(f, &s, needs_gap, err)
                                                : hs_fail_memory(err);
    hs_group_destroy(s.group);
    hs_log_weights_clear(&s.w);
    hs_free(s.sum);
    hs_free(s.beta);
    hs_free(s.mean);
    hs_free(s.warm);
    if (rc != HISS_OK)
        hs_flattening_clear(f);
    return account->is_late ? HISS_OK : rc;
}

void hs_flattening_clear(hs_flattening *f)
{
    hs_free(f->slope);
    hs_free(f->state);
    *f = (hs_flattening){0};
}
