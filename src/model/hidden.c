/* hidden.c - units that are on or off, drawn from their log odds. */
#include "model/hidden.h"

#include <math.h>

#include "lanes/lanes.h"

void hs_hidden_units(const hs_rng *rng, hs_purpose purpose, int units,
                     hs_float_row *odds)
{
    uint32_t words[4][HS_LANES];
    hs_float_row e;

    for (int j = 0; j < units; j++) {
        if (j % 4 == 0)
            hs_lanes()->philox(rng, purpose, (uint32_t)j / 4, 1, words);
        for (int l = 0; l < HS_LANES; l++)
            e[l] = -fabsf(odds[j][l]);
        hs_lanes()->exp(e, e);
        for (int l = 0; l < HS_LANES; l++) {
            float rare = e[l] / (1.0f + e[l]);
            double on = odds[j][l] > 0.0f ? 1.0 - (double)rare : (double)rare;

            odds[j][l] = hs_uniform(words[j % 4][l]) < on ? 1.0f : 0.0f;
        }
    }
}
