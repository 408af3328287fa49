/* pt.c - parallel tempering: persistent replicas at a ladder of temperatures.
 *
 * Replica r at level j targets beta_j U, beta_j = 1 / T_j.  After a step,
 * levels j and j + 1 are exchanged with probability
 *     min(1, exp[(beta_j - beta_j+1) (U_j+1 - U_j)]),
 * for even j and odd j in turn (non-reversible).  Replicas exchange their
 * levels and the tuning that belongs to them, never their states.  The draws
 * of a chain are the states at level 0.
 *
 * parts: neighbouring levels also exchange what differs between them part by
 * part (parts.h), for even j and odd j in turn.
 *
 * T = infinity is beta = 0: uniform over the possible states, and over all
 * states where the model is softened (model/softened.h), as runs do it
 * with sums of tables that have zeros.  levels=auto is resolved before a run
 * (run/survey/ladder.h); built as it is, it has USUAL levels. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "kernel/kernel.h"
#include "kernel/parts.h"
#include "kernel/tempering.h"
#include "lanes/lanes.h"

#define USUAL   5    /* levels */
#define HOTTEST 20.0 /* temperature of a ladder that is not tuned */
#define PRICE   8.0  /* evaluations of a replica that exchanging parts costs */

struct pt {
    hs_spec *base;
    double levels;          /* NaN: auto */
    double max_temperature; /* NaN: auto */
    hs_reals ladder;
    int swap_every;
    int parts_every; /* 0: never */
    hs_parts parts;  /* owned, if they are exchanged */
};

/* Where a level of a chain is to be found in its group. */
struct place {
    int tile, lane;
};

static int pt_replicas(const hs_kernel *k)
{
    const struct pt *s = k->state;

    if (s->ladder.count)
        return s->ladder.count;
    return isnan(s->levels) ? USUAL : (int)s->levels;
}

static double temperature(const hs_kernel *k, int level)
{
    const struct pt *s = k->state;
    double hottest = isnan(s->max_temperature) || isinf(s->max_temperature)
                         ? HOTTEST
                         : s->max_temperature;
    int levels = pt_replicas(k);

    if (s->ladder.count)
        return s->ladder.at[level];
    return levels == 1 ? 1.0
                       : pow(hottest, (double)level / (double)(levels - 1));
}

static hiss_status pt_check(const hs_kernel *k, hiss_error *err)
{
    const struct pt *s = k->state;

    if (!isnan(s->levels) && s->levels != floor(s->levels))
        return hs_fail(err, HISS_EARG,
                       "sampler pt: levels is %g, expected a whole number or "
                       "auto",
                       s->levels);
    if (isinf(s->max_temperature) && !isnan(s->levels) && !s->ladder.count)
        return hs_fail(err, HISS_EARG,
                       "sampler pt: max_temperature=inf needs levels=auto or "
                       "a ladder");
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
    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U)); /* the exchange needs U */
    if (!x->is_warmup)
        hs_tempering_note(k, x);
    return HISS_OK;
}

static hiss_status pt_setup(hs_kernel *k, const hs_model *m, hiss_error *err)
{
    struct pt *s = k->state;

    return s->parts_every > 0 ? hs_parts_init(&s->parts, m, err) : HISS_OK;
}

static void pt_clear(hs_kernel *k)
{
    struct pt *s = k->state;

    hs_parts_clear(&s->parts);
}

static float beta_of(const hs_kernel *k, int level)
{
    return (float)(1.0 / temperature(k, level));
}

static void pt_place(hs_kernel *k, hs_group *g)
{
    for (int i = 0; i < g->chains * g->replicas; i++) {
        hs_tile *t = &g->tile[i / HS_LANES];
        double(*column)[HS_LANES] = g->kernel[i / HS_LANES]->lane;
        int level = i % g->replicas, lane = i % HS_LANES;
        double beta = (double)beta_of(k, level);

        t->level[lane] = level;
        t->tilt.beta[lane] = (float)beta;
        if (level > 0)
            column[HS_PT_COLD_GAP][lane] =
                0.5 * ((double)beta_of(k, level - 1) - beta);
        if (level + 1 < g->replicas)
            column[HS_PT_HOT_GAP][lane] =
                0.5 * (beta - (double)beta_of(k, level + 1));
    }
}

