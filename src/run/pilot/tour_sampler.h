/* tour_spec.h - what a sampler's options mean on tours when they are not
 * given: the usual inner kernels change single coordinates, which tours do
 * not have. */
#ifndef HS_RUN_PILOT_TOUR_SPEC_H
#define HS_RUN_PILOT_TOUR_SPEC_H

#include <hiss/status.h>

#include "base/spec/spec.h"
#include "model/model.h"

/* Of a model of tours, in the whole tree:
 *     pt       base=tour, and so anneal
 *     hiss     inner=tour, block=3
 *     auto     pt(base=sequence(tour,hiss(...)),levels=auto)
 * Other models: nothing. */
hiss_status hs_tour_spec(hs_spec *spec, const hs_model *m, hiss_error *err);

#endif
