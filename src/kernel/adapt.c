/* adapt.c - tuning a positive number to an acceptance rate. */
#include "kernel/adapt.h"

#include <math.h>

#include "lanes/lanes.h"

#define LOG_MIN (-14.0)
#define LOG_MAX 14.0

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

void hs_adapt_update(hs_adapt a, const float *acceptance, double target)
{
    for (int l = 0; l < HS_LANES; l++) {
        double n = ++a.count[l];
        double weight = n < 4.0 ? 1.0 : 4.0 / n;
        double v = a.log_value[l] +
                   2.0 * ((double)acceptance[l] - target) / sqrt(n + 1.0);

        v = v < LOG_MIN ? LOG_MIN : v > LOG_MAX ? LOG_MAX : v;
        a.log_value[l] = v;
        a.log_average[l] += weight * (v - a.log_average[l]);
    }
}

void hs_adapt_freeze(hs_adapt a)
{
    for (int l = 0; l < HS_LANES; l++)
        a.log_value[l] = a.log_average[l];
}

void hs_adapt_values(hs_adapt a, float *value)
{
    float logs[HS_LANES];

    for (int l = 0; l < HS_LANES; l++)
        logs[l] = (float)a.log_value[l];
    hs_lanes()->exp(logs, value);
}
