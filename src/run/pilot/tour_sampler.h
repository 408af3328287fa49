/* tour_sampler.h - what a sampler's options mean on a model when they are not
 * given.  On tours the usual inner kernels change single coordinates, which
 * tours do not have. */
#ifndef HS_RUN_PILOT_TOUR_SAMPLER_H
#define HS_RUN_PILOT_TOUR_SAMPLER_H

#include <hiss/status.h>

#include "kernel/sampler.h"
#include "model/model.h"

/* The sampler for this model, to be released.  Of a model of tours, in the
 * whole tree:
 *     pt       base=tour
 *     hiss     inner=tour, block=3
 *     auto     pt(base=sequence(tour,hiss(...)),levels=auto)
 * Of other models: hiss that draws its scales from a mixture
 * (kernel/compose/noise_mix.h) and has no inner kernel gets the plain one that
 * fits the model, below temperatures it tunes one scale for each. */
hiss_status hs_tour_sampler(hs_sampler **out, const hs_sampler *sampler,
                            const hs_model *m, hiss_error *err);

/* The same for a spec, in place. */
hiss_status hs_tour_sampler_spec(hs_spec *spec, const hs_model *m,
                                 hiss_error *err);

/* Whether it jumps by modes that a pilot finds: bridge, hiss(kernel=learned) */
bool hs_uses_modes(const hs_sampler *s);

#endif
