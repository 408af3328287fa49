/* process.c - a Markov jump process, observed after a fixed time. */
#include "kernel/baselines/process.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/logarithm.h"
#include "base/number.h"
#include "lanes/lanes.h"

/* A step has about this many jumps.  Its time is limited too: tuned where the
 * chain hardly moves, it would be endless elsewhere. */
#define JUMPS   8.0
#define LONGEST 16.0

/* Most events of a step, because nothing stops a run within a step.  In
 * equilibrium there are at most `time` for each change: E[sqrt(p(y) / p(x))] <=
 * 1, and so for the other rates. */
#define EVENTS 262144.0

static hiss_status check_time(const hs_kernel *k, double time, int changes,
                              hiss_error *err)
{
    if (isnan(time) || time * changes <= EVENTS)
        return HISS_OK;
    return hs_fail(
        err, HISS_EARG,
        "sampler %s: with time=%g a step of %d possible changes has "
        "some %.3g jumps, at most %g: take shorter steps, and --thin",
        k->type->name, time, changes, time * changes, EVENTS);
}

hiss_status hs_process_setup(hs_kernel *k, hs_process *p, const hs_model *m,
                             hs_flip_tree_weight *weigh, hiss_error *err)
{
    const hs_domain *d = &m->domain;
    int changes = d->value_count - d->dim;

    HS_TRY(check_time(k, p->time, changes, err));
    hs_adapt_start(hs_adapt_columns(k->lane + HS_PROCESS_TIME),
                   isnan(p->time) ? JUMPS / (changes > 1 ? changes : 1)
                                  : p->time);
    if (weigh)
        HS_TRY(hs_flip_tree_init(&p->flips, m, weigh, k->state, err));
    HS_TRY(hs_changes_init(&p->changes, m, HS_BALANCE_SQRT, HS_GAIN_EXACT,
                           k->lane[HS_PROCESS_CLOCK], err));
    p->changes.is_plain = true;
    return hs_point_init(&p->y, m, err);
}

void hs_process_clear(hs_process *p)
{
    hs_flip_tree_clear(&p->flips);
    hs_changes_clear(&p->changes);
    hs_point_clear(&p->y);
}

static void begin(hs_kernel *k, hs_process *p, const hs_tile *x)
{
    hs_adapt a = hs_adapt_columns(k->lane + HS_PROCESS_TIME);
    float time[HS_LANES];

    hs_adapt_values(a, time);
    for (int l = 0; l < HS_LANES; l++) {
        p->left[l] = l >= x->lanes    ? 0.0
                     : isnan(p->time) ? (double)time[l]
                                      : p->time;
        p->jumps[l] = 0;
    }
}

/* Draws the wait for event number n in every lane; returns whether any comes
 * before T.  A lane past its time has none left. */
static bool wait(hs_process *p, const hs_tile *x, uint32_t n,
                 const double *rate, uint32_t (*words)[HS_LANES])
{
    float low[HS_LANES], unit[HS_LANES];
    bool any = false;

    hs_lanes()->philox(&x->rng, HS_DRAW_NOISE, n, 1, words);
    for (int l = 0; l < HS_LANES; l++)
        low[l] = -p->changes.max[l];
    hs_lanes()->exp(low, unit);
    for (int l = 0; l < HS_LANES; l++) {
        double u = hs_uniform_tiny(words[0][l], words[1][l]);
        double z = rate ? rate[l] : p->changes.sum[l];

        if (p->left[l] > 0.0)
            p->left[l] =
                z > 0.0 ? p->left[l] + hs_logarithm(u) * (double)unit[l] / z
                        : 0.0;
        any |= p->left[l] > 0.0;
    }
    return any;
}

/* Makes event number n in the lanes that have time left. */
static void happen(hs_kernel *k, hs_process *p, const hs_model *m,
                   const hs_tile *x, uint32_t n, hs_process_event *event,
                   const uint32_t (*words)[HS_LANES])
{
    const hs_domain *d = &m->domain;
    int32_t row[HS_LANES];
    float logit[HS_LANES];

    if (!event)
        hs_changes_pick(&p->changes, x, n, row, logit);
    for (int l = 0; l < HS_LANES; l++) {
        int i;

        if (!(p->left[l] > 0.0))
            continue;
        if (event)
            /* the low bits are those of the wait, an effect of 2^-32 */
            row[l] = event(k->state, m, l, hs_uniform(words[2][l]),
                           hs_uniform_long(words[3][l], words[1][l]));
        if (row[l] < 0)
            continue;
        i = p->changes.owner[row[l]];
        p->y.x[i][l] =
            (int16_t)(d->is_pair ? 1 - p->y.x[i][l] : row[l] - d->value[i]);
        p->jumps[l]++;
    }
    p->y.have = 0;
}

