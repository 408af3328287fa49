/* packed.cu - neighbors and laws of gibbs(packed=yes), by visit. */
#include "cuda/gibbs/packed.h"

#include <stdlib.h>
#include <string.h>

static void take_visit(hs_card_packed *p, const hs_packed *from,
                       const hs_bundle *b, int s)
{
    int n = b->first + s;

    for (int k = 0; k < b->parts; k++) {
        const hs_packed_part *part = from->part + b->part + k;

        if (!part->in[s])
            continue;
        p->site[n] = from->site[n];
        p->kind[n] = part->law;
        for (int j = 0; j < b->degree; j++) {
            const hs_packed_plane *f = from->plane + b->plane + j;
            const hs_packed_shape *shape = from->shape + f->shape;

            if (shape->there[s])
                p->near[(int64_t)j * p->visits + n] =
                    2 * (uint32_t)hs_packed_place(from, f, s) +
                    (shape->flip[s] ? 1 : 0);
        }
    }
}

static void take_law(hs_card_thresholds *to, const hs_packed_law *from)
{
    to->degree = from->degree;
    to->is_even = from->is_even;
    to->entries = from->is_even ? (from->degree + 1) / 2 : from->degree + 1;
    memcpy(to->threshold, from->threshold, sizeof to->threshold);
}

/* A stage goes on until a site is coupled with one that is in it. */
static int find_stages(const hs_card_packed *p, int dim, int *stage, int *in)
{
    int stages = 0;

    stage[0] = 0;
    for (int n = 0; n < dim; n++)
        in[n] = -1;
    for (int n = 0; n < dim; n++) {
        int is_coupled = 0;

        for (int j = 0; j < p->degree; j++) {
            uint32_t near = p->near[(int64_t)j * p->visits + n];

            is_coupled |= near != HS_CARD_NONE && in[near / 2] == stages;
        }
        if (is_coupled)
            stage[++stages] = n;
        in[n] = stages;
    }
    stage[++stages] = dim;
    return stages;
}

void hs_card_packed_plan(hs_card_packed *p, int **stage, const hs_packed *from)
{
    size_t visits = ((size_t)from->dim + 1) / 2 * 2, ints;

    memset(p, 0, sizeof *p);
    for (int b = 0; b < from->bundles; b++)
        if (from->bundle[b].degree > p->degree)
            p->degree = from->bundle[b].degree;
    /* sites, kinds, stages, scratch, neighbors */
    ints = (4 + (size_t)p->degree) * visits + 2;
    p->site =
        (int *)malloc(ints * sizeof(int) + (size_t)from->laws * sizeof *p->law);
    if (!p->site)
        return;
    memset(p->site, 0xff, ints * sizeof(int));
    p->visits = (int)visits;
    p->laws = from->laws;
    p->kind = p->site + visits;
    *stage = p->kind + visits;
    p->near = (uint32_t *)(*stage + 2 * visits + 2);
    p->law = (hs_card_thresholds *)(p->near + (size_t)p->degree * visits);
    for (int b = 0; b < from->bundles; b++)
        for (int s = 0; s < HS_BUNDLE; s++)
            take_visit(p, from, &from->bundle[b], s);
    for (int n = 0; n < from->laws; n++)
        take_law(&p->law[n], &from->law[n]);
    if (p->laws == 1 && p->law[0].is_even &&
        (p->law[0].degree == 4 || p->law[0].degree == 6))
        p->known = p->law[0];
    p->stages = find_stages(p, from->dim, *stage, *stage + visits + 2);
}
