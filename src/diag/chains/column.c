/* column.c - whether a column of draws varies enough for estimates. */
#include "diag/chains/column.h"

#include "diag/chains/split.h"

#include <math.h>
#include <stdbool.h>

static bool all_finite(const double *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

static bool all_equal(const double *x, int64_t n)
{
    for (int64_t i = 1; i < n; i++)
        if (x[i] != x[0])
            return false;
    return true;
}

hs_column hs_column_inspect(const double *draws, int chains, int64_t n)
{
    hs_column c = {HS_COLUMN_SHORT, 0, NAN};
    bool agree = true;

    if (chains < 1 || n < 1)
        return c;
    c.value = draws[0];
    for (int k = 0; k < chains; k++) {
        c.still += all_equal(draws + k * n, n);
        agree = agree && draws[k * n] == draws[0];
    }
    if (!all_finite(draws, chains * n))
        c.state = HS_COLUMN_UNDEFINED;
    else if (n < HS_MIN_DRAWS)
        c.state = HS_COLUMN_SHORT;
    else if (c.still < chains)
        c.state = HS_COLUMN_VARIES;
    else
        c.state = agree ? HS_COLUMN_CONSTANT : HS_COLUMN_STUCK;
    return c;
}
