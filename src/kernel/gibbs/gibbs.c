/* gibbs.c - heat bath: draws each visited coordinate from its conditional. A
 * systematic scan visits every site once, in the model's order (color by color
 * if sites allow it). A random scan visits `updates` sites drawn anew each
 * step, the same for all chains. Every update is accepted; acceptance counts
 * report changes of value.  The way to visit sites is chosen from a table at
 * setup (sweeps/sweeps.h), or is the packed one, which has its own draws
 * (sweeps/packed.c). A run of few chains makes several systematic scans at a
 * time (sweeps/few.h). */
#include <string.h>

#include "base/error.h"
#include "kernel/gibbs/sweeps/few.h"
#include "kernel/gibbs/sweeps/packed.h"
#include "kernel/gibbs/sweeps/site.h"
#include "kernel/gibbs/sweeps/sweeps.h"
#include "kernel/kernel.h"

enum {
    SYSTEMATIC,
    RANDOM
};

struct gibbs {
    int scan;
    int updates; /* 0 means dim */
    bool packed;
    hs_paths sweeps; /* owned */
    hs_few_ways few; /* owned: for flat tilts */
};

static const int *order_of(const struct gibbs *s, const hs_model *m)
{
    return s->scan == SYSTEMATIC ? m->order : NULL;
}

static int visits_of(const struct gibbs *s, const hs_model *m)
{
    return s->scan == RANDOM && s->updates > 0 ? s->updates : m->domain.dim;
}

static hiss_status gibbs_setup(hs_kernel *k, const hs_model *m, hiss_error *err)
{
    struct gibbs *s = k->state;

    if (s->packed)
        s->sweeps.path[HS_TILT_FLAT] = &hs_sweep_packed.base;
    for (int f = 0; f < HS_TILT_FORMS && !s->packed; f++)
        s->sweeps.path[f] =
            hs_sweep_choose(m, (hs_tilt_form)f, order_of(s, m) != NULL);
    if (!s->packed && s->scan == SYSTEMATIC)
        hs_few_choose(&s->few, m);
    return hs_paths_init(&s->sweeps, m, err);
}

static void gibbs_clear(hs_kernel *k)
{
    struct gibbs *s = k->state;

    hs_paths_clear(&s->sweeps);
    hs_few_clear(&s->few);
}

static const char *gibbs_path(const hs_kernel *k, hs_tilt_form form)
{
    const struct gibbs *s = k->state;

    return hs_paths_name(&s->sweeps, form);
}

static hiss_status gibbs_check(const hs_kernel *k, hiss_error *err)
{
    const struct gibbs *s = k->state;

    if (s->packed && s->scan == RANDOM)
        return hs_fail(err, HISS_EARG,
                       "sampler gibbs: packed=yes and scan=random exclude each "
                       "other");
    return HISS_OK;
}

static bool gibbs_packs(const hs_kernel *k)
{
    const struct gibbs *s = k->state;

    return s->packed;
}

static bool gibbs_walks(const hs_kernel *k, const hs_tile *x)
{
    const struct gibbs *s = k->state;

    return s->packed || hs_few_applies(&s->few, x);
}

/* Conditionals are added to the marginals only under the tile's own tilt, and
 * if every site is visited once.  is_few: several steps of few chains. */
static hiss_status walk(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                        hs_tile *x, int64_t steps, bool is_few)
{
    struct gibbs *s = k->state;
    hs_sweep_job job = {.m = m,
                        .t = t,
                        .x = x,
                        .steps = k->steps,
                        .visits = visits_of(s, m),
                        .count = steps,
                        .order = order_of(s, m),
                        .apart = order_of(s, m) ? m->apart : NULL,
                        .is_random = s->scan == RANDOM,
                        .is_summed = x->sum && t == &x->tilt &&
                                     s->scan == SYSTEMATIC && !s->packed};

    HS_ASSERT(steps == 1 || is_few || s->packed);
    return hs_few_make(&s->few, &s->sweeps, k, &job, is_few);
}

static hiss_status gibbs_walk(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                              hs_tile *x, int64_t steps)
{
    const struct gibbs *s = k->state;

    return walk(k, m, t, x, steps, hs_few_applies(&s->few, x));
}

static hiss_status gibbs_flush(hs_kernel *k, const hs_model *m, hs_tile *x)
{
    struct gibbs *s = k->state;

    if (!s->packed)
        return hs_few_flush(&s->few, m, x);
    return hs_sweep_packed_flush(s->sweeps.state[HS_TILT_FLAT], m, x);
}

