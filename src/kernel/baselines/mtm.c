/* mtm.c - multiple-try Metropolis with locally balanced weights [Liu, Liang &
 * Wong 2000; Gagnon, Maire & Zanella 2023].
 *
 * From x, N tries y_1 ... y_N: each changes a coordinate, chosen uniformly, to
 * another value, chosen uniformly.  One of them, y, is drawn by the weights
 *     w(x,y) = g(p(y) / p(x)),   g(t) = t g(1/t);
 * then N - 1 tries z_k from y, and z_N = x.  As tries are as likely as their
 * reverse,
 *     min(1, p(y) w(y,x) sum_j w(x,y_j) / p(x) w(x,y) sum_k w(y,z_k))
 * keeps the law; the p and w of x and y cancel.  N = 1 is Metropolis with
 * random sites, and N without end is `informed`: a compromise if evaluating
 * every neighbor costs too much.
 *
 * Each chain draws its own tries: those from x and from y change places on the
 * way back, so chains cannot share them. Each try is a single-site difference
 * if the model has cheap ones, else an evaluation. Differences of a site are
 * computed for all chains at once. If all chains together have more tries than
 * sites, every site is evaluated once. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/logarithm.h"
#include "kernel/informed/changes.h"
#include "kernel/kernel.h"
#include "lanes/lanes.h"

struct mtm {
    int tries;
    int balance; /* hs_balance */

    hs_point y, spare; /* owned */
    int *site;         /* owned, [sites]: those that can change */
    int sites;
    int32_t (*at)[HS_LANES]; /* owned, [tries]: the coordinate of each */
    int32_t (*to)[HS_LANES]; /* owned, [tries]: and its index there */
    hs_float_row *weight;    /* owned, [tries]: ln w */
    hs_float_row *change;    /* owned, [states_max]: changes of one site, or */
    hs_float_row *all;       /* owned, [value_count]: changes of every site; or
                                NULL */
};

/* Sum of the weights of a set of tries, per lane: e^max sum. */
struct total {
    float max[HS_LANES];
    double sum[HS_LANES];
};

static hiss_status mtm_setup(hs_kernel *k, const hs_model *m, hiss_error *err)
{
    struct mtm *s = k->state;
    const hs_domain *d = &m->domain;
    size_t tries = (size_t)s->tries, states = (size_t)d->states_max;

    HS_TRY(hs_point_init(&s->y, m, err));
    HS_TRY(hs_point_init(&s->spare, m, err));
    s->site = hs_alloc_array((size_t)d->dim, sizeof *s->site);
    s->at = hs_alloc_array(tries, sizeof *s->at);
    s->to = hs_alloc_array(tries, sizeof *s->to);
    s->weight = hs_alloc_array(tries, sizeof *s->weight);
    s->change = hs_alloc_array(states, sizeof *s->change);
    if (!s->site || !s->at || !s->to || !s->weight || !s->change)
        return hs_fail_memory(err);
    for (int i = 0; i < d->dim; i++)
        if (d->states[i] > 1)
            s->site[s->sites++] = i;
    if (s->tries > s->sites / HS_LANES && hs_model_has_cheap_sites(m)) {
        s->all = hs_alloc_array((size_t)d->value_count, sizeof *s->all);
        return s->all ? HISS_OK : hs_fail_memory(err);
    }
    return HISS_OK;
}

static void mtm_clear(hs_kernel *k)
{
    struct mtm *s = k->state;

    hs_point_clear(&s->y);
    hs_point_clear(&s->spare);
    hs_free(s->site);
    hs_free(s->at);
    hs_free(s->to);
    hs_free(s->weight);
    hs_free(s->change);
    hs_free(s->all);
}

/* What must be evaluated at a point before tries from it. */
static unsigned wanted(const hs_model *m)
{
    bool has_rows = m->exact_rows && !m->ops->change && !m->ops->differences;

    return hs_model_has_cheap_sites(m) && has_rows ? HS_U | HS_GRAD : HS_U;
}

