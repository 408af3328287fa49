/* library.c - the library of known modes, frozen. */
#include "kernel/library.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"

#define ROOM   (1 << 25) /* most modes * values, 20 bytes each */
#define FLOOR  0.02      /* fraction of the weights, distributed equally */
#define UNLIKE 8.0       /* standard deviations, plus this many units */

int hs_library_most(const hs_domain *d)
{
    int most = ROOM / (d->value_count > 0 ? d->value_count : 1);

    return most > HS_LIBRARY_MAX ? HS_LIBRARY_MAX : most < 2 ? 2 : most;
}

static bool allocate(hs_library *b)
{
    size_t n = (size_t)b->modes, values = (size_t)b->values;
    double **column[] = {&b->weight, &b->below,   &b->log_mass, &b->log_error,
                         &b->held,   &b->typical, &b->spread,   NULL};
    bool is_there = true;

    for (int c = 0; column[c]; c++) {
        *column[c] = hs_alloc_array(n, sizeof **column[c]);
        is_there = is_there && *column[c];
    }
    b->value = hs_alloc_array((size_t)b->dim + 1, sizeof *b->value);
    b->top = hs_alloc_array(n * (size_t)b->dim, sizeof *b->top);
    b->share = hs_alloc_array(n * values, sizeof *b->share);
    b->log_share = hs_alloc_array(n * values, sizeof *b->log_share);
    b->start = hs_alloc_array(n * values, sizeof *b->start);
    return is_there && b->value && b->top && b->share && b->log_share &&
           b->start;
}

hiss_status hs_library_create(hs_library **out, const hs_domain *d, int modes,
                              hiss_error *err)
{
    hs_library *b = hs_alloc_array(1, sizeof *b);

    *out = NULL;
    if (!b)
        return hs_fail_memory(err);
    b->modes = modes;
    b->dim = d->dim;
    b->values = d->value_count;
    if (!allocate(b)) {
        hs_library_destroy(b);
        return hs_fail_memory(err);
    }
    memcpy(b->value, d->value, ((size_t)d->dim + 1) * sizeof *b->value);
    *out = b;
    return HISS_OK;
}

void hs_library_destroy(hs_library *b)
{
    if (!b)
        return;
    hs_free(b->value);
    hs_free(b->top);
    hs_free(b->weight);
    hs_free(b->below);
    hs_free(b->log_mass);
    hs_free(b->log_error);
    hs_free(b->held);
    hs_free(b->typical);
    hs_free(b->spread);
    hs_free(b->share);
    hs_free(b->log_share);
    hs_free(b->start);
    hs_pieces_clear(&b->pieces);
    hs_mode_trees_destroy(b->trees);
    hs_free(b);
}

/* Uses lane arithmetic, so that results are the same everywhere. */
static void logarithms(const double *from, int count, float *out)
{
    float root[HS_LANES];

    for (int first = 0; first < count; first += HS_LANES) {
        int n = count - first < HS_LANES ? count - first : HS_LANES;

        for (int l = 0; l < HS_LANES; l++)
            root[l] = l < n ? (float)from[first + l] : 1.0f;
        hs_lanes()->log(root, root);
        memcpy(out + first, root, (size_t)n * sizeof *root);
    }
}

static double log_of(double x)
{
    float root;

    logarithms(&x, 1, &root);
    return (double)root;
}

/* --- S: coordinates that tell the modes apart ----------------------------- */

/* sum_v sqrt(p_ai(v) p_bi(v)): 1 if two modes are equal in coordinate i, 0 if
 * it distinguishes them. */
static double affinity(const hs_library *b, int one, int two, int i)
{
    const double *p = b->share + (size_t)one * (size_t)b->values;
    const double *q = b->share + (size_t)two * (size_t)b->values;
    double sum = 0.0;

    for (int v = b->value[i]; v < b->value[i + 1]; v++)
        sum += sqrt(p[v] * q[v]);
    return sum;
}

/* The mode that S distinguishes least from this one. */
static int closest(const hs_library *b, int mode)
{
    double most = -1.0;
    int at = mode == 0;

    for (int k = 0; k < b->modes; k++) {
        double alike = 1.0;

        for (int n = 0; k != mode && n < b->sites; n++)
            alike *= affinity(b, mode, k, b->site[n]);
        if (k != mode && alike > most) {
            most = alike;
            at = k;
        }
    }
    return at;
}

/* Takes the modes in turn: each gets the coordinate that best distinguishes it
 * from the mode closest to it so far. */
static void choose_sites(hs_library *b)
{
    int most = b->dim < HS_LIBRARY_SITES ? b->dim : HS_LIBRARY_SITES;

    b->sites = 0;
    while (b->modes > 1 && b->sites < most) {
        int mode = b->sites % b->modes, other = closest(b, mode), best = -1;
        double least = HUGE_VAL;

        for (int i = 0; i < b->dim; i++) {
            double alike = affinity(b, mode, other, i);
            bool is_taken = !(alike < least);

            for (int n = 0; !is_taken && n < b->sites; n++)
                is_taken = b->site[n] == i;
            if (!is_taken) {
                least = alike;
                best = i;
            }
        }
        b->site[b->sites++] = best;
    }
}

