/* hidden.c - draws units that are on or off from their log odds. */
#include "model/hidden.h"

#include "lanes/lanes.h"

enum {
    BLOCKS = 16 /* blocks of four words, drawn at a time */
};

void hs_hidden_units(const hs_rng *rng, hs_purpose purpose, int units,
                     hs_float_row *odds)
{
    uint32_t words[4 * BLOCKS][HS_LANES];

    for (int j = 0; j < units; j += 4 * BLOCKS) {
        int count = units - j < 4 * BLOCKS ? units - j : 4 * BLOCKS;

        hs_lanes()->philox(rng, purpose, (uint32_t)j / 4, (count + 3) / 4,
                           words);
        hs_lanes()->units_draw(count, (const hs_float_row *)odds + j,
                               (const uint32_t(*)[HS_LANES])words, odds + j);
    }
}
