/* xorshift.h - repeatable random bytes for tests that try many inputs. */
#ifndef HS_TESTS_XORSHIFT_H
#define HS_TESTS_XORSHIFT_H

#include <stdint.h>

/* xorshift64*; the state must not be 0. */
static inline uint32_t xorshift(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (uint32_t)((*state * UINT64_C(2685821657736338717)) >> 32);
}

/* 0 .. n-1 */
static inline int xorshift_below(uint64_t *state, int n)
{
    return (int)(((uint64_t)xorshift(state) * (uint32_t)n) >> 32);
}

#endif
