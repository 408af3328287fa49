/* shorts.h - the states of a tile as sixteen-bit numbers, one register at a
 * time: 16 lanes, or 8 where registers are narrow.  Counts over neighbours are
 * made here and widened once. */
#ifndef HS_LANES_SHORTS_H
#define HS_LANES_SHORTS_H

#include "lanes/vec.h"

#define HS_SHORTS (HS_WIDTH < 8 ? 8 : 16)

/* Vectors of HS_WIDTH lanes in one of shorts. */
#define HS_SHORT_PARTS (HS_SHORTS / HS_WIDTH)

typedef int16_t vshort __attribute__((vector_size(2 * HS_SHORTS)));

HS_INLINE vshort vshort_load(const int16_t *p)
{
    vshort v;

    memcpy(&v, p, sizeof v);
    return v;
}

/* Lanes part * HS_WIDTH and so on, as 32-bit numbers. */
HS_INLINE vi vi_of_shorts(vshort v, int part)
{
    vs narrow;

    memcpy(&narrow, (const char *)&v + part * (int)sizeof narrow,
           sizeof narrow);
    return __builtin_convertvector(narrow, vi);
}

#endif
