/* network.c - shared networks, and draws from them. */
#include "exact/network/network.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/exponential.h"
#include "base/logarithm.h"
#include "exact/network/build.h"
#include "exact/network/probe.h"

#define DISCARD  1e-29 /* part of the squares: the limit of double precision */
#define ENOUGH   0.95  /* share of accepted draws at which a bond suffices, */
#define HOPELESS 0.8   /* share of a batch below which the bond is given up */
/* the same while the next bond costs less than CHEAP, for log Z */
#define BETTER   0.999
#define CHEAP    1e8  /* multiplications, about 50 ms */
#define WORK_MAX 2e10 /* most multiplications of all attempts by default */
#define FLOOR    1e-9 /* relative to the largest weight, so that q > 0; */
#define RAISED   0.05 /* share of draws whose weight noise may raise */

enum {
    TRIALS = 3 /* batches of 16 draws */
};

struct hs_network_scratch {
    hs_slice_scratch work;
    uint32_t (*word)[HS_LANES]; /* owned, [dim, rounded up] */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static hs_network *first; /* list of all networks that are held */

static void destroy(hs_network *n)
{
    hs_network_drop(n);
    hs_line_clear(&n->line);
    hs_factors_clear(&n->factors);
    hs_free(n->weight);
    hs_free(n->probe);
    hs_free(n);
}

/* Finds possible states by other chains; replaces impossible ones by these. */
static hiss_status find_probe(hs_network *n, const hs_poll *poll,
                              hiss_error *err)
{
    double u[HS_LANES];
    int good = -1;

    n->probe = hs_alloc_array((size_t)n->factors.dim, sizeof *n->probe);
    if (!n->probe)
        return hs_fail_memory(err);
    HS_TRY(hs_probe_states(n->probe, &n->factors, poll, err));
    hs_network_energy(n, (const hs_index_row *)n->probe, u);
    for (int l = 0; l < HS_LANES; l++)
        good = u[l] > -HUGE_VAL ? l : good;
    for (int i = 0; good >= 0 && i < n->factors.dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            if (!(u[l] > -HUGE_VAL))
                n->probe[i][l] = n->probe[i][good];
    if (good < 0) {
        hs_free(n->probe);
        n->probe = NULL;
    }
    n->facts.sweeps += HS_PROBE_SWEEPS * HS_LANES;
    return HISS_OK;
}

static hiss_status init_tables(hs_network *n, hiss_error *err)
{
    hs_factors f;
    hiss_status rc;

    if (!n->m->ops->factors)
        return hs_fail(err, HISS_EUNSUP,
                       "sampler network: model %s is not a sum of small tables",
                       n->m->name);
    HS_TRY(n->m->ops->factors(n->m, &f, err));
    rc = hs_factors_slice(&n->factors, &f, NULL, err);
    hs_factors_clear(&f);
    HS_TRY(rc);
    n->factors.constant *= n->beta;
    for (int64_t e = 0; e < n->factors.table_at[n->factors.count]; e++)
        n->factors.table[e] *= n->beta;
    n->sweep = fmax(1.0, hs_factors_sweep(&n->factors));
    n->weight = hs_alloc_array((size_t)n->factors.table_at[n->factors.count],
                               sizeof *n->weight);
    if (!n->weight)
        return hs_fail_memory(err);
    HS_TRY(hs_network_set_weights(n, err));
    HS_TRY(hs_line_init(&n->line, &n->factors, err));
    n->facts.order = n->line.name;
    n->facts.frontier = n->line.frontier;
    n->floor = FLOOR;
    return HISS_OK;
}

/* Compares ln p/q of the probe states with that of draws.  A probe state less
 * probable than all draws did not burn in, and may be off by that much more. */
static void check_probe(hs_network *n, hs_network_scratch *s,
                        const double *weight, int count, double least_u)
{
    double log_q[HS_LANES], u[HS_LANES], own = -HUGE_VAL;

    n->facts.missing = 0.0;
    if (!n->probe)
        return;
    hs_network_draw(n, s, NULL, n->probe, log_q);
    hs_network_energy(n, (const hs_index_row *)n->probe, u);
    for (int k = 0; k < count; k++)
        own = fmax(own, weight[k]);
    for (int l = 0; l < HS_LANES; l++)
        n->facts.missing =
            fmax(n->facts.missing,
                 u[l] - log_q[l] - own - fmax(0.0, least_u - u[l]));
    if (n->facts.missing > HS_NETWORK_MISSING)
        n->facts.accepted = 0.0;
}

/* Computes ln p/q of some draws to judge a bond; one batch suffices to reject
 * it. */
static hiss_status try_draws(hs_network *n, hiss_error *err)
{
    hs_network_address address = {.seed = 0};
    double log_q[HS_LANES], u[HS_LANES], weight[TRIALS * HS_LANES];
    hs_index_row *x = hs_alloc_array((size_t)n->factors.dim, sizeof *x);
    hs_network_scratch *s = NULL;
    hiss_status rc = x ? HISS_OK : hs_fail_memory(err);
    double least = HUGE_VAL;
    int made = 0;

    if (rc == HISS_OK)
        rc = hs_network_scratch_create(&s, n, err);
    for (int t = 0; rc == HISS_OK && t < TRIALS; t++) {
        for (int l = 0; l < HS_LANES; l++) {
            address.chain[l] = HS_PILOT_CHAIN + (uint32_t)l;
            address.clock[l] = (uint64_t)t;
        }
        hs_network_draw(n, s, &address, x, log_q);
        hs_network_energy(n, (const hs_index_row *)x, u);
        for (int l = 0; l < HS_LANES; l++) {
            weight[t * HS_LANES + l] = u[l] - log_q[l];
            least = fmin(least, u[l]);
        }
        made += HS_LANES;
        n->facts.accepted = hs_network_acceptance(weight, made);
        if (n->facts.accepted < HOPELESS)
            break;
    }
    if (rc == HISS_OK) /* below it, a weight has no meaning */
        n->floor = fmin(fmax(FLOOR, s->work.noise),
                        fmax(FLOOR, RAISED / fmax(1.0, n->line.count)));
    if (rc == HISS_OK && n->facts.accepted >= HOPELESS)
        check_probe(n, s, weight, made, least);
    hs_network_scratch_destroy(s);
    hs_free(x);
    return rc;
}

/* Searches for a lost mode with scales of the variables. */
static hiss_status build(hs_network *n, int bond, const hs_poll *poll,
                         hiss_error *err)
{
    HS_TRY(hs_network_build(n, bond, DISCARD, poll, err));
    HS_TRY(try_draws(n, err));
    if (n->is_gauged || !(n->facts.missing > HS_NETWORK_MISSING))
        return HISS_OK;
    for (int turn = 0; turn < 2 && n->facts.accepted < HOPELESS; turn++) {
        n->is_gauged = turn == 0;
        n->floor = FLOOR;
        HS_TRY(hs_network_build(n, bond, DISCARD, poll, err));
        HS_TRY(try_draws(n, err));
    }
    return HISS_OK;
}

/* Doubling a bond multiplies the cost by eight. */
static hiss_status choose_bond(hs_network *n, const hs_network_request *request,
                               hiss_error *err)
{
    double before = 0.0, spent, next;
    double most = request->most > 0.0 ? request->most : WORK_MAX;

    for (int bond = HS_NETWORK_BOND_FIRST;;) {
        n->floor = FLOOR;
        HS_TRY(build(n, bond, request->poll, err));
        spent = n->facts.sweeps * n->sweep;
        next = 8.0 * (spent - before);
        if (n->facts.accepted >= (next < CHEAP ? BETTER : ENOUGH) ||
            spent + next > most ||
            n->facts.entries * 4.0 * sizeof(double) > 0x1p30)
            return HISS_OK;
        if (n->facts.largest < bond || 2 * bond > HS_NETWORK_BOND_MAX)
            return HISS_OK; /* a larger one would not be used */
        bond *= 2;
        before = spent;
    }
}

static hiss_status fill(hs_network *n, const hs_network_request *request,
                        hiss_error *err)
{
    n->facts.accepted = (double)NAN;
    HS_TRY(init_tables(n, err));
    HS_TRY(find_probe(n, request->poll, err));
    if (!(request->bond > 0))
        return choose_bond(n, request, err);
    return build(n, request->bond, request->poll, err);
}

static hiss_status add(hs_network **out, const hs_model *m,
                       const hs_network_request *request, hiss_error *err)
{
    hs_network *n = hs_alloc_array(1, sizeof *n);
    hiss_status rc;

    if (!n)
        return hs_fail_memory(err);
    n->m = m;
    n->request = request->bond;
    n->beta = request->beta > 0.0 ? request->beta : 1.0;
    rc = fill(n, request, err);
    if (rc != HISS_OK) {
        destroy(n);
        return rc;
    }
    n->next = first;
    first = *out = n;
    return HISS_OK;
}

hiss_status hs_network_hold(const hs_network **out, const hs_model *m,
                            const hs_network_request *request, hiss_error *err)
{
    double beta = request->beta > 0.0 ? request->beta : 1.0;
    hs_network *n;
    hiss_status rc = HISS_OK;

    *out = NULL;
    pthread_mutex_lock(&lock);
    for (n = first;
         n && !(n->m == m && n->request == request->bond && n->beta == beta);)
        n = n->next;
    if (!n)
        rc = add(&n, m, request, err);
    if (rc == HISS_OK) {
        n->holders++;
        *out = n;
    }
    pthread_mutex_unlock(&lock);
    return rc;
}

void hs_network_release(const hs_network *n)
{
    hs_network **at = &first, *gone = NULL;

    if (!n)
        return;
    pthread_mutex_lock(&lock);
    while (*at != n)
        at = &(*at)->next;
    if (--(*at)->holders == 0) {
        gone = *at;
        *at = gone->next;
    }
    pthread_mutex_unlock(&lock);
    if (gone)
        destroy(gone);
}

const hs_network_facts *hs_network_about(const hs_network *n)
{
    return &n->facts;
}

void hs_network_scratch_destroy(hs_network_scratch *s)
{
    if (!s)
        return;
    hs_free(s->work.right);
    hs_free(s->work.weight);
    hs_free(s->work.left);
    hs_free(s->work.part);
    hs_free(s->work.values);
    hs_free(s->word);
    hs_free(s);
}

hiss_status hs_network_scratch_create(hs_network_scratch **out,
                                      const hs_network *n, hiss_error *err)
{
    hs_network_scratch *s = hs_alloc_array(1, sizeof *s);
    size_t rows = 1, weights = 1, side = 1, most = 1;
    const size_t row = HS_LANES * sizeof(double);

    *out = NULL;
    if (!s)
        return hs_fail_memory(err);
    for (int k = 0; k < n->slices; k++) {
        const hs_slice *slice = &n->slice[k];

        rows = slice->rows > rows ? slice->rows : rows;
        weights = slice->weights > weights ? slice->weights : weights;
        side = (size_t)slice->side > side ? (size_t)slice->side : side;
        most = (size_t)slice->most > most ? (size_t)slice->most : most;
    }
    s->work.right = hs_alloc_array(rows, row);
    s->work.weight = hs_alloc_array(weights, row);
    s->work.left = hs_alloc_array(side, row);
    s->work.part = hs_alloc_array(side * most, row);
    s->work.values = hs_alloc_array(most, row);
    s->word = hs_alloc_array((size_t)n->factors.dim + 4, sizeof *s->word);
    if (!s->work.right || !s->work.weight || !s->work.left || !s->work.part ||
        !s->work.values || !s->word) {
        hs_network_scratch_destroy(s);
        return hs_fail_memory(err);
    }
    *out = s;
    return HISS_OK;
}

/* One random number for every coordinate and lane. */
static void set_words(hs_network_scratch *s, int dim,
                      const hs_network_address *a)
{
    for (int l = 0; l < HS_LANES; l++)
        for (int i = 0; i < dim; i += 4) {
            uint32_t four[4];

            hs_rng_block(a->seed, a->chain[l], a->replica[l], a->clock[l],
                         HS_DRAW_PROPOSE, (uint32_t)i / 4, four);
            for (int k = 0; k < 4; k++)
                s->word[i + k][l] = four[k];
        }
}

void hs_network_draw(const hs_network *n, hs_network_scratch *s,
                     const hs_network_address *address, hs_index_row *x,
                     double *log_q)
{
    hs_slice_words words;
    double q[HS_LANES];

    for (int l = 0; l < HS_LANES; l++) {
        q[l] = 1.0;
        log_q[l] = 0.0;
    }
    if (address) {
        set_words(s, n->factors.dim, address);
        words = (hs_slice_words){(const uint32_t(*)[HS_LANES])s->word,
                                 address->seed, address->clock, address->chain,
                                 address->replica};
        memset(x, 0, (size_t)n->factors.dim * sizeof *x);
    }
    for (int k = n->slices - 1; k >= 0; k--)
        hs_slice_draw(&n->slice[k], &s->work, n->floor, address ? &words : NULL,
                      x, q, log_q);
    for (int l = 0; l < HS_LANES; l++)
        log_q[l] += hs_logarithm(q[l]);
}

void hs_network_energy(const hs_network *n, const hs_index_row *x, double *u)
{
    const hs_factors *f = &n->factors;

    for (int l = 0; l < HS_LANES; l++)
        u[l] = f->constant;
    for (int64_t k = 0; k < f->count; k++)
        for (int l = 0; l < HS_LANES; l++) {
            int64_t entry = 0;

            for (int64_t i = f->scope_at[k]; i < f->scope_at[k + 1]; i++)
                entry = entry * f->states[f->scope[i]] + x[f->scope[i]][l];
            u[l] += f->table[f->table_at[k] + entry];
        }
}

double hs_network_acceptance(const double *log_weight, int count)
{
    double sum = 0.0;

    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++)
            if (a != b && log_weight[b] > -HUGE_VAL)
                sum += log_weight[b] >= log_weight[a]
                           ? 1.0
                           : hs_exponential(log_weight[b] - log_weight[a]);
    return count > 1 ? sum / count / (count - 1) : 1.0;
}
