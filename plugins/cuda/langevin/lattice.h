/* lattice.h - graphs of one degree that are even in the spins, with a bit per
 * site of a chain: 32 sites are a word, and what they see is counted at once.
 *
 * A thread is a chain and has its words in shared memory.  Neighbor k of the
 * sites of a group, 32 in a row, is mostly 32 bits in a row as well: a window
 * into the words; where it is not (around the edges of a lattice) single bits
 * are put in.  Of how many neighbors are like each site the three bits are
 * words, too.  Many steps are made before states go back. */
#ifndef HS_CUDA_LANGEVIN_LATTICE_H
#define HS_CUDA_LANGEVIN_LATTICE_H

#include "cuda/langevin/entry.h"

#define HS_LATTICE_SITES 32 /* of a group */

/* Neighbor k of a group: 32 bits from `position` on, where the mask is. */
typedef struct hs_card_window {
    int position;
    uint32_t mask;
} hs_card_window;

/* One bit more, for neighbor `window` of site `place` of a group. */
typedef struct hs_card_stray {
    int column;
    uint8_t window, place;
} hs_card_stray;

typedef struct hs_card_lattice {
    int groups; /* 0: the model is none of these */
    int degree;
    hs_card_window *window; /* [groups][degree] */
    int *start;             /* [groups + 1]: of strays */
    hs_card_stray *stray;
    int strays;
    int threads; /* of a block; 0: the words do not fit */
} hs_card_lattice;

#ifdef __cplusplus
extern "C" {
#endif
/* In this machine's memory, one block at out->window, NULL if there is none;
 * m is here, too.  shared: bytes of a block at most. */
void hs_card_lattice_plan(hs_card_lattice *out, const hs_device_model *m,
                          size_t shared);

/* Steps of g->sampler, a Langevin one under a flat tilt; position: how many it
 * has made before. */
void hs_card_lattice_langevin(const hs_card_group *g, const hs_card_lattice *a,
                              const hs_card_steps *s, uint64_t position);
/* Steps of hiss, inner being the node that refines, under factors; summed: by
 * states, behind each step. */
void hs_card_lattice_hiss(const hs_card_group *g, const hs_card_group *inner,
                          const hs_card_lattice *a, const hs_card_steps *s);
#ifdef __cplusplus
}
#endif

/* --- a chain ------------------------------------------------------------- */

/* Words of a plane, with one before them and one behind. */
HS_EITHER int hs_lattice_words(const hs_card_lattice *a)
{
    return a->groups + 2;
}

/* A plane is one bit for every site: word n of it is plane[(n + 1) stride]. */
typedef struct hs_lattice_chain {
    const hs_card_lattice *a;
    int dim, stride;
    int64_t number;
} hs_lattice_chain;

/* Bits of the count of neighbors that are alike, for the sites of a group. */
typedef struct hs_lattice_counts {
    uint32_t bit[3], own, valid;
} hs_lattice_counts;

HS_ON_CARD uint32_t hs_lattice_window(const hs_lattice_chain *c,
                                      const uint32_t *plane, int position)
{
    const uint32_t *at = plane + ((position >> 5) + 1) * c->stride;

    return HS_FUNNEL(at[0], at[c->stride], position & 31);
}

HS_ON_CARD hs_lattice_counts hs_lattice_count(const hs_lattice_chain *c,
                                              const uint32_t *plane, int n,
                                              int degree)
{
    int e = c->a->start[n], end = c->a->start[n + 1];
    int left = c->dim - n * HS_LATTICE_SITES;
    hs_lattice_counts s;

    s.own = plane[(n + 1) * c->stride];
    s.valid = left < HS_LATTICE_SITES ? (1u << left) - 1 : 0xffffffffu;
    s.bit[0] = s.bit[1] = s.bit[2] = 0;
    HS_UNROLL
    for (int k = 0; k < degree; k++) {
        hs_card_window at = c->a->window[n * degree + k];
        uint32_t bits = hs_lattice_window(c, plane, at.position) & at.mask;
        uint32_t carry, more;

        for (; e < end && c->a->stray[e].window == k; e++) {
            hs_card_stray one = c->a->stray[e];

            bits |= (hs_lattice_window(c, plane, one.column) & 1) << one.place;
        }
        bits = ~(bits ^ s.own);
        carry = s.bit[0] & bits;
        s.bit[0] ^= bits;
        more = s.bit[1] & carry;
        s.bit[1] ^= carry;
        s.bit[2] ^= more;
    }
    return s;
}

/* The count of the site at bit `place`. */
HS_ON_CARD int hs_lattice_at(const hs_lattice_counts *s, int place)
{
    return (int)((s->bit[0] >> place & 1) | (s->bit[1] >> place & 1) << 1 |
                 (s->bit[2] >> place & 1) << 2);
}

/* Of all sites of a group together. */
HS_ON_CARD int hs_lattice_alike(const hs_lattice_counts *s)
{
    return HS_POPULATION(s->bit[0] & s->valid) +
           2 * HS_POPULATION(s->bit[1] & s->valid) +
           4 * HS_POPULATION(s->bit[2] & s->valid);
}

/* How many sites of a plane have each count, to number[0 .. degree]. */
HS_ON_CARD void hs_lattice_site_counts(const hs_lattice_chain *c,
                                       const uint32_t *plane, int degree,
                                       int *number)
{
    HS_UNROLL
    for (int k = 0; k <= degree; k++)
        number[k] = 0;
    for (int n = 0; n < c->a->groups; n++) {
        hs_lattice_counts s = hs_lattice_count(c, plane, n, degree);

        HS_UNROLL
        for (int k = 0; k <= degree; k++)
            number[k] +=
                HS_POPULATION((k & 1 ? s.bit[0] : ~s.bit[0]) &
                              (k & 2 ? s.bit[1] : ~s.bit[1]) &
                              (k & 4 ? s.bit[2] : ~s.bit[2]) & s.valid);
    }
}

/* States from and to the rows of tiles. */
HS_ON_CARD void hs_lattice_load(const hs_lattice_chain *c,
                                const hs_card_group *g, uint32_t *plane)
{
    int words = hs_lattice_words(c->a);

    plane[0] = plane[(words - 1) * c->stride] = 0;
    for (int n = 0; n < c->a->groups; n++) {
        uint32_t bits = 0;
        int first = n * HS_LATTICE_SITES, left = c->dim - first;

        for (int j = 0; j < HS_LATTICE_SITES && j < left; j++)
            bits |= (uint32_t)*hs_card_row(g, c->number, first + j) << j;
        plane[(n + 1) * c->stride] = bits;
    }
}

HS_ON_CARD void hs_lattice_store(const hs_lattice_chain *c,
                                 const hs_card_group *g, const uint32_t *plane)
{
    for (int i = 0; i < c->dim; i++)
        *hs_card_row(g, c->number, i) =
            (int16_t)(plane[(i / HS_LATTICE_SITES + 1) * c->stride] >>
                          i % HS_LATTICE_SITES &
                      1);
}

/* Adds where a chain of weight 1 stands to the counts of the marginals. */
HS_ON_CARD void hs_lattice_sum(const hs_lattice_chain *c,
                               const hs_card_group *g, const uint32_t *plane)
{
    hs_card_lane at = hs_card_lane_at(g, c->number);

    for (int i = 0; at.weight != 0.0f && i < c->dim; i++)
        HS_AT(at.counts, i) +=
            (uint8_t)(plane[(i / HS_LATTICE_SITES + 1) * c->stride] >>
                          i % HS_LATTICE_SITES &
                      1);
}

#endif
