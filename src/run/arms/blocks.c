/* blocks.c - blocks of sites drawn together, by tables of several sizes. */
#include "run/arms/arm.h"

#include "run/policy/policy.h"

/* Tables have 16, 256 and 4096 entries. */
#define FORMS 3 /* capacity: widths, in steps of four spins */
#define BITS  4 /* capacity: the same */

static hs_setting table_of(int form)
{
    return (hs_setting){"table", .number = (double)(1 << (BITS * (form + 1)))};
}

static bool applies(const hs_arm_view *v)
{
    hs_setting settings[] = {table_of(v->form), {0}};

    return !hs_policy_is_large(v->m->domain.dim) &&
           hs_arm_fits(v->m, &hs_kernel_blocks, settings);
}

static hiss_status make(hs_sampler **out, const hs_arm_view *v, hiss_error *err)
{
    hs_setting settings[] = {table_of(v->form), {0}};

    return hs_sampler_make(out, &hs_kernel_blocks, settings, err);
}

static void detail(hs_text *to, const hs_arm_view *v)
{
    hs_text_print(to, " of %d states", 1 << (BITS * (v->form + 1)));
}

const hs_arm_type hs_arm_blocks = {
    .name = "blocks",
    .words = "blocks of sites are drawn together",
    .forms = FORMS,
    .leaves_atlas = true,
    .applies = applies,
    .make = make,
    .detail = detail,
};
