/* library.c - modes that were found beforehand, frozen. */
#include "kernel/library.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"

#define FLOOR  0.02 /* of the weights, shared out equally */
#define UNLIKE 8.0  /* standard deviations, and as many units more */

hiss_status hs_library_create(hs_library **out, const hs_domain *d, int modes,
                              hiss_error *err)
{
    hs_library *b = hs_alloc_array(1, sizeof *b);
    size_t n = (size_t)modes, values = (size_t)d->value_count;

    *out = NULL;
    if (!b)
        return hs_fail_memory(err);
    b->modes = modes;
    b->dim = d->dim;
    b->values = d->value_count;
    b->top = hs_alloc_array(n * (size_t)d->dim, sizeof *b->top);
    b->weight = hs_alloc_array(n, sizeof *b->weight);
    b->log_rest = hs_alloc_array(n, sizeof *b->log_rest);
    b->typical = hs_alloc_array(n, sizeof *b->typical);
    b->spread = hs_alloc_array(n, sizeof *b->spread);
    b->share = hs_alloc_array(n * values, sizeof *b->share);
    b->log_share = hs_alloc_array(n * values, sizeof *b->log_share);
    b->start = hs_alloc_array(n * values, sizeof *b->start);
    if (!b->top || !b->weight || !b->log_rest || !b->typical || !b->spread ||
        !b->share || !b->log_share || !b->start) {
        hs_library_destroy(b);
        return hs_fail_memory(err);
    }
    *out = b;
    return HISS_OK;
}

void hs_library_destroy(hs_library *b)
{
    if (!b)
        return;
    hs_free(b->top);
    hs_free(b->weight);
    hs_free(b->log_rest);
    hs_free(b->typical);
    hs_free(b->spread);
    hs_free(b->share);
    hs_free(b->log_share);
    hs_free(b->start);
    hs_free(b);
}

/* By lane maths, so that they are the same everywhere. */
static void logarithms(const double *from, int count, double *out)
{
    float root[HS_LANES];

    for (int first = 0; first < count; first += HS_LANES) {
        int n = count - first < HS_LANES ? count - first : HS_LANES;

        for (int l = 0; l < HS_LANES; l++)
            root[l] = l < n ? (float)from[first + l] : 1.0f;
        hs_lanes()->log(root, root);
        for (int l = 0; l < n; l++)
            out[first + l] = (double)root[l];
    }
}

void hs_library_weigh(hs_library *b, const double *log_mass)
{
    double max = -HUGE_VAL, sum = 0.0;
    float fall[HS_LANES];

    for (int k = 0; k < b->modes; k++)
        max = log_mass[k] > max ? log_mass[k] : max;
    for (int first = 0; first < b->modes; first += HS_LANES) {
        int n = b->modes - first < HS_LANES ? b->modes - first : HS_LANES;

        for (int l = 0; l < HS_LANES; l++)
            fall[l] = l < n ? (float)(log_mass[first + l] - max) : 0.0f;
        hs_lanes()->exp(fall, fall);
        for (int l = 0; l < n; l++)
            sum += b->weight[first + l] = (double)fall[l];
    }
    for (int k = 0; k < b->modes; k++) {
        b->weight[k] = (1.0 - FLOOR) * b->weight[k] / sum + FLOOR / b->modes;
        b->log_rest[k] = 1.0 - b->weight[k];
    }
    logarithms(b->log_rest, b->modes, b->log_rest);
}

/* Starts of the intervals: ordered numbers as they are, others by falling
 * share, equal ones by their number. */
static void arrange(const double *share, int states, bool is_ordered,
                    double *start)
{
    for (int v = 0; v < states; v++) {
        start[v] = 0.0;
        for (int o = 0; o < states; o++) {
            bool is_before = is_ordered || share[o] == share[v]
                                 ? o < v
                                 : share[o] > share[v];

            start[v] += is_before ? share[o] : 0.0;
        }
    }
}

void hs_library_learn(hs_library *b, const hs_domain *d, int mode,
                      const double *count, double smooth)
{
    size_t first = (size_t)mode * (size_t)b->values;
    double typical = 0.0, variance = 0.0;

    for (int i = 0; i < d->dim; i++) {
        double mean = 0.0, square = 0.0;
        double *share = b->share + first + d->value[i];
        double *logs = b->log_share + first + d->value[i];
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
        arrange(share, states, d->kind[i] == HISS_ORDINAL,
                b->start + first + d->value[i]);
        b->top[(size_t)mode * (size_t)b->dim + (size_t)i] = (int16_t)top;
        for (int v = 0; v < states; v++) {
            mean += share[v] * logs[v];
            square += share[v] * logs[v] * logs[v];
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

int hs_library_mode(const hs_library *b, const hs_domain *d,
                    const int16_t *state)
{
    double best = -HUGE_VAL;
    int mode = 0;
    bool is_known = false;

    for (int k = 0; k < b->modes; k++) {
        const double *logs = b->log_share + (size_t)k * (size_t)b->values;
        double sum = 0.0;

        for (int i = 0; i < d->dim; i++)
            sum += logs[d->value[i] + state[i]];
        if (sum > best) {
            best = sum;
            mode = k;
        }
        is_known |= sum > b->typical[k] - UNLIKE * b->spread[k] - UNLIKE;
    }
    return is_known ? mode : -1;
}

void hs_library_log(const hs_library *b, const hs_domain *d,
                    const hs_index_row *x, double (*out)[HS_LANES])
{
    for (int k = 0; k < b->modes; k++) {
        const double *logs = b->log_share + (size_t)k * (size_t)b->values;
        double sum[HS_LANES] = {0};

        for (int i = 0; i < d->dim; i++) {
            const double *own = logs + d->value[i];

            for (int l = 0; l < HS_LANES; l++)
                sum[l] += own[x[i][l]];
        }
        memcpy(out[k], sum, sizeof sum);
    }
}
