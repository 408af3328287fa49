/* build.c - builds a network layer by layer: eliminate, compress, store for
 * draws. */
#include "exact/network/build.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/exponential.h"

#define BYTES 0x1p30 /* most bytes of all tensors */
#define WORK  4e11   /* most multiplications of one network: minutes */
#define WIDE  256.0  /* growth beyond which a layer is given up */

hiss_status hs_network_set_weights(hs_network *n, hiss_error *err)
{
    const hs_factors *f = &n->factors;

    n->log_scale = f->constant;
    for (int64_t k = 0; k < f->count; k++) {
        double top = -HUGE_VAL;

        for (int64_t e = f->table_at[k]; e < f->table_at[k + 1]; e++)
            top = f->table[e] > top ? f->table[e] : top;
        if (!(top > -HUGE_VAL))
            return hs_fail(err, HISS_EINFEASIBLE,
                           "every state has probability 0");
        for (int64_t e = f->table_at[k]; e < f->table_at[k + 1]; e++)
            n->weight[e] = hs_exponential(f->table[e] - top);
        n->log_scale += top;
    }
    return HISS_OK;
}

void hs_network_drop(hs_network *n)
{
    for (int k = 0; k < n->slices; k++)
        hs_slice_clear(&n->slice[k]);
    hs_free(n->slice);
    n->slice = NULL;
    n->slices = n->room = 0;
}

static hiss_status add_slice(hs_network *n, const hs_layers *l,
                             const hs_train *above, hiss_error *err)
{
    if (n->slices == n->room) {
        size_t room = n->room ? 2 * (size_t)n->room : 16;
        hs_slice *slice =
            hs_realloc_array(n->slice, (size_t)n->room, room, sizeof *slice);

        if (!slice)
            return hs_fail_memory(err);
        n->slice = slice;
        n->room = (int)room;
    }
    HS_TRY(hs_slice_init(&n->slice[n->slices], l, n->weight, above, err));
    n->slices++;
    return HISS_OK;
}

static void note_bonds(hs_network *n, const hs_train *t)
{
    for (int p = 0; p < t->count; p++)
        if (t->site[p].tensor->right > n->facts.largest)
            n->facts.largest = t->site[p].tensor->right;
}

/* Takes one layer off the end: stores it for drawing, then sums it out of the
 * train. */
static hiss_status add_layer(hs_network *n, hs_layers *l, hs_train *t,
                             hs_train_gauge *gauge, hs_train_limits *limits,
                             hiss_error *err)
{
    hs_train below;
    hiss_status rc;

    HS_TRY(add_slice(n, l, t, err));
    HS_TRY(hs_layers_eliminate(l, n->weight, t, &below, err));
    hs_train_clear(t);
    *t = below;
    HS_TRY(hs_train_gauge_apply(gauge, l, n->weight, t, err));
    rc = hs_train_compress(t, limits, err);
    note_bonds(n, t);
    return rc;
}

static hiss_status check_limits(const hs_layers *l,
                                const hs_train_limits *limits,
                                const hs_poll *poll, hiss_error *err)
{
    if (l->growth > WIDE || l->reaches > WIDE)
        return hs_fail(err, HISS_ENOMEM,
                       "sampler network: one variable shares tables with so "
                       "many that a bond would grow %.3g times",
                       fmax(l->growth, l->reaches));
    if (limits->entries * sizeof(double) > BYTES)
        return hs_fail(err, HISS_ENOMEM,
                       "sampler network: bond %d needs more than %.3g GiB",
                       limits->bond, BYTES / 0x1p30);
    if (limits->work > WORK)
        return hs_fail(err, HISS_ENOMEM,
                       "sampler network: bond %d takes more than %.3g "
                       "multiplications",
                       limits->bond, WORK);
    if (hs_poll_stops(poll))
        return hs_fail(err, HISS_ESTOP, "stopped on request");
    return HISS_OK;
}

static hiss_status build_layers(hs_network *n, hs_layers *l, hs_train *t,
                                hs_train_gauge *gauge, hs_train_limits *limits,
                                const hs_poll *poll, hiss_error *err)
{
    for (int end = l->count, size = 1; end > 0;) {
        hs_layers_choose(l, t, end, size, HS_LAYERS_GROWTH);
        HS_TRY(check_limits(l, limits, poll, err));
        size = l->end - l->first;
        end = l->first;
        HS_TRY(add_layer(n, l, t, gauge, limits, err));
    }
    return HISS_OK;
}

hiss_status hs_network_build(hs_network *n, int bond, double discard,
                             const hs_poll *poll, hiss_error *err)
{
    hs_train_limits limits = {.bond = bond, .discard = discard};
    int *order = hs_alloc_array((size_t)n->line.count, sizeof *order);
    hs_train_gauge gauge = {
        n->is_gauged ? (const hs_index_row *)n->probe : NULL,
        hs_alloc_array((size_t)n->factors.dim, sizeof *gauge.has_entered)};
    hs_train t = {0};
    hs_layers l;
    hiss_status rc = order && gauge.has_entered ? HISS_OK : hs_fail_memory(err);

    if (rc == HISS_OK)
        rc = hs_network_set_weights(n, err);
    if (rc != HISS_OK) {
        hs_free(order);
        hs_free(gauge.has_entered);
        return rc;
    }
    memcpy(order, n->line.order, (size_t)n->line.count * sizeof *order);
    hs_network_drop(n);
    n->facts.largest = 1;
    rc = hs_layers_init(&l, &n->factors, order, n->line.count, err);
    if (rc == HISS_OK)
        rc = build_layers(n, &l, &t, &gauge, &limits, poll, err);
    hs_free(gauge.has_entered);
    n->facts.bond = bond;
    n->facts.layers = n->slices;
    n->facts.discarded = limits.lost;
    n->facts.entries = limits.entries;
    n->facts.log_z = n->log_scale + t.log_scale;
    n->facts.sweeps += limits.work / n->sweep;
    n->facts.draw_work = 0.0;
    for (int k = 0; k < n->slices; k++)
        n->facts.draw_work += n->slice[k].work;
    n->facts.draw_sweeps = n->facts.draw_work / n->sweep;
    hs_layers_clear(&l);
    hs_train_clear(&t);
    return rc;
}
