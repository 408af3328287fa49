/* pthr.c - parallel tempering with several replicas at every temperature, and
 * Houdayer moves between them.
 *
 * Temperature t has `copies` replicas, all with the distribution of beta_t U.
 * After a step
 *   1. the replicas of each temperature are put in random order;
 *   2. the first and second, third and fourth, ... exchange a cluster: of the
 *      sites where two of them differ, one is drawn at random, and its
 *      component (parts.h), connected by tables, changes hands.  The sum of
 *      both U stays, and with it the product of both distributions.  The set
 *      of differing sites stays too, so the move is its own reverse and is
 *      always accepted
 *      [Houdayer 2001; Zhu, Ochoa & Katzgraber 2015];
 *   3. replica c of temperature t and replica c of t + 1 exchange levels with
 *         min(1, exp[(beta_t - beta_t+1) (U_t+1 - U_t)]),
 *      for even t and odd t in turn.
 *
 * Two replicas alone only exchange what both have. More of them, moving between
 * temperatures, are the reservoir from which clusters are made [Chilin et al.
 * 2026].  Clusters that span the model, as at high temperatures, only exchange
 * the replicas.
 *
 * Level copies t + c is replica c of temperature t; draws are the states at
 * level 0, which after 1 is any replica of the target.  There is no log Z. */
#include <math.h>

#include "base/error.h"
#include "kernel/kernel.h"
#include "kernel/parts.h"
#include "lanes/lanes.h"

#define USUAL   5    /* temperatures */
#define HOTTEST 20.0 /* top of a ladder that is not tuned */
#define PRICE   8.0  /* cost of a cluster, in evaluations of a replica */

struct pthr {
    hs_spec *base;
    int copies;
    double levels;          /* NaN: auto */
    double max_temperature; /* NaN: auto */
    hs_reals ladder;
    int swap_every, clusters_every;
    hs_parts parts; /* owned */
};

/* The place of a level of a chain in its group. */
struct place {
    int tile, lane;
};

static int temperatures(const struct pthr *s)
{
    if (s->ladder.count)
        return s->ladder.count;
    return isnan(s->levels) ? USUAL : (int)s->levels;
}

static int pthr_replicas(const hs_kernel *k)
{
    const struct pthr *s = k->state;

    return temperatures(s) * s->copies;
}

static float beta_of(const struct pthr *s, int t)
{
    double hottest =
        isfinite(s->max_temperature) ? s->max_temperature : HOTTEST;
    int count = temperatures(s);

    if (s->ladder.count)
        return (float)(1.0 / s->ladder.at[t]);
    return count == 1 ? 1.0f
                      : (float)pow(hottest, -(double)t / (double)(count - 1));
}

static hiss_status pthr_check(const hs_kernel *k, hiss_error *err)
{
    const struct pthr *s = k->state;

    if (!isnan(s->levels) && s->levels != floor(s->levels))
        return hs_fail(err, HISS_EARG,
                       "sampler pthr: levels is %g, expected a whole number or "
                       "auto",
                       s->levels);
    if (isinf(s->max_temperature) && !isnan(s->levels) && !s->ladder.count)
        return hs_fail(err, HISS_EARG,
                       "sampler pthr: max_temperature=inf needs levels=auto or "
                       "a ladder");
    if (pthr_replicas(k) > HS_REPLICAS_MAX)
        return hs_fail(err, HISS_EARG,
                       "sampler pthr: %d temperatures of %d replicas each, at "
                       "most %d in all",
                       temperatures(s), s->copies, HS_REPLICAS_MAX);
    for (int j = 0; j < s->ladder.count; j++)
        if (j == 0 ? s->ladder.at[0] != 1.0
                   : !(s->ladder.at[j] > s->ladder.at[j - 1]))
            return hs_fail(err, HISS_EARG,
                           "sampler pthr: ladder must start at 1 and rise, "
                           "entry %d is %g",
                           j + 1, s->ladder.at[j]);
    return HISS_OK;
}

static hiss_status pthr_setup(hs_kernel *k, const hs_model *m, hiss_error *err)
{
    struct pthr *s = k->state;

    return hs_parts_init(&s->parts, m, err);
}

static void pthr_clear(hs_kernel *k)
{
    struct pthr *s = k->state;

    hs_parts_clear(&s->parts);
}

static hiss_status pthr_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                             hs_tile *x)
{
    HS_TRY(hs_kernel_step(k->child[0], m, t, x));
    return hs_tile_evaluate(x, m, &x->at, HS_U); /* exchanges need U */
}

