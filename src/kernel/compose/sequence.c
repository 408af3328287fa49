/* sequence.c - several kernels one after the other, in order. */
#include "base/error.h"
#include "kernel/kernel.h"

struct sequence {
    hs_children kernels;
};

static hiss_status sequence_check(const hs_kernel *k, hiss_error *err)
{
    if (k->children == 0)
        return hs_fail(err, HISS_EARG,
                       "sampler sequence: give the samplers to run, as in "
                       "sequence(gibbs,hiss(steps=0))");
    return HISS_OK;
}

static hiss_status sequence_step(hs_kernel *k, const hs_model *m,
                                 const hs_tilt *t, hs_tile *x)
{
    for (int i = 0; i < k->children; i++)
        HS_TRY(hs_kernel_step(k->child[i], m, t, x));
    return HISS_OK;
}

static bool sequence_plan(const hs_kernel *k, const hs_model *m,
                          hs_tilt_form form, hs_device_sampler *out)
{
    (void)k;
    (void)m;
    (void)form;
    out->step = HS_DEVICE_SEQUENCE;
    return true;
}

static void sequence_made(hs_kernel *k, const hs_model *m, hs_tile *x,
                          hs_tilt_form form, int64_t steps)
{
    for (int64_t n = 0; n < steps; n++)
        for (int i = 0; i < k->children; i++)
            hs_kernel_made(k->child[i], m, x, form, 1);
}

static hs_traits sequence_traits(const hs_kernel *k)
{
    hs_traits all = {.exact = true,
                     .reversible = k->children == 1,
                     .homogeneous = true,
                     .period = 1};

    for (int i = 0; i < k->children; i++) {
        hs_traits one = hs_kernel_traits(k->child[i]);

        all.exact = all.exact && one.exact;
        all.reversible = all.reversible && one.reversible;
        all.homogeneous = all.homogeneous && one.homogeneous;
        all.shares = all.shares || one.shares;
        all.gradient = all.gradient || one.gradient;
        all.period = hs_kernel_join_periods(all.period, one.period);
    }
    return all;
}

static const hs_option sequence_options[] = {
    {"kernels", HS_CHILDREN, offsetof(struct sequence, kernels), "", NULL,
     "the samplers, in order"},
    {0},
};

const hs_kernel_type hs_kernel_sequence = {
    .name = "sequence",
    .summary = "several samplers one after the other",
    .moves_tours = true,
    .size = sizeof(struct sequence),
    .options = sequence_options,
    .step = sequence_step,
    .traits = sequence_traits,
    .plan = sequence_plan,
    .made = sequence_made,
    .check = sequence_check,
};
