/* tempering.c - sums that give log Z, level by level. */
#include "kernel/tempering.h"

#include <math.h>

#include "lanes/lanes.h"

/* Adds exp(exponent) to sums kept relative to their largest exponent. */
static void add_exponentials(const double *exponent, const double *count,
                             double *max, double *sum)
{
    float fall[HS_LANES], rise[HS_LANES];

    for (int l = 0; l < HS_LANES; l++) {
        double before = count[l] > 0.0 ? max[l] : -HUGE_VAL;
        double now = exponent[l] > before ? exponent[l] : before;

        fall[l] = (float)(before - now);
        rise[l] = (float)(exponent[l] - now);
        max[l] = now;
    }
    hs_lanes()->exp(fall, fall);
    hs_lanes()->exp(rise, rise);
    for (int l = 0; l < HS_LANES; l++)
        sum[l] = sum[l] * (double)fall[l] + (double)rise[l];
}

void hs_tempering_note(hs_kernel *k, const hs_tile *x)
{
    double cold[HS_LANES], hot[HS_LANES], side[HS_LANES];
    bool has_path = hs_tempering_path(k) > 0;

    for (int l = 0; l < HS_LANES; l++) {
        cold[l] = k->lane[HS_PT_COLD_GAP][l] * x->at.u[l];
        hot[l] = -k->lane[HS_PT_HOT_GAP][l] * x->at.u[l];
        side[l] = has_path ? 0.5 * k->lane[HS_PT_TO_HOT][l] : 0.0;
        if (has_path && x->level[l] >= hs_tempering_ladder(k)) {
            cold[l] = 0.5 * k->lane[HS_PT_TO_COLD][l];
            hot[l] = side[l];
        }
    }
    if (has_path)
        add_exponentials(side, k->lane[HS_PT_COUNT], k->lane[HS_PT_SIDE_MAX],
                         k->lane[HS_PT_SIDE_SUM]);
    add_exponentials(cold, k->lane[HS_PT_COUNT], k->lane[HS_PT_COLD_MAX],
                     k->lane[HS_PT_COLD_SUM]);
    add_exponentials(hot, k->lane[HS_PT_COUNT], k->lane[HS_PT_HOT_MAX],
                     k->lane[HS_PT_HOT_SUM]);
    for (int l = 0; l < HS_LANES; l++) {
        k->lane[HS_PT_ENERGY][l] += x->at.u[l];
        k->lane[HS_PT_SQUARE][l] += x->at.u[l] * x->at.u[l];
        k->lane[HS_PT_COUNT][l] += 1.0;
    }
}