static void pthr_place(hs_kernel *k, hs_group *g)
{
    const struct pthr *s = k->state;

    for (int i = 0; i < g->chains * g->replicas; i++) {
        hs_tile *t = &g->tile[i / HS_LANES];
        int level = i % g->replicas, lane = i % HS_LANES;

        t->level[lane] = level;
        t->tilt.beta[lane] = beta_of(s, level / s->copies);
    }
}

static void find_levels(const hs_group *g, int chain, struct place *at)
{
    for (int r = 0; r < g->replicas; r++) {
        int i = chain * g->replicas + r;
        struct place here = {i / HS_LANES, i % HS_LANES};

        at[g->tile[here.tile].level[here.lane]] = here;
    }
}

static void swap_levels(hs_group *g, struct place *a, struct place *b)
{
    hs_tile *p = &g->tile[a->tile], *q = &g->tile[b->tile];
    struct place other = *b;
    int level = p->level[a->lane];
    float beta = p->tilt.beta[a->lane];

    p->level[a->lane] = q->level[b->lane];
    q->level[b->lane] = level;
    p->tilt.beta[a->lane] = q->tilt.beta[b->lane];
    q->tilt.beta[b->lane] = beta;
    hs_kernel_exchange(g->kernel[a->tile], a->lane, g->kernel[b->tile],
                       b->lane);
    *b = *a;
    *a = other;
}

static uint32_t word_of(const hs_group *g, uint32_t chain, hs_purpose purpose,
                        int i)
{
    const hs_rng *rng = &g->tile[0].rng;

    return hs_rng_word(rng->seed, chain, 0, rng->clock, purpose, (uint32_t)i);
}

/* Step 1: shuffles the replicas of each temperature (Fisher-Yates). */
static void shuffle(const struct pthr *s, hs_group *g, uint32_t id,
                    struct place *at)
{
    for (int first = 0; first < g->replicas; first += s->copies)
        for (int c = s->copies - 1; c > 0; c--) {
            uint32_t word = word_of(g, id, HS_DRAW_STRAND, first + c);
            int other = hs_below(word, c + 1);

            if (other != c)
                swap_levels(g, &at[first + c], &at[first + other]);
        }
}

/* Computes ln u for the exchanges of sixteen levels. */
static void exchange_clusters(struct pthr *s, hs_group *g, uint32_t id,
                              const struct place *at)
{
    for (int first = 0; first < g->replicas; first += s->copies)
        for (int c = 0; c + 1 < s->copies; c += 2) {
            struct place own = at[first + c], other = at[first + c + 1];
            hs_parts_side a = {&g->tile[own.tile], own.lane};
            hs_parts_side b = {&g->tile[other.tile], other.lane};

            hs_parts_exchange_one(&s->parts, a, b, id, (uint32_t)(first + c));
        }
}

/* ln u for the exchanges of sixteen levels. */
static void log_uniforms(const hs_group *g, uint32_t id, int first, float *out)
{
    float u[HS_LANES];

    for (int j = 0; j < HS_LANES; j++)
        u[j] = (float)word_of(g, id, HS_DRAW_SWAP, first + j) * 0x1p-32f +
               0x1p-33f;
    hs_lanes()->log(u, out);
}

/* Log ratio of an exchange of levels.  The target accepts no state that is
 * impossible there, as states of a softened model may be. */
static double ratio_of(const hs_group *g, struct place cold, struct place hot,
                       bool is_target)
{
    const hs_tile *p = &g->tile[cold.tile], *q = &g->tile[hot.tile];
    double gap =
        (double)p->tilt.beta[cold.lane] - (double)q->tilt.beta[hot.lane];

    if (is_target && !hs_model_is_possible(g->model, q->at.u[hot.lane]))
        return -HUGE_VAL;
    return gap * (q->at.u[hot.lane] - p->at.u[cold.lane]);
}

/* 3 */
static void exchange_levels(const struct pthr *s, hs_group *g, uint32_t id,
                            struct place *at, int parity)
{
    int copies = s->copies, last = g->replicas - copies;
    float log_u[HS_LANES];

    for (int j = 0; j < last; j++) {
        struct place *cold = &at[j], *hot = &at[j + copies];
        double(*count)[HS_LANES] = g->kernel[cold->tile]->lane;

        if (j % HS_LANES == 0)
            log_uniforms(g, id, j, log_u);
        if (j / copies % 2 != parity)
            continue;
        count[HS_PROPOSED][cold->lane] += 1.0;
        if (!((double)log_u[j % HS_LANES] <
              ratio_of(g, *cold, *hot, j < copies)))
            continue;
        count[HS_ACCEPTED][cold->lane] += 1.0;
        swap_levels(g, cold, hot);
    }
}

