/* pt.c - parallel tempering: persistent replicas at a ladder of temperatures.
 *
 * Replica r at level j targets beta_j U, beta_j = 1 / T_j.  After a step,
 * levels j and j + 1 are exchanged with probability
 *     min(1, exp[(beta_j - beta_j+1) (U_j+1 - U_j)]),
 * for even j and odd j in turn (non-reversible).  Replicas exchange their
 * levels and the tuning that belongs to them, never their states.  The draws of
 * a chain are the states at level 0.
 *
 * houdayer: neighboring levels also exchange connected components of their
 * differences (parts.h), for even j and odd j in turn.
 *
 * reference: a second path, the reference path (option path), leads from the
 * target to a learned distribution Q (reference.h).  Its levels lambda lie
 * between 1, the target, and 0, where states are drawn from Q.  All levels are
 * on one line, from Q over the target to the hottest temperature, and neighbors
 * on it exchange as above. A bad Q costs only its replicas [Surjanovic et al.
 * 2022].
 *
 * reference=network: no second path, but a hottest level whose states come
 * from a truncated network of its temperature (pt_end.h).
 *
 * T = infinity is beta = 0: uniform over the possible states, and over all
 * states if the model is softened (model/softened.h), which runs do for sums of
 * tables with zeros. levels=auto is resolved before a run
 * (run/schedule/ladder.h); without that it has five levels. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "kernel/compose/pt_levels.h"
#include "kernel/tempering.h"
#include "lanes/lanes.h"

#define PRICE 8.0 /* cost of a Houdayer move, in evaluations of a replica */

/* The place of a level of a chain in its group. */
struct place {
    int tile, lane;
};

/* --- the reference path -------------------------------------------------- */

/* Whether the last levels of the reference path are exchanged after this step.
 * The reference then has fresh states, always at the same times. */
static bool is_renewing(const hs_kernel *k)
{
    const struct hs_pt *s = k->state;
    uint64_t next = k->steps + 1, every = (uint64_t)s->swap_every;

    return next % every == 0 && next / every % 2 == 0;
}

static hiss_status renew(hs_kernel *k, const hs_model *m, hs_tile *x)
{
    struct hs_pt *s = k->state;
    bool wanted[HS_LANES], taken[HS_LANES], any = false;

    for (int l = 0; l < HS_LANES; l++) {
        wanted[l] = x->level[l] == hs_pt_replicas(k) - 1;
        any |= wanted[l] && l < x->lanes;
    }
    if (!any)
        return HISS_OK;
    HS_TRY(hs_reference_renew(&s->law, m, x, wanted, taken));
    for (int l = 0; l < x->lanes; l++) {
        k->lane[HS_PT_DRAWN][l] += wanted[l];
        k->lane[HS_PT_TAKEN][l] += taken[l];
    }
    return HISS_OK;
}

/* Computes ln of the density at the level `away` levels from a lane's own along
 * the reference path, relative to its own; 0 if there is none. */
static void look_along(hs_kernel *k, const hs_tile *x, int away, double *out)
{
    const struct hs_pt *s = k->state;
    int ladder = hs_tempering_ladder(k), path = hs_tempering_path(k);
    float here[HS_LANES], there[HS_LANES];
    double g[HS_LANES];

    for (int l = 0; l < HS_LANES; l++) {
        int own = x->level[l] == 0 ? -1 : x->level[l] - ladder;
        int to = own + away;
        bool is_on = x->level[l] == 0 || own >= 0;

        is_on = is_on && to >= -1 && to < path;
        here[l] = is_on ? (float)hs_pt_lambda(k, own) : 1.0f;
        there[l] = is_on ? (float)hs_pt_lambda(k, to) : here[l];
        out[l] = is_on ? ((double)there[l] - (double)here[l]) *
                             (x->at.u[l] - s->law.log_modes)
                       : 0.0;
        here[l] = 1.0f - here[l];
        there[l] = 1.0f - there[l];
    }
    hs_reference_bias(&s->law, there, g);
    for (int l = 0; l < HS_LANES; l++)
        out[l] += g[l];
    hs_reference_bias(&s->law, here, g);
    for (int l = 0; l < HS_LANES; l++)
        out[l] -= g[l];
}

