/* dlmc.c - discrete Langevin Monte Carlo [Sun, Dai, Dai, Zhou & Schuurmans
 * 2023]: all coordinates at once.
 *
 * The process that jumps from x to each neighbor y (one coordinate changed) at
 * the rate g(p(y) / p(x)), g(t) = t g(1/t), keeps p.  For a time tau every
 * coordinate follows it independently, at the rates of x, with gains to first
 * order (lanes/langevin/rates.h).  The decision with min(1, p(y) q(x|y) / p(x)
 * q(y|x)) corrects the rest. It takes one evaluation, of y. DMALA limits a
 * proposal by distance, this sampler by time: coordinates with much to gain
 * move at once, those with much to lose hardly ever.  time=auto is tuned by a
 * pilot to an acceptance of 0.574. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/number.h"
#include "kernel/adapt.h"
#include "kernel/kernel.h"
#include "kernel/langevin/langevin.h"

#define TARGET 0.574
#define START  0.3 /* a coordinate without gain jumps in one of three steps */

enum {
    ADAPT = HS_OWN_COLUMNS,
    COLUMNS = ADAPT + HS_ADAPT_COLUMNS
};
enum {
    INTERPOLATE,
    EULER
};

struct dlmc {
    double time; /* NaN: auto */
    int balance; /* hs_balance */
    int solver;
    hs_langevin langevin;
};

static hiss_status dlmc_setup(hs_kernel *k, const hs_model *m, hiss_error *err)
{
    struct dlmc *s = k->state;

    hs_adapt_start(hs_adapt_columns(k->lane + ADAPT),
                   isnan(s->time) ? START : s->time);
    HS_TRY(hs_langevin_init(&s->langevin, m, false, err));
    s->langevin.has_rates = true;
    s->langevin.is_euler = s->solver == EULER;
    s->langevin.rate = (hs_balance)s->balance;
    return HISS_OK;
}

static void dlmc_clear(hs_kernel *k)
{
    struct dlmc *s = k->state;

    hs_langevin_clear(&s->langevin);
}

static hiss_status dlmc_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                             hs_tile *x)
{
    struct dlmc *s = k->state;
    hs_adapt a = hs_adapt_columns(k->lane + ADAPT);
    hiss_status rc;

    for (int l = 0; l < HS_LANES; l++)
        s->langevin.log_time[l] = (float)a.log_value[l];
    rc = hs_langevin_step(&s->langevin, m, t, x, true);
    hs_kernel_count(k, x, s->langevin.accept);
    if (rc == HISS_OK && x->is_tuning && isnan(s->time)) {
        float acceptance[HS_LANES];

        hs_tile_acceptance(s->langevin.log_ratio, acceptance);
        hs_adapt_update(a, acceptance, TARGET, 0.0);
    }
    return rc;
}

static void dlmc_freeze(hs_kernel *k)
{
    hs_adapt_freeze(hs_adapt_columns(k->lane + ADAPT));
}

static hs_traits dlmc_traits(const hs_kernel *k)
{
    (void)k;
    return (hs_traits){.exact = true,
                       .reversible = true,
                       .homogeneous = true,
                       .gradient = true,
                       .period = 1};
}

static int dlmc_describe(const hs_kernel *k, int lane, char *text, size_t size)
{
    const struct dlmc *s = k->state;

    if (!isnan(s->time))
        return 0;
    return hs_adapt_describe("time", k->lane[ADAPT][lane], 0.0, text, size);
}

static const hs_option dlmc_options[] = {
    {"time", HS_AUTO, offsetof(struct dlmc, time), "auto", "(0,inf)",
     "of the jumps; auto: tuned by a pilot to an acceptance of 0.574"},
    {"balance", HS_CHOICE, offsetof(struct dlmc, balance), "sqrt",
     "sqrt|barker|min|max",
     "g(t) of the rates: sqrt(t), t/(1+t), min(1,t), max(1,t)"},
    {"solver", HS_CHOICE, offsetof(struct dlmc, solver), "interpolate",
     "interpolate|euler", "law of a coordinate after that time, or first step"},
    {0},
};

const hs_kernel_type hs_kernel_dlmc = {
    .name = "dlmc",
    .summary = "discrete Langevin Monte Carlo: all coordinates, by rates",
    .is_baseline = true,
    .size = sizeof(struct dlmc),
    .options = dlmc_options,
    .columns = COLUMNS,
    .setup = dlmc_setup,
    .step = dlmc_step,
    .clear = dlmc_clear,
    .traits = dlmc_traits,
    .freeze = dlmc_freeze,
    .describe = dlmc_describe,
};