/* --- weights and laws ----------------------------------------------------- */

void hs_library_weigh(hs_library *b, const double *log_mass)
{
    double max = log_mass ? -HUGE_VAL : 0.0, sum = 0.0, below = 0.0, log_sum;
    float fall[HS_LANES];

    for (int k = 0; log_mass && k < b->modes; k++)
        max = log_mass[k] > max ? log_mass[k] : max;
    for (int first = 0; first < b->modes; first += HS_LANES) {
        int n = b->modes - first < HS_LANES ? b->modes - first : HS_LANES;

        for (int l = 0; l < HS_LANES; l++)
            fall[l] =
                log_mass && l < n ? (float)(log_mass[first + l] - max) : 0.0f;
        hs_lanes()->exp(fall, fall);
        for (int l = 0; l < n; l++)
            sum += b->weight[first + l] = (double)fall[l];
    }
    log_sum = log_of(sum);
    for (int k = 0; k < b->modes; k++) {
        b->log_mass[k] = (log_mass ? log_mass[k] - max : 0.0) - log_sum;
        b->log_error[k] = HUGE_VAL;
        b->held[k] = 1.0;
        b->weight[k] = (1.0 - FLOOR) * b->weight[k] / sum + FLOOR / b->modes;
        b->below[k] = below;
        below += b->weight[k];
    }
    choose_sites(b);
}

void hs_library_learn(hs_library *b, const hs_domain *d, int mode,
                      const double *count, double smooth)
{
    size_t first = (size_t)mode * (size_t)b->values;
    double typical = 0.0, variance = 0.0;

    for (int i = 0; i < d->dim; i++) {
        double mean = 0.0, square = 0.0;
        double *share = b->share + first + d->value[i];
        float *logs = b->log_share + first + d->value[i];
        const double *seen = count + d->value[i];
        int states = d->states[i], top = 0;
        double all = smooth;

        for (int v = 0; v < states; v++) {
            all += seen[v];
            top = seen[v] > seen[top] ? v : top;
        }
        for (int v = 0; v < states; v++)
            share[v] = (seen[v] + smooth / states) / all;
        logarithms(share, states, logs);
        hs_intervals_arrange(share, states, d->kind[i] == HISS_ORDINAL,
                             b->start + first + d->value[i]);
        b->top[(size_t)mode * (size_t)b->dim + (size_t)i] = (int16_t)top;
        for (int v = 0; v < states; v++) {
            mean += share[v] * (double)logs[v];
            square += share[v] * (double)logs[v] * (double)logs[v];
        }
        typical += mean;
        variance += square - mean * mean;
    }
    b->typical[mode] = typical;
    b->spread[mode] = variance > 0.0 ? sqrt(variance) : 0.0;
}

hiss_status hs_library_state(hs_library *b, const hs_domain *d, int mode,
                             const int16_t *state, hiss_error *err)
{
    double *count = hs_alloc_array((size_t)b->values, sizeof *count);

    if (!count)
        return hs_fail_memory(err);
    for (int i = 0; i < d->dim; i++)
        count[d->value[i] + state[i]] = 10.0;
    hs_library_learn(b, d, mode, count, 1.0);
    hs_free(count);
    return HISS_OK;
}

hiss_status hs_library_cut(hs_library *b, const hs_model *m, hiss_error *err)
{
    hs_pieces_clear(&b->pieces);
    return hs_pieces_find(&b->pieces, m, b->top, b->modes, err);
}

/* --- questions ------------------------------------------------------------ */

/* ln q_k of a state over some coordinates, or all if site is NULL. */
static double log_law(const hs_library *b, const hs_domain *d, int mode,
                      const int16_t *state, const int *site, int sites)
{
    const float *logs = b->log_share + (size_t)mode * (size_t)b->values;
    double sum = 0.0;

    for (int n = 0; n < sites; n++) {
        int i = site ? site[n] : n;

        sum += (double)logs[d->value[i] + state[i]];
    }
    return sum;
}

static bool is_likely(double log_q, double typical, double spread)
{
    return log_q > typical - UNLIKE * spread - UNLIKE;
}

bool hs_library_is_typical(const hs_library *b, int mode, double log_q)
{
    if (b->trees)
        return is_likely(log_q, b->trees->typical[mode],
                         b->trees->spread[mode]);
    return is_likely(log_q, b->typical[mode], b->spread[mode]);
}

/* The most likely mode, by these coordinates. */
static int likeliest(const hs_library *b, const hs_domain *d,
                     const int16_t *state, const int *site, int sites,
                     bool *is_known)
{
    double best = -HUGE_VAL;
    int mode = 0;

    *is_known = false;
    for (int k = 0; k < b->modes; k++) {
        double sum = log_law(b, d, k, state, site, sites);

        if (sum > best) {
            best = sum;
            mode = k;
        }
        *is_known |= is_likely(sum, b->typical[k], b->spread[k]);
    }
    return mode;
}

