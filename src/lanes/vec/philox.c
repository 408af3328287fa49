/* philox.c - random words for a tile, for callers that need an array of
 * them. */
#include "lanes/vec/philox.h"

#include "lanes/lanes.h"

void HS_NAME(philox)(const hs_rng *rng, hs_purpose purpose,
                     uint32_t first_block, int blocks,
                     uint32_t (*out)[HS_LANES]);
void HS_NAME(log_uniform)(const hs_rng *rng, hs_purpose purpose, double *out);

void HS_NAME(philox)(const hs_rng *rng, hs_purpose purpose,
                     uint32_t first_block, int blocks,
                     uint32_t (*out)[HS_LANES])
{
    HS_EACH_PART(l)
    {
        philox_ahead ahead;
        philox_at at = philox_begin(rng, purpose, l, &ahead);

        for (int b = 0; b < blocks; b += 2) {
            uint32_t block = first_block + (uint32_t)b;
            vu words[8];

            philox_twice(&at, block, words, &at, block + 1, words + 4);
            for (int w = 0; w < 8 && 4 * b + w < 4 * blocks; w++)
                memcpy(&out[4 * b + w][l], &words[w], sizeof words[w]);
        }
    }
}

void HS_NAME(log_uniform)(const hs_rng *rng, hs_purpose purpose, double *out)
{
    HS_EACH_PART(l)
    {
        philox_at at = philox_begin(rng, purpose, l, NULL);
        vu four[4];

        philox_four(&at, 0, four);
        vd_store(out + l, vd_of(vf_log(vf_uniform(four[0]))));
    }
}
