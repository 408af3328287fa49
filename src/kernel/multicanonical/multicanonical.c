/* multicanonical.c - replicas under exp(w(U)), one of which at a time has the
 * target's distribution [Berg & Neuhaus 1991].
 *
 * w is frozen. A pilot has learned it (run/flat/flatten.h) such that U under
 * exp(w(U)) covers its whole range evenly, also where the target has almost no
 * mass between two phases.  A chain has replicas x_1 .. x_R and a number t,
 * with
 *     p(x, t) = exp(f(U(x_t))) prod_r exp(w(U(x_r))),  f(U) = U - w(U),
 * so given t, x_t has the target's distribution exp(U) and the others
 * exp(w(U)), all independent. A step moves every replica under its own
 * distribution, then draws t given the states, with probabilities in proportion
 * to exp(f(U(x_r))).  The draw is x_t, which stands at level 0; all draws count
 * alike.
 *
 * Under w single sites are moved as single.c says.  Any other base must be
 * reversible under exp(beta U) for each lane alone (lanes that share choices
 * are reversible on average over these, which is not enough): its step is taken
 * with probability min(1, h(U') / h(U)), with h of windows.h. So it is
 * reversible under exp(beta U) h(U), the distribution under w. With slope 1
 * everywhere all levels have the target's distribution, and a step is that of
 * the base. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "kernel/multicanonical/single.h"
#include "kernel/multicanonical/windows.h"
#include "kernel/sampler.h"
#include "lanes/lanes.h"

struct multicanonical {
    hs_spec *base;
    int replicas;
    hs_reals range;
    hs_reals phases;
    hs_reals slopes;
    hs_log_weights w; /* owned, if there are slopes */
    hs_windows window;
    hs_single single;      /* owned, if the base moves single sites */
    hs_tilt tilt;          /* flat, for any other base */
    hs_point before;       /* owned, for any other base */
    const hs_model *model; /* borrowed */
    bool is_single;
};

static bool is_single(const hs_kernel *k)
{
    const hs_kernel_type *base = k->child[0]->type;

    return base == &hs_kernel_gibbs || base == &hs_kernel_metropolis;
}

static bool has_weights(const hs_kernel *k)
{
    const struct multicanonical *s = k->state;

    return s->slopes.count > 0;
}

hs_log_weights *hs_multicanonical_weights(const hs_kernel *k)
{
    struct multicanonical *s = k->state;

    return has_weights(k) ? &s->w : NULL;
}

static int multicanonical_replicas(const hs_kernel *k)
{
    const struct multicanonical *s = k->state;

    return s->replicas;
}

static int column_count(const hs_kernel *k)
{
    const struct multicanonical *s = k->state;

    return HS_MULTI_CELLS + s->slopes.count;
}

static hiss_status check_base(const hs_kernel *k, hiss_error *err)
{
    hs_traits base = hs_kernel_traits(k->child[0]);

    if (is_single(k))
        return HISS_OK;
    if (!base.exact || !base.reversible || !base.homogeneous || base.shares ||
        base.mixes)
        return hs_fail(err, HISS_EARG,
                       "sampler multicanonical: base=%s is not reversible "
                       "chain by chain; use gibbs, metropolis, cluster, dmala "
                       "or gwg",
                       k->child[0]->type->name);
    return HISS_OK;
}

static hiss_status check(const hs_kernel *k, hiss_error *err)
{
    const struct multicanonical *s = k->state;
    const hs_reals *r = &s->range, *p = &s->phases;

    if (r->count != (has_weights(k) ? 2 : 0) ||
        (r->count > 0 && !(r->at[0] < r->at[1])))
        return hs_fail(err, HISS_EARG,
                       "sampler multicanonical: slopes need range=[low,high] "
                       "with low < high, and the other way round");
    if (p->count > 0 && (p->count != 2 || !(p->at[0] < p->at[1])))
        return hs_fail(err, HISS_EARG,
                       "sampler multicanonical: phases are two values of log "
                       "p, the lower one first");
    if (has_weights(k) && s->slopes.at[0] != 0.0)
        return hs_fail(err, HISS_EARG,
                       "sampler multicanonical: the first slope must be 0, "
                       "that of infinite temperature, not %g",
                       s->slopes.at[0]);
    return check_base(k, err);
}

