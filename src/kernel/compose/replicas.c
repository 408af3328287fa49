/* replicas.c - several replicas of a chain, all at the target.
 *
 * A tile advances sixteen lanes at the price of one, and four chains of one
 * replica each fill four of them.  Here a chain has `count` replicas, which the
 * base moves independently.  After each step a random word of (seed, chain,
 * clock) chooses which of the others stands at level 0, that is, which replica
 * the next draw is taken from.  The replicas have the product distribution, and
 * a choice that does not depend on them keeps it, so a draw has the
 * distribution of the base.
 *
 * Draws k steps apart come from the same replica with probability
 *     1/n + (1 - 1/n) (-1/(n - 1))^k,                n = count,
 * which is 0 for neighbors and soon 1/n.  If correlations of the base add up to
 * tau, those of the draws add up to less than 1 + (tau - 1) / n, and sums of
 * two of them still decay, as estimates of tau expect. Fixed turns would hide
 * tau from the estimates, and keeping every n-th draw would give the draws of
 * one replica.
 *
 * Tuned values belong to the distribution, which all replicas share: they stay
 * with their lane.  Replica 0 has the random numbers of the base's own chain,
 * so count=1 gives the draws of the base. */
#include "base/error.h"
#include "kernel/kernel.h"

struct replicas {
    hs_spec *base;
    int count;
};

static int replicas_count(const hs_kernel *k)
{
    const struct replicas *s = k->state;

    return s->count;
}

static hiss_status replicas_step(hs_kernel *k, const hs_model *m,
                                 const hs_tilt *t, hs_tile *x)
{
    return hs_kernel_step(k->child[0], m, t, x);
}

static int *level_of(hs_group *g, int lane)
{
    return &g->tile[lane / HS_LANES].level[lane % HS_LANES];
}

static void replicas_place(hs_kernel *k, hs_group *g)
{
    (void)k;
    for (int i = 0; i < g->chains * g->replicas; i++)
        *level_of(g, i) = i % g->replicas;
}

/* Returns the replica after this one. */
static int after(int one, int count, uint32_t word)
{
    int other;

    if (count < 3)
        return hs_below(word, count);
    other = hs_below(word, count - 1);
    return other < one ? other : other + 1;
}

static void pick(hs_group *g, int chain)
{
    int first = chain * g->replicas, now = 0, next;
    const hs_rng *rng = &g->tile[first / HS_LANES].rng;
    uint32_t word = hs_rng_word(rng->seed, rng->chain[first % HS_LANES], 0,
                                rng->clock, HS_DRAW_STRAND, 0);

    while (*level_of(g, first + now) != 0)
        now++;
    next = after(now, g->replicas, word);
    *level_of(g, first + now) = *level_of(g, first + next);
    *level_of(g, first + next) = 0;
}

static void replicas_couple(hs_kernel *k, hs_group *g)
{
    (void)k;
    for (int c = 0; c < g->chains; c++)
        pick(g, c);
}

/* The choice commutes with the step, which treats all lanes alike, and is its
 * own reverse.  So the replicas have the traits of the base. */
static hs_traits replicas_traits(const hs_kernel *k)
{
    return hs_kernel_traits(k->child[0]);
}

static const hs_option replicas_options[] = {
    {"base", HS_CHILD, offsetof(struct replicas, base), "gibbs", NULL,
     "kernel of every replica"},
    {"count", HS_INTEGER, offsetof(struct replicas, count), "4", "[1,1024]",
     "replicas of a chain; with 4 chains, 4 of them fill the sixteen lanes"},
    {0},
};

const hs_kernel_type hs_kernel_replicas = {
    .name = "replicas",
    .summary = "several independent replicas per chain at the target",
    .is_outermost = true,
    .has_one_law = true,
    .moves_tours = true,
    .size = sizeof(struct replicas),
    .options = replicas_options,
    .step = replicas_step,
    .traits = replicas_traits,
    .replicas = replicas_count,
    .place = replicas_place,
    .couple = replicas_couple,
};
