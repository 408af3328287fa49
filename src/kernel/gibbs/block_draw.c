/* block_draw.c - draws a block: forwards the tables of its members, backwards
 * their values.  The tables are float, or double for wide models: one file
 * each, chosen when the room is made. */
#include <float.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "kernel/gibbs/block.h"
#include "lanes/lanes.h"

static const hs_block_maths *const ways[] = {
    &hs_block_wide,
    &hs_block_single,
};

static const hs_block_maths *choose(const hs_model *m)
{
    int n = 0;

    while (!ways[n]->applies(m)) /* the last does */
        n++;
    return ways[n];
}

hiss_status hs_block_room_init(hs_block_room *r, const hs_block *b, int blocks,
                               const hs_model *m, hiss_error *err)
{
    hs_block_sizes n = {1, 1, 1, m->domain.states_max};

    for (int k = 0; k < blocks; k++) {
        n.entries = b[k].entries_max > n.entries ? b[k].entries_max : n.entries;
        n.slice = b[k].slice_max > n.slice ? b[k].slice_max : n.slice;
        n.messages = b[k].messages > n.messages ? b[k].messages : n.messages;
    }
    n.entries = n.slice > n.entries ? n.slice : n.entries;
    *r = (hs_block_room){.maths = choose(m)};
    r->value = hs_alloc_array(2 * (size_t)n.states, sizeof *r->value);
    r->offset = hs_alloc_array((size_t)n.entries, sizeof *r->offset);
    r->tables = hs_alloc_array(1, r->maths->size);
    if (r->value && r->offset && r->tables && r->maths->init(r->tables, &n))
        return HISS_OK;
    hs_block_room_clear(r);
    return hs_fail_memory(err);
}

void hs_block_room_clear(hs_block_room *r)
{
    if (r->tables)
        r->maths->clear(r->tables);
    hs_free(r->tables);
    hs_free(r->value);
    hs_free(r->offset);
    *r = (hs_block_room){0};
}

static void draw_member(const hs_block *b, hs_block_room *r, const hs_member *m,
                        const hs_domain *d, const hs_tilt *t, hs_tile *x,
                        int drawn, const uint32_t *words, double *changed)
{
    int i = b->cluster[m->cluster];
    uint32_t more[4][HS_LANES];
    int16_t to[HS_LANES];

    r->maths->weigh(b, r, m, d, t, x);
    if (m->states > HS_FEW)
        hs_lanes()->philox(&x->rng, HS_DRAW_TIE, (uint32_t)drawn, 1, more);
    hs_lanes()->draw_value((const hs_float_row *)r->value, m->states, words,
                           more[0], r->value + d->states_max, to);
    for (int l = 0; l < HS_LANES; l++)
        changed[l] += to[l] != x->at.x[i][l];
    memcpy(x->at.x[i], to, sizeof to);
}

void hs_block_draw(const hs_block *b, hs_block_room *r, const hs_domain *d,
                   const hs_tilt *t, hs_tile *x, double *changed)
{
    uint32_t words[4][HS_LANES];

    /* an impossible entry stays impossible at beta = 0 */
    for (int l = 0; l < HS_LANES; l++)
        r->beta[l] = t->beta[l] > FLT_MIN ? t->beta[l] : FLT_MIN;
    for (int n = 0; n < b->members; n++) {
        const hs_member *m = &b->member[n];

        if (m->size > 1) /* otherwise no other member needs its message */
            r->maths->pass(b, r, m, d, t, x);
    }
    for (int n = b->members - 1, drawn = 0; n >= 0; n--, drawn++) {
        if (drawn % 4 == 0)
            hs_lanes()->philox(&x->rng, HS_DRAW_PROPOSE, (uint32_t)drawn / 4, 1,
                               words);
        draw_member(b, r, &b->member[n], d, t, x, drawn, words[drawn % 4],
                    changed);
    }
}