static hiss_status setup(hs_kernel *k, const hs_model *m, hiss_error *err)
{
    struct multicanonical *s = k->state;

    s->model = m;
    s->is_single = is_single(k);
    if (has_weights(k))
        HS_TRY(hs_log_weights_init(&s->w, s->range.at[0], s->range.at[1],
                                   s->slopes.at, s->slopes.count, err));
    return s->is_single
               ? hs_single_init(&s->single, m, k->child[0]->sampler, err)
               : hs_point_init(&s->before, m, err);
}

static void clear(hs_kernel *k)
{
    struct multicanonical *s = k->state;

    hs_log_weights_clear(&s->w);
    hs_single_clear(&s->single);
    hs_point_clear(&s->before);
}

/* --- a step -------------------------------------------------------------- */

static void keep(hs_point *to, const hs_point *from, const hs_model *m)
{
    memcpy(to->x, from->x, (size_t)m->domain.dim * sizeof *to->x);
    memcpy(to->u, from->u, sizeof to->u);
    to->have = from->have & (HS_U | HS_GRAD);
    if (to->grad && to->have & HS_GRAD)
        memcpy(to->grad, from->grad, (size_t)m->domain.rows * sizeof *to->grad);
    if (m->cache_bytes)
        memcpy(to->cache, from->cache, m->cache_bytes);
}

/* Makes a step of the base under exp(beta U), and takes it back if h rejects
 * it. */
static hiss_status step_of_base(hs_kernel *k, const hs_model *m, hs_tile *x)
{
    struct multicanonical *s = k->state;
    double ratio[HS_LANES];
    int32_t reject[HS_LANES];

    keep(&s->before, &x->at, m);
    memcpy(s->tilt.beta, s->window.beta, sizeof s->tilt.beta);
    HS_TRY(hs_kernel_step(k->child[0], m, &s->tilt, x));
    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U));
    for (int l = 0; l < HS_LANES; l++)
        ratio[l] = hs_windows_log(&s->window, l, x->at.u[l]) -
                   hs_windows_log(&s->window, l, s->before.u[l]);
    hs_tile_tick(x);
    hs_tile_decide(x, ratio, reject);
    for (int l = 0; l < HS_LANES; l++)
        reject[l] = !reject[l];
    hs_tile_move(x, m, &s->before, reject);
    return HISS_OK;
}

static hiss_status step_of_sites(hs_kernel *k, const hs_model *m, hs_tile *x)
{
    struct multicanonical *s = k->state;
    hs_kernel *base = k->child[0];

    HS_TRY(hs_single_sweep(&s->single, m, &s->window, x, k->steps));
    for (int l = 0; l < x->lanes; l++) {
        base->lane[HS_PROPOSED][l] += (double)s->single.updates;
        base->lane[HS_ACCEPTED][l] += s->single.changed[l];
    }
    return HISS_OK;
}

/* Adds exp(exponent) to a sum stored relative to its largest one. */
static void add(double exponent, double count, double *max, double *sum)
{
    if (!(count > 0.0) || exponent > *max) {
        *sum = count > 0.0 ? *sum * exp(*max - exponent) + 1.0 : 1.0;
        *max = exponent;
    } else {
        *sum += exp(exponent - *max);
    }
}

