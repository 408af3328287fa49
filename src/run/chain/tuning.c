/* tuning.c - describes the tuned values of a tree of kernels. */
#include "run/chain/tuning.h"

#include <stdio.h>

#include "base/alloc.h"

void hs_tuning_of(const hs_kernel *k, int lane, uint64_t steps, hs_text *out)
{
    char one[256];

    if (k->steps >= steps && k->type->describe &&
        k->type->describe(k, lane, one, sizeof one) > 0) {
        if (out->length > 0)
            hs_text_add_string(out, ", ");
        hs_text_add_string(out, k->type->name);
        hs_text_add_string(out, ": ");
        hs_text_add_string(out, one);
    }
    for (int i = 0; i < k->children; i++)
        hs_tuning_of(k->child[i], lane, steps, out);
}

void hs_tuning_levels(const hs_group *g, uint64_t steps, hs_text *out)
{
    for (int j = 0; j < g->laws; j++) {
        hs_text one = {0};
        char *text, name[32];
        int lane;
        const hs_tile *t = hs_group_at_level(g, 0, j, &lane);

        hs_tuning_of(g->kernel[t - g->tile], lane, steps, &one);
        if (one.length == 0 && !one.failed)
            continue;
        text = hs_text_take(&one);
        snprintf(name, sizeof name, "%slevel %d: ", out->length ? "; " : "", j);
        if (g->laws > 1)
            hs_text_add_string(out, name);
        if (text)
            hs_text_add_string(out, text);
        else
            out->failed = true;
        hs_free(text);
    }
}
