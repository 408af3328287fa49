/* strands.c - several replicas of a chain, all at the target.
 *
 * A tile advances sixteen lanes at the price of one, and four chains of one
 * replica each fill four of them.  Here a chain has `count` replicas, its
 * strands, which the base moves independently.  After each step a random
 * word of (seed, chain, clock) says which of them stands at level 0, that is,
 * which one a draw is taken from.  The strands have the product law, and a
 * choice that does not look at them keeps it: a draw has the law of the base.
 *
 * Two draws come from the same strand with probability 1 / count, whatever
 * their distance: where correlations of the base add up to tau, those of the
 * draws add up to 1 + (tau - 1) / count, and their sequence still decays, as
 * estimates of tau expect.  Turns in order would hide tau from them.
 *
 * What is tuned belongs to the law, which all strands share: it stays with
 * its lane.  Strand 0 has the random numbers of the base's own chain, so that
 * count=1 gives its draws. */
#include "base/error.h"
#include "kernel/kernel.h"

struct strands {
    hs_spec *base;
    int count;
};

static int strands_replicas(const hs_kernel *k)
{
    const struct strands *s = k->state;

    return s->count;
}

static hiss_status strands_step(hs_kernel *k, const hs_model *m,
                                const hs_tilt *t, hs_tile *x)
{
    return hs_kernel_step(k->child[0], m, t, x);
}

static int *level_of(hs_group *g, int lane)
{
    return &g->tile[lane / HS_LANES].level[lane % HS_LANES];
}

static void strands_place(hs_kernel *k, hs_group *g)
{
    (void)k;
    for (int i = 0; i < g->chains * g->replicas; i++)
        *level_of(g, i) = i % g->replicas;
}

static void pick(hs_group *g, int chain)
{
    int first = chain * g->replicas;
    const hs_rng *rng = &g->tile[first / HS_LANES].rng;
    uint32_t word = hs_rng_word(rng->seed, rng->chain[first % HS_LANES], 0,
                                rng->clock, HS_DRAW_STRAND, 0);
    int *next = level_of(g, first + hs_below(word, g->replicas));
    int *now = level_of(g, first);

    while (*now != 0)
        now = level_of(g, ++first);
    *now = *next;
    *next = 0;
}

static void strands_couple(hs_kernel *k, hs_group *g)
{
    (void)k;
    for (int c = 0; c < g->chains; c++)
        pick(g, c);
}

/* The choice commutes with the step, which treats all lanes alike, and is its
 * own reverse: whatever is true of the base is true of the strands. */
static hs_traits strands_traits(const hs_kernel *k)
{
    return hs_kernel_traits(k->child[0]);
}

static const hs_option strands_options[] = {
    {"base", HS_CHILD, offsetof(struct strands, base), "gibbs", NULL,
     "kernel of every strand"},
    {"count", HS_INTEGER, offsetof(struct strands, count), "4", "[1,1024]",
     "strands of a chain; with 4 chains, 4 of them fill the sixteen lanes"},
    {0},
};

const hs_kernel_type hs_kernel_strands = {
    .name = "strands",
    .summary = "several independent replicas per chain at the target",
    .is_outermost = true,
    .has_one_law = true,
    .moves_tours = true,
    .size = sizeof(struct strands),
    .options = strands_options,
    .step = strands_step,
    .traits = strands_traits,
    .replicas = strands_replicas,
    .place = strands_place,
    .couple = strands_couple,
};