static void note(hs_kernel *k, const hs_tile *x)
{
    const struct multicanonical *s = k->state;

    for (int l = 0; l < x->lanes && has_weights(k); l++) {
        double u = x->at.u[l], w = hs_log_weights_at(&s->w, u);
        double *count = &k->lane[HS_MULTI_COUNT][l];

        if (u == -HUGE_VAL)
            continue;
        k->lane[HS_MULTI_CELLS + hs_log_weights_cell(&s->w, u)][l] += 1.0;
        add(u - w, *count, &k->lane[HS_MULTI_TARGET_MAX][l],
            &k->lane[HS_MULTI_TARGET_SUM][l]);
        add(-w, *count, &k->lane[HS_MULTI_UNIFORM_MAX][l],
            &k->lane[HS_MULTI_UNIFORM_SUM][l]);
        *count += 1.0;
    }
}

static hiss_status step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                        hs_tile *x)
{
    struct multicanonical *s = k->state;

    (void)t;
    hs_tile_tick(x);
    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U));
    hs_windows_draw(&s->window, hs_multicanonical_weights(k), x);
    HS_TRY(s->is_single ? step_of_sites(k, m, x) : step_of_base(k, m, x));
    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U)); /* the choice needs U */
    if (!x->is_warmup)
        note(k, x);
    return HISS_OK;
}

/* --- which replica is the target's --------------------------------------- */

static void place(hs_kernel *k, hs_group *g)
{
    (void)k;
    for (int i = 0; i < g->chains * g->replicas; i++) {
        g->tile[i / HS_LANES].level[i % HS_LANES] = i % g->replicas;
        g->tile[i / HS_LANES].tilt.beta[i % HS_LANES] = 1.0f;
    }
}

static hs_tile *tile_of(const hs_group *g, int chain, int replica, int *lane)
{
    int i = chain * g->replicas + replica;

    *lane = i % HS_LANES;
    return &g->tile[i / HS_LANES];
}

/* Computes exp(f) of all replicas, relative to the largest. */
static void weigh(const hs_kernel *k, const hs_group *g, int chain, float *out)
{
    const struct multicanonical *s = k->state;
    double log_weight[HS_LANES], top = -HUGE_VAL;

    for (int r = 0; r < HS_LANES; r++) {
        int lane;
        double u;

        log_weight[r] = -HUGE_VAL;
        if (r >= g->replicas)
            continue;
        u = tile_of(g, chain, r, &lane)->at.u[lane];
        if (hs_model_is_possible(g->model, u))
            log_weight[r] =
                has_weights(k) ? u - hs_log_weights_at(&s->w, u) : 0.0;
        top = log_weight[r] > top ? log_weight[r] : top;
    }
    for (int r = 0; r < HS_LANES; r++)
        out[r] = top > -HUGE_VAL ? (float)(log_weight[r] - top) : 0.0f;
    hs_lanes()->exp(out, out);
}

static int draw(const float *weight, int replicas, uint32_t word)
{
    double sum = 0.0, goal;
    int r = 0;

    for (int n = 0; n < replicas; n++)
        sum += (double)weight[n];
    goal = hs_uniform(word) * sum;
    while (r < replicas - 1 && goal >= (double)weight[r])
        goal -= (double)weight[r++];
    while (r > 0 && !(weight[r] > 0.0f)) /* rounding */
        r--;
    return r;
}

static void swap_levels(hs_group *g, int chain, int r, int q)
{
    int a, b;
    hs_tile *p = tile_of(g, chain, r, &a), *o = tile_of(g, chain, q, &b);
    int level = p->level[a];

    p->level[a] = o->level[b];
    o->level[b] = level;
    hs_kernel_exchange(g->kernel[p - g->tile], a, g->kernel[o - g->tile], b);
}

