/* sets.h - disjoint sets of numbers, merged in pairs.  parent[i] leads to the
 * smallest number of i's set, whatever the order of the merges. */
#ifndef HS_BASE_SETS_H
#define HS_BASE_SETS_H

#include <stdint.h>

static inline int32_t hs_sets_find(int32_t *parent, int32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static inline void hs_sets_join(int32_t *parent, int32_t i, int32_t j)
{
    int32_t a = hs_sets_find(parent, i), b = hs_sets_find(parent, j);

    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

#endif
