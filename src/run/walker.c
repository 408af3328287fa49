/* walker.c - a group of chains to bytes and back. */
#include "run/walker.h"

/* One function for both directions, so that they cannot differ. */
typedef void (*transfer)(hs_blob *b, void *at, size_t size);

static void put(hs_blob *b, void *at, size_t size)
{
    hs_blob_put(b, at, size);
}

#define FIELD(field) move(b, &(field), sizeof(field))

static void kernel_bytes(hs_kernel *k, hs_blob *b, transfer move)
{
    FIELD(k->steps);
    move(b, k->lane, (size_t)k->columns * sizeof *k->lane);
    for (int i = 0; i < k->children; i++)
        kernel_bytes(k->child[i], b, move);
}

static void tile_bytes(hs_tile *t, const hs_model *m, hs_blob *b,
                       transfer move)
{
    FIELD(t->rng.clock);
    FIELD(t->level);
    FIELD(t->heading);
    FIELD(t->trips);
    FIELD(t->tilt.beta);
    FIELD(t->is_warmup);
    FIELD(t->energy_evals);
    FIELD(t->gradient_evals);
    move(b, t->at.x, (size_t)m->domain.dim * sizeof *t->at.x);
    FIELD(t->at.u);
    FIELD(t->at.have);
    /* not computed anew: single-site updates leave their rounding in them */
    if (t->at.grad)
        move(b, t->at.grad, (size_t)m->domain.rows * sizeof *t->at.grad);
    if (m->cache_bytes)
        move(b, t->at.cache, m->cache_bytes);
}

static void walker_bytes(hs_walker *w, hs_blob *b, transfer move)
{
    FIELD(w->step);
    FIELD(w->warmup);
    FIELD(w->thin);
    FIELD(w->kept);
    FIELD(w->is_done);
    FIELD(w->trail.seen);
    FIELD(w->trail.pending);
    FIELD(w->trail.count);
    if (w->trail.recent) {
        size_t rows = (size_t)w->trail.rows;

        move(b, w->trail.sum, rows * sizeof *w->trail.sum);
        move(b, w->trail.recent, (size_t)w->group->tiles * rows *
                                     sizeof *w->trail.recent);
    }
    for (int i = 0; i < w->group->tiles; i++) {
        tile_bytes(&w->group->tile[i], w->group->model, b, move);
        kernel_bytes(w->group->kernel[i], b, move);
    }
}

void hs_walker_save(const hs_walker *w, hs_blob *to)
{
    hs_walker copy = *w; /* the group's contents are only read */

    walker_bytes(&copy, to, put);
}

void hs_walker_load(hs_walker *w, hs_blob *from)
{
    walker_bytes(w, from, hs_blob_get);
    if (w->warmup >= 0 && w->step >= w->warmup)
        hs_trail_arm(&w->trail, w->group);
}
