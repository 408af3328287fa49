/* keys.c - tours by random keys. */
#include "kernel/compose/keys.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"

/* Distances of Shell's sort [Ciura 2001]; past them a factor of 9/4. */
static const int gaps[] = {3548, 1577, 701, 301, 132, 57, 23, 10, 4, 1};

enum {
    GAPS = sizeof gaps / sizeof gaps[0]
};

hiss_status hs_keys_init(hs_keys *s, int dim, hiss_error *err)
{
    size_t n = (size_t)dim;

    *s = (hs_keys){0};
    s->words = hs_alloc_array((n + 3) / 4 * 4, sizeof *s->words);
    s->key = hs_alloc_array(n, sizeof *s->key);
    s->sorted = hs_alloc_array(n, sizeof *s->sorted);
    s->raw = hs_alloc_array(n, sizeof *s->raw);
    s->order = hs_alloc_array(n, sizeof *s->order);
    if (s->words && s->key && s->sorted && s->raw && s->order)
        return HISS_OK;
    hs_keys_clear(s);
    return hs_fail_memory(err);
}

void hs_keys_clear(hs_keys *s)
{
    hs_free(s->words);
    hs_free(s->key);
    hs_free(s->sorted);
    hs_free(s->raw);
    hs_free(s->order);
    *s = (hs_keys){0};
}

static void sort_words(uint32_t *at, int count)
{
    for (int g = 0; g < GAPS; g++)
        for (int i = gaps[g]; i < count; i++) {
            uint32_t one = at[i];
            int j = i;

            for (; j >= gaps[g] && at[j - gaps[g]] > one; j -= gaps[g])
                at[j] = at[j - gaps[g]];
            at[j] = one;
        }
}

/* Sorts positions by key; equal ones keep their order. */
static void sort_order(const float *key, int16_t *order, int count)
{
    for (int i = 0; i < count; i++)
        order[i] = (int16_t)i;
    for (int g = 0; g < GAPS; g++)
        for (int i = gaps[g]; i < count; i++) {
            int16_t one = order[i];
            int j = i;

            for (; j >= gaps[g]; j -= gaps[g]) {
                int16_t other = order[j - gaps[g]];

                if (key[other] < key[one] ||
                    (key[other] == key[one] && other < one))
                    break;
                order[j] = other;
            }
            order[j] = one;
        }
}

/* ln(u / (1 - u)) of u = (k + 1/2) / 2^32, exact at both ends. */
static void logistic(const uint32_t *k, float *out)
{
    float above[HS_LANES];

    for (int l = 0; l < HS_LANES; l++) {
        out[l] = (float)k[l] + 0.5f;
        above[l] = (float)(UINT32_MAX - k[l]) + 0.5f;
    }
    hs_lanes()->log(out, out);
    hs_lanes()->log(above, above);
    for (int l = 0; l < HS_LANES; l++)
        out[l] -= above[l];
}

/* ln f(k) up to a constant: -|k| - 2 ln(1 + e^-|k|). */
static void log_density(const float *key, float *out)
{
    float fall[HS_LANES];

    for (int l = 0; l < HS_LANES; l++)
        fall[l] = -fabsf(key[l]);
    hs_lanes()->exp(fall, out);
    for (int l = 0; l < HS_LANES; l++)
        out[l] += 1.0f;
    hs_lanes()->log(out, out);
    for (int l = 0; l < HS_LANES; l++)
        out[l] = fall[l] - 2.0f * out[l];
}

/* Order statistics of independent logistics: the map is monotone, so the words
 * themselves are sorted. */
static void draw_keys(hs_keys *s, const hs_rng *rng, int dim)
{
    hs_lanes()->philox(rng, HS_DRAW_NOISE, 0, (dim + 3) / 4, s->words);
    for (int l = 0; l < HS_LANES; l++) {
        for (int i = 0; i < dim; i++)
            s->raw[i] = s->words[i][l];
        sort_words(s->raw, dim);
        for (int i = 0; i < dim; i++)
            s->words[i][l] = s->raw[i];
    }
    for (int i = 0; i < dim; i++)
        logistic(s->words[i], s->key[i]);
}

static void shape_noise(const hs_noise *n, const uint32_t *words, float *out)
{
    if (n->shape == HS_LOGISTIC) {
        logistic(words, out);
        return;
    }
    for (int l = 0; l < HS_LANES; l++)
        out[l] = (float)(words[l] >> 8) * 0x1p-24f + 0x1p-25f;
    hs_lanes()->normal_quantile(out, out);
}

/* Marks the lanes in which the city at position i is chosen; false if there is
 * none. */
static bool is_chosen(const hs_noise *n, int i, bool *chosen)
{
    bool any = false;

    for (int l = 0; l < HS_LANES; l++) {
        chosen[l] = !n->chosen || n->chosen[n->x[i][l]];
        any |= chosen[l];
    }
    return any;
}

void hs_keys_noise(hs_keys *s, const hs_noise *n, double *prior)
{
    int dim = n->domain->dim;
    float noise[HS_LANES], before[HS_LANES], after[HS_LANES];
    bool chosen[HS_LANES];

    for (int l = 0; l < HS_LANES; l++)
        prior[l] = 0.0;
    draw_keys(s, n->rng, dim);
    hs_lanes()->philox(n->rng, HS_DRAW_DENOISE, 0, (dim + 3) / 4, s->words);
    for (int i = 0; i < dim; i++) {
        if (!is_chosen(n, i, chosen))
            continue;
        shape_noise(n, s->words[i], noise);
        log_density(s->key[i], before);
        for (int l = 0; l < HS_LANES; l++)
            if (chosen[l])
                s->key[i][l] += n->eta[l] * noise[l];
        log_density(s->key[i], after);
        for (int l = 0; l < HS_LANES; l++)
            prior[l] += (double)after[l] - (double)before[l];
    }
    for (int l = 0; l < HS_LANES; l++) {
        for (int i = 0; i < dim; i++)
            s->sorted[i] = s->key[i][l];
        sort_order(s->sorted, s->order, dim);
        for (int i = 0; i < dim; i++)
            n->y[i][l] = n->x[s->order[i]][l];
    }
}