static void choose(hs_kernel *k, hs_group *g, int chain)
{
    const hs_rng *rng = &g->tile[0].rng;
    float weight[HS_LANES];
    int lane, now = 0, next;
    const hs_tile *t = tile_of(g, chain, 0, &lane);
    uint32_t word = hs_rng_word(rng->seed, t->rng.chain[lane], 0, rng->clock,
                                HS_DRAW_SWAP, 0);

    while (tile_of(g, chain, now, &lane)->level[lane] != 0)
        now++;
    weigh(k, g, chain, weight);
    next = draw(weight, g->replicas, word);
    t = tile_of(g, chain, now, &lane);
    g->kernel[t - g->tile]->lane[HS_PROPOSED][lane] += 1.0;
    if (next == now)
        return;
    g->kernel[t - g->tile]->lane[HS_ACCEPTED][lane] += 1.0;
    swap_levels(g, chain, now, next);
}

/* A round trip goes from the phase of large U to the other one and back. */
static void travel(const struct multicanonical *s, hs_tile *t, int lane)
{
    const hs_reals *ends = s->phases.count ? &s->phases : &s->range;

    if (t->at.u[lane] >= ends->at[1]) {
        t->trips[lane] += t->heading[lane] == HS_FROM_HOT;
        t->heading[lane] = HS_FROM_COLD;
    } else if (t->at.u[lane] <= ends->at[0] &&
               t->heading[lane] == HS_FROM_COLD) {
        t->heading[lane] = HS_FROM_HOT;
    }
}

static void couple(hs_kernel *k, hs_group *g)
{
    for (int i = 0; i < g->tiles; i++) {
        hs_tile_tick(&g->tile[i]);
        for (int l = 0; l < g->tile[i].lanes && has_weights(k); l++)
            travel(k->state, &g->tile[i], l);
    }
    for (int c = 0; c < g->chains; c++)
        choose(k, g, c);
}

static double bias(const hs_kernel *k, const hs_domain *d, int level,
                   const int16_t *state)
{
    const struct multicanonical *s = k->state;
    double u;

    (void)d;
    if (level == 0 || !has_weights(k) ||
        hs_model_energy(s->model, state, &u, NULL) != HISS_OK || u == -HUGE_VAL)
        return 0.0;
    return hs_log_weights_at(&s->w, u) - u;
}

static void freeze(hs_kernel *k)
{
    for (int c = HS_OWN_COLUMNS; c < k->columns; c++)
        memset(k->lane[c], 0, sizeof k->lane[c]);
}

static hs_traits traits(const hs_kernel *k)
{
    hs_traits own = hs_kernel_traits(k->child[0]);

    own.reversible = false; /* a step, then a choice, is not reversible */
    return own;
}

static const hs_option options[] = {
    {"base", HS_CHILD, offsetof(struct multicanonical, base), "gibbs", NULL,
     "kernel of every replica: gibbs, metropolis, or one that is reversible "
     "chain by chain, such as cluster or dmala"},
    {"replicas", HS_INTEGER, offsetof(struct multicanonical, replicas), "4",
     "[2,16]", "replicas of a chain; all but one are under w"},
    {"range", HS_REALS, offsetof(struct multicanonical, range), "", NULL,
     "log p where w begins and ends, as in [300,2500]; a pilot finds it"},
    {"phases", HS_REALS, offsetof(struct multicanonical, phases), "", NULL,
     "log p of two phases, between which round trips are counted; without "
     "them, the ends of the range"},
    {"slopes", HS_REALS, offsetof(struct multicanonical, slopes), "", NULL,
     "slope of w in equal parts of the range, the first one 0; a pilot learns "
     "them"},
    {0},
};

const hs_kernel_type hs_kernel_multicanonical = {
    .name = "multicanonical",
    .summary = "replicas under learned weights of log p, for first-order "
               "transitions",
    .counter = "multicanonical.swap",
    .is_outermost = true,
    .size = sizeof(struct multicanonical),
    .options = options,
    .columns = HS_MULTI_CELLS,
    .column_count = column_count,
    .check = check,
    .setup = setup,
    .clear = clear,
    .step = step,
    .traits = traits,
    .freeze = freeze,
    .replicas = multicanonical_replicas,
    .place = place,
    .couple = couple,
    .bias = bias,
};
