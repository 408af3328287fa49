/* broken_replicas.c - strands that are chosen by what they are. */
#include "base/error.h"
#include "conformance/support/broken.h"

#define STRANDS 3

struct strands {
    hs_spec *base;
    int fault;
};

enum fault {
    NONE,
    BEST,
    MOVED,
};

static int replicas(const hs_kernel *k)
{
    (void)k;
    return STRANDS;
}

static void place(hs_kernel *k, hs_group *g)
{
    (void)k;
    for (int i = 0; i < g->chains * STRANDS; i++)
        g->tile[i / HS_LANES].level[i % HS_LANES] = i % STRANDS;
}

/* The U before the step stays in a column. */
static hiss_status step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                        hs_tile *x)
{
    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U));
    for (int l = 0; l < HS_LANES; l++)
        k->lane[HS_OWN_COLUMNS][l] = x->at.u[l];
    HS_TRY(hs_kernel_step(k->child[0], m, t, x));
    return hs_tile_evaluate(x, m, &x->at, HS_U);
}

/* What strand r of a chain is chosen for: the highest stands at level 0. */
static double merit(const hs_kernel *k, const hs_group *g, int chain, int r)
{
    const struct strands *s = k->state;
    int i = chain * STRANDS + r, lane = i % HS_LANES;
    double u = g->tile[i / HS_LANES].at.u[lane];
    double before = g->kernel[i / HS_LANES]->lane[HS_OWN_COLUMNS][lane];

    if (s->fault == BEST)
        return u;
    if (s->fault == MOVED)
        return u != before;
    return r == (int)(k->steps % STRANDS); /* in turn */
}

static void couple(hs_kernel *k, hs_group *g)
{
    for (int c = 0; c < g->chains; c++) {
        int best = 0;

        for (int r = 1; r < STRANDS; r++)
            if (merit(k, g, c, r) > merit(k, g, c, best))
                best = r;
        for (int r = 0; r < STRANDS; r++) {
            int i = c * STRANDS + (best + r) % STRANDS;

            g->tile[i / HS_LANES].level[i % HS_LANES] = r;
        }
    }
}

static hs_traits traits(const hs_kernel *k)
{
    hs_traits own = hs_kernel_traits(k->child[0]);

    own.period *= STRANDS;
    own.reversible = false;
    return own;
}

static const hs_option options[] = {
    {"base", HS_CHILD, offsetof(struct strands, base), "gwg", NULL, ""},
    {"fault", HS_CHOICE, offsetof(struct strands, fault), "none",
     "none|best|moved", ""},
    {0},
};

const hs_kernel_type broken_replicas = {
    .name = "bad_strands",
    .summary = "",
    .is_outermost = true,
    .has_one_law = true,
    .size = sizeof(struct strands),
    .options = options,
    .columns = HS_OWN_COLUMNS + 1,
    .step = step,
    .traits = traits,
    .replicas = replicas,
    .place = place,
    .couple = couple,
};
