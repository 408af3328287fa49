/* cluster.c - moves of whole clusters, for models of pairs.
 *
 *     U(x) = sum_e w_e [x_i = x_j] + sum_i h_i(x_i)
 * An involution s of the labels is drawn: the other value of two, and for q
 * labels the reflection s(c) = r - c mod q, r uniform.  Labels c and s(c) are
 * the two directions of an Ising spin, so a bond has a relative direction if
 * x_j is x_i or s(x_i). A bond in the direction that w_e favors is opened with
 * probability 1 - exp(-beta |w_e|); sites joined by open bonds are a cluster,
 * and s is applied to a cluster C with probability 1 / (1 + e^-D),
 *     D = sum_C beta [h_i(s x_i) - h_i(x_i)] + phi_i(s x_i) - phi_i(x_i),
 * its conditional given the bonds: any signs of w, any fields, any tilt
 * [Swendsen & Wang 1987; Wang, Swendsen & Kotecky 1989].  update=one moves only
 * the cluster of a random site, with min(1, e^D) [Wolff 1989].
 *
 * Random words: bonds by their number, a cluster by its first site.  A sweep
 * counts as several evaluations of the energy. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/sets.h"
#include "kernel/kernel.h"
#include "lanes/lanes.h"
#include "model/couplings.h"

/* Cost of a pass over all bonds, in evaluations, by its time relative to a
 * sweep of single sites.  Measured: for labels 4 (1 with four lanes); for two
 * values 16 with four lanes, and 60 for lattices whose sweeps use bytes. */
#define PRICE        16.0
#define PRICE_LABELS 4.0

#define CHUNK 64 /* bonds whose random words are made at once */

enum {
    ALL,
    ONE
};

struct cluster {
    int update;
    hs_couplings couplings; /* owned */
    int32_t *parent;        /* owned, [HS_LANES][dim]: towards the first site */
    double *gain;           /* owned, [HS_LANES][dim]: D, at the first site */
};

static hiss_status cluster_setup(hs_kernel *k, const hs_model *m,
                                 hiss_error *err)
{
    struct cluster *s = k->state;
    size_t sites = (size_t)m->domain.dim * HS_LANES;

    HS_TRY(hs_couplings_init(&s->couplings, m, err));
    s->parent = hs_alloc_array(sites, sizeof *s->parent);
    s->gain = hs_alloc_array(sites, sizeof *s->gain);
    return s->parent && s->gain ? HISS_OK : hs_fail_memory(err);
}

static void cluster_clear(hs_kernel *k)
{
    struct cluster *s = k->state;

    hs_couplings_clear(&s->couplings);
    hs_free(s->parent);
    hs_free(s->gain);
}

/* Returns s(c) of a site with this many states; word chooses the reflection. */
static int image(int c, int states, uint32_t word)
{
    int r = states == 2 ? 1 : hs_below(word, states);

    return r >= c ? r - c : r - c + states;
}

/* Opens one bond in the lanes that favor it and whose closing probability is at
 * most u. */
static void open_bond(struct cluster *s, const hs_model *m, const hs_tile *x,
                      const hs_coupling *b, const float *closed,
                      const uint32_t *words, const uint32_t *turn)
{
    int states = m->domain.states[b->i];
    const int16_t *xi = x->at.x[b->i], *xj = x->at.x[b->j];

    for (int l = 0; l < x->lanes; l++) {
        float u = (float)words[l] * 0x1p-32f + 0x1p-33f;
        int other = image(xi[l], states, turn[l]);

        if (other != xi[l] && xj[l] == (b->w > 0.0f ? xi[l] : other) &&
            closed[l] <= u)
            hs_sets_join(s->parent + (size_t)l * (size_t)m->domain.dim, b->i,
                         b->j);
    }
}

static void open_bonds(struct cluster *s, const hs_model *m, const hs_tilt *t,
                       const hs_tile *x, const uint32_t *turn)
{
    uint32_t words[CHUNK][HS_LANES];
    float closed[HS_LANES];
    float last = -1.0f;

    for (int l = 0; l < x->lanes; l++)
        for (int i = 0; i < m->domain.dim; i++)
            s->parent[(size_t)l * (size_t)m->domain.dim + (size_t)i] = i;
    for (int64_t e = 0; e < s->couplings.bonds; e++) {
        const hs_coupling *b = &s->couplings.bond[e];
        float w = fabsf(b->w);

        if (e % CHUNK == 0)
            hs_lanes()->philox(&x->rng, HS_DRAW_BOND, (uint32_t)(e / 4),
                               CHUNK / 4, words);
        if (w != last) {
            for (int l = 0; l < HS_LANES; l++)
                closed[l] = -t->beta[l] * w;
            hs_lanes()->exp(closed, closed);
            last = w;
        }
        open_bond(s, m, x, b, closed, words[e % CHUNK], turn);
    }
}

/* phi_i(v) - phi_i(x_i) of one lane. */
static double tilt_of(const hs_tilt *t, const hs_domain *d, int i, int v, int x,
                      int lane)
{
    if (!t->phi)
        return 0.0;
    if (d->is_pair)
        return (double)t->phi[i][lane] * (v - x);
    return (double)t->phi[d->value[i] + v][lane] -
           (double)t->phi[d->value[i] + x][lane];
}

