/* tilt.h - the terms that a sampler adds to a model: beta * U(x) + sum_i
 * phi_i(x_i).
 *
 * Tempering sets beta, lane by lane.  HiSS adds noise of scale eta to the state
 * and then moves the state given the noisy copy a; with a fixed, coordinate i
 * gains a term phi_i(x_i) that is separable, so its differences are exact and
 * need no evaluation of the model.  As eta grows phi flattens and the untilted
 * model is recovered.
 *
 * Rows of phi and slope are laid out as lanes/shapes.h says. */
#ifndef HS_KERNEL_TILT_H
#define HS_KERNEL_TILT_H

#include <hiss/status.h>

#include "base/lane.h"
#include "base/state/domain.h"
#include "model/model.h"

typedef struct hs_tilt {
    float beta[HS_LANES];
    hs_float_row *phi;   /* owned, or NULL: flat */
    hs_float_row *slope; /* owned, or NULL if proposals use exact differences */
    /* Owned, or NULL: e^(phi / 2) in the form of hs_noise; phi is then NULL.
     * Only for kernels with a path for it (hs_kernel_path). */
    hs_float_row *factor;
    hs_byte_row *was; /* owned, with factor */
    float root[HS_LANES];
} hs_tilt;

/* The terms of a tilt other than beta.  A kernel with several paths chooses one
 * for each form at setup. */
typedef enum hs_tilt_form {
    HS_TILT_FLAT,
    HS_TILT_PHI,
    HS_TILT_SLOPE, /* phi, and slopes for proposals */
    HS_TILT_FACTORS,
    HS_TILT_FORMS
} hs_tilt_form;

static inline hs_tilt_form hs_tilt_form_of(const hs_tilt *t)
{
    return t->factor  ? HS_TILT_FACTORS
           : t->slope ? HS_TILT_SLOPE
           : t->phi   ? HS_TILT_PHI
                      : HS_TILT_FLAT;
}

/* largest gap / eta with factors: c >= e^-4 */
#define HS_TILT_MOST 4.0

/* Allocates phi, and the slope if proposals are linearized; or only factors, on
 * a pair domain. */
hiss_status hs_tilt_init(hs_tilt *t, const hs_domain *d, bool has_slope,
                         hiss_error *err);
hiss_status hs_tilt_init_factors(hs_tilt *t, const hs_domain *d,
                                 hiss_error *err);
void hs_tilt_clear(hs_tilt *t);

/* Number of rows of phi for a domain: a pair domain has one per coordinate. */
int hs_tilt_rows(const hs_domain *d);

/* beta * u with the convention that 0 * -infinity is 0. */
static inline double hs_tempered(float beta, double u)
{
    return beta == 0.0f ? 0.0 : (double)beta * u;
}

/* difference[l] = sum_i phi_i(y_i) - phi_i(x_i); 0 for a flat tilt. */
void hs_tilt_difference(const hs_tilt *t, const hs_domain *d,
                        const hs_index_row *x, const hs_index_row *y,
                        double *difference);

/* Adds phi_i(v) - phi_i(x_i) for every index v of one coordinate to out. */
void hs_tilt_add_values(const hs_tilt *t, const hs_domain *d, int i,
                        const int16_t *x, hs_float_row *out);

/* Sets phi_i = 0 in one lane: its coordinate i has no noise. */
void hs_tilt_flatten(hs_tilt *t, const hs_domain *d, int i, int lane);

#endif