/* Makes a step under the tilts of random modes, then draws fresh states at the
 * end. */
static hiss_status step_with_path(hs_kernel *k, const hs_model *m, hs_tile *x)
{
    struct hs_pt *s = k->state;
    const hs_index_row *at = (const hs_index_row *)x->at.x;
    float power[HS_LANES];

    for (int l = 0; l < HS_LANES; l++)
        power[l] = x->level[l] < hs_tempering_ladder(k)
                       ? 0.0f
                       : 1.0f - x->tilt.beta[l];
    hs_tile_tick(x);
    hs_reference_look(&s->law, &m->domain, at);
    hs_reference_draw_modes(&s->law, &m->domain, x, x->tilt.beta, power);
    HS_TRY(hs_kernel_step(k->child[0], m, &s->law.tilt, x));
    if (is_renewing(k))
        HS_TRY(renew(k, m, x));
    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U));
    hs_reference_look(&s->law, &m->domain, at);
    look_along(k, x, -1, k->lane[HS_PT_TO_COLD]);
    look_along(k, x, +1, k->lane[HS_PT_TO_HOT]);
    return HISS_OK;
}

static double pt_bias(const hs_kernel *k, const hs_domain *d, int level,
                      const int16_t *state)
{
    const struct hs_pt *s = k->state;
    int own = level - hs_tempering_ladder(k);

    return own < 0
               ? 0.0
               : hs_reference_bias_of(&s->law, d, hs_pt_lambda(k, own), state);
}

static bool pt_has_phi(const hs_kernel *k)
{
    return hs_tempering_path(k) > 0;
}

static hs_tilt_form pt_tilts(const hs_kernel *k)
{
    return pt_has_phi(k) ? HS_TILT_PHI : HS_TILT_FLAT;
}

static int pt_columns(const hs_kernel *k)
{
    return pt_has_phi(k)      ? HS_PT_PATH_COLUMNS
           : hs_pt_has_end(k) ? HS_PT_END_COLUMNS
                              : HS_PT_COLUMNS;
}

static void pt_attach(hs_kernel *k, const hs_library *library)
{
    struct hs_pt *s = k->state;

    if (pt_has_phi(k))
        hs_reference_attach(&s->law, s->domain, library,
                            s->reference == HS_TEMPERING_PRODUCT);
}

/* --- steps and levels ---------------------------------------------------- */

static hiss_status pt_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                           hs_tile *x)
{
    if (pt_has_phi(k))
        HS_TRY(step_with_path(k, m, x));
    else
        HS_TRY(hs_kernel_step(k->child[0], m, t, x));
    if (hs_pt_has_end(k))
        HS_TRY(hs_pt_renew_end(k, m, x));
    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U)); /* the exchange needs U */
    if (!x->is_warmup)
        hs_tempering_note(k, x);
    return HISS_OK;
}

/* A GPU steps the replicas and exchanges their levels. */
static bool pt_plan(const hs_kernel *k, const hs_model *m, hs_tilt_form form,
                    hs_device_sampler *out)
{
    const struct hs_pt *s = k->state;

    (void)m;
    (void)form;
    (void)out;
    return s->parts_every == 0 && !pt_has_phi(k) && !hs_pt_has_end(k);
}

static void pt_ladder(const hs_kernel *k, hs_device_ladder *out)
{
    const struct hs_pt *s = k->state;

    out->levels = hs_pt_replicas(k);
    out->every = s->swap_every;
}

