/* scatter.c - draws hidden units and coins for starts of a search. */
#include "model/scatter.h"

#include <string.h>

#include "lanes/lanes.h"
#include "model/hidden.h"

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

void hs_scatter_coins(const hs_rng *rng, int dim, hs_float_row *odds,
                      hs_index_row *x)
{
    hs_hidden_units(rng, HS_DRAW_SCATTER, dim, odds);
    for (int i = 0; i < dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            x[i][l] = odds[i][l] != 0.0f;
}
