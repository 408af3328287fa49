/* tempered_jumps.c - the best jumps of the race at every temperature.
 *
 * A step costs twice one of tempering.  Let jumps bring b effective draws per
 * step, tempering of L levels t per evaluation, and let the atlas know a share
 * c of the distribution.  Then at most v = 4 c (1 - c) of the variance is left
 * to tempering, and there are
 *     1 / (2 L (1 - v) / b + 2 v / t)
 * effective draws per evaluation. */
#include <math.h>

#include "run/arms/arm.h"

static bool applies(const hs_arm_view *v)
{
    return v->has_ladder && v->inside && v->brought > 0.0 &&
           v->found->tempered > 0.0;
}

static hiss_status make(hs_sampler **out, const hs_arm_view *v, hiss_error *err)
{
    return hs_arm_temper(out, v, v->inside, 0, err);
}

static double price(const hs_arm_view *v)
{
    const hs_survey *f = v->found;
    double known = f->coverage, left = 1.0;

    if (known > 0.5)
        left = fmin(2.0 * 2.0 * known * (1.0 - known), 1.0);
    return 1.0 / (2.0 * f->ladder.levels * (1.0 - left) / v->brought +
                  2.0 * left / f->tempered);
}

const hs_arm_type hs_arm_tempered_jumps = {
    .name = "tempering + jumps",
    .words = "jumps between known modes at every temperature",
    .leaves_atlas = true,
    .stage = HS_ARM_LATE,
    .applies = applies,
    .make = make,
    .price = price,
};
