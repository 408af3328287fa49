/* packed_bits.h - bit planes: one bit per chain and visit. */
#ifndef HS_LANES_GIBBS_PACKED_BITS_H
#define HS_LANES_GIBBS_PACKED_BITS_H

#include <stdbool.h>

#include "lanes/vec/vec.h"

HS_INLINE vu words_at(const void *p)
{
    vu v;

    memcpy(&v, p, sizeof v);
    return v;
}

#if defined(__AVX512F__)
#  define TERNARY(a, b, c, table)                                              \
    (vu) _mm512_ternarylogic_epi32((__m512i)(a), (__m512i)(b), (__m512i)(c),   \
                                   table)
/* Logic of three inputs: a ?  b : c; the majority; the sum without carry; a or
 * (b and c). */
#  define CHOOSE(a, b, c)   TERNARY(a, b, c, 0xca)
#  define MOST(a, b, c)     TERNARY(a, b, c, 0xe8)
#  define PARITY(a, b, c)   TERNARY(a, b, c, 0x96)
#  define AND_OR(a, b, c)   TERNARY(a, b, c, 0xf8)
#  define AND_SAME(a, b, c) TERNARY(a, b, c, 0x90) /* a where b = c */
/* c if a = b, else b.  If c compares the lower digits, this compares a < b. */
#  define BELOW(a, b, c) TERNARY(a, b, c, 0x8e)

HS_INLINE bool has_any(vu a)
{
    return _mm512_test_epi32_mask((__m512i)a, (__m512i)a) != 0;
}
#else
#  define CHOOSE(a, b, c)   (((a) & (b)) | (~(a) & (c)))
#  define MOST(a, b, c)     (((a) & (b)) | ((c) & ((a) | (b))))
#  define PARITY(a, b, c)   ((a) ^ (b) ^ (c))
#  define AND_OR(a, b, c)   ((a) | ((b) & (c)))
#  define AND_SAME(a, b, c) ((a) & ~((b) ^ (c)))
#  define BELOW(a, b, c)    ((~(a) & (b)) | ((c) & ~((a) ^ (b))))

HS_INLINE bool has_any(vu a)
{
    vu zero = {0};

    return memcmp(&a, &zero, sizeof a) != 0;
}
#endif

/* Counts the changes of each bit in bit planes.  Bit b of `added` says that
 * wait[b], of weight 2^b, is still to be added.  Two are added at a time, so
 * most changes cost one adder. */
#define PLANES 40
typedef struct counter {
    uint64_t added;
    vu sum[PLANES], wait[PLANES];
} counter;

HS_INLINE void count(counter *c, vu changed)
{
    int b = 0;

    for (; c->added >> b & 1; b++) {
        vu carry = MOST(c->sum[b], c->wait[b], changed);

        c->sum[b] = PARITY(c->sum[b], c->wait[b], changed);
        changed = carry;
    }
    c->wait[b] = changed;
    c->added++;
}

static void add_plane(const vu *plane, double weight, double *changed)
{
    uint32_t part[HS_WIDTH];

    memcpy(part, plane, sizeof part);
    for (int l = 0; l < HS_LANES; l++) {
        uint32_t count = 0;

        for (int s = 0; s < HS_WIDTH; s++)
            count += (part[s] >> l & 1) + (part[s] >> (l + 16) & 1);
        changed[l] += (double)count * weight;
    }
}

/* Adds the counts of all visits to those of the chains. */
static __attribute__((unused)) void add_counts(const counter *c,
                                               double *changed)
{
    for (int b = 0; c->added >> b; b++) {
        double weight = (double)(UINT64_C(1) << b);

        add_plane(&c->sum[b], weight, changed);
        if (c->added >> b & 1)
            add_plane(&c->wait[b], weight, changed);
    }
}

#endif
