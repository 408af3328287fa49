/* adapt.c - tunes a positive number to an acceptance rate. */
#include "kernel/adapt.h"

#include <math.h>

#include "base/number.h"
#include "lanes/lanes.h"

#define LOG_FAR 14.0 /* the most that a value may leave its unit */
/* past it, 2 * 10^4, acceptances do not depend on the value */
#define NEAR_FAR 10.0
#define FAR      (UINT32_C(1) << 30) /* a quarter of 2^32: of all steps */

hs_adapt hs_adapt_columns(double (*first)[HS_LANES])
{
    return (hs_adapt){first[0], first[1], first[2]};
}

void hs_adapt_start(hs_adapt a, double value)
{
    for (int l = 0; l < HS_LANES; l++) {
        a.log_value[l] = a.log_average[l] = log(value);
        a.count[l] = 0.0;
    }
}

void hs_adapt_update(hs_adapt a, const float *acceptance, double target,
                     double log_unit)
{
    for (int l = 0; l < HS_LANES; l++) {
        double n = ++a.count[l];
        double weight = n < 4.0 ? 1.0 : 4.0 / n;
        double v = a.log_value[l] +
                   2.0 * ((double)acceptance[l] - target) / sqrt(n + 1.0);

        v = fmin(fmax(v, log_unit - LOG_FAR), log_unit + LOG_FAR);
        a.log_value[l] = v;
        a.log_average[l] += weight * (v - a.log_average[l]);
    }
}

void hs_adapt_confine(hs_adapt a, double log_least, double log_most)
{
    for (int l = 0; l < HS_LANES; l++) {
        a.log_value[l] = fmin(fmax(a.log_value[l], log_least), log_most);
        a.log_average[l] = fmin(fmax(a.log_average[l], log_least), log_most);
    }
}

void hs_adapt_freeze(hs_adapt a)
{
    for (int l = 0; l < HS_LANES; l++)
        a.log_value[l] = a.log_average[l];
}

int hs_adapt_describe(const char *name, double log_value, double log_unit,
                      char *text, size_t size)
{
    if (log_value > log_unit + NEAR_FAR)
        return hs_snprintf(text, size, "%s=any (every proposal is accepted)",
                           name);
    return hs_snprintf(text, size, "%s=%.4g", name, exp(log_value));
}

void hs_adapt_values(hs_adapt a, float *value)
{
    float logs[HS_LANES];

    for (int l = 0; l < HS_LANES; l++)
        logs[l] = (float)a.log_value[l];
    hs_lanes()->exp(logs, value);
}

void hs_adapt_reach(hs_adapt a, const hs_rng *rng, double log_far, float *value)
{
    uint32_t word[4][HS_LANES];
    float logs[HS_LANES], far[HS_LANES];

    hs_lanes()->philox(rng, HS_DRAW_SCALE, 0, 1, word);
    for (int l = 0; l < HS_LANES; l++)
        logs[l] = (float)(a.log_value[l] +
                          hs_uniform(word[1][l]) * (log_far - a.log_value[l]));
    hs_lanes()->exp(logs, far);
    for (int l = 0; l < HS_LANES; l++)
        if (word[0][l] < FAR && log_far > a.log_value[l])
            value[l] = far[l];
}
