/* blocks.c - heat bath on blocks: many coordinates at once, drawn from their
 * joint conditional by elimination.
 *
 * For models that are a sum of tables.  A step draws every coordinate at least
 * once. Single-site moves cannot cross states that a hard constraint forbids,
 * and take long to change a strongly coupled group. A block does both at once.
 * If one block holds everything, draws are independent.
 *
 * bond: wider blocks, such as slabs of a cube, whose elimination is a truncated
 * network; their draws are proposals (block_windows.h).
 *
 * The blocks depend on the model alone and are the same for all chains: the
 * least drawn coordinates first, until all were drawn.  A step counts as many
 * evaluations as it adds up entries, measured by a sweep of single sites. */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "exact/graph.h"
#include "kernel/gibbs/block.h"
#include "kernel/gibbs/block_windows.h"
#include "kernel/kernel.h"

#define TOTAL (1 << 18) /* most entries of the tables of a block, about */

struct blocks {
    int table, bond;
    hs_factors factors;       /* owned */
    hs_block_windows windows; /* owned, if there is a bond */
    hs_block *block;          /* owned, [count] */
    int count, room;
    hs_block_room scratch; /* owned */
    double cost;           /* cost of a step, in sweeps of single sites */
};

static hiss_status add_block(struct blocks *s, const hs_graph *g, int *drawn,
                             hiss_error *err)
{
    double total = TOTAL > 8.0 * g->count ? TOTAL : 8.0 * g->count;
    hs_cutset c;
    hiss_status rc;

    if (s->count == s->room) {
        int room = 2 * s->room + 4;
        hs_block *larger = hs_realloc_array(s->block, (size_t)s->count,
                                            (size_t)room, sizeof *larger);

        if (!larger)
            return hs_fail_memory(err);
        s->block = larger;
        s->room = room;
    }
    HS_TRY(hs_cutset_init(&c, g, s->factors.states, s->table, total, drawn,
                          (uint64_t)s->count + 1, err));
    rc = hs_block_init(&s->block[s->count], &s->factors, &c, err);
    s->count += rc == HISS_OK;
    hs_cutset_clear(&c);
    return rc;
}

/* The same for elimination with bonds, which has no tables. */
static hiss_status add_window(struct blocks *s, const hs_graph *g, int *drawn,
                              hiss_error *err)
{
    double most = (double)s->table * s->bond * s->bond;
    hs_cutset c;
    hiss_status rc;

    HS_TRY(hs_cutset_init(&c, g, s->factors.states, most, HUGE_VAL, drawn,
                          (uint64_t)s->windows.count + 1, err));
    rc = hs_block_windows_add(&s->windows, &s->factors, c.member, c.count,
                              s->bond, err);
    hs_cutset_clear(&c);
    return rc;
}

static hiss_status add_blocks(struct blocks *s, hiss_error *err)
{
    int dim = s->factors.dim;
    int *drawn = hs_alloc_array((size_t)dim, sizeof *drawn);
    hs_graph g = {0};
    hiss_status rc = drawn ? HISS_OK : hs_fail_memory(err);

    if (rc == HISS_OK)
        rc = hs_graph_init(&g, &s->factors, err);
    for (int v = 0; rc == HISS_OK && v < dim; v++)
        while (rc == HISS_OK && drawn[v] == 0)
            rc = s->bond > 0 ? add_window(s, &g, drawn, err)
                             : add_block(s, &g, drawn, err);
    hs_graph_clear(&g);
    hs_free(drawn);
    return rc;
}

