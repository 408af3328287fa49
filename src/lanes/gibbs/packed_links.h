/* packed_links.h - loads the words of neighbors, for sweeps over bundles of
 * visits (hs_packed of lanes/shapes.h). */
#ifndef HS_LANES_GIBBS_PACKED_LINKS_H
#define HS_LANES_GIBBS_PACKED_LINKS_H

#include "lanes/gibbs/packed_bits.h"
#include "lanes/shapes.h"

#define VISITS (2 * HS_WIDTH) /* of a vector */

#if defined(__AVX512F__)
/* Loads the words at these positions; each read includes the next word. */
HS_INLINE vu gather_words(const int *place, const uint16_t *word)
{
    __m512i low = _mm512_i32gather_epi32((__m512i)words_at(place), word, 2);
    __m512i high =
        _mm512_i32gather_epi32((__m512i)words_at(place + HS_WIDTH), word, 2);

    return (vu)_mm512_inserti64x4(
        _mm512_castsi256_si512(_mm512_cvtepi32_epi16(low)),
        _mm512_cvtepi32_epi16(high), 1);
}
#endif

/* Loads the words of one neighbor, for the visits from slot `at` of the bundle
 * on. */
HS_INLINE vu neighbors(const hs_packed *p, const hs_packed_plane *f,
                       const uint16_t *word, int at)
{
#if defined(__AVX512F__)
    if (__builtin_expect(f->window >= 0, 1)) {
        const uint16_t *from = word + f->window;

        return (vu)_mm512_permutex2var_epi16(
            (__m512i)words_at(from),
            (__m512i)words_at(p->shape[f->shape].index + at),
            (__m512i)words_at(from + HS_BUNDLE));
    }
    return gather_words(p->place + f->place + at, word);
#else
    uint16_t found[VISITS];

    if (f->window >= 0) {
        const uint16_t *from = word + f->window;
        const uint16_t *index = p->shape[f->shape].index + at;

        for (int s = 0; s < VISITS; s++)
            found[s] = from[index[s]];
    } else {
        const int *place = p->place + f->place + at;

        for (int s = 0; s < VISITS; s++)
            found[s] = word[place[s]];
    }
    return words_at(found);
#endif
}

/* Properties of all neighbors of a bundle. */
typedef struct links {
    bool has_flips; /* some couplings are -J */
    bool has_gaps;  /* some visits have fewer neighbors than others */
} links;

/* The bits that a neighbor pulls up. */
HS_INLINE vu pulls(const hs_packed *p, const hs_packed_plane *f,
                   const uint16_t *word, int at, links all)
{
    const hs_packed_shape *shape = p->shape + f->shape;
    vu up = neighbors(p, f, word, at);

    if (all.has_flips)
        up = up ^ words_at(shape->flip + at);
    return all.has_gaps ? up & words_at(shape->there + at) : up;
}

#endif
