/* xxh64.c - XXH64: four lanes of multiply and rotate over stripes of 32 bytes,
 * merged at the end with what is left over [xxHash specification 0.1.1]. */
#include "base/read/xxh64.h"

#include <string.h>

#define P1 UINT64_C(0x9E3779B185EBCA87)
#define P2 UINT64_C(0xC2B2AE3D27D4EB4F)
#define P3 UINT64_C(0x165667B19E3779F9)
#define P4 UINT64_C(0x85EBCA77C2B2AE63)
#define P5 UINT64_C(0x27D4EB2F165667C5)

enum {
    STRIPE = 32
};

static uint64_t rotate(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

/* Reads a little-endian number on any machine. */
static uint64_t word(const uint8_t *at)
{
    uint64_t value;

    memcpy(&value, at, sizeof value);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap64(value);
#endif
    return value;
}

static uint64_t half_word(const uint8_t *at)
{
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 |
           (uint64_t)at[3] << 24;
}

static uint64_t mix(uint64_t lane, uint64_t input)
{
    return rotate(lane + input * P2, 31) * P1;
}

static const uint8_t *take_stripes(hs_xxh64 *h, const uint8_t *at, size_t count)
{
    uint64_t a = h->lane[0], b = h->lane[1], c = h->lane[2], d = h->lane[3];

    for (; count >= STRIPE; count -= STRIPE, at += STRIPE) {
        a = mix(a, word(at));
        b = mix(b, word(at + 8));
        c = mix(c, word(at + 16));
        d = mix(d, word(at + 24));
    }
    h->lane[0] = a;
    h->lane[1] = b;
    h->lane[2] = c;
    h->lane[3] = d;
    return at;
}

void hs_xxh64_init(hs_xxh64 *h)
{
    *h = (hs_xxh64){.lane = {P1 + P2, P2, 0, 0 - P1}};
}

void hs_xxh64_add(hs_xxh64 *h, const void *bytes, size_t count)
{
    const uint8_t *at = bytes, *end = at + count;
    size_t held = (size_t)(h->length % STRIPE);

    h->length += count;
    if (held > 0) {
        size_t more = STRIPE - held < count ? STRIPE - held : count;

        memcpy(h->rest + held, at, more);
        at += more;
        if (held + more < STRIPE)
            return;
        take_stripes(h, h->rest, STRIPE);
    }
    at = take_stripes(h, at, (size_t)(end - at));
    memcpy(h->rest, at, (size_t)(end - at));
}

uint64_t hs_xxh64_value(const hs_xxh64 *h)
{
    const uint8_t *at = h->rest, *end = at + h->length % STRIPE;
    uint64_t sum = P5;

    if (h->length >= STRIPE) {
        sum = rotate(h->lane[0], 1) + rotate(h->lane[1], 7) +
              rotate(h->lane[2], 12) + rotate(h->lane[3], 18);
        for (int k = 0; k < 4; k++)
            sum = (sum ^ mix(0, h->lane[k])) * P1 + P4;
    }
    sum += h->length;
    for (; end - at >= 8; at += 8)
        sum = rotate(sum ^ mix(0, word(at)), 27) * P1 + P4;
    if (end - at >= 4) {
        sum = rotate(sum ^ half_word(at) * P1, 23) * P2 + P3;
        at += 4;
    }
    for (; at < end; at++)
        sum = rotate(sum ^ *at * P5, 11) * P1;
    sum = (sum ^ sum >> 33) * P2;
    sum = (sum ^ sum >> 29) * P3;
    return sum ^ sum >> 32;
}
