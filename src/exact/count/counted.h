/* counted.h - the stored result of a count. */
#ifndef HS_EXACT_COUNT_COUNTED_H
#define HS_EXACT_COUNT_COUNTED_H

#include "exact/count/count.h"
#include "exact/count/nodes.h"
#include "model/sat/code.h"

struct hs_count {
    hs_code code;    /* owned */
    hs_nodes nodes;  /* owned: the last one is the root */
    int *states;     /* owned, [dim] */
    bool *is_shown;  /* owned, [dim], or NULL: all */
    double *literal; /* owned, [2 * variables]: ln of the weights */
    double *up;      /* owned, [variables]: share of `true` for a free
                        variable */
    double constant; /* constant of U */
    double work;
    bool is_uniform;
};

static inline bool hs_count_shows(const hs_count *c, int variable)
{
    return !c->is_shown || c->is_shown[c->code.coordinate[variable]];
}

#endif