/* Sums D of every cluster. */
static void sum_gains(struct cluster *s, const hs_model *m, const hs_tilt *t,
                      const hs_tile *x, const uint32_t *turn)
{
    const hs_domain *d = &m->domain;
    size_t dim = (size_t)d->dim;

    memset(s->gain, 0, HS_LANES * dim * sizeof *s->gain);
    for (int l = 0; l < x->lanes; l++) {
        int32_t *parent = s->parent + (size_t)l * dim;
        double *gain = s->gain + (size_t)l * dim;

        for (int i = 0; i < d->dim; i++) {
            const double *h = s->couplings.field + d->value[i];
            int v = x->at.x[i][l], to = image(v, d->states[i], turn[l]);

            parent[i] = hs_sets_find(parent, i);
            gain[parent[i]] += (double)t->beta[l] * (h[to] - h[v]) +
                               tilt_of(t, d, i, to, v, l);
        }
    }
}

/* Decides which roots turn over, by the word of their site: u < 1 / (1 + e^-D),
 * or ln u < D if only one cluster is tried. */
static void decide(struct cluster *s, const hs_model *m, const hs_tile *x,
                   const int32_t *only, int i, const uint32_t *words)
{
    size_t dim = (size_t)m->domain.dim;
    float gain[HS_LANES], rise[HS_LANES];

    for (int l = 0; l < HS_LANES; l++) {
        gain[l] =
            l < x->lanes ? (float)s->gain[(size_t)l * dim + (size_t)i] : 0.0f;
        rise[l] = only && gain[l] > 0.0f ? 0.0f : gain[l];
    }
    hs_lanes()->exp(rise, rise); /* +infinity past the largest float */
    for (int l = 0; l < x->lanes; l++) {
        float u = (float)words[l] * 0x1p-32f + 0x1p-33f;
        bool turns = only ? only[l] == i && u < rise[l]
                          : isinf(rise[l]) || u * (1.0f + rise[l]) < rise[l];

        s->gain[(size_t)l * dim + (size_t)i] = turns ? 1.0 : 0.0;
    }
}

/* Turns the clusters over; counts changed sites. */
static void turn_over(hs_kernel *k, const hs_model *m, hs_tile *x,
                      const int32_t *only, const uint32_t *turn)
{
    struct cluster *s = k->state;
    const hs_domain *d = &m->domain;
    size_t dim = (size_t)d->dim;
    uint32_t words[4][HS_LANES];

    for (int i = 0; i < d->dim; i++) {
        if (i % 4 == 0)
            hs_lanes()->philox(&x->rng, HS_DRAW_PROPOSE, (uint32_t)i / 4, 1,
                               words);
        decide(s, m, x, only, i, words[i % 4]);
        for (int l = 0; l < x->lanes; l++) {
            const double *turns = s->gain + (size_t)l * dim;
            int v = x->at.x[i][l], to = v;

            /* roots come first, so theirs is decided */
            if (turns[s->parent[(size_t)l * dim + (size_t)i]] > 0.0)
                to = image(v, d->states[i], turn[l]);
            x->at.x[i][l] = (int16_t)to;
            k->lane[HS_PROPOSED][l] += 1.0;
            k->lane[HS_ACCEPTED][l] += to != v;
        }
    }
}

static double price(const hs_model *m)
{
    return m->domain.states_max > 2 ? PRICE_LABELS : PRICE;
}

static hiss_status cluster_step(hs_kernel *k, const hs_model *m,
                                const hs_tilt *t, hs_tile *x)
{
    struct cluster *s = k->state;
    uint32_t words[4][HS_LANES];
    int32_t only[HS_LANES] = {0};

    hs_tile_tick(x);
    hs_tile_count_sites(x, m, price(m) * m->domain.dim);
    hs_lanes()->philox(&x->rng, HS_DRAW_COMPONENT, 0, 1, words);
    open_bonds(s, m, t, x, words[0]);
    sum_gains(s, m, t, x, words[0]);
    for (int l = 0; l < x->lanes; l++) {
        int site = hs_below(words[1][l], m->domain.dim);

        only[l] = s->parent[(size_t)l * (size_t)m->domain.dim + (size_t)site];
    }
    turn_over(k, m, x, s->update == ONE ? only : NULL, words[0]);
    x->at.have = 0;
    HS_TRY(hs_model_evaluate(m, &x->at, HS_U));
    return hs_tile_check(x, &x->at);
}

static int cluster_work(const hs_kernel *k, const hs_model *m, hs_work *part)
{
    const struct cluster *s = k->state;

    (void)m;
    part[0] = (hs_work){
        .times = 1.0, .amount = (double)s->couplings.bonds, .is_by_lane = true};
    return 1;
}

static hs_traits cluster_traits(const hs_kernel *k)
{
    (void)k;
    return (hs_traits){
        .exact = true, .reversible = true, .homogeneous = true, .period = 1};
}

static const hs_option cluster_options[] = {
    {"update", HS_CHOICE, offsetof(struct cluster, update), "all", "all|one",
     "all clusters (Swendsen-Wang), or that of a random site (Wolff)"},
    {0},
};

const hs_kernel_type hs_kernel_cluster = {
    .name = "cluster",
    .summary = "turns whole clusters of joined sites over; models of pairs",
    .size = sizeof(struct cluster),
    .options = cluster_options,
    .setup = cluster_setup,
    .step = cluster_step,
    .clear = cluster_clear,
    .traits = cluster_traits,
    .work = cluster_work,
};
