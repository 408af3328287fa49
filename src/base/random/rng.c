/* rng.c - Philox at an address, one draw at a time; lanes/vec/philox.c draws
 * for sixteen chains at once and must agree with this. */
#include "base/random/rng.h"

#include <Random123/philox.h>

#include "base/assert.h"

void hs_rng_block(uint64_t seed, uint32_t chain, uint32_t replica,
                  uint64_t clock, hs_purpose purpose, uint32_t block,
                  uint32_t out[4])
{
    /* the fields of the address must not overlap */
    HS_ASSERT(clock < HS_CLOCK_MAX && replica < HS_REPLICAS_MAX &&
              (unsigned)purpose < 64);
    philox4x32_key_t key = {{(uint32_t)seed, (uint32_t)(seed >> 32)}};
    philox4x32_ctr_t at = {
        {block, (uint32_t)clock, chain,
         (uint32_t)purpose << 26 | replica << 16 | (uint32_t)(clock >> 32)}};
    philox4x32_ctr_t drawn = philox4x32(at, key);

    for (int w = 0; w < 4; w++)
        out[w] = drawn.v[w];
}

uint32_t hs_rng_word(uint64_t seed, uint32_t chain, uint32_t replica,
                     uint64_t clock, hs_purpose purpose, uint32_t i)
{
    uint32_t four[4];

    hs_rng_block(seed, chain, replica, clock, purpose, i / 4, four);
    return four[i % 4];
}

uint32_t hs_rng_shared(const hs_rng *rng, hs_purpose purpose, uint32_t i)
{
    return hs_rng_word(rng->seed, HS_SHARED_CHAIN, 0, rng->clock, purpose, i);
}
