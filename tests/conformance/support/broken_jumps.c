/* broken_jumps.c - jumps that are wrong on purpose. */
#include "conformance/support/broken_jumps.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "model/couplings.h"

enum {
    NONE,
    BOND,
    FIELD_FAULT,
    SIGN_FAULT,
    RATIO,
    REST
};

#define ANY_FAULT "none|bond|field|sign|ratio|rest"
#define DIM       16

struct jump {
    int fault;
    hs_couplings couplings; /* owned, of bad_cluster */
    hs_point y;             /* owned, of the others */
};

static double draw(const hs_tile *x, int lane, hs_purpose purpose, int i)
{
    return hs_uniform(hs_rng_word(x->rng.seed, x->rng.chain[lane],
                                  x->rng.replica[lane], x->rng.clock, purpose,
                                  (uint32_t)i));
}

static double phi(const hs_tilt *t, const hs_domain *d, int i, int v, int lane)
{
    if (!t->phi)
        return 0.0;
    return d->is_pair ? (double)t->phi[i][lane] * v
                      : (double)t->phi[d->value[i] + v][lane];
}

static hs_traits pretend(const hs_kernel *k)
{
    (void)k;
    return (hs_traits){
        .exact = true, .reversible = true, .homogeneous = true, .period = 1};
}

/* --- clusters ------------------------------------------------------------ */

static hiss_status cluster_setup(hs_kernel *k, const hs_model *m,
                                 hiss_error *err)
{
    struct jump *s = k->state;

    return hs_couplings_init(&s->couplings, m, err);
}

static void cluster_clear(hs_kernel *k)
{
    hs_couplings_clear(&((struct jump *)k->state)->couplings);
}

static int mirror(int c, int states, double u)
{
    int r = states == 2 ? 1 : (int)(u * states);

    return (r - c + states) % states;
}

/* Labels of clusters by spreading the smallest number. */
static void spread(const struct jump *s, const hs_model *m, const hs_tilt *t,
                   const hs_tile *x, int lane, double turn, int *label)
{
    bool is_open[64];

    for (int64_t e = 0; e < s->couplings.bonds; e++) {
        hs_coupling b = s->couplings.bond[e];
        int xi = x->at.x[b.i][lane], xj = x->at.x[b.j][lane];
        int other = mirror(xi, m->domain.states[b.i], turn);
        double strength = (double)t->beta[lane] * fabs((double)b.w);
        bool wants = b.w > 0.0f ? xj == xi : xj == other;

        if (s->fault == SIGN_FAULT)
            wants = xj == xi || xj == other;
        if (s->fault == BOND)
            strength *= 0.5;
        is_open[e] = wants && other != xi &&
                     draw(x, lane, HS_DRAW_BOND, (int)e) < 1 - exp(-strength);
    }
    for (int i = 0; i < m->domain.dim; i++)
        label[i] = i;
    for (int round = 0; round < m->domain.dim; round++)
        for (int64_t e = 0; e < s->couplings.bonds; e++) {
            int *a = &label[s->couplings.bond[e].i];
            int *b = &label[s->couplings.bond[e].j];

            if (is_open[e])
                *a = *b = *a < *b ? *a : *b;
        }
}

static hiss_status cluster_step(hs_kernel *k, const hs_model *m,
                                const hs_tilt *t, hs_tile *x)
{
    struct jump *s = k->state;
    const hs_domain *d = &m->domain;

    hs_tile_tick(x);
    for (int l = 0; l < x->lanes; l++) {
        double turn = draw(x, l, HS_DRAW_COMPONENT, 0), gain[DIM] = {0};
        int label[DIM];

        spread(s, m, t, x, l, turn, label);
        for (int i = 0; s->fault != FIELD_FAULT && i < d->dim; i++) {
            const double *h = s->couplings.field + d->value[i];
            int v = x->at.x[i][l], to = mirror(v, d->states[i], turn);

            gain[label[i]] += (double)t->beta[l] * (h[to] - h[v]) +
                              phi(t, d, i, to, l) - phi(t, d, i, v, l);
        }
        for (int i = 0; i < d->dim; i++)
            if (draw(x, l, HS_DRAW_PROPOSE, label[i]) <
                1.0 / (1.0 + exp(-gain[label[i]])))
                x->at.x[i][l] =
                    (int16_t)mirror(x->at.x[i][l], d->states[i], turn);
    }
    x->at.have = 0;
    return hs_model_evaluate(m, &x->at, HS_U);
}