static void draw_tries(struct mtm *s, const hs_domain *d, const hs_tile *x,
                       hs_purpose purpose, const hs_point *from, int count)
{
    for (int n = 0; n < count; n++) {
        uint32_t words[4][HS_LANES];

        hs_lanes()->philox(&x->rng, purpose, (uint32_t)n, 1, words);
        for (int l = 0; l < HS_LANES; l++) {
            int i = s->site[hs_below(words[0][l], s->sites)];
            int v = hs_below(words[1][l], d->states[i] - 1);

            s->at[n][l] = i;
            s->to[n][l] = v + (v >= from->x[i][l]);
        }
    }
}

/* Computes ln t of every value of a site, in all lanes. */
static hiss_status compare_site(struct mtm *s, const hs_model *m,
                                const hs_tilt *t, hs_tile *x, hs_point *from,
                                int i, hs_float_row *out)
{
    hiss_status rc = hs_model_differences(m, from, i, out, &s->spare);

    if (rc != HISS_OK) {
        x->fault = from->fault;
        return rc;
    }
    for (int v = 0; v < m->domain.states[i]; v++)
        for (int l = 0; l < HS_LANES; l++)
            out[v][l] =
                out[v][l] == -INFINITY ? -INFINITY : t->beta[l] * out[v][l];
    hs_tilt_add_values(t, &m->domain, i, from->x[i], out);
    return HISS_OK;
}

/* Computes ln t of tries by single-site differences. */
static hiss_status compare_sites(struct mtm *s, const hs_model *m,
                                 const hs_tilt *t, hs_tile *x, hs_point *from,
                                 int count)
{
    const int *first = m->domain.value;
    bool is_all = s->all && (int64_t)count * x->lanes > s->sites;

    for (int k = 0; is_all && k < s->sites; k++)
        HS_TRY(compare_site(s, m, t, x, from, s->site[k],
                            s->all + first[s->site[k]]));
    for (int n = 0; n < count; n++)
        for (int l = 0; l < x->lanes; l++) {
            int i = s->at[n][l], v = s->to[n][l];

            if (!is_all)
                HS_TRY(compare_site(s, m, t, x, from, i, s->change));
            s->weight[n][l] =
                is_all ? s->all[first[i] + v][l] : s->change[v][l];
        }
    return HISS_OK;
}

/* Computes the same by an evaluation, of a state with one change in each
 * lane. */
static hiss_status compare_states(struct mtm *s, const hs_model *m,
                                  const hs_tilt *t, hs_tile *x,
                                  const hs_point *from, int n)
{
    double ratio[HS_LANES];

    memcpy(s->spare.x, from->x, sizeof *from->x * (size_t)m->domain.dim);
    for (int l = 0; l < HS_LANES; l++)
        s->spare.x[s->at[n][l]][l] = (int16_t)s->to[n][l];
    s->spare.have = 0;
    HS_TRY(hs_tile_evaluate(x, m, &s->spare, HS_U));
    hs_tile_log_ratio(m, t, from, &s->spare, ratio);
    for (int l = 0; l < HS_LANES; l++)
        s->weight[n][l] = (float)ratio[l];
    return HISS_OK;
}

/* Weighs the drawn tries; `from` must have what wanted() says. */
static hiss_status weigh(struct mtm *s, const hs_model *m, const hs_tilt *t,
                         hs_tile *x, hs_point *from, int count)
{
    bool is_cheap = hs_model_has_cheap_sites(m);

    memset(s->weight, 0, (size_t)s->tries * sizeof *s->weight);
    if (is_cheap && count > 0) {
        hs_tile_count_sites(x, m, count);
        return compare_sites(s, m, t, x, from, count);
    }
    for (int n = 0; n < count; n++)
        HS_TRY(compare_states(s, m, t, x, from, n));
    return HISS_OK;
}

static void add_up(struct mtm *s, struct total *out)
{
    hs_lanes()->balance_logits((hs_balance)s->balance, s->tries, s->weight);
    hs_lanes()->softmax_sum((const hs_float_row *)s->weight, s->tries, out->max,
                            out->sum);
}

