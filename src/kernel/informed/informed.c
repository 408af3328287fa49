/* informed.c - locally informed proposals [Zanella 2020], one change after the
 * other along a path [Sun, Dai, Xia, Ramamurthy & Schuurmans 2022]; and Gibbs
 * with gradients [Grathwohl et al. 2021].
 *
 *     x = x_0 -> x_1 -> ... -> x_R = y,
 *     x_r = x_(r-1) with one change, drawn from its weight
 *           g(p(x_r) / p(x_(r-1))) / Z(x_(r-1))              (changes.h)
 * The path and its reverse are proposed with known probabilities, so that
 *     min(1, p(y) q(x_R ... x_0) / p(x) q(x_0 ... x_R))
 * is right for the pair (state, path).  With exact weights it is min(1, Z(x) /
 * Z(y)), for any path. It takes R evaluations.
 *
 * `informed` has R = 1; so has `gwg`, with g = sqrt and gains to first order.
 * `pas` draws R uniformly from 1 to 2 length - 1: a fixed R that is even would
 * never change the parity of a state. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/logarithm.h"
#include "kernel/informed/changes.h"
#include "kernel/informed/flip_tree.h"
#include "kernel/kernel.h"
#include "kernel/langevin/langevin.h"
#include "lanes/lanes.h"

enum {
    CLOCK = HS_OWN_COLUMNS, /* column of the stored differences (changes.h) */
    COLUMNS
};

struct informed {
    int balance; /* hs_balance */
    int gain;    /* hs_gain */
    int length;  /* 0: R = 1 */

    hs_flip_tree flips; /* for models that have them, under flat tilts */
    int *path;          /* owned, [2 length]: coordinates of each lane's path */
    hs_changes changes;
    hs_point y; /* owned: the end of the path so far */
};

/* The state of a path, per lane. */
struct path {
    double forward[HS_LANES], reverse[HS_LANES]; /* ln q */
    bool is_alive[HS_LANES]; /* every state is possible and has a neighbor to
                                move to */
};

static void weigh(const void *context, hs_float_row *row)
{
    const struct informed *s = context;

    hs_lanes()->balance_logits((hs_balance)s->balance, 1, row);
}

static hiss_status informed_setup(hs_kernel *k, const hs_model *m,
                                  hiss_error *err)
{
    struct informed *s = k->state;

    s->path =
        hs_alloc_array(2 * (size_t)s->length + 2, HS_LANES * sizeof *s->path);
    if (!s->path)
        return hs_fail_memory(err);
    HS_TRY(hs_flip_tree_init(&s->flips, m, weigh, s, err));
    HS_TRY(hs_changes_init(&s->changes, m, (hs_balance)s->balance,
                           (hs_gain)s->gain, k->lane[CLOCK], err));
    return hs_point_init(&s->y, m, err);
}

static void informed_clear(hs_kernel *k)
{
    struct informed *s = k->state;

    hs_flip_tree_clear(&s->flips);
    hs_free(s->path);
    hs_changes_clear(&s->changes);
    hs_point_clear(&s->y);
}

/* All chains share R, which is a random number of the step: every R keeps the
 * distribution. */
static int draw_length(const struct informed *s, const hs_tile *x)
{
    if (s->length < 2)
        return 1;
    return 1 + hs_below(hs_rng_shared(&x->rng, HS_DRAW_BLOCK, 0),
                        2 * s->length - 1);
}

/* Makes one change of y, by the weights at the last scored point. */
static void extend(struct informed *s, const hs_domain *d, const hs_tile *x,
                   int number, struct path *path, int32_t *back)
{
    int32_t row[HS_LANES];
    float logit[HS_LANES];
    double log_q[HS_LANES];

    hs_changes_pick(&s->changes, x, (uint32_t)number, row, logit);
    hs_changes_log_q(&s->changes, logit, log_q);
    hs_changes_make(&s->changes, d, row, &s->y, back);
    for (int l = 0; l < HS_LANES; l++) {
        path->forward[l] += log_q[l];
        path->is_alive[l] = path->is_alive[l] && s->changes.sum[l] > 0.0;
    }
}

