/* split.c - cuts each chain into two, so that drift shows as disagreement. */
#include "diag/chains/split.h"

#include <math.h>
#include <string.h>

void hs_split_chains(const double *draws, int chains, int64_t n, double *out)
{
    size_t half = (size_t)(n / 2);
    size_t bytes = half * sizeof *draws;

    for (int c = 0; c < chains; c++) {
        const double *chain = draws + (size_t)c * (size_t)n;

        memcpy(out + 2 * (size_t)c * half, chain, bytes);
        memcpy(out + (2 * (size_t)c + 1) * half, chain + (size_t)n - half,
               bytes);
    }
}

int64_t hs_split_size(int chains, int64_t n)
{
    return chains * (n - n % 2);
}

bool hs_draws_usable(const double *draws, int chains, int64_t n)
{
    if (chains < 1 || n < HS_MIN_DRAWS)
        return false;
    for (int64_t i = 0; i < chains * n; i++)
        if (!isfinite(draws[i]))
            return false;
    return true;
}
