/* learn.h - what lanes of a pilot learn from a proposal: what kernel/adapt.c
 * and kernel/baselines/acs_tune.c do, operation by operation. */
#ifndef HS_CUDA_LANGEVIN_LEARN_H
#define HS_CUDA_LANGEVIN_LEARN_H

#include "cuda/langevin/flip.h"

#define HS_LEARN_FAR 14.0 /* LOG_FAR of kernel/adapt.c */

HS_ON_CARD double *hs_card_column_at(const hs_card_group *g, int64_t number,
                                     int column)
{
    return &HS_CARD_ROW(g->lanes.column, number / HS_LANES, g->columns,
                        g->sampler.column + column, number % HS_LANES);
}

HS_ON_CARD double hs_card_between(double a, double least, double most)
{
    a = a > least ? a : least;
    return a < most ? a : most;
}

/* hs_adapt_update, then hs_adapt_confine. */
HS_ON_CARD void hs_card_adapt(const hs_card_group *g, int64_t number,
                              double acceptance)
{
    const hs_device_lesson *l = &g->lesson;
    double *value = hs_card_column_at(g, number, l->column);
    double *average = hs_card_column_at(g, number, l->column + 1);
    double *count = hs_card_column_at(g, number, l->column + 2);
    double n = *count + 1.0, weight = n < 4.0 ? 1.0 : 4.0 / n;
    double v = *value + 2.0 * (acceptance - l->target) / HS_SQRT_LONG(n + 1.0);

    v = hs_card_between(v, l->log_unit - HS_LEARN_FAR,
                        l->log_unit + HS_LEARN_FAR);
    *count = n;
    *average = hs_card_between(*average + weight * (v - *average), l->log_least,
                               l->log_most);
    *value = hs_card_between(v, l->log_least, l->log_most);
}

/* Of a lane whose proposal had this ratio; nothing outside pilots. */
HS_ON_CARD void hs_card_learn(const hs_card_group *g, int64_t number,
                              double ratio)
{
    const hs_device_lesson *l = &g->lesson;
    float least = ratio < 0.0      ? (float)ratio
                  : ratio != ratio ? (float)HS_MINUS_INFINITY
                                   : 0.0f;

    if (!l->until)
        return;
    if (l->balances) {
        *hs_card_column_at(g, number, l->sums + g->tried) +=
            (double)vf_exp(least);
        *hs_card_column_at(g, number, l->sums + l->balances + g->tried) += 1.0;
    } else {
        hs_card_adapt(g, number, (double)vf_exp(least));
    }
}

#endif