static hiss_status blocks_setup(hs_kernel *k, const hs_model *m,
                                hiss_error *err)
{
    struct blocks *s = k->state;
    double work = 0.0;

    if (!m->ops->factors)
        return hs_fail(err, HISS_EUNSUP,
                       "sampler blocks: model %s is not a sum of small tables",
                       m->name);
    HS_TRY(m->ops->factors(m, &s->factors, err));
    HS_TRY(add_blocks(s, err));
    if (s->bond > 0)
        HS_TRY(hs_block_windows_init(&s->windows, &m->domain, err));
    for (int n = 0; n < s->count; n++)
        work += s->block[n].work;
    work += s->windows.work;
    s->cost = work / hs_factors_sweep(&s->factors);
    if (s->cost < 1.0)
        s->cost = 1.0;
    return hs_block_room_init(&s->scratch, s->block, s->count, m, err);
}

static void blocks_clear(hs_kernel *k)
{
    struct blocks *s = k->state;

    for (int n = 0; n < s->count; n++)
        hs_block_clear(&s->block[n]);
    hs_free(s->block);
    hs_block_windows_clear(&s->windows);
    hs_factors_clear(&s->factors);
    hs_block_room_clear(&s->scratch);
}

static hiss_status draw_windows(hs_kernel *k, const hs_model *m,
                                const hs_tilt *t, hs_tile *x)
{
    struct blocks *s = k->state;

    for (int n = 0; n < s->windows.count; n++) {
        hs_tile_tick(x);
        HS_TRY(hs_block_windows_draw(&s->windows, n, &m->domain, t, x,
                                     k->lane[HS_PROPOSED], k->lane[HS_ACCEPTED],
                                     NULL));
    }
    return HISS_OK;
}

static hiss_status blocks_step(hs_kernel *k, const hs_model *m,
                               const hs_tilt *t, hs_tile *x)
{
    struct blocks *s = k->state;
    double changed[HS_LANES] = {0}, drawn = 0.0;

    HS_TRY(draw_windows(k, m, t, x));
    for (int n = 0; n < s->count; n++) {
        hs_tile_tick(x);
        hs_block_draw(&s->block[n], &s->scratch, &m->domain, t, x, changed);
        drawn += s->block[n].members;
    }
    for (int l = 0; l < x->lanes; l++) {
        k->lane[HS_PROPOSED][l] += drawn;
        k->lane[HS_ACCEPTED][l] += changed[l];
    }
    hs_tile_count_sites(x, m, s->cost * m->domain.dim);
    x->at.have = 0;
    HS_TRY(hs_model_evaluate(m, &x->at, HS_U));
    return hs_tile_check(x, &x->at);
}

static int blocks_work(const hs_kernel *k, const hs_model *m, hs_work *part)
{
    const struct blocks *s = k->state;
    double rows = 0.0;

    (void)m;
    for (int n = 0; n < s->count; n++)
        rows += s->block[n].work;
    rows += s->windows.work;
    part[0] = (hs_work){.times = 1.0, .amount = rows};
    return 1;
}

static const char *blocks_path(const hs_kernel *k, hs_tilt_form form)
{
    const struct blocks *s = k->state;

    return form == HS_TILT_FACTORS ? NULL : s->scratch.maths->name;
}

static hs_traits blocks_traits(const hs_kernel *k)
{
    const struct blocks *s = k->state;

    return (hs_traits){.exact = true,
                       .reversible = s->count + s->windows.count == 1,
                       .homogeneous = true,
                       .period = 1};
}

static const hs_option blocks_options[] = {
    {"table", HS_INTEGER, offsetof(struct blocks, table), "1024", "[1,1048576]",
     "entries of the largest table of a block"},
    {"bond", HS_INTEGER, offsetof(struct blocks, bond), "0", "[0,256]",
     "of truncated networks, for blocks whose tables would have `table` times "
     "its square entries; 0: tables alone"},
    {0},
};

const hs_kernel_type hs_kernel_blocks = {
    .name = "blocks",
    .summary = "heat bath on blocks of coordinates, by elimination",
    .size = sizeof(struct blocks),
    .options = blocks_options,
    .setup = blocks_setup,
    .step = blocks_step,
    .clear = blocks_clear,
    .traits = blocks_traits,
    .path = blocks_path,
    .work = blocks_work,
};
