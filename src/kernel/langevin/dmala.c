/* dmala.c - discrete Metropolis-adjusted Langevin, and DULA without the
 * adjustment [Zhang, Liu & Liu 2022].
 *
 * alpha=auto is tuned by a pilot to an acceptance of 0.574, and now and then
 * takes steps that reach values far from the others (adapt.h). */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/number.h"
#include "kernel/adapt.h"
#include "kernel/kernel.h"
#include "kernel/langevin/langevin.h"

#define TARGET 0.574

enum {
    ADAPT = HS_OWN_COLUMNS,
    COLUMNS = ADAPT + HS_ADAPT_COLUMNS
};

struct dmala {
    double alpha; /* NaN: auto */
    bool adjust;
    double log_unit;
    double log_far; /* step size that reaches far values, or -infinity */
    hs_langevin langevin;
};

static void set_alpha(hs_kernel *k, const hs_tile *x)
{
    struct dmala *s = k->state;
    hs_adapt a = hs_adapt_columns(k->lane + ADAPT);
    float alpha[HS_LANES];

    if (isnan(s->alpha))
        hs_adapt_values(a, alpha);
    if (isnan(s->alpha) && s->log_far > -HUGE_VAL && !x->is_tuning)
        hs_adapt_reach(a, &x->rng, s->log_far, alpha);
    for (int l = 0; l < HS_LANES; l++) {
        /* use a given alpha exactly, not through e^ln */
        float now = isnan(s->alpha) ? alpha[l] : (float)s->alpha;

        s->langevin.stiffness[l] = 0.5f / now;
        s->langevin.balance[l] = 0.5f;
    }
}

static hiss_status dmala_setup(hs_kernel *k, const hs_model *m, hiss_error *err)
{
    struct dmala *s = k->state;
    const hs_domain *d = &m->domain;
    double gap = hs_domain_gap(d);

    /* |v - x|^2 / 2 alpha = 1 for the nearest value */
    hs_adapt_start(hs_adapt_columns(k->lane + ADAPT),
                   isnan(s->alpha) ? 0.5 * gap * gap : s->alpha);
    s->log_unit = 2.0 * log(gap);
    s->log_far = 2.0 * log(hs_domain_far_gap(d));
    return hs_langevin_init(&s->langevin, m, true, err);
}

static void dmala_clear(hs_kernel *k)
{
    struct dmala *s = k->state;

    hs_langevin_clear(&s->langevin);
}

static hiss_status dmala_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                              hs_tile *x)
{
    struct dmala *s = k->state;
    hiss_status rc;

    set_alpha(k, x);
    rc = hs_langevin_step(&s->langevin, m, t, x, s->adjust);
    hs_kernel_count(k, x, s->langevin.accept);
    if (rc == HISS_OK && x->is_tuning && isnan(s->alpha)) {
        float acceptance[HS_LANES];

        hs_tile_acceptance(s->langevin.log_ratio, acceptance);
        hs_adapt_update(hs_adapt_columns(k->lane + ADAPT), acceptance, TARGET,
                        s->log_unit);
    }
    return rc;
}

static const char *dmala_path(const hs_kernel *k, hs_tilt_form form)
{
    const struct dmala *s = k->state;

    return hs_paths_name(&s->langevin.paths, form);
}

static void dmala_freeze(hs_kernel *k)
{
    hs_adapt_freeze(hs_adapt_columns(k->lane + ADAPT));
}

static hs_traits dmala_traits(const hs_kernel *k)
{
    const struct dmala *s = k->state;

    return (hs_traits){.exact = s->adjust,
                       .reversible = s->adjust,
                       .homogeneous = true,
                       .gradient = true,
                       .period = 1};
}

static bool dmala_plan(const hs_kernel *k, const hs_model *m, hs_tilt_form form,
                       hs_device_sampler *out)
{
    const struct dmala *s = k->state;

    (void)m;
    out->log_far = -HUGE_VAL;
    if (isnan(s->alpha)) {
        out->log_far = s->log_far;
        out->first = ADAPT;
        out->columns = HS_ADAPT_COLUMNS;
        out->lesson[0] = (hs_device_lesson){.until = INT64_MAX,
                                            .target = TARGET,
                                            .log_unit = s->log_unit,
                                            .log_least = -HUGE_VAL,
                                            .log_most = HUGE_VAL};
    } else {
        out->given = (float)s->alpha;
    }
    return hs_langevin_plan(&s->langevin, form, s->adjust, out);
}

static void dmala_made(hs_kernel *k, const hs_model *m, hs_tile *x,
                       hs_tilt_form form, int64_t steps)
{
    const struct dmala *s = k->state;

    (void)m;
    hs_langevin_made(k, x, hs_langevin_counts(&s->langevin, form), steps);
}

static int dmala_describe(const hs_kernel *k, int lane, char *text, size_t size)
{
    const struct dmala *s = k->state;

    if (!isnan(s->alpha))
        return 0;
    return hs_adapt_describe("alpha", k->lane[ADAPT][lane], s->log_unit, text,
                             size);
}

static const hs_option dmala_options[] = {
    {"alpha", HS_AUTO, offsetof(struct dmala, alpha), "auto", "(0,inf)",
     "step size; auto: tuned by a pilot to an acceptance of 0.574"},
    {"adjust", HS_BOOL, offsetof(struct dmala, adjust), "yes", NULL,
     "no: without the Metropolis step, not exact (= dula)"},
    {0},
};

static const hs_option dula_options[] = {
    {"alpha", HS_REAL, offsetof(struct dmala, alpha), "0.2", "(0,inf)",
     "step size; the bias grows with it"},
    {0},
};

const hs_kernel_type hs_kernel_dmala = {
    .name = "dmala",
    .summary = "discrete Metropolis-adjusted Langevin: all coordinates at once",
    .size = sizeof(struct dmala),
    .options = dmala_options,
    .columns = COLUMNS,
    .setup = dmala_setup,
    .step = dmala_step,
    .clear = dmala_clear,
    .traits = dmala_traits,
    .path = dmala_path,
    .plan = dmala_plan,
    .made = dmala_made,
    .freeze = dmala_freeze,
    .describe = dmala_describe,
};

const hs_kernel_type hs_kernel_dula = {
    .name = "dula",
    .summary = "discrete unadjusted Langevin: biased, for comparison",
    .is_baseline = true,
    .size = sizeof(struct dmala),
    .options = dula_options,
    .columns = COLUMNS,
    .setup = dmala_setup,
    .step = dmala_step,
    .clear = dmala_clear,
    .traits = dmala_traits,
    .path = dmala_path,
    .plan = dmala_plan,
    .made = dmala_made,
};
