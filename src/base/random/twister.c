/* twister.c - MT19937 [Matsumoto & Nishimura 1998] and the legacy shuffle of
 * numpy: from the last element down, each is swapped with one at or before it,
 * chosen by masking and rejection. */
#include "base/random/twister.h"

enum {
    SHIFT = 397
};

void hs_twister_init(hs_twister *t, uint32_t seed)
{
    t->state[0] = seed;
    for (int i = 1; i < HS_TWISTER_WORDS; i++) {
        uint32_t last = t->state[i - 1];

        t->state[i] = 1812433253u * (last ^ (last >> 30)) + (uint32_t)i;
    }
    t->at = HS_TWISTER_WORDS;
}

static void renew(hs_twister *t)
{
    for (int i = 0; i < HS_TWISTER_WORDS; i++) {
        uint32_t y = (t->state[i] & 0x80000000u) |
                     (t->state[(i + 1) % HS_TWISTER_WORDS] & 0x7fffffffu);

        t->state[i] = t->state[(i + SHIFT) % HS_TWISTER_WORDS] ^ (y >> 1) ^
                      (y & 1 ? 0x9908b0dfu : 0u);
    }
    t->at = 0;
}

uint32_t hs_twister_next(hs_twister *t)
{
    uint32_t y;

    if (t->at == HS_TWISTER_WORDS)
        renew(t);
    y = t->state[t->at++];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    return y ^ y >> 18;
}

static uint32_t at_most(hs_twister *t, uint32_t most)
{
    uint32_t mask = most, value;

    for (int shift = 1; shift < 32; shift *= 2)
        mask |= mask >> shift;
    do
        value = hs_twister_next(t) & mask;
    while (value > most);
    return value;
}

void hs_twister_permute(hs_twister *t, int count, int *order)
{
    for (int i = 0; i < count; i++)
        order[i] = i;
    for (int i = count - 1; i > 0; i--) {
        int j = (int)at_most(t, (uint32_t)i), kept = order[i];

        order[i] = order[j];
        order[j] = kept;
    }
}