int hs_library_mode(const hs_library *b, const hs_domain *d,
                    const int16_t *state)
{
    bool is_known;
    int mode;

    if (b->sites > 0 && b->sites < b->dim) { /* S nearly always suffices */
        mode = likeliest(b, d, state, b->site, b->sites, &is_known);
        if (is_likely(log_law(b, d, mode, state, NULL, b->dim),
                      b->typical[mode], b->spread[mode]))
            return mode;
    }
    mode = likeliest(b, d, state, NULL, b->dim, &is_known);
    return is_known ? mode : -1;
}

bool hs_library_shares(const hs_library *b, const hs_domain *d,
                       const int16_t *state, double *share)
{
    double best = -HUGE_VAL, sum = 0.0;
    bool is_known = false;
    float fall[HS_LANES];

    for (int k = 0; k < b->modes; k++) {
        share[k] = log_law(b, d, k, state, NULL, b->dim);
        best = share[k] > best ? share[k] : best;
        is_known |= is_likely(share[k], b->typical[k], b->spread[k]);
    }
    for (int first = 0; first < b->modes; first += HS_LANES) {
        int n = b->modes - first < HS_LANES ? b->modes - first : HS_LANES;

        for (int l = 0; l < HS_LANES; l++)
            fall[l] = l < n ? (float)(share[first + l] - best) : 0.0f;
        hs_lanes()->exp(fall, fall);
        for (int l = 0; l < n; l++)
            sum += share[first + l] = b->weight[first + l] * (double)fall[l];
    }
    for (int k = 0; k < b->modes; k++)
        share[k] /= sum;
    return is_known;
}

void hs_library_log(const hs_library *b, const hs_domain *d,
                    const hs_index_row *x, const int *of, double *out)
{
    const float *logs[HS_LANES];

    if (b->trees) {
        hs_mode_trees_log(b->trees, d, x, of, out);
        return;
    }
    for (int l = 0; l < HS_LANES; l++) {
        logs[l] = b->log_share + (size_t)of[l] * (size_t)b->values;
        out[l] = 0.0;
    }
    for (int i = 0; i < d->dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            out[l] += (double)logs[l][d->value[i] + x[i][l]];
}

void hs_library_log_sites(const hs_library *b, const hs_domain *d,
                          const hs_index_row *x, int sites, hs_float_row *out)
{
    hs_float_row at[HS_LIBRARY_SITES];

    for (int n = 0; n < sites; n++)
        for (int l = 0; l < HS_LANES; l++)
            at[n][l] = x[b->site[n]][l];
    for (int k = 0; k < b->modes; k++) {
        const float *logs = b->log_share + (size_t)k * (size_t)b->values;
        hs_float_row sum = {0};

        for (int n = 0; n < sites; n++) {
            int i = b->site[n];
            const float *own = logs + d->value[i];
            float step = d->states[i] > 1 ? own[1] - own[0] : 0.0f;

            if (d->states[i] <= 2)
                for (int l = 0; l < HS_LANES; l++)
                    sum[l] += own[0] + step * at[n][l];
            else
                for (int l = 0; l < HS_LANES; l++)
                    sum[l] += own[x[i][l]];
        }
        memcpy(out[k], sum, sizeof sum);
    }
}

int hs_library_draw(const hs_library *b, double uniform)
{
    int low = 0, high = b->modes - 1;

    while (low < high) { /* the last mode that begins at or before it */
        int middle = low + (high - low + 1) / 2;

        if (b->below[middle] <= uniform)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Draws coordinate i of a lane; its parent, if any, is drawn already. */
static int draw_value(const hs_library *b, const hs_domain *d, int mode, int i,
                      double uniform, const hs_index_row *x, int l)
{
    const hs_mode_trees *t = b->trees;
    size_t row;

    if (!t)
        return hs_library_value(b, d, mode, i, uniform);
    row = hs_mode_trees_row_of(t, d, mode, i, x, l);
    return hs_intervals_find(t->start + row, t->share + row, d->states[i],
                             uniform);
}

void hs_library_draw_states(const hs_library *b, const hs_domain *d,
                            const hs_rng *rng, const int *of, hs_point *p)
{
    uint32_t words[4][HS_LANES];

    for (int n = 0; n < d->dim; n++) {
        if (n % 4 == 0)
            hs_lanes()->philox(rng, HS_DRAW_PROBE, (uint32_t)n / 4, 1, words);
        for (int l = 0; l < HS_LANES; l++) {
            int i = b->trees ? hs_mode_trees_site(b->trees, of[l], n) : n;

            p->x[i][l] =
                (int16_t)draw_value(b, d, of[l], i, hs_uniform(words[n % 4][l]),
                                    (const hs_index_row *)p->x, l);
        }
    }
    p->have = 0;
}