/* --- bridges ------------------------------------------------------------- */

static hiss_status bridge_setup(hs_kernel *k, const hs_model *m,
                                hiss_error *err)
{
    return hs_point_init(&((struct jump *)k->state)->y, m, err);
}

static void bridge_clear(hs_kernel *k)
{
    hs_point_clear(&((struct jump *)k->state)->y);
}

static const double weight[2] = {0.3, 0.7};
static const double own[2] = {0.8, 0.6}; /* probability of a mode's value */

/* Mode 0 is at the first value, mode 1 at the last; its own value has the
 * first interval, the others follow in order. */
static double share(int states, int mode, int v, double *start)
{
    int top = mode ? states - 1 : 0;
    double rest = states > 1 ? (1.0 - own[mode]) / (states - 1) : 0.0;

    if (states == 1) {
        *start = 0.0;
        return 1.0;
    }
    *start = v == top ? 0.0 : own[mode] + rest * (v < top ? v : v - 1);
    return v == top ? own[mode] : rest;
}

/* Over the first `sites` coordinates. */
static double log_part(const hs_domain *d, const hs_point *p, int mode,
                       int lane, int sites)
{
    double sum = 0.0, start;

    for (int i = 0; i < sites; i++)
        sum += log(share(d->states[i], mode, p->x[i][lane], &start));
    return sum;
}

static double log_q(const hs_domain *d, const hs_point *p, int mode, int lane)
{
    return log_part(d, p, mode, lane, d->dim);
}

static double log_all(const hs_domain *d, const hs_point *p, int lane,
                      int sites)
{
    return log(weight[0] * exp(log_part(d, p, 0, lane, sites)) +
               weight[1] * exp(log_part(d, p, 1, lane, sites)));
}

static int carry(const hs_domain *d, int i, int v, int a, double u)
{
    double start, from, width = share(d->states[i], a, v, &from);
    double at = from + u * width;
    int to = 0;

    for (int w = 0; w < d->states[i]; w++) {
        double size = share(d->states[i], 1 - a, w, &start);

        if (at >= start && at < start + size)
            to = w;
    }
    return to;
}

/* ln p(y) / p(x) of one lane. */
static double log_ratio(const struct jump *s, const hs_model *m,
                        const hs_tilt *t, const hs_tile *x, int lane)
{
    double sum = s->y.u[lane] == -HUGE_VAL
                     ? -HUGE_VAL
                     : (double)t->beta[lane] * (s->y.u[lane] - x->at.u[lane]);

    for (int i = 0; i < m->domain.dim; i++)
        sum += phi(t, &m->domain, i, s->y.x[i][lane], lane) -
               phi(t, &m->domain, i, x->at.x[i][lane], lane);
    return sum;
}

