/* modes.c - the modes of a result. */
#include <math.h>

#include "api/objects.h"
#include "base/error.h"
#include "run/modes.h"

#define EXACT_STATES 65536.0 /* ascending every state must stay cheap */

hiss_status hiss_result_modes(const hiss_result *result,
                              const hiss_model *model, const hiss_exact *exact,
                              int most, int *count, hiss_mode *modes,
                              double *states, hiss_error *err)
{
    const hiss_run_info *info = &result->run.info;
    double log_z = (double)NAN;

    *count = 0;
    if (most < 1 || !modes || !states)
        return hs_fail(err, HISS_EARG, "hiss_result_modes: no room for modes");
    if (hiss_model_dim(model) != info->dim)
        return hs_fail(err, HISS_EARG,
                       "the model has %d coordinates, the result %d",
                       hiss_model_dim(model), info->dim);
    if (info->samples == 0)
        return HISS_OK;
    if (exact && hiss_exact_states(exact) <= EXACT_STATES)
        log_z = hiss_exact_log_z(exact);
    return hs_modes_find(&result->run.store, info->samples, model->model, log_z,
                         most, count, modes, states, err);
}
