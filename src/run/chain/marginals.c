/* marginals.c - marginals and acceptance of a group. */
#include "run/chain/marginals.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"
#include "run/chain/group.h"

/* Sums in single precision lose 2^-16 of a step before they are added to the
 * double sums; counts have eight bits and grow by at most one per step. */
#define FLUSH HS_TRAIL_STEPS

static bool has_two_states(const hs_domain *d)
{
    for (int i = 0; i < d->dim; i++)
        if (d->states[i] != 2)
            return false;
    return true;
}

hiss_status hs_marginals_init(hs_marginals *t, const hs_group *g,
                              bool has_marginals, hiss_error *err)
{
    const hs_domain *d = &g->model->domain;

    *t = (hs_marginals){0};
    if (!has_marginals)
        return HISS_OK;
    t->counted = has_two_states(d) ? d->dim : 0;
    t->rows = t->counted ? t->counted + (t->counted + 3) / 4 : d->value_count;
    t->recent =
        hs_alloc_array((size_t)g->tiles * (size_t)t->rows, sizeof *t->recent);
    t->sums = t->counted ? t->counted : t->rows;
    t->sum = hs_alloc_array((size_t)g->tiles * (size_t)t->sums, sizeof *t->sum);
    t->count = hs_alloc_array((size_t)g->tiles, sizeof *t->count);
    if (t->recent && t->sum && t->count)
        return HISS_OK;
    hs_marginals_clear(t);
    return hs_fail_memory(err);
}

void hs_marginals_clear(hs_marginals *t)
{
    hs_free(t->recent);
    hs_free(t->sum);
    hs_free(t->count);
    *t = (hs_marginals){0};
}

/* Counts are behind the sums of a tile, four rows in one. */
static hs_byte_row *counts_of(const hs_marginals *t, int tile)
{
    return (hs_byte_row *)(t->recent + (size_t)tile * (size_t)t->rows +
                           (size_t)t->counted);
}

static double lanes_of(const hs_marginals *t, int tile, int row)
{
    const float *recent =
        t->recent[(size_t)tile * (size_t)t->rows + (size_t)row];
    double sum = 0.0;

    for (int l = 0; l < HS_LANES; l++)
        sum += (double)recent[l];
    for (int l = 0; t->counted && l < HS_LANES; l++)
        sum += counts_of(t, tile)[row][l];
    return sum;
}

void hs_marginals_flush(hs_marginals *t, const hs_group *g)
{
    for (int i = g->first_tile; t->recent && i < g->end_tile; i++) {
        double *total = t->sum + (size_t)i * (size_t)t->sums;

        for (int r = 0; r < t->sums; r++)
            total[r] += lanes_of(t, i, r);
        memset(t->recent + (size_t)i * (size_t)t->rows, 0,
               (size_t)t->rows * sizeof *t->recent);
    }
    t->pending = 0;
}

/* Lanes at the target count. */
static void weigh(const hs_group *g, hs_tile *tile)
{
    for (int l = 0; l < HS_LANES; l++)
        tile->weight[l] = l < tile->lanes && hs_group_law(g, tile, l) == 0;
}

void hs_marginals_arm(hs_marginals *t, hs_group *g)
{
    for (int i = g->first_tile; t->recent && i < g->end_tile; i++) {
        hs_tile *tile = &g->tile[i];

        tile->sum = t->recent + (size_t)i * (size_t)t->rows;
        tile->count = t->counted ? counts_of(t, i) : NULL;
        tile->summed = 0;
        tile->total = t->counted && g->kernel[i]->type->flush
                          ? t->sum + (size_t)i * (size_t)t->sums
                          : NULL;
        tile->is_deferred = false;
        weigh(g, tile);
    }
}

void hs_marginals_begin(hs_marginals *t, hs_group *g)
{
    memset(t->seen, 0, sizeof t->seen); /* counts were cleared too */
    hs_marginals_arm(t, g);
}

/* Adds indicators of the present states. */
static void add_states(const hs_domain *d, hs_tile *tile)
{
    const hs_index_row *x = (const hs_index_row *)tile->at.x;

    if (tile->count) {
        hs_lanes()->count_index(tile->weight, d->dim, x, tile->count);
        return;
    }
    for (int i = 0; i < d->dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            tile->sum[d->value[i] + x[i][l]][l] += tile->weight[l];
}

int64_t hs_marginals_room(const hs_marginals *t)
{
    return t->recent ? FLUSH - t->pending : INT64_MAX;
}

void hs_marginals_step(hs_marginals *t, hs_group *g, int64_t steps)
{
    bool is_recent = false;

    if (!t->recent)
        return;
    for (int i = g->first_tile; i < g->end_tile; i++) {
        hs_tile *tile = &g->tile[i];
        double lanes = 0.0;

        is_recent = is_recent || !tile->is_deferred;

        if (tile->summed == 0) { /* levels may have moved since */
            weigh(g, tile);
            add_states(&g->model->domain, tile);
            tile->summed = 1;
        }
        for (int l = 0; l < tile->lanes; l++)
            lanes += (double)tile->weight[l];
        t->count[i] += lanes * tile->summed;
    }
    t->pending += is_recent ? steps : 0;
    if (t->pending == FLUSH)
        hs_marginals_flush(t, g);
    hs_marginals_arm(t, g);
}

bool hs_marginals_decides(const hs_kernel *k)
{
    return !k->type->couple && (k->type->counter || k->children == 0);
}

void hs_marginals_decisions(const hs_kernel *k, int lane, double *proposed,
                            double *accepted)
{
    if (hs_marginals_decides(k)) {
        *proposed += k->lane[HS_PROPOSED][lane];
        *accepted += k->lane[HS_ACCEPTED][lane];
    }
    for (int i = 0; i < k->children; i++)
        hs_marginals_decisions(k->child[i], lane, proposed, accepted);
}

float hs_marginals_rate(hs_marginals *t, int chain, double proposed,
                        double accepted)
{
    double *seen = t->seen[chain];
    double rate = proposed > seen[0]
                      ? (accepted - seen[1]) / (proposed - seen[0])
                      : (double)NAN;

    seen[0] = proposed;
    seen[1] = accepted;
    return (float)rate;
}

float hs_marginals_accept(hs_marginals *t, const hs_group *g, int chain)
{
    double proposed = 0.0, accepted = 0.0;

    for (int r = 0; r < g->replicas; r++) {
        int lane;
        const hs_tile *tile = hs_group_tile(g, chain, r, &lane);

        if (hs_group_law(g, tile, lane) == 0)
            hs_marginals_decisions(g->kernel[tile - g->tile], lane, &proposed,
                                   &accepted);
    }
    return hs_marginals_rate(t, chain, proposed, accepted);
}

void hs_marginals_add(const hs_marginals *t, const double *sum, double count,
                      double *out)
{
    for (int r = 0; r < t->counted; r++) {
        out[2 * r] += count - sum[r];
        out[2 * r + 1] += sum[r];
    }
    for (int r = 0; !t->counted && r < t->sums; r++)
        out[r] += sum[r];
}
