/* trail.c - what a group leaves behind beside its draws. */
#include "run/trail.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"
#include "run/group.h"

/* Sums in single precision are exact for indicators up to 2^24 and have lost
 * 2^-16 of a step when they are added to the double sums. */
#define FLUSH 256

static bool has_two_states(const hs_domain *d)
{
    for (int i = 0; i < d->dim; i++)
        if (d->states[i] != 2)
            return false;
    return true;
}

hiss_status hs_trail_init(hs_trail *t, const hs_group *g, bool has_marginals,
                          hiss_error *err)
{
    const hs_domain *d = &g->model->domain;

    *t = (hs_trail){0};
    if (!has_marginals)
        return HISS_OK;
    t->rows = has_two_states(d) ? d->dim : d->value_count;
    t->recent =
        hs_alloc_array((size_t)g->tiles * (size_t)t->rows, sizeof *t->recent);
    t->sum = hs_alloc_array((size_t)t->rows, sizeof *t->sum);
    if (t->recent && t->sum)
        return HISS_OK;
    hs_trail_clear(t);
    return hs_fail_memory(err);
}

void hs_trail_clear(hs_trail *t)
{
    hs_free(t->recent);
    hs_free(t->sum);
    *t = (hs_trail){0};
}

static void flush(hs_trail *t, int tiles)
{
    for (int r = 0; r < t->rows; r++) {
        double sum = 0.0;

        for (int i = 0; i < tiles; i++)
            for (int l = 0; l < HS_LANES; l++)
                sum +=
                    (double)
                        t->recent[(size_t)i * (size_t)t->rows + (size_t)r][l];
        t->sum[r] += sum;
    }
    memset(t->recent, 0, (size_t)tiles * (size_t)t->rows * sizeof *t->recent);
    t->pending = 0;
}

/* Lanes that stand at the target count in the coming step. */
void hs_trail_arm(hs_trail *t, hs_group *g)
{
    for (int i = 0; t->recent && i < g->tiles; i++) {
        hs_tile *tile = &g->tile[i];

        tile->sum = t->recent + (size_t)i * (size_t)t->rows;
        tile->summed = 0;
        for (int l = 0; l < HS_LANES; l++)
            tile->weight[l] = l < tile->lanes && tile->level[l] == 0;
    }
}

void hs_trail_begin(hs_trail *t, hs_group *g)
{
    memset(t->seen, 0, sizeof t->seen); /* counts were cleared as well */
    hs_trail_arm(t, g);
}

/* Indicators of where the lanes stand. */
static void add_states(const hs_trail *t, const hs_domain *d, hs_tile *tile)
{
    const hs_index_row *x = (const hs_index_row *)tile->at.x;

    if (t->rows == d->dim && d->states_max == 2) {
        hs_lanes()->add_index(tile->weight, d->dim, x, tile->sum);
        return;
    }
    for (int i = 0; i < d->dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            tile->sum[d->value[i] + x[i][l]][l] += tile->weight[l];
}

void hs_trail_step(hs_trail *t, hs_group *g)
{
    if (!t->recent)
        return;
    for (int i = 0; i < g->tiles; i++) {
        hs_tile *tile = &g->tile[i];
        double lanes = 0.0;

        if (tile->summed == 0) { /* levels may have moved since */
            for (int l = 0; l < HS_LANES; l++)
                tile->weight[l] = l < tile->lanes && tile->level[l] == 0;
            add_states(t, &g->model->domain, tile);
            tile->summed = 1;
        }
        for (int l = 0; l < tile->lanes; l++)
            lanes += (double)tile->weight[l];
        t->count += lanes * tile->summed;
    }
    if (++t->pending == FLUSH)
        flush(t, g->tiles);
    hs_trail_arm(t, g);
}

/* Decisions of a tree at one lane; exchanges of levels are none. */
static void count_tree(const hs_kernel *k, int lane, double *proposed,
                       double *accepted)
{
    if (!k->type->couple && (k->type->counter || k->children == 0)) {
        *proposed += k->lane[HS_PROPOSED][lane];
        *accepted += k->lane[HS_ACCEPTED][lane];
    }
    for (int i = 0; i < k->children; i++)
        count_tree(k->child[i], lane, proposed, accepted);
}

float hs_trail_accept(hs_trail *t, const hs_group *g, int chain)
{
    double proposed = 0.0, accepted = 0.0, *seen = t->seen[chain];
    double rate;
    int lane;
    const hs_tile *tile = hs_group_at_level(g, chain, 0, &lane);

    count_tree(g->kernel[tile - g->tile], lane, &proposed, &accepted);
    rate = proposed > seen[0] ? (accepted - seen[1]) / (proposed - seen[0])
                              : (double)NAN;
    seen[0] = proposed;
    seen[1] = accepted;
    return (float)rate;
}

void hs_trail_gather(hs_trail *t, const hs_group *g, double *out, double *count)
{
    const hs_domain *d = &g->model->domain;

    if (!t->recent)
        return;
    flush(t, g->tiles);
    *count += t->count;
    for (int r = 0; r < t->rows; r++)
        if (t->rows == d->dim && d->states_max == 2) {
            out[2 * r] += t->count - t->sum[r];
            out[2 * r + 1] += t->sum[r];
        } else {
            out[r] += t->sum[r];
        }
}