static hiss_status gibbs_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                              hs_tile *x)
{
    HS_TRY(gibbs_flush(k, m, x));
    HS_TRY(walk(k, m, t, x, 1, false));
    return gibbs_flush(k, m, x);
}

/* Whether a sweep draws values and keeps U and the cache valid. */
static bool goes_by_values(const char *name)
{
    return strcmp(name, "site-by-site") == 0 || strcmp(name, "labels") == 0;
}

/* Pairs have one sweep on a GPU, because all those of the processor give the
 * same draws. */
static bool gibbs_plan(const hs_kernel *k, const hs_model *m, hs_tilt_form form,
                       hs_device_sampler *out)
{
    static const char *const pairs[] = {"scan", "regular", "sparse"};
    const struct gibbs *s = k->state;
    const char *name = hs_paths_name(&s->sweeps, form);

    if (!name)
        return false;
    out->step = HS_DEVICE_GIBBS_VALUES;
    out->visits = visits_of(s, m);
    out->is_random = s->scan == RANDOM;
    out->has_sums = s->scan == SYSTEMATIC && form == HS_TILT_FLAT && !s->packed;
    if (s->packed) {
        out->step = HS_DEVICE_GIBBS_PACKED;
        out->packed = hs_sweep_packed_plan(s->sweeps.state[HS_TILT_FLAT]);
        return out->packed != NULL;
    }
    for (size_t n = 0; n < sizeof pairs / sizeof *pairs; n++)
        if (strcmp(name, pairs[n]) == 0)
            out->step = HS_DEVICE_GIBBS_PAIRS;
    return out->step == HS_DEVICE_GIBBS_PAIRS || goes_by_values(name);
}

/* A sweep over pairs computes U afresh and drops the gradient; site by site
 * both stay valid. */
static void gibbs_made(hs_kernel *k, const hs_model *m, hs_tile *x,
                       hs_tilt_form form, int64_t steps)
{
    const struct gibbs *s = k->state;
    int visits = visits_of(s, m);
    bool has_pairs = !goes_by_values(hs_paths_name(&s->sweeps, form));

    for (int64_t n = 0; n < steps; n++) {
        hs_tile_tick(x);
        if (has_pairs) {
            hs_site_count(x, m, visits);
            x->at.have = HS_U;
        } else {
            hs_site_presume(x, m, visits);
        }
        x->summed += x->sum && form == HS_TILT_FLAT && s->scan == SYSTEMATIC;
    }
    for (int l = 0; l < x->lanes; l++)
        k->lane[HS_PROPOSED][l] += (double)visits * (double)steps;
}

static int gibbs_work(const hs_kernel *k, const hs_model *m, hs_work *part)
{
    const struct gibbs *s = k->state;

    part[0] = (hs_work){.variant = s->packed           ? "packed"
                                   : s->scan == RANDOM ? "random"
                                                       : NULL,
                        .times = (double)visits_of(s, m) / m->domain.dim};
    return 1;
}

static hs_traits gibbs_traits(const hs_kernel *k)
{
    const struct gibbs *s = k->state;

    return (hs_traits){.exact = true,
                       .reversible = s->scan == RANDOM,
                       .homogeneous = true,
                       .shares = s->scan == RANDOM,
                       .period = 1};
}

static const hs_option gibbs_options[] = {
    {"scan", HS_CHOICE, offsetof(struct gibbs, scan), "systematic",
     "systematic|random", "order in which coordinates are visited"},
    {"updates", HS_INTEGER, offsetof(struct gibbs, updates), "0",
     "[0,1000000000]", "coordinates per step of a random scan; 0: all"},
    {"packed", HS_BOOL, offsetof(struct gibbs, packed), "no", NULL,
     "couplings J or -J, or clauses: sixteen chains as the bits of a word, "
     "with draws of their own"},
    {0},
};

const hs_kernel_type hs_kernel_gibbs = {
    .name = "gibbs",
    .summary = "heat bath, coordinate by coordinate",
    .size = sizeof(struct gibbs),
    .options = gibbs_options,
    .setup = gibbs_setup,
    .step = gibbs_step,
    .walk = gibbs_walk,
    .walks = gibbs_walks,
    .flush = gibbs_flush,
    .packs = gibbs_packs,
    .check = gibbs_check,
    .clear = gibbs_clear,
    .traits = gibbs_traits,
    .path = gibbs_path,
    .plan = gibbs_plan,
    .made = gibbs_made,
    .work = gibbs_work,
};
