/* mode_laws.c - which modes there are, and what each of them looks like. */
#include "run/survey/mode_laws.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"

#define FAR      4.0 /* times the distance that chance makes */
#define NEAREST  1.0 /* squared distance below which all is one mode */
#define LANES    64  /* chains that learn */
#define PER_SITE 4.0 /* draws of a mode per coordinate */
#define LEAST    512 /* draws of a mode, at least */
#define SMOOTH   1.0 /* draws added to the counts */
#define PROBES   16  /* states per chain that weigh a mode */

/* --- modes of pilot chains ------------------------------------------------ */

static float shares(const hs_pilot_chains *c, int lane, int v)
{
    size_t at = (size_t)lane * (size_t)c->values + (size_t)v;

    return (c->count[0][at] + c->count[1][at]) / (2.0f * (float)c->steps);
}

/* Half the squared distance of two vectors of shares. */
static double distance(const float *a, const float *b, int values)
{
    double sum = 0.0;

    for (int v = 0; v < values; v++) {
        double off = (double)a[v] - (double)b[v];

        sum += off * off;
    }
    return 0.5 * sum;
}

/* What a chain is apart from others of its mode by chance: half the distance
 * of its two halves, which are half as long. */
static double noise_of(const hs_pilot_chains *c, int lane)
{
    size_t first = (size_t)lane * (size_t)c->values;

    return 0.5 * distance(c->count[0] + first, c->count[1] + first, c->values) /
           ((double)c->steps * (double)c->steps);
}

/* Renumbers modes by falling size. */
static void rank_modes(int *of, int lanes, int modes)
{
    int size[1024] = {0}, rank[1024];

    for (int l = 0; l < lanes; l++)
        size[of[l]]++;
    for (int k = 0; k < modes; k++) {
        rank[k] = 0;
        for (int o = 0; o < modes; o++)
            rank[k] += size[o] > size[k] || (size[o] == size[k] && o < k);
    }
    for (int l = 0; l < lanes; l++)
        of[l] = rank[of[l]];
}

int hs_mode_laws_split(const hs_pilot_chains *c, int *of)
{
    size_t values = (size_t)c->values;
    float *centre = hs_alloc_array((size_t)c->lanes * values, sizeof *centre);
    float *own = hs_alloc_array(values, sizeof *own);
    double *noise = hs_alloc_array((size_t)c->lanes, sizeof *noise);
    int size[1024] = {0}, modes = 0;

    if (!centre || !own || !noise || c->lanes > 1024)
        goto out;
    for (int l = 0; l < c->lanes; l++) {
        double nearest = HUGE_VAL, chance = noise_of(c, l);
        int at = 0;

        for (int v = 0; v < c->values; v++)
            own[v] = shares(c, l, v);
        for (int k = 0; k < modes; k++) {
            double off = distance(own, centre + (size_t)k * values, c->values);

            if (off < nearest) {
                nearest = off;
                at = k;
            }
        }
        if (!(nearest < NEAREST + 0.5 * FAR * (chance + noise[at])))
            at = modes++;
        of[l] = at;
        size[at]++;
        noise[at] += (chance - noise[at]) / size[at];
        for (int v = 0; v < c->values; v++) {
            float *mean = &centre[(size_t)at * values + (size_t)v];

            *mean += (own[v] - *mean) / (float)size[at];
        }
    }
    rank_modes(of, c->lanes, modes);
out:
    hs_free(centre);
    hs_free(own);
    hs_free(noise);
    return modes;
}

/* --- laws and masses ----------------------------------------------------- */

/* Chains of a mode begin where its pilot chains ended, in turn. */
static void take_over(hs_pilot_chains *to, const hs_pilot_chains *from,
                      const int *of, int modes)
{
    size_t bytes = (size_t)from->dim * sizeof *from->state;
    int next[HS_LIBRARY_MAX] = {0};

    for (int l = 0; l < to->lanes; l++) {
        int mode = l % modes, at = next[mode];

        while (of[at] != mode)
            at = (at + 1) % from->lanes;
        next[mode] = (at + 1) % from->lanes;
        memcpy(to->state + (size_t)l * (size_t)to->dim,
               from->state + (size_t)at * (size_t)from->dim, bytes);
    }
}