static uint32_t chain_id(const hs_group *g, int chain)
{
    int lane = chain * g->replicas;

    return g->tile[lane / HS_LANES].rng.chain[lane % HS_LANES];
}

static void tick(hs_group *g)
{
    for (int i = 0; i < g->tiles; i++)
        hs_tile_tick(&g->tile[i]);
}

static void mix_copies(struct pthr *s, hs_group *g, bool has_clusters)
{
    struct place at[HS_REPLICAS_MAX];

    tick(g);
    for (int c = 0; c < g->chains; c++) {
        find_levels(g, c, at);
        shuffle(s, g, chain_id(g, c), at);
        if (has_clusters)
            exchange_clusters(s, g, chain_id(g, c), at);
    }
    for (int i = 0; has_clusters && i < g->tiles; i++) {
        hs_tile *t = &g->tile[i];

        hs_tile_count_sites(t, g->model, PRICE * g->model->domain.dim);
        t->at.have = 0;
        hs_model_evaluate(g->model, &t->at, HS_U); /* finite as before */
    }
}

static void pthr_couple(hs_kernel *k, hs_group *g)
{
    struct pthr *s = k->state;
    uint64_t every = (uint64_t)s->swap_every;
    struct place at[HS_REPLICAS_MAX];

    mix_copies(s, g, k->steps % (uint64_t)s->clusters_every == 0);
    if (k->steps % every != 0)
        return;
    tick(g);
    for (int c = 0; c < g->chains; c++) {
        find_levels(g, c, at);
        exchange_levels(s, g, chain_id(g, c), at, (int)(k->steps / every % 2));
    }
}

static int pthr_work(const hs_kernel *k, const hs_model *m, hs_work *part)
{
    const struct pthr *s = k->state;

    (void)m;
    part[0] = (hs_work){.times = 1.0, .is_by_lane = true};
    part[1] = (hs_work){.variant = "clusters",
                        .times = 1.0 / s->clusters_every,
                        .is_by_lane = true};
    return 2;
}

static hs_traits pthr_traits(const hs_kernel *k)
{
    const struct pthr *s = k->state;
    hs_traits own = hs_kernel_traits(k->child[0]);

    own.reversible = false;
    own.homogeneous = false;
    own.mixes = true;
    own.period *= 2 * (int64_t)s->swap_every * s->clusters_every;
    return own;
}

static const hs_option pthr_options[] = {
    {"base", HS_CHILD, offsetof(struct pthr, base), "gibbs", NULL,
     "kernel of every replica"},
    {"copies", HS_INTEGER, offsetof(struct pthr, copies), "4", "[2,64]",
     "replicas at every temperature"},
    {"levels", HS_AUTO, offsetof(struct pthr, levels), "5", "[1,512]",
     "temperatures, the target's 1 included; auto: these and their number are "
     "tuned by a pilot, as for pt"},
    {"max_temperature", HS_AUTO, offsetof(struct pthr, max_temperature), "auto",
     "[1,inf]",
     "the hottest, geometric in between; auto: 20, or infinite when levels are "
     "tuned"},
    {"ladder", HS_REALS, offsetof(struct pthr, ladder), "", "[1,inf]",
     "the temperatures themselves, as in [1,2,4]"},
    {"swap_every", HS_INTEGER, offsetof(struct pthr, swap_every), "1",
     "[1,1000000]", "steps between exchanges of levels"},
    {"clusters", HS_INTEGER, offsetof(struct pthr, clusters_every), "1",
     "[1,1000000]", "steps between Houdayer moves"},
    {0},
};

const hs_kernel_type hs_kernel_pthr = {
    .name = "pthr",
    .summary = "parallel tempering, Houdayer moves between several replicas at "
               "every temperature",
    .is_baseline = true,
    .counter = "pthr.swap",
    .is_outermost = true,
    .size = sizeof(struct pthr),
    .options = pthr_options,
    .setup = pthr_setup,
    .clear = pthr_clear,
    .step = pthr_step,
    .traits = pthr_traits,
    .check = pthr_check,
    .replicas = pthr_replicas,
    .place = pthr_place,
    .couple = pthr_couple,
    .work = pthr_work,
};
