/* reference.c - the reference path: tempering towards a learned
 * distribution. */
#include "kernel/compose/reference.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"

hiss_status hs_reference_init(hs_reference *r, const hs_model *m,
                              hiss_error *err)
{
    size_t values = (size_t)m->domain.value_count;

    for (int l = 0; l < HS_LANES; l++)
        r->mode[l] = -1;
    r->mean = hs_alloc_array(values, sizeof *r->mean);
    r->log_mean = hs_alloc_array(values, sizeof *r->log_mean);
    r->log_law = hs_alloc_array(HS_REFERENCE_MODES, sizeof *r->log_law);
    if (!r->mean || !r->log_mean || !r->log_law)
        return hs_fail_memory(err);
    HS_TRY(hs_tilt_init(&r->tilt, &m->domain, false, err));
    return hs_point_init(&r->y, m, err);
}

void hs_reference_clear(hs_reference *r)
{
    hs_free(r->mean);
    hs_free(r->log_mean);
    hs_free(r->log_law);
    hs_tilt_clear(&r->tilt);
    hs_point_clear(&r->y);
    *r = (hs_reference){0};
}

/* --- Q ------------------------------------------------------------------- */

/* Computes ln of n numbers, n <= HS_LANES, by lane arithmetic. */
static void logarithms(const double *from, int n, float *out)
{
    float row[HS_LANES];

    for (int l = 0; l < HS_LANES; l++)
        row[l] = l < n ? (float)from[l] : 1.0f;
    hs_lanes()->log(row, row);
    memcpy(out, row, (size_t)n * sizeof *out);
}

/* Computes the distribution of every coordinate over all modes. */
static void take_mean(hs_reference *r, const hs_domain *d, const hs_library *b)
{
    for (int v = 0; v < d->value_count; v++) {
        r->mean[v] = 0.0;
        for (int k = 0; k < b->modes; k++)
            r->mean[v] += b->weight[k] *
                          b->share[(size_t)k * (size_t)b->values + (size_t)v];
    }
    for (int v = 0; v < d->value_count; v += HS_LANES)
        logarithms(r->mean + v,
                   d->value_count - v < HS_LANES ? d->value_count - v
                                                 : HS_LANES,
                   r->log_mean + v);
    r->modes = 1;
    r->share[0] = r->mean;
    r->log_share[0] = r->log_mean;
}

/* Takes the heaviest modes, ties by number; weight[k] of the chosen ones. */
static void take_modes(hs_reference *r, const hs_library *b, double *weight)
{
    double last = HUGE_VAL;
    int last_mode = -1;

    while (r->modes < HS_REFERENCE_MODES && r->modes < b->modes) {
        int best = -1;
        size_t at;

        for (int k = 0; k < b->modes; k++) {
            bool is_behind =
                b->weight[k] < last || (b->weight[k] == last && k > last_mode);

            if (is_behind && (best < 0 || b->weight[k] > b->weight[best]))
                best = k;
        }
        at = (size_t)best * (size_t)b->values;
        r->share[r->modes] = b->share + at;
        r->log_share[r->modes] = b->log_share + at;
        weight[r->modes++] = last = b->weight[best];
        last_mode = best;
    }
}

void hs_reference_attach(hs_reference *r, const hs_domain *d,
                         const hs_library *library, bool is_product)
{
    double weight[HS_REFERENCE_MODES] = {1.0}, sum = 0.0;

    r->modes = 0;
    r->log_modes = 0.0;
    if (!library)
        return;
    if (is_product)
        take_mean(r, d, library);
    else
        take_modes(r, library, weight);
    for (int k = 0; k < r->modes; k++)
        sum += weight[k];
    r->log_modes = log((double)r->modes);
    for (int k = 0; k < r->modes; k++) {
        float log_weight;

        weight[k] /= sum;
        r->below[k] = k == 0 ? 0.0 : r->below[k - 1] + weight[k - 1];
        logarithms(&weight[k], 1, &log_weight);
        r->log_weight[k] = (double)log_weight;
    }
}

/* --- what it says of states ---------------------------------------------- */

