/* gibbs.c - heat bath: each visited coordinate is drawn from its conditional.
 *
 * A systematic scan visits every site once, in an order of the model's choice
 * (colour by colour where sites do not touch); a random scan visits `updates`
 * sites drawn anew each step, the same for all chains.  Every update is
 * accepted; what is counted as accepted is a change of value. */
#include "base/error.h"
#include "kernel/gibbs/site.h"
#include "kernel/kernel.h"
#include "lanes/lanes.h"

#define CHUNK 1024 /* visits handed to a model at once */

enum {
    SYSTEMATIC,
    RANDOM
};

struct gibbs {
    int scan;
    int updates; /* 0: dim */
    hs_site site;
};

static hiss_status gibbs_setup(hs_kernel *k, const hs_model *m, hiss_error *err)
{
    struct gibbs *s = k->state;

    return hs_site_init(&s->site, m, err);
}

static void gibbs_clear(hs_kernel *k)
{
    struct gibbs *s = k->state;

    hs_site_clear(&s->site);
}

static bool has_two_states(const hs_domain *d)
{
    return d->states_max == 2 && d->value_count == 2 * d->dim;
}

/* Whether this step shall add the conditionals to the marginals: under the
 * tile's own tilt, and every site once. */
static bool is_summed(const struct gibbs *s, const hs_model *m,
                      const hs_tilt *t, const hs_tile *x)
{
    bool has_rows = !m->ops->heat_bath || has_two_states(&m->domain);

    return x->sum && t == &x->tilt && s->scan == SYSTEMATIC && has_rows;
}

/* From the weights that draw_value left. */
static void add_many(const struct gibbs *s, const hs_domain *d, hs_tile *x,
                     int i)
{
    const hs_float_row *weight = (const hs_float_row *)s->site.scratch;
    double total[HS_LANES] = {0};

    for (int v = 0; v < d->states[i]; v++)
        for (int l = 0; l < HS_LANES; l++)
            total[l] += (double)weight[v][l];
    for (int v = 0; v < d->states[i]; v++)
        for (int l = 0; l < HS_LANES; l++)
            x->sum[d->value[i] + v][l] +=
                x->weight[l] * (float)((double)weight[v][l] / total[l]);
}

/* From the partial sums that draw_value left, the last of them the total. */
static void add_conditional(const struct gibbs *s, const hs_domain *d,
                            hs_tile *x, int i)
{
    const hs_float_row *upto = (const hs_float_row *)s->site.scratch;
    int states = d->states[i];
    bool has_two = has_two_states(d);

    if (states > HS_FEW) {
        add_many(s, d, x, i);
        return;
    }
    for (int v = has_two ? 1 : 0; v < states; v++) {
        float *sum = x->sum[has_two ? i : d->value[i] + v];

        for (int l = 0; l < HS_LANES; l++)
            sum[l] += x->weight[l] *
                      (upto[v][l] - (v > 0 ? upto[v - 1][l] : 0.0f)) /
                      upto[states - 1][l];
    }
}

static hiss_status update(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                          hs_tile *x, int i, int64_t position)
{
    struct gibbs *s = k->state;
    const uint32_t *words;
    int16_t to[HS_LANES];
    int32_t changed[HS_LANES];

    HS_TRY(hs_site_logits(&s->site, m, t, x, i));
    hs_site_words(x, HS_DRAW_PROPOSE, position, s->site.words, &words);
    hs_site_ties(&s->site, x, m, i, position);
    hs_lanes()->draw_value((const hs_float_row *)s->site.logits,
                           m->domain.states[i], words, s->site.tie[0],
                           s->site.scratch, to);
    if (is_summed(s, m, t, x))
        add_conditional(s, &m->domain, x, i);
    for (int l = 0; l < HS_LANES; l++)
        changed[l] = to[l] != x->at.x[i][l];
    hs_site_move(&s->site, m, x, i, to);
    hs_kernel_count(k, x, changed);
    return HISS_OK;
}

static int site_of(const struct gibbs *s, const hs_model *m, const hs_tile *x,
                   int64_t position)
{
    if (s->scan == RANDOM)
        return hs_site_random(x, m, position);
    return m->order ? m->order[position] : (int)position;
}

/* Through the model's own sweep: in its order all at once, else CHUNK visits
 * at a time. */
static void sweep(hs_kernel *k, const hs_model *m, const hs_tilt *t, hs_tile *x,
                  int64_t visits)
{
    const struct gibbs *s = k->state;
    double changed[HS_LANES] = {0};
    int site[CHUNK];
    bool is_ordered = s->scan == SYSTEMATIC && m->order;
    int64_t chunk = is_ordered ? visits : CHUNK;

    for (int64_t first = 0; first < visits; first += chunk) {
        int count = (int)(visits - first < chunk ? visits - first : chunk);
        hs_visits v = {.rng = &x->rng,
                       .site = site,
                       .first = (int)first,
                       .count = count,
                       .beta = t->beta,
                       .phi = (const hs_float_row *)t->phi,
                       .changed = changed,
                       .sum = is_summed(s, m, t, x) ? x->sum : NULL,
                       .weight = x->weight};

        if (is_ordered)
            v.site = m->order;
        for (int n = 0; !is_ordered && n < count; n++)
            site[n] = site_of(s, m, x, first + n);
        m->ops->heat_bath(m, &x->at, &v);
    }
    for (int l = 0; l < x->lanes; l++) {
        k->lane[HS_PROPOSED][l] += (double)visits;
        k->lane[HS_ACCEPTED][l] += changed[l];
    }
}

static hiss_status gibbs_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                              hs_tile *x)
{
    const struct gibbs *s = k->state;
    int64_t visits =
        s->scan == RANDOM && s->updates > 0 ? s->updates : m->domain.dim;

    hs_tile_tick(x);
    hs_tile_count_sites(x, m, (double)visits);
    x->summed += is_summed(s, m, t, x);
    if (m->ops->heat_bath) {
        sweep(k, m, t, x, visits);
        if (!m->ops->rows) /* U was carried along with rounding */
            HS_TRY(hs_site_refresh(m, x, k->steps, visits));
        HS_TRY(hs_model_evaluate(m, &x->at, HS_U));
        return hs_tile_check(x, &x->at);
    }
    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U));
    for (int64_t p = 0; p < visits; p++) {
        HS_TRY(update(k, m, t, x, site_of(s, m, x, p), p));
        HS_TRY(hs_site_mend(m, x, k->steps, visits, p));
    }
    return hs_site_refresh(m, x, k->steps, visits);
}

static hs_traits gibbs_traits(const hs_kernel *k)
{
    const struct gibbs *s = k->state;

    return (hs_traits){.exact = true,
                       .reversible = s->scan == RANDOM,
                       .homogeneous = true,
                       .shares = s->scan == RANDOM,
                       .period = 1};
}

static const hs_option gibbs_options[] = {
    {"scan", HS_CHOICE, offsetof(struct gibbs, scan), "systematic",
     "systematic|random", "order in which coordinates are visited"},
    {"updates", HS_INTEGER, offsetof(struct gibbs, updates), "0",
     "[0,1000000000]", "coordinates per step of a random scan; 0: all"},
    {0},
};

const hs_kernel_type hs_kernel_gibbs = {
    .name = "gibbs",
    .summary = "heat bath, coordinate by coordinate",
    .size = sizeof(struct gibbs),
    .options = gibbs_options,
    .setup = gibbs_setup,
    .step = gibbs_step,
    .clear = gibbs_clear,
    .traits = gibbs_traits,
};
