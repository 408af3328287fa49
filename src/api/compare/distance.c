/* distance.c - the distance of draws from an exactly known distribution.
 *
 * The probability of a drawn state is exp(U - log Z), so a table of the visited
 * states suffices for total variation (tvd.h).  With more states the distance
 * is the mean total variation of the coordinates' marginals. */
#include "api/compare/distance.h"

#include <math.h>
#include <string.h>

#include "api/object/objects.h"
#include "base/alloc.h"
#include "base/error.h"
#include "diag/tests/tvd.h"

#define STATES_MAX 65536.0 /* up to this number of states, all are compared */

struct hs_seen_state {
    const char *state; /* borrowed: the bytes of a draw; NULL if empty */
    double u;
    int64_t count;
};

/* The draws of a repetition. */
struct block {
    const hiss_result *result;
    hiss_run_info info;
    int first, chains; /* chains of the run */
    int64_t n;         /* number of draws of each chain */
};

hiss_status hs_distance_init(hs_distance *d, hiss_exact *exact,
                             const hiss_model *model, hiss_error *err)
{
    size_t states;

    *d = (hs_distance){.exact = exact,
                       .states = hs_domain_count(&model->model->domain)};
    d->has_states = exact && d->states <= STATES_MAX;
    if (!d->has_states)
        return HISS_OK;
    states = (size_t)d->states;
    d->room = 4 * (int)states;
    d->table = hs_alloc_array((size_t)d->room, sizeof *d->table);
    d->counts = hs_alloc_array(states, sizeof *d->counts);
    d->law = hs_alloc_array(states, sizeof *d->law);
    if (d->table && d->counts && d->law)
        return HISS_OK;
    hs_distance_clear(d);
    return hs_fail_memory(err);
}

void hs_distance_clear(hs_distance *d)
{
    hiss_exact_destroy(d->exact);
    hs_free(d->table);
    hs_free(d->counts);
    hs_free(d->law);
    *d = (hs_distance){0};
}

const char *hs_distance_metric(const hs_distance *d)
{
    if (!d->exact)
        return NULL;
    return d->has_states ? "tvd" : "marginal_error";
}

static void note_state(hs_distance *d, const char *state, size_t size, double u)
{
    uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */
    struct hs_seen_state *e;

    for (size_t b = 0; b < size; b++)
        h = (h ^ (unsigned char)state[b]) * 0x100000001b3u;
    h ^= h >> 29;
    for (int at = (int)(h % (uint64_t)d->room);; at = (at + 1) % d->room) {
        e = &d->table[at];
        if (!e->state) {
            e->state = state;
            e->u = u;
        }
        if (memcmp(e->state, state, size) == 0)
            break;
    }
    e->count++;
}

static double state_distance(hs_distance *d, const struct block *b,
                             double *cover)
{
    const hs_store *store = &b->result->run.store;
    size_t size = hs_store_row_bytes(store);
    const double *lp = hiss_result_lp(b->result);
    double log_z = hiss_exact_log_z(d->exact);
    int64_t seen = 0;

    memset(d->table, 0, (size_t)d->room * sizeof *d->table);
    for (int c = b->first; c < b->first + b->chains; c++)
        for (int64_t n = 0; n < b->n; n++)
            note_state(d, hs_store_row(store, c, n), size,
                       lp[c * b->info.samples + n]);
    for (int e = 0; e < d->room; e++)
        if (d->table[e].state) {
            d->counts[seen] = d->table[e].count;
            d->law[seen++] = exp(d->table[e].u - log_z);
        }
    *cover = (double)seen / d->states;
    return hs_tvd_seen(d->counts, d->law, seen);
}

static void measure_states(hs_distance *d, struct block *b, int points,
                           const int64_t *draws, double *distance,
                           double *cover)
{
    int repetitions = b->info.chains / b->chains;

    for (int k = 0; k < points; k++)
        for (int r = 0; r < repetitions; r++) {
            int at = k * repetitions + r;

            b->first = r * b->chains;
            b->n = draws[k];
            if (b->n > 0)
                distance[at] = state_distance(d, b, &cover[at]);
        }
}

/* Total variation of the marginal of coordinate i, whose values are `column` as
 * [chain][draw]. */
static double marginal_distance(const hs_distance *d, const struct block *b,
                                int i, const double *column, int64_t *counts)
{
    const hs_domain *domain = &b->result->domain;
    int states = domain->states[i];

    for (int s = 0; s < states; s++) {
        double value = hs_domain_value(domain, i, s);

        counts[s] = 0;
        for (int c = b->first; c < b->first + b->chains; c++)
            for (int64_t n = 0; n < b->n; n++)
                counts[s] += column[c * b->info.samples + n] == value;
    }
    return hs_tvd(counts, hiss_exact_marginal(d->exact, i), states);
}

static hiss_status measure_marginals(const hs_distance *d, struct block *b,
                                     int points, const int64_t *draws,
                                     double *distance, hiss_error *err)
{
    int repetitions = b->info.chains / b->chains, dim = b->info.dim;
    double *column = hs_alloc_array(
        (size_t)b->info.chains * (size_t)b->info.samples, sizeof *column);
    int64_t *counts =
        hs_alloc_array((size_t)b->result->domain.states_max, sizeof *counts);
    bool is_whole = column && counts;

    for (int i = 0; is_whole && i < dim; i++) {
        hiss_result_column(b->result, i, column);
        for (int at = 0; at < points * repetitions; at++) {
            b->first = at % repetitions * b->chains;
            b->n = draws[at / repetitions];
            if (b->n > 0)
                distance[at] = (i ? distance[at] : 0.0) +
                               marginal_distance(d, b, i, column, counts);
        }
    }
    for (int at = 0; at < points * repetitions; at++)
        distance[at] /= dim;
    hs_free(column);
    hs_free(counts);
    return is_whole ? HISS_OK : hs_fail_memory(err);
}

hiss_status hs_distance_measure(hs_distance *d, const hiss_result *result,
                                int chains, int points, const int64_t *draws,
                                double *distance, double *cover,
                                hiss_error *err)
{
    struct block b = {
        .result = result, .info = HISS_INIT(hiss_run_info), .chains = chains};

    hiss_result_info(result, &b.info);
    for (int at = 0; at < points * (b.info.chains / chains); at++)
        distance[at] = cover[at] = NAN;
    if (!d->exact)
        return HISS_OK;
    if (!d->has_states)
        return measure_marginals(d, &b, points, draws, distance, err);
    measure_states(d, &b, points, draws, distance, cover);
    return HISS_OK;
}
