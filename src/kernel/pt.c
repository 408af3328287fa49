/* pt.c - parallel tempering: persistent replicas at a ladder of temperatures.
 *
 * Replica r at level j targets beta_j U, beta_j = 1 / T_j.  After a step,
 * levels j and j + 1 are exchanged with probability
 *     min(1, exp[(beta_j - beta_j+1) (U_j+1 - U_j)]),
 * for even j and odd j in turn (non-reversible).  Replicas exchange their
 * levels and the tuning that belongs to them, never their states.  The draws
 * of a chain are the states at level 0. */
#include <math.h>

#include "base/error.h"
#include "kernel/kernel.h"
#include "lanes/lanes.h"

struct pt {
    hs_spec *base;
    int levels;
    double max_temperature;
    hs_reals ladder;
    int swap_every;
};

/* Where a level of a chain is to be found in its group. */
struct place {
    int tile, lane;
};

static int pt_replicas(const hs_kernel *k)
{
    const struct pt *s = k->state;

    return s->ladder.count ? s->ladder.count : s->levels;
}

static double temperature(const hs_kernel *k, int level)
{
    const struct pt *s = k->state;
    int levels = pt_replicas(k);

    if (s->ladder.count)
        return s->ladder.at[level];
    return levels == 1
               ? 1.0
               : pow(s->max_temperature, (double)level / (double)(levels - 1));
}

static hiss_status pt_check(const hs_kernel *k, hiss_error *err)
{
    const struct pt *s = k->state;

    if (pt_replicas(k) > HS_REPLICAS_MAX)
        return hs_fail(err, HISS_EARG, "sampler pt: %d levels, at most %d",
                       pt_replicas(k), HS_REPLICAS_MAX);
    for (int j = 0; j < s->ladder.count; j++)
        if (j == 0 ? s->ladder.at[0] != 1.0
                   : !(s->ladder.at[j] > s->ladder.at[j - 1]))
            return hs_fail(err, HISS_EARG,
                           "sampler pt: ladder must start at 1 and rise, "
                           "entry %d is %g",
                           j + 1, s->ladder.at[j]);
    return HISS_OK;
}

static hiss_status pt_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                           hs_tile *x)
{
    HS_TRY(hs_kernel_step(k->child[0], m, t, x));
    return hs_tile_evaluate(x, m, &x->at, HS_U); /* the exchange needs U */
}

static void pt_place(hs_kernel *k, hs_group *g)
{
    for (int i = 0; i < g->chains * g->replicas; i++) {
        hs_tile *t = &g->tile[i / HS_LANES];
        int level = i % g->replicas;

        t->level[i % HS_LANES] = level;
        t->tilt.beta[i % HS_LANES] = (float)(1.0 / temperature(k, level));
    }
}

/* Lanes of one chain by their level. */
static void find_levels(const hs_group *g, int chain, struct place *at)
{
    for (int r = 0; r < g->replicas; r++) {
        int i = chain * g->replicas + r;
        struct place here = {i / HS_LANES, i % HS_LANES};

        at[g->tile[here.tile].level[here.lane]] = here;
    }
}

/* ln u for the exchanges of one chain, sixteen levels at a time. */
static void log_uniforms(const hs_group *g, int chain, int first, float *out)
{
    const hs_rng *rng = &g->tile[0].rng;
    int lane = chain * g->replicas;
    uint32_t id = g->tile[lane / HS_LANES].rng.chain[lane % HS_LANES];
    float u[HS_LANES];

    for (int j = 0; j < HS_LANES; j++) {
        uint32_t word = hs_rng_word(rng->seed, id, 0, rng->clock, HS_DRAW_SWAP,
                                    (uint32_t)(first + j));

        u[j] = (float)word * 0x1p-32f + 0x1p-33f;
    }
    hs_lanes()->log(u, out);
}

static void swap_levels(hs_group *g, struct place a, struct place b)
{
    hs_tile *p = &g->tile[a.tile], *q = &g->tile[b.tile];
    int level = p->level[a.lane];
    float beta = p->tilt.beta[a.lane];

    p->level[a.lane] = q->level[b.lane];
    q->level[b.lane] = level;
    p->tilt.beta[a.lane] = q->tilt.beta[b.lane];
    q->tilt.beta[b.lane] = beta;
    hs_kernel_exchange(g->kernel[a.tile], a.lane, g->kernel[b.tile], b.lane);
}

static void couple_chain(hs_group *g, int chain, int parity)
{
    struct place at[HS_REPLICAS_MAX];
    float log_u[HS_LANES];
    int filled = -1;

    find_levels(g, chain, at);
    for (int j = parity; j + 1 < g->replicas; j += 2) {
        struct place a = at[j], b = at[j + 1];
        const hs_tile *p = &g->tile[a.tile], *q = &g->tile[b.tile];
        double(*count)[HS_LANES] = g->kernel[a.tile]->lane;
        double ratio =
            ((double)p->tilt.beta[a.lane] - (double)q->tilt.beta[b.lane]) *
            (q->at.u[b.lane] - p->at.u[a.lane]);

        if (filled != j / HS_LANES) {
            filled = j / HS_LANES;
            log_uniforms(g, chain, filled * HS_LANES, log_u);
        }
        count[HS_PROPOSED][a.lane] += 1.0;
        if ((double)log_u[j % HS_LANES] < ratio) {
            count[HS_ACCEPTED][a.lane] += 1.0;
            swap_levels(g, a, b);
        }
    }
}

static void pt_couple(hs_kernel *k, hs_group *g)
{
    const struct pt *s = k->state;
    uint64_t every = (uint64_t)s->swap_every;

    if (k->steps % every != 0)
        return;
    for (int i = 0; i < g->tiles; i++)
        hs_tile_tick(&g->tile[i]);
    for (int c = 0; c < g->chains; c++)
        couple_chain(g, c, (int)(k->steps / every % 2));
}

static hs_traits pt_traits(const hs_kernel *k)
{
    const struct pt *s = k->state;
    hs_traits own = hs_kernel_traits(k->child[0]);

    if (pt_replicas(k) > 1) {
        own.reversible = false;
        own.homogeneous = false;
        own.period *= 2 * s->swap_every;
    }
    return own;
}

static const hs_option pt_options[] = {
    {"base", HS_CHILD, offsetof(struct pt, base), "dmala", NULL,
     "kernel of every replica"},
    {"levels", HS_INTEGER, offsetof(struct pt, levels), "5", "[1,1024]",
     "temperatures, the target's 1 included"},
    {"max_temperature", HS_REAL, offsetof(struct pt, max_temperature), "20",
     "[1,inf)", "the hottest; geometric in between"},
    {"ladder", HS_REALS, offsetof(struct pt, ladder), "", "[1,inf)",
     "the temperatures themselves, as in [1,2,4]"},
    {"swap_every", HS_INTEGER, offsetof(struct pt, swap_every), "1",
     "[1,1000000]", "steps between exchanges"},
    {0},
};

const hs_kernel_type hs_kernel_pt = {
    .name = "pt",
    .summary = "parallel tempering with even/odd exchanges of levels",
    .counter = "pt.swap",
    .is_outermost = true,
    .size = sizeof(struct pt),
    .options = pt_options,
    .step = pt_step,
    .traits = pt_traits,
    .check = pt_check,
    .replicas = pt_replicas,
    .place = pt_place,
    .couple = pt_couple,
};