/* of: modes of the lanes. */
static hiss_status learn_laws(hs_library *b, const hs_pilot_chains *c,
                              const int *of, const hs_domain *d,
                              hiss_error *err)
{
    double *sum = hs_alloc_array((size_t)b->values, sizeof *sum);

    if (!sum)
        return hs_fail_memory(err);
    for (int k = 0; k < b->modes; k++) {
        memset(sum, 0, (size_t)b->values * sizeof *sum);
        for (int l = 0; l < c->lanes; l++)
            for (int v = 0; of[l] == k && v < b->values; v++) {
                size_t at = (size_t)l * (size_t)c->values + (size_t)v;

                sum[v] += (double)(c->count[0][at] + c->count[1][at]);
            }
        hs_library_learn(b, d, k, sum, SMOOTH);
    }
    hs_free(sum);
    return HISS_OK;
}

hiss_status hs_mode_laws_sketch(hs_library **out, const hs_pilot_chains *c,
                                const int *of, int modes, const hs_domain *d,
                                hiss_error *err)
{
    hiss_status rc;

    HS_TRY(hs_library_create(
        out, d, modes < HS_LIBRARY_MAX ? modes : HS_LIBRARY_MAX, err));
    rc = learn_laws(*out, c, of, d, err);
    hs_library_weigh(*out, NULL);
    if (rc != HISS_OK) {
        hs_library_destroy(*out);
        *out = NULL;
    }
    return rc;
}

/* A mean of exponentials, relative to the largest; sum 0: none yet. */
struct sum {
    double max, sum, count;
};

/* Adds e^exponent; -infinity is counted and adds nothing. */
static void add(struct sum *s, double exponent)
{
    float e[HS_LANES] = {0};
    bool is_first = s->sum == 0.0, rises = is_first || exponent > s->max;

    s->count += 1.0;
    if (exponent == -HUGE_VAL)
        return;
    if (!is_first)
        e[0] = (float)(rises ? s->max - exponent : exponent - s->max);
    hs_lanes()->exp(e, e);
    s->sum = is_first ? 1.0
             : rises  ? s->sum * (double)e[0] + 1.0
                      : s->sum + (double)e[0];
    s->max = rises ? exponent : s->max;
}

static double log_mean(const struct sum *s)
{
    float e[HS_LANES];

    for (int l = 0; l < HS_LANES; l++)
        e[l] = (float)(s->sum / s->count);
    hs_lanes()->log(e, e);
    return s->max + (double)e[0];
}

/* U - ln q_k of all lanes of a group, of[l] their modes. */
static void excess(const hs_library *b, const hs_model *m, const hs_point *p,
                   const int *of, double *out)
{
    hs_library_log(b, &m->domain, (const hs_index_row *)p->x, of, out);
    for (int l = 0; l < HS_LANES; l++)
        out[l] = p->u[l] - out[l];
}

/* A draw of each lane's mode into p. */
static void draw(const hs_library *b, const hs_model *m, const hs_tile *t,
                 const int *of, uint64_t clock, hs_point *p)
{
    uint32_t words[4][HS_LANES];
    hs_rng rng = t->rng;

    rng.clock = clock;
    for (int i = 0; i < m->domain.dim; i++) {
        if (i % 4 == 0)
            hs_lanes()->philox(&rng, HS_DRAW_PROBE, (uint32_t)i / 4, 1, words);
        for (int l = 0; l < HS_LANES; l++)
            p->x[i][l] = (int16_t)hs_library_value(b, &m->domain, of[l], i,
                                                   hs_uniform(words[i % 4][l]));
    }
    p->have = 0;
}

struct weighing {
    struct sum ahead[HS_LIBRARY_MAX]; /* sqrt(p / q) over q */
    struct sum back[HS_LIBRARY_MAX];  /* sqrt(q / p) over p */
    hs_point point;                   /* owned */
};

/* Lanes of one group: a step, a look at where they stand, a look at a draw. */
static hiss_status weigh_group(struct weighing *w, const hs_library *b,
                               hs_group *g, const int *of, hiss_error *err)
{
    hs_tile *t = &g->tile[0];
    hiss_status rc;

    for (int n = 0; n < PROBES; n++) {
        double out[HS_LANES];

        HS_TRY(hs_group_step(g, err));
        rc = hs_tile_evaluate(t, g->model, &t->at, HS_U);
        if (rc != HISS_OK)
            return hs_group_fail(g, t, rc, "in", "", err);
        excess(b, g->model, &t->at, of, out);
        for (int l = 0; l < g->chains; l++)
            add(&w->back[of[l]], -0.5 * out[l]);
        draw(b, g->model, t, of, (uint64_t)n, &w->point);
        rc = hs_tile_evaluate(t, g->model, &w->point, HS_U);
        if (rc != HISS_OK)
            return hs_group_fail(g, t, rc, "in", "", err);
        excess(b, g->model, &w->point, of, out);
        for (int l = 0; l < g->chains; l++)
            add(&w->ahead[of[l]], 0.5 * out[l]);
    }
    return HISS_OK;
}

