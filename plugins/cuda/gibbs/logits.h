/* logits.h - of every value of a site, at the temperature of a lane. */
#ifndef HS_CUDA_LOGITS_H
#define HS_CUDA_LOGITS_H

#include "cuda/model.h"

/* phi_i(v) - phi_i(x_i), added (kernel/tilt.c). */
HS_ON_CARD void hs_card_add_phi(const hs_device_model *m,
                                const hs_card_lane *at, int i, float *logits)
{
    const hs_domain *d = &m->domain;
    int x = HS_AT(at->x, i), row = d->value[i];

    for (int v = 0; v < d->states[i]; v++)
        if (d->is_pair)
            logits[v] += HS_AT(at->phi, i) * (float)(v - x);
        else
            logits[v] += at->phi[(int64_t)(row + v) * HS_LANES] -
                         at->phi[(int64_t)(row + x) * HS_LANES];
}

/* An impossible value stays so at beta = 0. */
HS_ON_CARD void hs_card_logits(const hs_device_model *m, const hs_card_lane *at,
                               int i, float *logits)
{
    hs_card_changes(m, at->x, i, logits);
    for (int v = 0; v < m->states[i]; v++)
        if (logits[v] != (float)HS_MINUS_INFINITY)
            logits[v] = at->beta * logits[v];
    if (at->phi)
        hs_card_add_phi(m, at, i, logits);
}

#endif