static void look_at_pairs(hs_reference *r, const hs_domain *d,
                          const hs_index_row *x)
{
    for (int i = 0; i < d->dim; i++) {
        double row[HS_LANES];

        for (int l = 0; l < HS_LANES; l++)
            row[l] = x[i][l];
        for (int k = 0; k < r->modes; k++) {
            const float *own = r->log_share[k] + d->value[i];
            double low = (double)own[0], step = (double)own[1] - low;

            for (int l = 0; l < HS_LANES; l++)
                r->log_law[k][l] += low + step * row[l];
        }
    }
}

void hs_reference_look(hs_reference *r, const hs_domain *d,
                       const hs_index_row *x)
{
    for (int k = 0; k < r->modes; k++)
        for (int l = 0; l < HS_LANES; l++)
            r->log_law[k][l] = r->log_weight[k];
    if (d->is_pair) {
        look_at_pairs(r, d, x);
        return;
    }
    for (int i = 0; i < d->dim; i++)
        for (int k = 0; k < r->modes; k++)
            for (int l = 0; l < HS_LANES; l++)
                r->log_law[k][l] +=
                    (double)r->log_share[k][d->value[i] + x[i][l]];
}

/* Finds the largest power * ln w_k q_k over k. */
static void find_tops(const hs_reference *r, const float *power, double *top)
{
    for (int l = 0; l < HS_LANES; l++)
        top[l] = -HUGE_VAL;
    for (int k = 0; k < r->modes; k++)
        for (int l = 0; l < HS_LANES; l++) {
            double own = (double)power[l] * r->log_law[k][l];

            top[l] = own > top[l] ? own : top[l];
        }
}

/* (w_k q_k)^power of one mode, relative to the largest. */
static void relative(const hs_reference *r, int k, const float *power,
                     const double *top, float *out)
{
    for (int l = 0; l < HS_LANES; l++)
        out[l] = (float)((double)power[l] * r->log_law[k][l] - top[l]);
    hs_lanes()->exp(out, out);
}

void hs_reference_bias(const hs_reference *r, const float *power, double *out)
{
    double top[HS_LANES];
    float sum[HS_LANES] = {0}, own[HS_LANES];

    memset(out, 0, HS_LANES * sizeof *out);
    if (r->modes == 0)
        return;
    find_tops(r, power, top);
    for (int k = 0; k < r->modes; k++) {
        relative(r, k, power, top, own);
        for (int l = 0; l < HS_LANES; l++)
            sum[l] += own[l];
    }
    hs_lanes()->log(sum, sum);
    for (int l = 0; l < HS_LANES; l++)
        out[l] = top[l] + (double)sum[l];
}

double hs_reference_bias_of(const hs_reference *r, const hs_domain *d,
                            double lambda, const int16_t *state)
{
    double sum = 0.0;

    for (int k = 0; k < r->modes; k++) {
        double own = (k + 1 < r->modes ? r->below[k + 1] : 1.0) - r->below[k];

        for (int i = 0; i < d->dim; i++)
            own *= r->share[k][d->value[i] + state[i]];
        sum += pow(own, 1.0 - lambda);
    }
    return r->modes > 0 ? log(sum) : 0.0;
}

/* --- the tilt given k ---------------------------------------------------- */

/* Sets phi_i = (1 - lambda) ln q_ki in one lane. */
static void tilt_lane(hs_reference *r, const hs_domain *d, int lane)
{
    float power = r->power[lane];
    const float *logs = r->modes > 0 ? r->log_share[r->mode[lane]] : NULL;
    int rows = hs_tilt_rows(d);

    for (int row = 0; row < rows; row++) {
        float *phi = &r->tilt.phi[row][lane];

        if (power == 0.0f || !logs)
            *phi = 0.0f;
        else if (d->is_pair)
            *phi = power * (logs[d->value[row] + 1] - logs[d->value[row]]);
        else
            *phi = power * logs[row];
    }
}

