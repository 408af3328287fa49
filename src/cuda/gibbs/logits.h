/* logits.h - of every value of a site, at the temperature of a lane. */
#ifndef HS_CUDA_LOGITS_H
#define HS_CUDA_LOGITS_H

#include "cuda/model.h"

/* An impossible value stays so at beta = 0. */
HS_ON_CARD void hs_card_logits(const hs_device_model *m, const hs_card_lane *at,
                               int i, float *logits)
{
    hs_card_changes(m, at->x, i, logits);
    for (int v = 0; v < m->states[i]; v++)
        if (logits[v] != (float)HS_MINUS_INFINITY)
            logits[v] = at->beta * logits[v];
}

#endif