static void tune(hs_kernel *k, const hs_process *p)
{
    hs_adapt a = hs_adapt_columns(k->lane + HS_PROCESS_TIME);
    float few[HS_LANES];

    for (int l = 0; l < HS_LANES; l++)
        few[l] = (float)(1.0 / (1.0 + p->jumps[l] / JUMPS));
    hs_adapt_update(a, few, 0.5, 0.0);
    hs_adapt_confine(a, -HUGE_VAL, hs_logarithm(LONGEST));
}

static void finish(hs_kernel *k, hs_process *p, const hs_model *m, hs_tile *x)
{
    int32_t accept[HS_LANES];
    bool any = false;

    for (int l = 0; l < HS_LANES; l++) {
        accept[l] = p->jumps[l] > 0;
        any |= accept[l] != 0;
    }
    if (any)
        hs_tile_move(x, m, &p->y, accept);
    hs_changes_keep(&p->changes, m, x, accept);
    hs_kernel_count(k, x, accept);
    if (x->is_tuning && isnan(p->time))
        tune(k, p);
}

/* Draws the wait in every lane, as above. */
static bool wait_for_flip(hs_process *p, const hs_tile *x, uint32_t n)
{
    uint32_t words[4][HS_LANES];
    bool any = false;

    hs_lanes()->philox(&x->rng, HS_DRAW_NOISE, n, 1, words);
    for (int l = 0; l < x->lanes; l++) {
        double u = hs_uniform_tiny(words[0][l], words[1][l]);

        if (p->left[l] > 0.0)
            p->left[l] += hs_logarithm(u) / hs_flip_tree_total(&p->flips, l);
        any |= p->left[l] > 0.0;
    }
    return any;
}

static hiss_status step_by_flips(hs_kernel *k, hs_process *p, const hs_model *m,
                                 const hs_tilt *t, hs_tile *x)
{
    int32_t moved[HS_LANES] = {0};

    HS_TRY(hs_flip_tree_begin(&p->flips, m, t, x, k->steps));
    for (uint32_t n = 0; wait_for_flip(p, x, n); n++) {
        int at[HS_LANES];
        double u[HS_LANES];

        hs_changes_uniforms(&p->changes, x, n, u);
        hs_flip_tree_pick(&p->flips, x, u, p->left, at);
        for (int l = 0; l < x->lanes; l++)
            if (p->left[l] > 0.0) {
                hs_flip_tree_make(&p->flips, x, l, at[l]);
                p->jumps[l]++;
            }
        hs_tile_count(x, HS_U | HS_GRAD);
    }
    hs_flip_tree_end(&p->flips, x);
    for (int l = 0; l < x->lanes; l++)
        moved[l] = p->jumps[l] > 0;
    hs_kernel_count(k, x, moved);
    if (x->is_tuning && isnan(p->time))
        tune(k, p);
    return HISS_OK;
}

hiss_status hs_process_step(hs_kernel *k, hs_process *p, const hs_model *m,
                            const hs_tilt *t, hs_tile *x,
                            hs_process_rates *rates, hs_process_event *event,
                            const double *rate)
{
    unsigned want = hs_changes_want(&p->changes);
    uint32_t words[4][HS_LANES];

    hs_tile_tick(x);
    begin(k, p, x);
    if (hs_flip_tree_fit(&p->flips, t))
        return step_by_flips(k, p, m, t, x);
    memcpy(p->y.x, x->at.x, sizeof *x->at.x * (size_t)m->domain.dim);
    HS_TRY(hs_tile_evaluate(x, m, &x->at, want));
    HS_TRY(hs_changes_score(&p->changes, m, t, x, &x->at));
    rates(k->state, m);
    for (uint32_t n = 0; wait(p, x, n, rate, words); n++) {
        happen(k, p, m, x, n, event, (const uint32_t(*)[HS_LANES])words);
        HS_TRY(hs_tile_evaluate(x, m, &p->y, want));
        HS_TRY(hs_changes_score(&p->changes, m, t, x, &p->y));
        rates(k->state, m);
    }
    finish(k, p, m, x);
    return HISS_OK;
}

void hs_process_freeze(hs_kernel *k)
{
    hs_adapt_freeze(hs_adapt_columns(k->lane + HS_PROCESS_TIME));
}

int hs_process_work(const hs_kernel *k, const hs_model *m, hs_work *part)
{
    const hs_process *p = k->state; /* first member of the state */
    double changes = m->domain.value_count - m->domain.dim;

    part[0] =
        (hs_work){.times = isnan(p->time) ? 1.0 : p->time * changes / JUMPS};
    return 1;
}

hs_traits hs_process_traits(void)
{
    return (hs_traits){
        .exact = true, .reversible = true, .homogeneous = true, .period = 1};
}

int hs_process_describe(const hs_kernel *k, double time, int lane, char *text,
                        size_t size)
{
    if (!isnan(time))
        return 0;
    return hs_snprintf(text, size, "time=%.4g",
                       exp(k->lane[HS_PROCESS_TIME][lane]));
}
