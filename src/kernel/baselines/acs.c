/* acs.c - automatic cyclical sampler [Pynadath et al. 2024]: Langevin steps
 * whose step size and balance run through a cycle, large to explore and small
 * to refine.  A cycle of pi-reversible steps keeps pi.
 *
 * tune=yes finds the schedule in a pilot (acs_tune.c); tune=no is the schedule
 * of the paper from alpha, balance and floor. */
#include "kernel/baselines/acs_tune.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/number.h"

#define PI 3.14159265358979323846

/* Bounds of tuned step sizes, in squared distances of neighboring values: |v -
 * x|^2 / 2 alpha is 32 at the lower and 1/32 at the upper. */
#define LEAST (1.0 / 64.0)
#define MOST  16.0

void hs_acs_schedule(hs_kernel *k, int lane, double mean, double balance,
                     double floor)
{
    const struct acs *s = k->state;

    for (int p = 0; p < s->cycle; p++) {
        double c = cos(PI * p / s->cycle);
        double alpha = mean * (1.0 + c);
        bool is_small = alpha <= floor;

        acs_alpha(k, p)[lane] = is_small ? floor : alpha;
        acs_balance(k, p)[lane] =
            is_small ? 0.5 : 0.5 * (balance - 0.5) * c + 0.5 * (balance + 0.5);
    }
}

static int acs_column_count(const hs_kernel *k)
{
    const struct acs *s = k->state;

    return ACS_SCHEDULE + 2 * s->cycle;
}

static hiss_status acs_setup(hs_kernel *k, const hs_model *m, hiss_error *err)
{
    struct acs *s = k->state;
    const hs_domain *d = &m->domain;
    double gap = hs_domain_gap(d);
    double far = hs_domain_far_gap(d);

    s->log_least = log(LEAST * gap * gap);
    s->log_most = log(MOST * fmax(gap, far) * fmax(gap, far));
    s->log_far = 2.0 * log(far);
    hs_acs_plan(k, 0);
    for (int l = 0; l < HS_LANES; l++)
        hs_acs_schedule(k, l, s->alpha, s->balance, s->floor);
    return hs_langevin_init(&s->langevin, m, !s->tune && s->balance == 0.5,
                            err);
}

static void acs_clear(hs_kernel *k)
{
    struct acs *s = k->state;

    hs_langevin_clear(&s->langevin);
}

static hiss_status acs_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                            hs_tile *x)
{
    struct acs *s = k->state;
    int position = (int)(k->steps / (uint64_t)s->hold % (uint64_t)s->cycle);
    float alpha[HS_LANES], *balance = s->langevin.balance;
    bool is_probe = x->is_tuning && hs_acs_probe(k, alpha, balance);

    for (int l = 0; !is_probe && l < HS_LANES; l++) {
        alpha[l] = (float)acs_alpha(k, position)[l];
        balance[l] = (float)acs_balance(k, position)[l];
    }
    if (s->tune && s->log_far > -HUGE_VAL && !x->is_tuning)
        hs_adapt_reach(hs_adapt_columns(k->lane + ACS_MIN), &x->rng, s->log_far,
                       alpha);
    for (int l = 0; l < HS_LANES; l++)
        s->langevin.stiffness[l] = 0.5f / alpha[l];
    HS_TRY(hs_langevin_step(&s->langevin, m, t, x, true));
    hs_kernel_count(k, x, s->langevin.accept);
    if (is_probe) {
        float acceptance[HS_LANES];

        hs_tile_acceptance(s->langevin.log_ratio, acceptance);
        hs_acs_learn(k, acceptance);
    }
    return HISS_OK;
}

static hs_traits acs_traits(const hs_kernel *k)
{
    const struct acs *s = k->state;

    return (hs_traits){.exact = true,
                       .reversible = s->cycle == 1,
                       .homogeneous = s->cycle == 1,
                       .gradient = true,
                       .period = (int64_t)s->cycle * s->hold};
}

/* No path for factors, because draws are defined by phi. */
static const char *acs_path(const hs_kernel *k, hs_tilt_form form)
{
    const struct acs *s = k->state;

    return form == HS_TILT_FACTORS ? NULL
                                   : hs_paths_name(&s->langevin.paths, form);
}

static bool acs_plan(const hs_kernel *k, const hs_model *m, hs_tilt_form form,
                     hs_device_sampler *out)
{
    const struct acs *s = k->state;

    (void)m;
    out->log_far = s->tune ? s->log_far : -HUGE_VAL;
    out->first = ACS_MIN;
    out->schedule = ACS_SCHEDULE - ACS_MIN;
    out->columns = out->schedule + 2 * s->cycle;
    out->cycle = s->cycle;
    out->hold = s->hold;
    if (s->tune)
        hs_acs_lessons(k, out->lesson);
    return hs_langevin_plan(&s->langevin, form, true, out);
}

static void acs_made(hs_kernel *k, const hs_model *m, hs_tile *x,
                     hs_tilt_form form, int64_t steps)
{
    const struct acs *s = k->state;

    (void)m;
    hs_langevin_made(k, x, hs_langevin_counts(&s->langevin, form), steps);
}

static int acs_describe(const hs_kernel *k, int lane, char *text, size_t size)
{
    const struct acs *s = k->state;

    if (!s->tune)
        return 0;
    return hs_snprintf(text, size, "alpha=%.4g..%.4g,balance=%.4g",
                       k->lane[ACS_SCHEDULE + s->cycle - 1][lane],
                       k->lane[ACS_SCHEDULE][lane],
                       k->lane[ACS_SCHEDULE + s->cycle][lane]);
}

static const hs_option acs_options[] = {
    {"alpha", HS_REAL, offsetof(struct acs, alpha), "0.2", "(0,inf)",
     "mean step size when it is not tuned"},
    {"balance", HS_REAL, offsetof(struct acs, balance), "0.5", "[0.5,1]",
     "balance of the largest step when it is not tuned"},
    {"floor", HS_REAL, offsetof(struct acs, floor), "0.2", "(0,inf)",
     "smallest step size when it is not tuned"},
    {"cycle", HS_INTEGER, offsetof(struct acs, cycle), "4", "[1,10000]",
     "number of step sizes in a cycle"},
    {"hold", HS_INTEGER, offsetof(struct acs, hold), "1", "[1,1000000]",
     "steps with each step size"},
    {"tune", HS_BOOL, offsetof(struct acs, tune), "yes", NULL,
     "find step sizes and balance in a pilot; no: the paper's setting"},
    {0},
};

const hs_kernel_type hs_kernel_acs = {
    .name = "acs",
    .summary = "automatic cyclical sampler: Langevin with a cyclic step size",
    .is_baseline = true,
    .size = sizeof(struct acs),
    .options = acs_options,
    .column_count = acs_column_count,
    .setup = acs_setup,
    .step = acs_step,
    .clear = acs_clear,
    .traits = acs_traits,
    .path = acs_path,
    .plan = acs_plan,
    .made = acs_made,
    .begin = hs_acs_plan,
    .freeze = hs_acs_settle,
    .describe = acs_describe,
};
