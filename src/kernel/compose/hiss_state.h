/* hiss_state.h - what hiss.c and hiss_card.c share: options, memory, columns */
#ifndef HS_KERNEL_COMPOSE_HISS_STATE_H
#define HS_KERNEL_COMPOSE_HISS_STATE_H

#include <math.h>

#include "kernel/adapt.h"
#include "kernel/compose/keys.h"
#include "kernel/compose/noise_block.h"
#include "kernel/compose/noise_mix.h"
#include "kernel/kernel.h"
#include "kernel/noise/learned.h"

#define HS_HISS_TARGET 0.234 /* jump acceptance of tune=accept */

/* Shapes of the noise. */
enum {
    HS_HISS_LOGISTIC,
    HS_HISS_GAUSSIAN,
    HS_HISS_LEARNED
};
enum {
    HS_HISS_PAPER,
    HS_HISS_PALINDROME
};
enum {
    HS_HISS_EXACT,
    HS_HISS_GRADIENT
};
enum {
    HS_HISS_ADAPT = HS_OWN_COLUMNS,
    HS_HISS_SIZE =
        HS_HISS_ADAPT + HS_ADAPT_COLUMNS, /* coordinates that are noised */
    HS_HISS_COLUMNS,
    HS_HISS_JUMPED =
        HS_HISS_COLUMNS, /* a column per probe: sums of the values of its
                            jumps */
    HS_HISS_MIXED = HS_HISS_COLUMNS, /* or the columns of the mixture */
};
enum {
    HS_HISS_MIX,
    HS_HISS_ACCEPTANCE,
    HS_HISS_JUMP
};

#define HS_HISS_USUAL_STEPS 2 /* the paper's L */

struct hs_hiss {
    double eta; /* NaN: auto */
    int sweeps;
    hs_spec *inner;
    double steps; /* NaN: auto */
    int kernel;
    bool adjust;
    int tilt_kind;
    double block; /* 0: all coordinates; NaN: auto */
    int order;
    int tune;

    int dim;
    double log_low;         /* ln of the least scale that is tried */
    double log_far;         /* ln of the scale that reaches far values, or
                               -infinity */
    hs_tilt tilt;           /* owned: p(x | a); flat on tours */
    hs_keys keys;           /* owned, on tours */
    double prior[HS_LANES]; /* ln of the keys' part in the ratio */
    hs_point y;             /* owned: x' */
    hs_float_row *scratch;  /* owned */
    hs_blocks blocks;       /* owned */
    float eta_now[HS_LANES];
    bool needs_gradient;
    hs_noise_mix mix;   /* owned, if it is mixed */
    bool is_mixed;      /* scales are drawn from a mixture */
    hs_learned learned; /* owned, of kernel=learned */
};

/* Whether options leave scales to a mixture, which has no larger blocks; not on
 * tours. */
static inline bool hs_hiss_wants_mix(const struct hs_hiss *s)
{
    return s->tune == HS_HISS_MIX && isnan(s->eta) &&
           s->kernel != HS_HISS_GAUSSIAN && s->adjust &&
           s->tilt_kind == HS_HISS_EXACT && !(s->block > HS_MIX_BLOCK);
}

/* Inner steps per sweep. */
static inline int hs_hiss_steps(const hs_kernel *k)
{
    const struct hs_hiss *s = k->state;

    if (!isnan(s->steps))
        return (int)s->steps;
    return s->is_mixed ? 1 : HS_HISS_USUAL_STEPS;
}

/* Lane by lane blocks of their own size, from block=auto. */
static inline bool hs_hiss_has_sizes(const struct hs_hiss *s)
{
    return isnan(s->block);
}

/* Coordinates that are noised in some lane. */
static inline int hs_hiss_largest_block(const hs_kernel *k, int dim)
{
    const struct hs_hiss *s = k->state;
    double most = s->block == 0.0 ? dim : s->block;

    if (hs_hiss_has_sizes(s)) {
        most = 0.0;
        for (int l = 0; l < HS_LANES; l++)
            most = k->lane[HS_HISS_SIZE][l] > most ? k->lane[HS_HISS_SIZE][l]
                                                   : most;
    }
    return most < dim ? (int)most : dim;
}

/* As in hs_kernel_type. */
bool hs_hiss_plan(const hs_kernel *k, const hs_model *m, hs_tilt_form form,
                  hs_device_sampler *out);
void hs_hiss_made(hs_kernel *k, const hs_model *m, hs_tile *x,
                  hs_tilt_form form, int64_t steps);

#endif
