/* strands.c - several replicas of a chain, all at the target.
 *
 * A tile advances sixteen lanes at the price of one, and four chains of one
 * replica each fill four of them.  Here a chain has `count` replicas, its
 * strands, which the base moves independently.  After each step a random
 * word of (seed, chain, clock) says which of the others stands at level 0, that
 * is, which one a draw is taken from.  The strands have the product law, and a
 * choice that does not look at them keeps it: a draw has the law of the base.
 *
 * Draws k steps apart are of the same strand with probability
 *     1/n + (1 - 1/n) (-1/(n - 1))^k,                n = count,
 * 0 for neighbours and soon 1/n: where correlations of the base add up to tau,
 * those of the draws add up to less than 1 + (tau - 1) / n, and sums of two of
 * them still decay, as estimates of tau expect.  Turns in order would hide tau
 * from them, and where every n-th draw is kept give those of one strand; so
 * would the other of two, of which each is chosen with probability 1/2.
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

/* The strand after this one. */
static int after(int strand, int count, uint32_t word)
{
    int other;

    if (count < 3)
        return hs_below(word, count);
    other = hs_below(word, count - 1);
    return other < strand ? other : other + 1;
}

static void pick(hs_group *g, int chain)
{
    int first = chain * g->replicas, strand = 0, next;
    const hs_rng *rng = &g->tile[first / HS_LANES].rng;
    uint32_t word = hs_rng_word(rng->seed, rng->chain[first % HS_LANES], 0,
                                rng->clock, HS_DRAW_STRAND, 0);

    while (*level_of(g, first + strand) != 0)
        strand++;
    next = after(strand, g->replicas, word);
    *level_of(g, first + strand) = *level_of(g, first + next);
    *level_of(g, first + next) = 0;
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