static hiss_status weigh(hs_library *b, const hs_pilot_chains *c, const int *of,
                         const hs_model *m, const hs_mode_laws_request *request,
                         struct weighing *w, hs_pilot_account *account,
                         hiss_error *err)
{
    double mass[HS_LIBRARY_MAX];
    hiss_status rc = HISS_OK;

    for (int first = 0; rc == HISS_OK && first < c->lanes;
         first += HS_GROUP_CHAINS) {
        hs_group *g = NULL;
        double energy = 0.0, gradient = 0.0;

        rc = hs_group_create(&g, m, request->base, account->seed,
                             request->first_chain + 0x800u + (uint32_t)first,
                             HS_GROUP_CHAINS, err);
        for (int l = 0; rc == HISS_OK && l < g->chains; l++)
            hs_group_set(g, l, 0,
                         c->state + (size_t)(first + l) * (size_t)c->dim);
        if (rc == HISS_OK)
            rc = weigh_group(w, b, g, of + first, err);
        if (rc == HISS_OK)
            hs_group_evals(g, &energy, &gradient);
        account->energy_evals += energy * HS_GROUP_CHAINS;
        account->gradient_evals += gradient * HS_GROUP_CHAINS;
        hs_group_destroy(g);
    }
    for (int k = 0; rc == HISS_OK && k < b->modes; k++)
        mass[k] = w->ahead[k].sum > 0.0
                      ? log_mean(&w->ahead[k]) - log_mean(&w->back[k])
                      : -2.0 * log_mean(&w->back[k]);
    if (rc == HISS_OK)
        hs_library_weigh(b, mass);
    return rc;
}

static hiss_status weigh_modes(hs_library *b, const hs_pilot_chains *c,
                               const int *of, const hs_model *m,
                               const hs_mode_laws_request *request,
                               hs_pilot_account *account, hiss_error *err)
{
    struct weighing *w = hs_alloc_array(1, sizeof *w);
    hiss_status rc = w ? hs_point_init(&w->point, m, err) : HISS_OK;

    if (!w)
        return hs_fail_memory(err);
    if (rc == HISS_OK)
        rc = weigh(b, c, of, m, request, w, account, err);
    hs_point_clear(&w->point);
    hs_free(w);
    return rc;
}

/* Steps in each half that give every mode enough draws. */
static int steps_for(const hs_model *m, int modes, double budget)
{
    double draws = PER_SITE * m->domain.dim, steps;

    draws = draws > LEAST ? draws : LEAST;
    steps = 0.5 * draws * modes / LANES;
    if (2.0 * steps * LANES > budget)
        steps = 0.5 * budget / LANES;
    return steps > 8.0 ? (int)steps : 8;
}

hiss_status hs_mode_laws_learn(hs_library **out, const hs_pilot_chains *c,
                               const int *of, int modes, const hs_model *m,
                               const hs_mode_laws_request *request,
                               hs_pilot_account *account, hiss_error *err)
{
    int kept = modes < HS_MODE_LAWS_MODES ? modes : HS_MODE_LAWS_MODES;
    hs_pilot_walk run = {.sampler = request->base,
                         .first_chain = request->first_chain,
                         .discard = 4};
    int own[LANES];
    hs_pilot_chains pilots;
    hiss_status rc;

    *out = NULL;
    if (kept < 2)
        return HISS_OK;
    HS_TRY(hs_pilot_chains_init(&pilots, m, LANES, err));
    run.steps = steps_for(m, kept, request->budget);
    take_over(&pilots, c, of, kept);
    rc = hs_pilot_chains_walk(&pilots, m, &run, account, err);
    if (rc == HISS_OK) /* what seemed two may be one after a longer look */
        kept = hs_mode_laws_split(&pilots, own);
    if (rc == HISS_OK && kept > 1) {
        rc = hs_library_create(out, &m->domain, kept, err);
        if (rc == HISS_OK)
            rc = learn_laws(*out, &pilots, own, &m->domain, err);
        if (rc == HISS_OK)
            rc = weigh_modes(*out, &pilots, own, m, request, account, err);
        if (rc == HISS_OK)
            rc = hs_library_cut(*out, m, err);
    }
    hs_pilot_chains_clear(&pilots);
    if (rc != HISS_OK) {
        hs_library_destroy(*out);
        *out = NULL;
    }
    return rc;
}
