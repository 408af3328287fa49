/* pilot.c - values for `auto` options, found once and then frozen. */
#include "run/pilot.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "run/tuning.h"

/* Text of every level; NULL when there is nothing to tell. */
static hiss_status describe(const hs_group *g, uint64_t steps, char **out,
                            hiss_error *err)
{
    hs_text all = {0};

    hs_tuning_levels(g, steps, &all);
    if (all.length == 0 && !all.failed)
        return HISS_OK;
    *out = hs_text_take(&all);
    return *out ? HISS_OK : hs_fail_memory(err);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Medians over the chains, column by column and level by level; tree has the
 * same node of every tile. */
static hiss_status settle(const hs_group *g, hs_kernel *const *tree,
                          hiss_error *err)
{
    hs_kernel **child = hs_alloc_array((size_t)g->tiles, sizeof(hs_kernel *));
    hiss_status rc = child ? HISS_OK : hs_fail_memory(err);

    for (int column = 0; column < tree[0]->columns; column++)
        for (int j = 0; j < g->replicas; j++) {
            double value[HS_GROUP_CHAINS];

            for (int c = 0; c < g->chains; c++) {
                int i = c * g->replicas + j;

                value[c] = tree[i / HS_LANES]->lane[column][i % HS_LANES];
            }
            qsort(value, (size_t)g->chains, sizeof *value, compare);
            for (int c = 0; c < g->chains; c++) {
                int i = c * g->replicas + j;

                tree[i / HS_LANES]->lane[column][i % HS_LANES] =
                    value[(g->chains - 1) / 2];
            }
        }
    for (int n = 0; rc == HISS_OK && n < tree[0]->children; n++) {
        for (int i = 0; i < g->tiles; i++)
            child[i] = tree[i]->child[n];
        rc = settle(g, child, err);
    }
    hs_free(child);
    return rc;
}

static hiss_status warm_up(hs_replicator *r, const hs_replication *shared,
                           hiss_error *err)
{
    uint32_t from[HS_GROUP_CHAINS];
    hs_group *g = r->group;

    hs_replicator_draw(r, shared, HS_PILOT_CHAIN, from);
    hs_group_set_warmup(g, true);
    for (int i = 0; i < g->tiles; i++)
        hs_kernel_begin(g->kernel[i], HS_PILOT_STEPS);
    for (int n = 0; n < HS_PILOT_STEPS; n++)
        HS_TRY(hs_group_step(g, err));
    hs_group_freeze(g);
    hs_group_send_home(g);
    return settle(g, g->kernel, err);
}

hiss_status hs_pilot_init(hs_pilot *p, const hs_replication *shared,
                          const hs_model *m, const hs_spec *sampler,
                          hiss_error *err)
{
    hs_replication pilot = *shared;
    hs_replicator r;
    hiss_status rc;

    *p = (hs_pilot){0};
    pilot.chains = HS_GROUP_CHAINS;
    rc = hs_replicator_init(&r, &pilot, m, sampler, HS_PILOT_CHAIN, err);
    if (rc == HISS_OK) /* before warm-up: is there anything to tune? */
        rc = describe(r.group, 0, &p->text, err);
    if (rc == HISS_OK && p->text) {
        hs_free(p->text);
        p->text = NULL;
        rc = warm_up(&r, &pilot, err);
        if (rc == HISS_OK)
            rc = describe(r.group, 1, &p->text, err);
        p->group = r.group;
        r.group = NULL;
    }
    hs_replicator_clear(&r);
    if (rc != HISS_OK)
        hs_pilot_clear(p);
    return rc;
}

void hs_pilot_clear(hs_pilot *p)
{
    hs_group_destroy(p->group);
    hs_free(p->text);
    *p = (hs_pilot){0};
}

static void copy_columns(hs_kernel *to, const hs_kernel *from)
{
    memcpy(to->lane, from->lane, (size_t)to->columns * sizeof *to->lane);
    for (int i = 0; i < to->children; i++)
        copy_columns(to->child[i], from->child[i]);
}

/* A group has its lanes where the pilot has them, whether it has sixteen
 * chains or the first only; the same tuning is in all of them. */
void hs_pilot_apply(const hs_pilot *p, hs_group *g)
{
    for (int i = 0; p->group && i < g->tiles; i++)
        copy_columns(g->kernel[i], p->group->kernel[i]);
}
