/* philox.c - random words for a tile, for who needs them as an array. */
#include "lanes/philox.h"

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
        philox_at at = philox_begin(rng, purpose, l);

        for (int b = 0; b < blocks; b++) {
            vu four[4];

            philox_four(&at, first_block + (uint32_t)b, four);
            for (int w = 0; w < 4; w++)
                memcpy(&out[4 * b + w][l], &four[w], sizeof four[w]);
        }
    }
}

void HS_NAME(log_uniform)(const hs_rng *rng, hs_purpose purpose, double *out)
{
    HS_EACH_PART(l)
    {
        philox_at at = philox_begin(rng, purpose, l);
        vu four[4];

        philox_four(&at, 0, four);
        vd_store(out + l, vd_of(vf_log(vf_uniform(four[0]))));
    }
}