/* Draws a mode for every lane, in proportion to (w_k q_k)^power. */
static void choose(const hs_reference *r, const hs_tile *x, const float *power,
                   int *mode)
{
    uint32_t words[4][HS_LANES];
    double top[HS_LANES];
    float sum[HS_LANES] = {0}, own[HS_LANES], target[HS_LANES];

    hs_lanes()->philox(&x->rng, HS_DRAW_COMPONENT, 0, 1, words);
    find_tops(r, power, top);
    for (int k = 0; k < r->modes; k++) {
        relative(r, k, power, top, own);
        for (int l = 0; l < HS_LANES; l++)
            sum[l] += own[l];
    }
    for (int l = 0; l < HS_LANES; l++) {
        target[l] = (float)(hs_uniform(words[0][l]) * (double)sum[l]);
        mode[l] = 0;
        sum[l] = 0.0f;
    }
    for (int k = 0; k < r->modes; k++) { /* the last mode that begins before
                                            it */
        relative(r, k, power, top, own);
        for (int l = 0; l < HS_LANES; l++) {
            if (sum[l] <= target[l] && own[l] > 0.0f)
                mode[l] = k;
            sum[l] += own[l];
        }
    }
}

void hs_reference_draw_modes(hs_reference *r, const hs_domain *d,
                             const hs_tile *x, const float *beta,
                             const float *power)
{
    int mode[HS_LANES] = {0};

    memcpy(r->tilt.beta, beta, sizeof r->tilt.beta);
    if (r->modes > 1)
        choose(r, x, power, mode);
    for (int l = 0; l < HS_LANES; l++) {
        if (r->mode[l] >= 0 && r->power[l] == power[l] &&
            (r->mode[l] == mode[l] || power[l] == 0.0f))
            continue;
        r->mode[l] = mode[l];
        r->power[l] = power[l];
        tilt_lane(r, d, l);
    }
}

/* --- fresh states -------------------------------------------------------- */

static int draw_mode(const hs_reference *r, double uniform)
{
    int k = 0;

    while (k + 1 < r->modes && r->below[k + 1] <= uniform)
        k++;
    return k;
}

/* Draws a value of coordinate i by inversion of its distribution in a mode. */
static int draw_value(const hs_reference *r, const hs_domain *d, int mode,
                      int i, double uniform)
{
    int v = 0, last = d->states[i] - 1;

    if (r->modes == 0) {
        v = (int)(uniform * d->states[i]);
        return v < last ? v : last;
    }
    while (v < last && uniform >= r->share[mode][d->value[i] + v]) {
        uniform -= r->share[mode][d->value[i] + v];
        v++;
    }
    return v;
}

static void draw_states(hs_reference *r, const hs_domain *d, hs_tile *x,
                        const bool *wanted)
{
    uint32_t words[4][HS_LANES];
    int mode[HS_LANES];

    hs_lanes()->philox(&x->rng, HS_DRAW_COMPONENT, 0, 1, words);
    for (int l = 0; l < HS_LANES; l++)
        mode[l] = draw_mode(r, hs_uniform(words[0][l]));
    for (int i = 0; i < d->dim; i++) {
        uint32_t more[4][HS_LANES];

        hs_lanes()->philox(&x->rng, HS_DRAW_PROPOSE, (uint32_t)i, 1, more);
        memcpy(r->y.x[i], x->at.x[i], sizeof r->y.x[i]);
        for (int l = 0; l < HS_LANES; l++)
            if (wanted[l])
                r->y.x[i][l] = (int16_t)draw_value(
                    r, d, mode[l], i, hs_uniform_long(more[0][l], more[1][l]));
    }
    r->y.have = 0;
}

hiss_status hs_reference_renew(hs_reference *r, const hs_model *m, hs_tile *x,
                               const bool *wanted, bool *taken)
{
    int32_t accept[HS_LANES];

    hs_tile_tick(x);
    draw_states(r, &m->domain, x, wanted);
    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U));
    HS_TRY(hs_tile_evaluate(x, m, &r->y, x->at.have & (HS_U | HS_GRAD)));
    for (int l = 0; l < HS_LANES; l++)
        accept[l] = taken[l] = wanted[l] && r->y.u[l] > -HUGE_VAL;
    hs_tile_move(x, m, &r->y, accept);
    return HISS_OK;
}
