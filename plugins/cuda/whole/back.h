/* back.h - the way back of a proposal, of a few coordinates of a lane. */
#ifndef HS_CUDA_WHOLE_BACK_H
#define HS_CUDA_WHOLE_BACK_H

#include "cuda/whole/steps.h"

/* Where a lane stands and what was proposed: a bit per coordinate. */
typedef struct hs_ends {
    uint32_t x, y;
} hs_ends;

/* Of coordinates from i on. */
HS_ON_CARD hs_ends hs_ends_at(const hs_card_group *g, const hs_card_work *w,
                              const hs_card_place *at, int i)
{
    int dim = g->model.dim, x[HS_WHOLE_GROUP], y[HS_WHOLE_GROUP];
    hs_ends ends = {0, 0};

    HS_UNROLL
    for (int e = 0; e < HS_WHOLE_GROUP; e++) { /* all before one is used */
        int own = i + e < dim ? i + e : dim - 1;

        x[e] = HS_CARD_ROW(w->at.x, at->tile, dim, own, at->lane);
        y[e] = HS_CARD_ROW(w->y.x, at->tile, dim, own, at->lane);
    }
    HS_UNROLL
    for (int e = 0; e < HS_WHOLE_GROUP; e++) {
        ends.x |= (uint32_t)x[e] << e;
        ends.y |= (uint32_t)y[e] << e;
    }
    return ends;
}

/* ln q(x | y) and the change of the tilt; row: the gradient at y. */
HS_ON_CARD float hs_way_back(const hs_card_group *g, const hs_card_law *law,
                             const hs_card_place *at, int i, hs_ends ends,
                             const float *row)
{
    float gap = g->model.domain.gap, sum = 0.0f, product = 1.0f;

    HS_UNROLL
    for (int e = 0; e < HS_WHOLE_GROUP; e++) {
        int x = (int)(ends.x >> e & 1), y = (int)(ends.y >> e & 1);
        float z;

        if (i + e >= g->model.dim)
            break;
        z = law->balance *
                hs_card_gain_flip(g, law->beta, at, i + e, y, row[e]) -
            law->stiffness * (gap * gap);
        sum = sum + vf_min(vf_negate_if(1 - (x ^ y), z), 0.0f);
        product = product * (1.0f + vf_exp_negative(-vf_abs(z)));
        if (g->tilt.phi)
            sum = sum + hs_card_bend(g, at, i + e, x, y);
    }
    return sum - vf_log_normal(product);
}

#endif
