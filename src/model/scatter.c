/* scatter.c - hidden units and coins of states from which a search begins. */
#include "model/scatter.h"

#include <math.h>
#include <string.h>

#include "lanes/lanes.h"

static void one_unit(const hs_rng *rng, int units, hs_float_row *on)
{
    uint32_t words[4][HS_LANES];

    hs_lanes()->philox(rng, HS_DRAW_SCATTER, HS_SCATTER_HIDDEN, 1, words);
    memset(on, 0, (size_t)units * sizeof *on);
    for (int l = 0; l < HS_LANES; l++)
        on[hs_below(words[0][l], units)][l] = 1.0f;
}

void hs_scatter_units(const hs_rng *rng, int units, hs_float_row *on)
{
    uint32_t words[4][HS_LANES];
    double share[HS_LANES];

    if (units == 0)
        return;
    if (rng->clock % 3 == 1) {
        one_unit(rng, units, on);
        return;
    }
    hs_lanes()->philox(rng, HS_DRAW_SCATTER, HS_SCATTER_HIDDEN, 1, words);
    for (int l = 0; l < HS_LANES; l++)
        share[l] = rng->clock % 3 == 0 ? 0.5 : hs_uniform(words[0][l]);
    for (int j = 0; j < units; j++) {
        if (j % 4 == 0)
            hs_lanes()->philox(rng, HS_DRAW_SCATTER,
                               HS_SCATTER_HIDDEN + 1 + (uint32_t)j / 4, 1,
                               words);
        for (int l = 0; l < HS_LANES; l++)
            on[j][l] = hs_uniform(words[j % 4][l]) < share[l] ? 1.0f : 0.0f;
    }
}

void hs_scatter_coins(const hs_rng *rng, int dim, const hs_float_row *logit,
                      hs_index_row *x)
{
    uint32_t words[4][HS_LANES];
    hs_float_row e;

    for (int i = 0; i < dim; i++) {
        if (i % 4 == 0)
            hs_lanes()->philox(rng, HS_DRAW_SCATTER, (uint32_t)i / 4, 1, words);
        for (int l = 0; l < HS_LANES; l++)
            e[l] = -fabsf(logit[i][l]);
        hs_lanes()->exp(e, e);
        for (int l = 0; l < HS_LANES; l++) {
            float rare = e[l] / (1.0f + e[l]);
            double upper =
                logit[i][l] > 0.0f ? 1.0 - (double)rare : (double)rare;

            x[i][l] = hs_uniform(words[i % 4][l]) < upper;
        }
    }
}
