/* mcse.c - Monte Carlo standard error of a mean. */
#include "diag/chains/mcse.h"

#include "base/error.h"
#include "diag/chains/ess.h"
#include "diag/maths/moments.h"

#include <math.h>

hiss_status hs_mcse_mean(const double *draws, int chains, int64_t n,
                         double *mcse, hiss_error *err)
{
    double ess;
    double mean;
    double variance;

    *mcse = NAN;
    HS_TRY(hs_ess_mean(draws, chains, n, &ess, err));
    if (isnan(ess))
        return HISS_OK;
    hs_moments(draws, chains * n, &mean, &variance);
    *mcse = sqrt(variance / ess);
    return HISS_OK;
}