/* Adds the way back, from y as it was last scored. */
static void return_from(const struct informed *s, const int32_t *back,
                        struct path *path)
{
    float logit[HS_LANES];
    double log_q[HS_LANES];

    for (int l = 0; l < HS_LANES; l++)
        logit[l] = s->changes.logits[back[l]][l];
    hs_changes_log_q(&s->changes, logit, log_q);
    for (int l = 0; l < HS_LANES; l++) {
        path->reverse[l] += log_q[l];
        path->is_alive[l] = path->is_alive[l] && s->y.u[l] > -HUGE_VAL;
    }
}

static hiss_status walk(struct informed *s, const hs_model *m, const hs_tilt *t,
                        hs_tile *x, struct path *path)
{
    int length = draw_length(s, x);
    unsigned want = hs_changes_want(&s->changes);

    for (int l = 0; l < HS_LANES; l++)
        path->is_alive[l] = true;
    memcpy(s->y.x, x->at.x, sizeof *x->at.x * (size_t)m->domain.dim);
    HS_TRY(hs_tile_evaluate(x, m, &x->at, want));
    HS_TRY(hs_changes_score(&s->changes, m, t, x, &x->at));
    for (int r = 0; r < length; r++) {
        int32_t back[HS_LANES];

        extend(s, &m->domain, x, r, path, back);
        HS_TRY(hs_tile_evaluate(x, m, &s->y, want));
        HS_TRY(hs_changes_score(&s->changes, m, t, x, &s->y));
        return_from(s, back, path);
    }
    return HISS_OK;
}

/* Weights of flips are exact, and the factors between both ends of a path
 * cancel.  Rejected paths are undone flip by flip. */
static hiss_status step_by_flips(hs_kernel *k, const hs_model *m,
                                 const hs_tilt *t, hs_tile *x)
{
    struct informed *s = k->state;
    hs_flip_tree *f = &s->flips;
    int length = draw_length(s, x);
    double ratio[HS_LANES] = {0};
    int32_t accept[HS_LANES] = {0};

    HS_TRY(hs_flip_tree_begin(f, m, t, x, k->steps));
    for (int l = 0; l < x->lanes; l++)
        ratio[l] = hs_flip_tree_total(f, l);
    for (int r = 0; r < length; r++) {
        int *at = s->path + (size_t)r * HS_LANES;
        double u[HS_LANES];

        hs_changes_uniforms(&s->changes, x, (uint32_t)r, u);
        hs_flip_tree_pick(f, x, u, NULL, at);
        for (int l = 0; l < x->lanes; l++)
            hs_flip_tree_make(f, x, l, at[l]);
        hs_tile_count(x, HS_U | HS_GRAD);
    }
    for (int l = 0; l < x->lanes; l++)
        ratio[l] = hs_logarithm(ratio[l] / hs_flip_tree_total(f, l));
    hs_tile_decide(x, ratio, accept);
    for (int l = 0; l < x->lanes; l++)
        for (int r = length - 1; !accept[l] && r >= 0; r--)
            hs_flip_tree_make(f, x, l, s->path[r * HS_LANES + l]);
    hs_flip_tree_end(f, x);
    hs_kernel_count(k, x, accept);
    return HISS_OK;
}

static hiss_status informed_flush(hs_kernel *k, const hs_model *m, hs_tile *x)
{
    struct informed *s = k->state;

    (void)m;
    hs_flip_tree_flush(&s->flips, x);
    return HISS_OK;
}

