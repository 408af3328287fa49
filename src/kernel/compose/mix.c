/* mix.c - one of several kernels per step, chosen at random with given
 * weights.
 *
 * The choice is the same for all chains and does not depend on them.  If every
 * component keeps the distribution, each value of the choice does. */
#include "base/error.h"
#include "kernel/kernel.h"

struct mix {
    hs_children kernels;
    hs_reals weights;
};

static double weight(const struct mix *s, int i)
{
    return s->weights.count ? s->weights.at[i] : 1.0;
}

static double total_weight(const struct mix *s)
{
    double total = 0.0;

    for (int i = 0; i < s->kernels.count; i++)
        total += weight(s, i);
    return total;
}

static hiss_status mix_check(const hs_kernel *k, hiss_error *err)
{
    const struct mix *s = k->state;

    if (s->kernels.count == 0)
        return hs_fail(err, HISS_EARG,
                       "sampler mix: give the samplers to mix, as in "
                       "mix(gwg,hiss(eta=1,steps=0))");
    if (s->weights.count && s->weights.count != s->kernels.count)
        return hs_fail(err, HISS_EARG,
                       "sampler mix: %d weights for %d samplers",
                       s->weights.count, s->kernels.count);
    if (!(total_weight(s) > 0.0))
        return hs_fail(err, HISS_EARG, "sampler mix: all weights are 0");
    return HISS_OK;
}

/* Draws the component of the next step, whose clock begins here. */
static hs_kernel *pick_component(const hs_kernel *k, hs_tile *x)
{
    const struct mix *s = k->state;
    double target;
    int pick = 0;

    hs_tile_tick(x);
    target = total_weight(s) *
             hs_uniform(hs_rng_shared(&x->rng, HS_DRAW_COMPONENT, 0));
    while (pick < k->children - 1 && target >= weight(s, pick))
        target -= weight(s, pick++);
    return k->child[pick];
}

static hiss_status mix_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                            hs_tile *x)
{
    return hs_kernel_step(pick_component(k, x), m, t, x);
}

static bool mix_plan(const hs_kernel *k, const hs_model *m, hs_tilt_form form,
                     hs_device_sampler *out)
{
    const struct mix *s = k->state;

    (void)m;
    (void)form;
    out->step = HS_DEVICE_MIX;
    if (k->children > HS_DEVICE_CHILDREN)
        return false;
    for (int i = 0; i < k->children; i++)
        out->weights[i] = weight(s, i);
    return true;
}

static void mix_made(hs_kernel *k, const hs_model *m, hs_tile *x,
                     hs_tilt_form form, int64_t steps)
{
    for (int64_t n = 0; n < steps; n++)
        hs_kernel_made(pick_component(k, x), m, x, form, 1);
}

static void mix_begin(hs_kernel *k, int64_t steps)
{
    const struct mix *s = k->state;

    for (int i = 0; i < k->children; i++)
        hs_kernel_begin(k->child[i], (int64_t)((double)steps * weight(s, i) /
                                               total_weight(s)));
}

static double mix_visits(const hs_kernel *k, int child)
{
    const struct mix *s = k->state;

    return weight(s, child) / total_weight(s);
}

static hs_traits mix_traits(const hs_kernel *k)
{
    hs_traits all = {.exact = true,
                     .reversible = true,
                     .homogeneous = true,
                     .shares = true,
                     .period = 1};

    for (int i = 0; i < k->children; i++) {
        hs_traits one = hs_kernel_traits(k->child[i]);

        all.exact = all.exact && one.exact;
        all.reversible = all.reversible && one.reversible;
        all.homogeneous = all.homogeneous && one.homogeneous;
        all.gradient = all.gradient || one.gradient;
        all.period = hs_kernel_join_periods(all.period, one.period);
    }
    return all;
}

static const hs_option mix_options[] = {
    {"kernels", HS_CHILDREN, offsetof(struct mix, kernels), "", NULL,
     "the samplers to choose from"},
    {"weights", HS_REALS, offsetof(struct mix, weights), "", "[0,inf)",
     "one weight per sampler; equal if left out"},
    {0},
};

const hs_kernel_type hs_kernel_mix = {
    .name = "mix",
    .summary = "a random one of several samplers per step",
    .moves_tours = true,
    .size = sizeof(struct mix),
    .options = mix_options,
    .step = mix_step,
    .traits = mix_traits,
    .plan = mix_plan,
    .made = mix_made,
    .check = mix_check,
    .begin = mix_begin,
    .visits = mix_visits,
};