/* The mode of x is drawn by its first `sites` coordinates. */
static hiss_status carry_step(struct jump *s, const hs_model *m,
                              const hs_tilt *t, hs_tile *x, int sites)
{
    const hs_domain *d = &m->domain;
    double ratio[HS_LANES];
    int32_t accept[HS_LANES];
    int a[HS_LANES];

    hs_tile_tick(x);
    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U));
    for (int l = 0; l < HS_LANES; l++) {
        double first = weight[0] * exp(log_part(d, &x->at, 0, l, sites));

        a[l] = log(draw(x, l, HS_DRAW_COMPONENT, 0)) +
                   log_all(d, &x->at, l, sites) >=
               log(first);
        for (int i = 0; i < d->dim; i++)
            s->y.x[i][l] = (int16_t)carry(d, i, x->at.x[i][l], a[l],
                                          draw(x, l, HS_DRAW_PROPOSE, i));
    }
    s->y.have = 0;
    HS_TRY(hs_tile_evaluate(x, m, &s->y, HS_U));
    for (int l = 0; l < HS_LANES; l++) {
        int b = 1 - a[l];

        ratio[l] = log_ratio(s, m, t, x, l);
        if (s->fault != RATIO || sites < d->dim)
            ratio[l] +=
                log_all(d, &x->at, l, sites) - log_all(d, &s->y, l, sites);
        if (s->fault != RATIO)
            ratio[l] += log_q(d, &x->at, a[l], l) -
                        log_part(d, &x->at, a[l], l, sites) -
                        log_q(d, &s->y, b, l) + log_part(d, &s->y, b, l, sites);
        if (s->fault != REST)
            ratio[l] += log((1.0 - weight[a[l]]) / (1.0 - weight[b]));
    }
    hs_tile_decide(x, ratio, accept);
    hs_tile_move(x, m, &s->y, accept);
    return HISS_OK;
}

static hiss_status bridge_step(hs_kernel *k, const hs_model *m,
                               const hs_tilt *t, hs_tile *x)
{
    return carry_step(k->state, m, t, x, m->domain.dim);
}

static hiss_status sites_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                              hs_tile *x)
{
    return carry_step(k->state, m, t, x, 1);
}

/* --- pieces -------------------------------------------------------------- */

static hiss_status piece_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                              hs_tile *x)
{
    struct jump *s = k->state;
    double ratio[HS_LANES];
    int32_t accept[HS_LANES];

    hs_tile_tick(x);
    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U));
    for (int l = 0; l < HS_LANES; l++)
        for (int i = 0; i < m->domain.dim; i++) {
            int last = m->domain.states[i] - 1, v = x->at.x[i][l];

            if (i < 2)
                v = v == 0 ? last : v == last && s->fault != SIGN_FAULT ? 0 : v;
            s->y.x[i][l] = (int16_t)v;
        }
    s->y.have = 0;
    HS_TRY(hs_tile_evaluate(x, m, &s->y, HS_U));
    for (int l = 0; l < HS_LANES; l++)
        ratio[l] = s->fault == RATIO ? 0.0 : log_ratio(s, m, t, x, l);
    hs_tile_decide(x, ratio, accept);
    hs_tile_move(x, m, &s->y, accept);
    return HISS_OK;
}

/* --- both ---------------------------------------------------------------- */

static const hs_option jump_options[] = {
    {"fault", HS_CHOICE, offsetof(struct jump, fault), "none", ANY_FAULT, ""},
    {0},
};

static const hs_kernel_type bad_cluster = {
    .name = "bad_cluster",
    .summary = "",
    .size = sizeof(struct jump),
    .options = jump_options,
    .setup = cluster_setup,
    .step = cluster_step,
    .clear = cluster_clear,
    .traits = pretend,
};

static const hs_kernel_type bad_bridge = {
    .name = "bad_bridge",
    .summary = "",
    .size = sizeof(struct jump),
    .options = jump_options,
    .setup = bridge_setup,
    .step = bridge_step,
    .clear = bridge_clear,
    .traits = pretend,
};

static const hs_kernel_type bad_sites = {
    .name = "bad_sites",
    .summary = "",
    .size = sizeof(struct jump),
    .options = jump_options,
    .setup = bridge_setup,
    .step = sites_step,
    .clear = bridge_clear,
    .traits = pretend,
};

static const hs_kernel_type bad_piece = {
    .name = "bad_piece",
    .summary = "",
    .size = sizeof(struct jump),
    .options = jump_options,
    .setup = bridge_setup,
    .step = piece_step,
    .clear = bridge_clear,
    .traits = pretend,
};

const hs_kernel_type *const broken_jumps[] = {&bad_cluster, &bad_bridge,
                                              &bad_sites, &bad_piece, NULL};
