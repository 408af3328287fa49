/* broken_houdayer.c - Houdayer moves between two replicas at the target. */
#include "base/error.h"
#include "base/sets.h"
#include "conformance/support/broken.h"
#include "kernel/parts.h"

#define COPIES 2

struct houdayer {
    hs_spec *base;
    int fault;
    hs_parts parts; /* owned */
};

enum fault {
    NONE,
    SITE,
    GREEDY,
};

static int replicas(const hs_kernel *k)
{
    (void)k;
    return COPIES;
}

static hiss_status setup(hs_kernel *k, const hs_model *m, hiss_error *err)
{
    struct houdayer *s = k->state;

    return hs_parts_init(&s->parts, m, err);
}

static void clear(hs_kernel *k)
{
    struct houdayer *s = k->state;

    hs_parts_clear(&s->parts);
}

static void place(hs_kernel *k, hs_group *g)
{
    (void)k;
    for (int i = 0; i < g->chains * COPIES; i++)
        g->tile[i / HS_LANES].level[i % HS_LANES] = i % COPIES;
}

static hiss_status step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                        hs_tile *x)
{
    return hs_kernel_step(k->child[0], m, t, x);
}

/* Exchanges the part of a random site, or that site alone. */
static void exchange(struct houdayer *s, const hs_parts_side *side, int pick)
{
    int32_t *parent = s->parts.parent;
    int dim = s->parts.factors.dim, differ = 0, site = 0;

    for (int i = 0; i < dim; i++) {
        parent[i] = side[0].tile->at.x[i][side[0].lane] ==
                            side[1].tile->at.x[i][side[1].lane]
                        ? -1
                        : i;
        differ += parent[i] >= 0;
    }
    if (differ == 0)
        return;
    hs_parts_join(&s->parts.factors, parent);
    for (pick %= differ; parent[site] < 0 || pick-- > 0; site++)
        ;
    for (int i = 0; i < dim; i++) {
        int16_t *a = &side[0].tile->at.x[i][side[0].lane];
        int16_t *b = &side[1].tile->at.x[i][side[1].lane], own = *a;

        if (parent[i] < 0 ||
            hs_sets_find(parent, i) != hs_sets_find(parent, site))
            continue;
        if (s->fault == SITE && i != site)
            continue;
        *a = *b;
        *b = own;
    }
}

static void evaluate(hs_group *g)
{
    for (int i = 0; i < g->tiles; i++) {
        g->tile[i].at.have = 0;
        hs_model_evaluate(g->model, &g->tile[i].at, HS_U);
    }
}

/* Greedy: taken back where the first replica is worse off. */
static void couple(hs_kernel *k, hs_group *g)
{
    struct houdayer *s = k->state;

    evaluate(g);
    for (int c = 0; c < g->chains; c++) {
        int first = c * COPIES;
        hs_parts_side side[COPIES];
        uint32_t id = g->tile[first / HS_LANES].rng.chain[first % HS_LANES];
        uint32_t word = hs_rng_word(g->tile[0].rng.seed, id, 0,
                                    g->tile[0].rng.clock, HS_DRAW_BOND, 0);
        double before;

        for (int r = 0; r < COPIES; r++)
            side[r] = (hs_parts_side){&g->tile[(first + r) / HS_LANES],
                                      (first + r) % HS_LANES};
        before = side[0].tile->at.u[side[0].lane];
        exchange(s, side, (int)(word >> 8));
        evaluate(g);
        if (s->fault == GREEDY && side[0].tile->at.u[side[0].lane] < before)
            exchange(s, side, (int)(word >> 8));
    }
    evaluate(g);
    for (int i = 0; i < g->tiles; i++)
        hs_tile_tick(&g->tile[i]);
}

static hs_traits traits(const hs_kernel *k)
{
    hs_traits own = hs_kernel_traits(k->child[0]);

    own.reversible = false;
    own.mixes = true;
    return own;
}

static const hs_option options[] = {
    {"base", HS_CHILD, offsetof(struct houdayer, base), "gibbs", NULL, ""},
    {"fault", HS_CHOICE, offsetof(struct houdayer, fault), "none",
     "none|site|greedy", ""},
    {0},
};

const hs_kernel_type broken_houdayer = {
    .name = "bad_houdayer",
    .summary = "",
    .is_outermost = true,
    .size = sizeof(struct houdayer),
    .options = options,
    .setup = setup,
    .clear = clear,
    .step = step,
    .traits = traits,
    .replicas = replicas,
    .place = place,
    .couple = couple,
};
