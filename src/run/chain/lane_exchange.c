/* lane_exchange.c - numbers that the members of a team exchange. */
#include "run/chain/lane_exchange.h"

#include "base/alloc.h"
#include "base/error.h"
#include "run/chain/group.h"
#include "run/comm/ranks.h"

struct hs_lane_exchange {
    char *bytes;  /* owned, [tiles] records */
    size_t total; /* bytes of all records */
    size_t each;
    int *size; /* owned, [members]: bytes of a member */
    int *at;   /* owned, [members]: their offsets */
};

void hs_lane_transfer_put(hs_blob *b, void *at, size_t size)
{
    hs_blob_put(b, at, size);
}

void hs_lane_transfer_flag(hs_blob *b, bool *flag, hs_lane_transfer move)
{
    unsigned char byte = *flag;

    move(b, &byte, sizeof byte);
    b->is_broken = b->is_broken || byte > 1;
    *flag = byte == 1;
}

#define FIELD(field) move(b, &(field), sizeof(field))

static void kernel_numbers(hs_kernel *k, hs_blob *b, hs_lane_transfer move)
{
    FIELD(k->steps);
    move(b, k->lane, (size_t)k->columns * sizeof *k->lane);
    for (int i = 0; i < k->children; i++)
        kernel_numbers(k->child[i], b, move);
}

void hs_lane_exchange_tile(hs_group *g, int tile, hs_blob *b,
                           hs_lane_transfer move)
{
    hs_tile *t = &g->tile[tile];

    FIELD(t->rng.clock);
    FIELD(t->level);
    FIELD(t->heading);
    FIELD(t->trips);
    FIELD(t->tilt.beta);
    hs_lane_transfer_flag(b, &t->is_warmup, move);
    FIELD(t->energy_evals);
    FIELD(t->gradient_evals);
    FIELD(t->at.u);
    FIELD(t->at.have);
    kernel_numbers(g->kernel[tile], b, move);
}

static void add_size(hs_blob *b, void *at, size_t size)
{
    (void)at;
    b->used += size;
}

/* A record: the status of its member, then the numbers. */
static size_t record_size(hs_group *g)
{
    hs_blob b = {.used = sizeof(int)};

    hs_lane_exchange_tile(g, 0, &b, add_size);
    return b.used;
}

hiss_status hs_lane_exchange_create(hs_group *g, hiss_error *err)
{
    int members = hs_ranks_size(g->team);
    hs_lane_exchange *n = hs_alloc_array(1, sizeof *n);

    g->exchange = n;
    if (!n)
        return hs_fail_memory(err);
    n->each = record_size(g);
    n->total = (size_t)g->tiles * n->each;
    n->bytes = hs_alloc_array(n->total, 1);
    n->size = hs_alloc_array((size_t)members, sizeof *n->size);
    n->at = hs_alloc_array((size_t)members, sizeof *n->at);
    if (!n->bytes || !n->size || !n->at)
        return hs_fail_memory(err);
    for (int m = 0; m < members; m++) {
        int first = hs_group_part(g, m, members);
        int end = hs_group_part(g, m + 1, members);

        n->at[m] = (int)((size_t)first * n->each);
        n->size[m] = (int)((size_t)(end - first) * n->each);
    }
    return HISS_OK;
}

void hs_lane_exchange_destroy(hs_lane_exchange *n)
{
    if (!n)
        return;
    hs_free(n->bytes);
    hs_free(n->size);
    hs_free(n->at);
    hs_free(n);
}

hiss_status hs_lane_exchange_run(hs_group *g, hiss_status rc, hiss_error *err)
{
    hs_lane_exchange *n = g->exchange;
    hs_blob b = {.at = n->bytes, .size = n->total};
    int own = (int)rc, any = HISS_OK;

    b.used = (size_t)g->first_tile * n->each;
    for (int i = g->first_tile; i < g->end_tile; i++) {
        hs_blob_put(&b, &own, sizeof own);
        hs_lane_exchange_tile(g, i, &b, hs_lane_transfer_put);
    }
    hs_ranks_collect_parts(g->team, n->bytes, n->size, n->at);
    b.used = n->total;
    for (int i = 0; i < g->tiles; i++) {
        int status;

        if (i >= g->first_tile && i < g->end_tile)
            continue;
        b.read = (size_t)i * n->each;
        hs_blob_get(&b, &status, sizeof status);
        hs_lane_exchange_tile(g, i, &b, hs_blob_get);
        any = status != HISS_OK ? status : any;
    }
    if (any != HISS_OK || rc != HISS_OK)
        rc = hs_ranks_agree(g->team, rc, err);
    return rc;
}