static hiss_status informed_step(hs_kernel *k, const hs_model *m,
                                 const hs_tilt *t, hs_tile *x)
{
    struct informed *s = k->state;
    struct path path = {0};
    double ratio[HS_LANES];
    int32_t accept[HS_LANES];

    hs_tile_tick(x);
    if (hs_flip_tree_fit(&s->flips, t))
        return step_by_flips(k, m, t, x);
    HS_TRY(walk(s, m, t, x, &path));
    hs_tile_log_ratio(m, t, &x->at, &s->y, ratio);
    for (int l = 0; l < HS_LANES; l++)
        if (ratio[l] != -HUGE_VAL)
            ratio[l] += path.reverse[l] - path.forward[l];
    hs_tile_decide(x, ratio, accept);
    for (int l = 0; l < HS_LANES; l++)
        accept[l] = accept[l] && path.is_alive[l];
    hs_tile_move(x, m, &s->y, accept);
    hs_changes_keep(&s->changes, m, x, accept);
    hs_kernel_count(k, x, accept);
    return HISS_OK;
}

static bool gwg_plan(const hs_kernel *k, const hs_model *m, hs_tilt_form form,
                     hs_device_sampler *out)
{
    (void)k;
    (void)m;
    out->step = HS_DEVICE_GWG;
    return form != HS_TILT_FACTORS;
}

static void gwg_made(hs_kernel *k, const hs_model *m, hs_tile *x,
                     hs_tilt_form form, int64_t steps)
{
    (void)m;
    (void)form;
    hs_langevin_made(k, x, false, steps);
}

/* A path of R changes weighs R + 1 states; R is `length` on average. */
static int informed_work(const hs_kernel *k, const hs_model *m, hs_work *part)
{
    const struct informed *s = k->state;

    (void)m;
    part[0] = (hs_work){.times = s->length > 1 ? 0.5 * (s->length + 1) : 1.0};
    return 1;
}

static hs_traits informed_traits(const hs_kernel *k)
{
    const struct informed *s = k->state;

    return (hs_traits){.exact = true,
                       .reversible = true,
                       .homogeneous = true,
                       .shares = s->length > 1,
                       .gradient = s->gain != HS_GAIN_EXACT,
                       .period = 1};
}

static const hs_option pas_options[] = {
    {"length", HS_INTEGER, offsetof(struct informed, length), "3", "[1,1000]",
     "changes of a path, on average; uniform from 1 to twice this less 1"},
    {"balance", HS_CHOICE, offsetof(struct informed, balance), "sqrt",
     HS_BALANCES, "g(t) of a change: sqrt(t), t/(1+t), min(1,t), max(1,t)"},
    {"gain", HS_CHOICE, offsetof(struct informed, gain), "auto", HS_GAINS,
     "ln t: to first order; exact; auto: exact where that is cheap"},
    {0},
};

static const hs_option gwg_options[] = {{0}}; /* all 0: sqrt, gradient, R = 1 */

const hs_kernel_type hs_kernel_informed = {
    .name = "informed",
    .summary = "one coordinate per step, by a locally balanced weight",
    .is_baseline = true,
    .size = sizeof(struct informed),
    .options = pas_options + 1, /* all but the length */
    .columns = COLUMNS,
    .setup = informed_setup,
    .step = informed_step,
    .flush = informed_flush,
    .clear = informed_clear,
    .traits = informed_traits,
};

const hs_kernel_type hs_kernel_pas = {
    .name = "pas",
    .summary = "path-auxiliary: several informed changes, one decision",
    .is_baseline = true,
    .size = sizeof(struct informed),
    .options = pas_options,
    .columns = COLUMNS,
    .setup = informed_setup,
    .step = informed_step,
    .flush = informed_flush,
    .clear = informed_clear,
    .traits = informed_traits,
    .work = informed_work,
};

const hs_kernel_type hs_kernel_gwg = {
    .name = "gwg",
    .summary = "Gibbs with gradients: one coordinate per step, informed",
    .size = sizeof(struct informed),
    .options = gwg_options,
    .columns = COLUMNS,
    .setup = informed_setup,
    .step = informed_step,
    .flush = informed_flush,
    .clear = informed_clear,
    .traits = informed_traits,
    .plan = gwg_plan,
    .made = gwg_made,
};