/* What was noted in warm-up is not that of the frozen ladder's law. */
static void pt_freeze(hs_kernel *k)
{
    for (int c = HS_OWN_COLUMNS; c < HS_PT_COLUMNS; c++)
        if (c != HS_PT_COLD_GAP && c != HS_PT_HOT_GAP)
            memset(k->lane[c], 0, sizeof k->lane[c]);
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

/* The target itself takes nothing from a state that is impossible there, as
 * those of a softened model may be at the next level. */
static bool is_closed(const hs_group *g, const struct place *at, int level)
{
    const hs_tile *hotter = &g->tile[at[level + 1].tile];

    return level == 0 &&
           !hs_model_is_possible(g->model, hotter->at.u[at[1].lane]);
}

/* ln of min(1, ratio) of the exchange of levels j and j + 1, for every other
 * j; what is expected of each is noted. */
static void weigh(const hs_group *g, const struct place *at, int parity,
                  double *ratio)
{
    double log_ratio[HS_LANES];
    float chance[HS_LANES];
    int lanes = 0;

    for (int j = parity; j + 1 < g->replicas; j += 2) {
        const hs_tile *p = &g->tile[at[j].tile], *q = &g->tile[at[j + 1].tile];
        int a = at[j].lane, b = at[j + 1].lane;

        ratio[j] = ((double)p->tilt.beta[a] - (double)q->tilt.beta[b]) *
                   (q->at.u[b] - p->at.u[a]);
        if (is_closed(g, at, j))
            ratio[j] = -HUGE_VAL;
        log_ratio[lanes++] = ratio[j];
        if (lanes < HS_LANES && j + 3 < g->replicas)
            continue;
        for (int l = lanes; l < HS_LANES; l++)
            log_ratio[l] = 0.0;
        hs_tile_acceptance(log_ratio, chance);
        for (int l = 0; l < lanes; l++) {
            struct place from = at[j - 2 * (lanes - 1 - l)];

            g->kernel[from.tile]->lane[HS_PT_CHANCE][from.lane] +=
                (double)chance[l];
        }
        lanes = 0;
    }
}

/* A round trip leads from the coldest level to the hottest and back. */
static void count_trips(hs_group *g, int chain)
{
    for (int r = 0; r < g->replicas; r++) {
        int i = chain * g->replicas + r, lane = i % HS_LANES;
        hs_tile *t = &g->tile[i / HS_LANES];

        if (t->level[lane] == 0) {
            t->trips[lane] += t->heading[lane] == HS_FROM_HOT;
            t->heading[lane] = HS_FROM_COLD;
        } else if (t->level[lane] == g->replicas - 1 &&
                   t->heading[lane] == HS_FROM_COLD) {
            t->heading[lane] = HS_FROM_HOT;
        }
    }
}

static void couple_chain(hs_group *g, int chain, int parity)
{
    struct place at[HS_REPLICAS_MAX];
    double ratio[HS_REPLICAS_MAX];
    float log_u[HS_LANES];
    int filled = -1;

    find_levels(g, chain, at);
    weigh(g, at, parity, ratio);
    for (int j = parity; j + 1 < g->replicas; j += 2) {
        struct place a = at[j], b = at[j + 1];
        double(*count)[HS_LANES] = g->kernel[a.tile]->lane;

        if (filled != j / HS_LANES) {
            filled = j / HS_LANES;
            log_uniforms(g, chain, filled * HS_LANES, log_u);
        }
        count[HS_PROPOSED][a.lane] += 1.0;
        if ((double)log_u[j % HS_LANES] < ratio[j]) {
            count[HS_ACCEPTED][a.lane] += 1.0;
            swap_levels(g, a, b);
        }
    }
    count_trips(g, chain);
}

static void exchange_parts(struct pt *s, hs_group *g, int parity)
{
    for (int c = 0; c < g->chains; c++) {
        struct place at[HS_REPLICAS_MAX];
        int lane = c * g->replicas;
        uint32_t id = g->tile[lane / HS_LANES].rng.chain[lane % HS_LANES];

        find_levels(g, c, at);
        for (int j = parity; j + 1 < g->replicas; j += 2) {
            hs_parts_side a = {&g->tile[at[j].tile], at[j].lane};
            hs_parts_side b = {&g->tile[at[j + 1].tile], at[j + 1].lane};

            if (!is_closed(g, at, j))
                hs_parts_exchange(&s->parts, a, b, id, (uint32_t)j);
        }
    }
    for (int i = 0; i < g->tiles; i++) {
        hs_tile *t = &g->tile[i];

        hs_tile_count_sites(t, g->model, PRICE * g->model->domain.dim);
        t->at.have = 0;
        hs_model_evaluate(g->model, &t->at, HS_U); /* finite as before */
    }
}

static void tick(hs_group *g)
{
    for (int i = 0; i < g->tiles; i++)
        hs_tile_tick(&g->tile[i]);
}

static void pt_couple(hs_kernel *k, hs_group *g)
{
    struct pt *s = k->state;
    uint64_t every = (uint64_t)s->swap_every;
    uint64_t parts = (uint64_t)s->parts_every;

    if (parts > 0 && k->steps % parts == 0) {
        tick(g);
        exchange_parts(s, g, (int)(k->steps / parts % 2));
    }
    if (k->steps % every != 0)
        return;
    tick(g);
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
        own.mixes = s->parts_every > 0;
        if (s->parts_every > 1) /* a common multiple */
            own.period *= s->parts_every;
    }
    return own;
}

static const hs_option pt_options[] = {
    {"base", HS_CHILD, offsetof(struct pt, base), "dmala", NULL,
     "kernel of every replica"},
    {"levels", HS_AUTO, offsetof(struct pt, levels), "5", "[1,1024]",
     "temperatures, the target's 1 included; auto: these and their number are "
     "tuned by a pilot"},
    {"max_temperature", HS_AUTO, offsetof(struct pt, max_temperature), "auto",
     "[1,inf]",
     "the hottest, geometric in between; auto: 20, or infinite "
     "when levels are tuned"},
    {"ladder", HS_REALS, offsetof(struct pt, ladder), "", "[1,inf]",
     "the temperatures themselves, as in [1,2,4]"},
    {"swap_every", HS_INTEGER, offsetof(struct pt, swap_every), "1",
     "[1,1000000]", "steps between exchanges"},
    {"parts", HS_INTEGER, offsetof(struct pt, parts_every), "0", "[0,1000000]",
     "steps between exchanges of parts (isoenergetic cluster moves); 0: never"},
    {0},
};

const hs_kernel_type hs_kernel_pt = {
    .name = "pt",
    .summary = "parallel tempering with even/odd exchanges of levels",
    .counter = "pt.swap",
    .is_outermost = true,
    .moves_tours = true,
    .size = sizeof(struct pt),
    .options = pt_options,
    .columns = HS_PT_COLUMNS,
    .setup = pt_setup,
    .clear = pt_clear,
    .step = pt_step,
    .traits = pt_traits,
    .check = pt_check,
    .freeze = pt_freeze,
    .replicas = pt_replicas,
    .place = pt_place,
    .couple = pt_couple,
};