/* Every exchange has its own clock value. */
static void pt_made(hs_kernel *k, const hs_model *m, hs_tile *x,
                    hs_tilt_form form, int64_t steps)
{
    const struct hs_pt *s = k->state;
    uint64_t every = (uint64_t)s->swap_every, last = k->steps + (uint64_t)steps;

    hs_kernel_made(k->child[0], m, x, form, steps);
    x->rng.clock += last / every - k->steps / every;
}

static hiss_status pt_setup(hs_kernel *k, const hs_model *m, hiss_error *err)
{
    struct hs_pt *s = k->state;

    s->domain = &m->domain;
    if (pt_has_phi(k) && m->domain.is_tour)
        return hs_fail(err, HISS_EUNSUP,
                       "sampler pt: tours have no reference of independent "
                       "coordinates; leave reference=uniform");
    if (pt_has_phi(k))
        HS_TRY(hs_reference_init(&s->law, m, err));
    if (hs_pt_has_end(k))
        HS_TRY(hs_pt_end_init(&s->end, m,
                              (double)hs_pt_beta(k, hs_tempering_ladder(k) - 1),
                              err));
    return s->parts_every > 0 ? hs_parts_init(&s->parts, m, err) : HISS_OK;
}

static void pt_clear(hs_kernel *k)
{
    struct hs_pt *s = k->state;

    hs_parts_clear(&s->parts);
    hs_reference_clear(&s->law);
    hs_pt_end_clear(&s->end);
}

static void pt_place(hs_kernel *k, hs_group *g)
{
    int ladder = hs_tempering_ladder(k);

    for (int i = 0; i < g->chains * g->replicas; i++) {
        hs_tile *t = &g->tile[i / HS_LANES];
        double(*column)[HS_LANES] = g->kernel[i / HS_LANES]->lane;
        int level = i % g->replicas, lane = i % HS_LANES;
        double beta = (double)hs_pt_beta(k, level);

        t->level[lane] = level;
        t->tilt.beta[lane] = (float)beta;
        if (level >= ladder)
            continue;
        if (level > 0)
            column[HS_PT_COLD_GAP][lane] =
                0.5 * ((double)hs_pt_beta(k, level - 1) - beta);
        if (level + 1 < ladder)
            column[HS_PT_HOT_GAP][lane] =
                0.5 * (beta - (double)hs_pt_beta(k, level + 1));
    }
}

/* Sums from the warm-up are not those of the frozen ladder. */
static void pt_freeze(hs_kernel *k)
{
    for (int c = HS_OWN_COLUMNS; c < k->columns; c++)
        if (c != HS_PT_COLD_GAP && c != HS_PT_HOT_GAP)
            memset(k->lane[c], 0, sizeof k->lane[c]);
}

/* Position of a level on the line from the reference over the target to the
 * hottest. */
static int position(const hs_group *g, int path, int level)
{
    int ladder = g->replicas - path;

    return level < ladder ? path + level : ladder + path - 1 - level;
}

/* Finds the lanes of one chain by position. */
static void find_levels(const hs_group *g, int path, int chain,
                        struct place *at)
{
    for (int r = 0; r < g->replicas; r++) {
        int i = chain * g->replicas + r;
        struct place here = {i / HS_LANES, i % HS_LANES};

        at[position(g, path, g->tile[here.tile].level[here.lane])] = here;
    }
}

/* Computes ln u for the exchanges of one chain, sixteen levels at a time; a
 * block of numbers serves four. */
