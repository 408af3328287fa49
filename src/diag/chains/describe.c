/* describe.c - a column of draws: mean, spread, and what they are worth. */
#include "diag/chains/describe.h"

#include <math.h>

#include "base/error.h"
#include "diag/chains/column.h"
#include "diag/chains/ess.h"
#include "diag/chains/mcse.h"
#include "diag/chains/rhat.h"

static const hiss_column_state states[] = {
    [HS_COLUMN_VARIES] = HISS_VARIES,
    [HS_COLUMN_CONSTANT] = HISS_CONSTANT,
    [HS_COLUMN_STUCK] = HISS_STUCK,
    [HS_COLUMN_SHORT] = HISS_TOO_SHORT,
    [HS_COLUMN_UNDEFINED] = HISS_NOT_FINITE,
};

hiss_status hs_describe(const double *draws, int chains, int64_t n,
                        hiss_column *out, hiss_error *err)
{
    hs_column c = hs_column_inspect(draws, chains, n);
    double count = (double)chains * (double)n, sum = 0.0, square = 0.0;

    *out = (hiss_column){.state = states[c.state],
                         .still = c.still,
                         .mcse = NAN,
                         .ess_bulk = NAN,
                         .ess_tail = NAN,
                         .rhat = NAN,
                         .tau = NAN};
    for (int64_t i = 0; i < chains * n; i++)
        sum += draws[i];
    out->mean = sum / count;
    for (int64_t i = 0; i < chains * n; i++)
        square += (draws[i] - out->mean) * (draws[i] - out->mean);
    out->sd = count > 1.0 ? sqrt(square / (count - 1.0)) : (double)NAN;
    if (c.state != HS_COLUMN_VARIES)
        return HISS_OK;
    HS_TRY(hs_ess_bulk(draws, chains, n, &out->ess_bulk, err));
    HS_TRY(hs_ess_tail(draws, chains, n, &out->ess_tail, err));
    HS_TRY(hs_rhat(draws, chains, n, &out->rhat, err));
    HS_TRY(hs_mcse_mean(draws, chains, n, &out->mcse, err));
    out->tau = count * out->mcse * out->mcse / (out->sd * out->sd);
    return HISS_OK;
}
