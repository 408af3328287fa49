/* clauses.c - Gibbs sweeps over the solutions of clauses, with the chains of a
 * tile as the bits of a word.
 *
 * A literal must be true in the chains where a clause with it has no other true
 * literal.  Elsewhere both values are equally probable, so a fair bit decides:
 *     up   = or over clauses with x_v:      and over the others: literal false
 *     down = or over clauses with not x_v:  the same
 *     x_v  = up | (bit & ~down).
 * A chain in which both hold violates a clause; its value stays.
 *
 * Visit n takes half of a word: block n / 128, word n % 128 / 32, replica
 * n % 32 / 2, low half first. */
#include <string.h>

#include "base/random/rng.h"
#include "lanes/gibbs/packed_tally.h"
#include "lanes/lanes.h"

void HS_NAME(clause_sweeps)(const hs_packed_clauses *c, const hs_rng *rng,
                            int64_t steps, uint16_t *word, uint16_t *is_false,
                            double *changed, int64_t before, uint16_t *tally);

#define BLOCK 128 /* visits of four words and sixteen lanes */
#define BYTES UINT64_C(0x0101010101010101)

/* Visits that changed a bit, a byte for each chain. */
typedef struct moves {
    uint64_t half[2];
    int added;
} moves;

HS_INLINE uint64_t spread(unsigned bits)
{
    uint64_t own = (bits & 0xff) * BYTES & UINT64_C(0x8040201008040201);

    return (own + 0x7f * BYTES) >> 7 & BYTES;
}

HS_INLINE void flush_moves(moves *n, double *changed)
{
    for (int l = 0; l < HS_LANES; l++)
        changed[l] += (double)(n->half[l / 8] >> 8 * (l % 8) & 0xff);
    *n = (moves){.added = 0};
}

HS_INLINE void count_bits(moves *n, unsigned bits, double *changed)
{
    n->half[0] += spread(bits);
    n->half[1] += spread(bits >> 8);
    if (++n->added == 255)
        flush_moves(n, changed);
}

/* The chains in which a clause of list `list` has no other true literal. */
HS_INLINE unsigned forced(const hs_packed_clauses *c, int64_t list,
                          const uint16_t *is_false)
{
    const int *end = c->pair + 2 * c->pair_at[list + 1];
    const int *rest = c->rest + c->long_at[list];
    unsigned all = 0;

    for (const int *pair = c->pair + 2 * c->pair_at[list]; pair < end;
         pair += 2)
        all |= (unsigned)is_false[pair[0]] & is_false[pair[1]];
    while (rest < c->rest + c->long_at[list + 1]) {
        unsigned one = 0xffff;

        for (; *rest >= 0; rest++)
            one &= is_false[*rest];
        rest++;
        all |= one;
    }
    return all;
}

HS_INLINE void visit(const hs_packed_clauses *c, int n, unsigned coin,
                     uint16_t *word, uint16_t *is_false, moves *count,
                     double *changed)
{
    unsigned up = forced(c, 2 * (int64_t)n, is_false);
    unsigned down = forced(c, 2 * (int64_t)n + 1, is_false);
    unsigned old = word[n], new = up | (coin & ~down);

    new = (new & ~(up & down)) | (old & up & down);
    word[n] = is_false[2 * n + 1] = (uint16_t) new;
    is_false[2 * n] = (uint16_t) ~new;
    count_bits(count, old ^ new, changed);
}

void HS_NAME(clause_sweeps)(const hs_packed_clauses *c, const hs_rng *rng,
                            int64_t steps, uint16_t *word, uint16_t *is_false,
                            double *changed, int64_t before, uint16_t *tally)
{
    size_t padded = ((size_t)c->visits + HS_BUNDLE - 1) / HS_BUNDLE * HS_BUNDLE;
    uint32_t coins[4][HS_LANES];
    hs_rng own = {.seed = rng->seed, .lanes = HS_LANES};
    moves count = {.added = 0};

    for (uint32_t l = 0; l < HS_LANES; l++) {
        own.chain[l] = rng->chain[0];
        own.replica[l] = rng->replica[0] / HS_LANES * HS_LANES + l;
    }
    for (int n = 0; n < c->visits; n++) {
        is_false[2 * n] = (uint16_t)~word[n];
        is_false[2 * n + 1] = word[n];
    }
    is_false[2 * c->visits] = 0xffff;
    if (tally && before == 0)
        memset(tally, 0, padded * HS_TALLY_ROWS * sizeof *tally);
    for (int64_t k = 0; k < steps; k++) {
        own.clock = rng->clock + (uint64_t)k;
        for (int n = 0; n < c->visits; n++) {
            if (n % BLOCK == 0)
                hs_lanes()->philox(&own, HS_DRAW_PACKED, (uint32_t)(n / BLOCK),
                                   1, coins);
            visit(c, n,
                  coins[n % BLOCK / 32][n % 32 / 2] >> 16 * (n % 2) & 0xffff,
                  word, is_false, &count, changed);
        }
        for (int n = 0; tally && n < c->visits; n += HS_BUNDLE)
            tally_bundle(tally + (size_t)n * HS_TALLY_ROWS, word + n,
                         (unsigned)(before + k));
    }
    flush_moves(&count, changed);
}