static void log_uniforms(const hs_group *g, int chain, int first, float *out)
{
    const hs_rng *rng = &g->tile[0].rng;
    int lane = chain * g->replicas, levels = g->replicas - first;
    uint32_t id = g->tile[lane / HS_LANES].rng.chain[lane % HS_LANES];
    float u[HS_LANES];

    for (int j = 0; j < HS_LANES; j++)
        u[j] = 1.0f;
    for (int j = 0; j < HS_LANES && j < levels; j += 4) {
        uint32_t word[4];

        hs_rng_block(rng->seed, id, 0, rng->clock, HS_DRAW_SWAP,
                     (uint32_t)(first + j) / 4, word);
        for (int n = 0; n < 4; n++)
            u[j + n] = (float)word[n] * 0x1p-32f + 0x1p-33f;
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

/* The target accepts no state that is impossible there, as those of a softened
 * model at the next level may be. */
static bool is_closed(const hs_group *g, const struct place *at, int j)
{
    for (int n = 0; n < 2; n++) {
        struct place own = at[j + n], other = at[j + 1 - n];

        if (g->tile[own.tile].level[own.lane] == 0)
            return !hs_model_is_possible(g->model,
                                         g->tile[other.tile].at.u[other.lane]);
    }
    return false;
}

/* Log ratio of an exchange on the reference path. */
static double path_ratio(const hs_group *g, struct place hot, struct place cold)
{
    return g->kernel[hot.tile]->lane[HS_PT_TO_COLD][hot.lane] +
           g->kernel[cold.tile]->lane[HS_PT_TO_HOT][cold.lane];
}

/* Computes ln of min(1, ratio) of the exchange of positions j and j + 1, for
 * every other j, and stores the expected rate of each. */
static void weigh(const hs_group *g, int path, const struct place *at,
                  int parity, double *ratio)
{
    double log_ratio[HS_LANES];
    float chance[HS_LANES];
    int lanes = 0;

    for (int j = parity; j + 1 < g->replicas; j += 2) {
        const hs_tile *p = &g->tile[at[j].tile], *q = &g->tile[at[j + 1].tile];
        int a = at[j].lane, b = at[j + 1].lane;

        ratio[j] = ((double)p->tilt.beta[a] - (double)q->tilt.beta[b]) *
                   (q->at.u[b] - p->at.u[a]);
        if (j < path)
            ratio[j] = path_ratio(g, at[j], at[j + 1]);
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

/* A round trip goes from the coldest level to the hottest, or to the reference,
 * and back. */
static void count_trips(hs_group *g, int path, int chain)
{
    int ladder = g->replicas - path;

    for (int r = 0; r < g->replicas; r++) {
        int i = chain * g->replicas + r, lane = i % HS_LANES;
        hs_tile *t = &g->tile[i / HS_LANES];

        if (t->level[lane] == 0) {
            t->trips[lane] += t->heading[lane] == HS_FROM_HOT;
            t->heading[lane] = HS_FROM_COLD;
        } else if ((t->level[lane] == g->replicas - 1 ||
                    t->level[lane] == ladder - 1) &&
                   t->heading[lane] == HS_FROM_COLD) {
            t->heading[lane] = HS_FROM_HOT;
        }
    }
}

static void couple_chain(hs_group *g, int path, int chain, int parity)
{
    struct place at[HS_REPLICAS_MAX];
    double ratio[HS_REPLICAS_MAX];
    float log_u[HS_LANES];
    int filled = -1;

    find_levels(g, path, chain, at);
    weigh(g, path, at, parity, ratio);
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
    count_trips(g, path, chain);
}

static void exchange_parts(struct hs_pt *s, hs_group *g, int parity)
{
    for (int c = 0; c < g->chains; c++) {
        struct place at[HS_REPLICAS_MAX];
        int lane = c * g->replicas;
        uint32_t id = g->tile[lane / HS_LANES].rng.chain[lane % HS_LANES];

        find_levels(g, 0, c, at);
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
    struct hs_pt *s = k->state;
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
        couple_chain(g, hs_tempering_path(k), c, (int)(k->steps / every % 2));
}

/* Weights of a network at the target itself, which has no other level. */
static void pt_weigh(const hs_kernel *k, hs_proposal_weights *sum)
{
    if (hs_tempering_ladder(k) == 1)
        hs_tempering_weigh_end(k, sum);
}

static int pt_work(const hs_kernel *k, const hs_model *m, hs_work *part)
{
    const struct hs_pt *s = k->state;
    int parts = 0;

    part[parts++] = (hs_work){.times = 1.0 / s->swap_every, .is_by_lane = true};
    if (s->parts_every > 0)
        part[parts++] = (hs_work){.variant = "houdayer",
                                  .times = 1.0 / s->parts_every,
                                  .is_by_lane = true};
    if (hs_tempering_path(k) > 0)
        part[parts++] =
            (hs_work){.variant = "reference",
                      .times = 1.0,
                      .amount = (double)s->law.modes * m->domain.dim};
    if (hs_pt_has_end(k))
        part[parts++] =
            (hs_work){.variant = "network",
                      .times = 2.0 / s->end.every,
                      .amount = hs_network_about(s->end.held)->draw_sweeps *
                                m->domain.dim};
    return parts;
}

static hs_traits pt_traits(const hs_kernel *k)
{
    const struct hs_pt *s = k->state;
    hs_traits own = hs_kernel_traits(k->child[0]);

    if (hs_pt_has_end(k) && s->end.every > 1) {
        own.homogeneous = false;
        own.period *= s->end.every;
    }
    if (hs_pt_replicas(k) > 1) {
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
    {"base", HS_CHILD, offsetof(struct hs_pt, base), "dmala", NULL,
     "kernel of every replica"},
    {"levels", HS_AUTO, offsetof(struct hs_pt, levels), "5", "[1,1024]",
     "temperatures, the target's 1 included; auto: these and their number are "
     "tuned by a pilot"},
    {"max_temperature", HS_AUTO, offsetof(struct hs_pt, max_temperature),
     "auto", "[1,inf]",
     "the hottest, geometric in between; auto: 20, or infinite "
     "when levels are tuned"},
    {"ladder", HS_REALS, offsetof(struct hs_pt, ladder), "", "[1,inf]",
     "the temperatures themselves, as in [1,2,4]"},
    {"swap_every", HS_INTEGER, offsetof(struct hs_pt, swap_every), "1",
     "[1,1000000]", "steps between exchanges"},
    {"houdayer", HS_INTEGER, offsetof(struct hs_pt, parts_every), "0",
     "[0,1000000]",
     "steps between Houdayer moves (isoenergetic clusters); 0: never"},
    {"reference", HS_CHOICE, offsetof(struct hs_pt, reference), "uniform",
     "uniform|product|modes|network",
     "a second path of levels ends in a distribution that a pilot learns: "
     "independent coordinates, or a mixture of these over the modes; uniform: "
     "no second path; network: none, and the hottest level is drawn from a "
     "truncated network of its temperature"},
    {"path", HS_REALS, offsetof(struct hs_pt, path), "", "[0,1)",
     "shares of log p on that path, falling to 0, as in [0.6,0.2,0]; without "
     "it a pilot places them"},
    {0},
};

const hs_kernel_type hs_kernel_pt = {
    .name = "pt",
    .summary = "parallel tempering with even/odd exchanges of levels",
    .counter = "pt.swap",
    .is_outermost = true,
    .moves_tours = true,
    .size = sizeof(struct hs_pt),
    .options = pt_options,
    .columns = HS_PT_COLUMNS,
    .column_count = pt_columns,
    .tilts = pt_tilts,
    .has_phi = pt_has_phi,
    .bias = pt_bias,
    .attach = pt_attach,
    .setup = pt_setup,
    .clear = pt_clear,
    .step = pt_step,
    .traits = pt_traits,
    .check = hs_pt_check,
    .freeze = pt_freeze,
    .replicas = hs_pt_replicas,
    .place = pt_place,
    .couple = pt_couple,
    .plan = pt_plan,
    .ladder = pt_ladder,
    .made = pt_made,
    .weigh = pt_weigh,
    .work = pt_work,
};