/* Chooses y; computes ln w(x,y) / sum_j w(x,y_j). */
static void choose(struct mtm *s, const hs_domain *d, const hs_tile *x,
                   const struct total *sum, double *log_part)
{
    uint32_t words[4][HS_LANES];
    int32_t chosen[HS_LANES];
    float weight[HS_LANES];
    double u[HS_LANES];

    hs_lanes()->philox(&x->rng, HS_DRAW_BLOCK, 0, 1, words);
    for (int l = 0; l < HS_LANES; l++)
        u[l] = hs_uniform_long(words[0][l], words[1][l]);
    hs_lanes()->softmax_pick((const hs_float_row *)s->weight, s->tries,
                             sum->max, sum->sum, u, chosen, weight);
    memcpy(s->y.x, x->at.x, sizeof *x->at.x * (size_t)d->dim);
    for (int l = 0; l < HS_LANES; l++) {
        int n = chosen[l];

        s->y.x[s->at[n][l]][l] = (int16_t)s->to[n][l];
        log_part[l] = sum->sum[l] > 0.0
                          ? (double)weight[l] - (double)sum->max[l] -
                                hs_logarithm(sum->sum[l])
                          : HUGE_VAL; /* not accepted if nothing was possible */
    }
    s->y.have = 0;
}

/* Completes the way back, given ln p(y) / p(x); returns the acceptances. */
static void add_return(struct mtm *s, const double *log_part, double *ratio)
{
    float *back = s->weight[s->tries - 1];
    struct total sum;

    for (int l = 0; l < HS_LANES; l++)
        back[l] = (float)-ratio[l];
    add_up(s, &sum);
    for (int l = 0; l < HS_LANES; l++)
        if (log_part[l] == HUGE_VAL)
            ratio[l] = -HUGE_VAL;
        else if (ratio[l] != -HUGE_VAL)
            ratio[l] += (double)back[l] - (double)sum.max[l] -
                        hs_logarithm(sum.sum[l]) - log_part[l];
}

static hiss_status mtm_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                            hs_tile *x)
{
    struct mtm *s = k->state;
    double log_part[HS_LANES], ratio[HS_LANES];
    int32_t accept[HS_LANES];
    struct total sum;

    hs_tile_tick(x);
    HS_TRY(hs_tile_evaluate(x, m, &x->at, wanted(m)));
    if (s->sites == 0)
        return HISS_OK;
    draw_tries(s, &m->domain, x, HS_DRAW_PROPOSE, &x->at, s->tries);
    HS_TRY(weigh(s, m, t, x, &x->at, s->tries));
    add_up(s, &sum);
    choose(s, &m->domain, x, &sum, log_part);
    HS_TRY(hs_tile_evaluate(x, m, &s->y, wanted(m)));
    draw_tries(s, &m->domain, x, HS_DRAW_NOISE, &s->y, s->tries - 1);
    HS_TRY(weigh(s, m, t, x, &s->y, s->tries - 1));
    hs_tile_log_ratio(m, t, &x->at, &s->y, ratio);
    add_return(s, log_part, ratio);
    hs_tile_decide(x, ratio, accept);
    hs_tile_move(x, m, &s->y, accept);
    hs_kernel_count(k, x, accept);
    return HISS_OK;
}

/* If all chains together have more tries than there are sites, all sites are
 * compared. */
static int mtm_work(const hs_kernel *k, const hs_model *m, hs_work *part)
{
    const struct mtm *s = k->state;

    (void)m;
    part[0] = (hs_work){
        .variant = s->all ? "all" : NULL, .times = 1.0, .amount = s->tries};
    return 1;
}

static hs_traits mtm_traits(const hs_kernel *k)
{
    (void)k;
    return (hs_traits){
        .exact = true, .reversible = true, .homogeneous = true, .period = 1};
}

static const hs_option mtm_options[] = {
    {"tries", HS_INTEGER, offsetof(struct mtm, tries), "8", "[1,10000]",
     "changes of a coordinate to choose from"},
    {"balance", HS_CHOICE, offsetof(struct mtm, balance), "sqrt", HS_BALANCES,
     "g(t) of a try: sqrt(t), t/(1+t), min(1,t), max(1,t)"},
    {0},
};

const hs_kernel_type hs_kernel_mtm = {
    .name = "mtm",
    .summary = "multiple-try Metropolis by locally balanced weights",
    .is_baseline = true,
    .size = sizeof(struct mtm),
    .options = mtm_options,
    .setup = mtm_setup,
    .step = mtm_step,
    .clear = mtm_clear,
    .traits = mtm_traits,
    .work = mtm_work,
};
