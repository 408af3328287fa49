/* noise.c - a = x + eta * noise, and x' drawn from a alone.
 *
 *   logistic phi(v) = -2 ln cosh((a - v) / 2 eta)
 *   gaussian phi(v) = -(a - v)^2 / 2 eta^2
 *
 * One pass writes x' and phi.  It does not store a, because a sweep needs only
 * the differences of phi and, for the linearized tilt, the slope.
 *
 * Random words: the noise of value row r has coordinate r (pair domains: the
 * coordinate itself).  The draw of x'_i has coordinate i; on pair domains it is
 * the coin of position i (coin.h). */
#include <stdbool.h>

#include "lanes/lanes.h"
#include "lanes/vec/bytes.h"
#include "lanes/vec/coin.h"
#include "lanes/vec/gain.h"
#include "lanes/vec/normal.h"
#include "lanes/vec/philox.h"
#include "lanes/vec/softmax.h"
#include "lanes/vec/vec.h"

void HS_NAME(noise)(const hs_noise *n);

/* The standard noise z = (a - x) / eta is a function of its uniform u.  For the
 * logistic, with p = 1 - u towards larger values and u towards smaller ones,
 *   phi(v) - phi(x) = -r - 2 ln(c + p (1 - c)), r = |v - x| / eta, c = e^-r
 * so neither z nor a is ever computed.  A two-valued coordinate is redrawn
 * without logarithm or exponential: P(other) / P(x) = c / (c + p (1 - c))^2.
 * For the normal distribution phi(v) - phi(x) = s z - s^2 / 2 with s = (v - x)
 * / eta. */
typedef struct unit {
    vf r, c, rest; /* rest = 1 - c */
} unit;

HS_INLINE unit unit_of(vf distance, vf eta)
{
    unit a = {.r = distance / eta};

    a.c = vf_exp_negative(-a.r);
    a.rest = 1.0f - a.c;
    return a;
}

/* The uniform of the noise as u and 1 - u, so that both tails are precise. */
typedef struct level {
    vf u, v; /* v = 1 - u */
} level;

HS_INLINE level level_of(vu word)
{
    return (level){vf_uniform(word), vf_uniform(~word)};
}

HS_INLINE vf normal_of(level at)
{
    vm upper = vf_less(at.v, at.u);

    return vf_normal_quantile(vf_min(at.u, at.v), upper);
}

/* d = c + p (1 - c) of a two-valued coordinate: p = 1 - u if x is low. */
HS_INLINE vf depth(const unit *a, vm is_high, vu noise)
{
    vu p = vu_invert_where(vm_not(is_high), noise);

    return vf_fma(vf_uniform(p), a->rest, a->c);
}

/* phi(other) - phi(x) for another value, upwards or downwards. */
HS_INLINE vf phi_change(const hs_noise *n, const unit *a, level at, vm upwards)
{
    vf p;

    if (n->shape == HS_GAUSSIAN) {
        vf s = vf_select(upwards, a->r, -a->r);

        return vf_fma(s, normal_of(at), -0.5f * s * s);
    }
    p = vf_select(upwards, at.v, at.u);
    return -a->r - 2.0f * vf_log_normal(vf_fma(p, a->rest, a->c));
}

/* d phi / dv at x, and at another value, times eta:
 *     tanh(z/2) = 2u - 1;   tanh(z'/2) = (u - v e)/(u + v e), e = e^+-r. */
HS_INLINE vf slope_here(const hs_noise *n, level at)
{
    return n->shape == HS_GAUSSIAN ? normal_of(at) : at.u - at.v;
}

HS_INLINE vf slope_there(const hs_noise *n, const unit *a, level at, vm upwards)
{
    vf p, q;

    if (n->shape == HS_GAUSSIAN)
        return normal_of(at) - vf_select(upwards, a->r, -a->r);
    p = vf_select(upwards, at.u * a->c, at.u);
    q = vf_select(upwards, at.v, at.v * a->c);
    return (p - q) / (p + q);
}

/* Copies coordinates that get no noise. */
HS_INLINE void pass_through(const hs_noise *n, int i, int end, int l)
{
    for (int j = i; j < i + end; j++) {
        vi_store_index(&n->y[j][l], vi_load_index(&n->x[j][l]));
        vf_store(&n->phi[j][l], vf_set(0.0f));
        if (n->slope) {
            vf_store(&n->slope[2 * j][l], vf_set(0.0f));
            vf_store(&n->slope[2 * j + 1][l], vf_set(0.0f));
        }
    }
}

/* Decides whether a two-valued coordinate changes: 1 with probability R / (1 +
 * R). */
HS_INLINE vi draw_other(const hs_noise *n, const unit *a, level at, vm upwards,
                        vf change, const coin *c, const vu *words, int i)
{
    vf d;

    if (n->shape == HS_GAUSSIAN)
        return coin_sigma(c, words, i, vf_exp_negative(-vf_abs(change)),
                          vf_less(change, vf_set(0.0f)));
    d = vf_fma(vf_select(upwards, at.v, at.u), a->rest, a->c);
    return coin_toss(c, words, i, a->c, vf_fma(d, d, a->c));
}

/* One coordinate of a pair domain, where mask is set. */
HS_INLINE void pair_coordinate(const hs_noise *n, const unit *a, vf eta, int i,
                               int l, vm mask, vu noise, const coin *c,
                               const vu *words)
{
    vi x = vi_load_index(&n->x[i][l]);
    vm upwards = vm_not(vm_of(x)); /* the other value is the high one */
    level at = level_of(noise);
    vf change = phi_change(n, a, at, upwards);
    vi flip = draw_other(n, a, at, upwards, change, c, words, i);
    vf here, there;

    vi_store_index(&n->y[i][l], vi_select(mask, x ^ flip, x));
    if (n->factor) {
        vf_store(&n->factor[i][l], depth(a, vm_of(x), noise));
        vbyte_store(n->was[i], vbyte_narrow(n->x[i]));
        return;
    }
    vf_store(&n->phi[i][l], vf_where(mask, vf_negate_if(x, change)));
    if (!n->slope)
        return;
    here = vf_where(mask, slope_here(n, at) / eta);
    there = vf_where(mask, slope_there(n, a, at, upwards) / eta);
    vf_store(&n->slope[2 * i][l], vf_select(upwards, here, there));
    vf_store(&n->slope[2 * i + 1][l], vf_select(upwards, there, here));
}

/* HS_BATCH coordinates of a pair domain, all with logistic noise, no slope. */
HS_INLINE void pair_batch(const hs_noise *n, const unit *a, int i, int l,
                          const vu *noise, const coin *c, const vu *words)
{
    vf d[HS_BATCH], part[HS_BATCH], whole[HS_BATCH], log[HS_BATCH];
    vm high[HS_BATCH], flip[HS_BATCH];

    HS_EACH_BATCH(b)
    {
        high[b] = vm_load_index(&n->x[i + b][l]);
        d[b] = depth(a, high[b], noise[b]);
        part[b] = a->c;
        whole[b] = vf_fma(d[b], d[b], a->c);
    }
    if (n->factor) {
        HS_EACH_BATCH(b)
        {
            vf_store(&n->factor[i + b][l], d[b]);
            vbyte_store(n->was[i + b], vbyte_narrow(n->x[i + b]));
        }
    } else {
        log_normal_batch(d, log);
        HS_EACH_BATCH(b)
        vf_store(&n->phi[i + b][l],
                 vf_negate_where(high[b], -a->r - 2.0f * log[b]));
    }
    coin_toss_batch(c, words, i, part, whole, flip);
    HS_EACH_BATCH(b)
    vm_flip_index(&n->y[i + b][l], &n->x[i + b][l], flip[b]);
}

static void noise_pair(const hs_noise *n, int first, int last, int l)
{
    bool is_plain = n->shape == HS_LOGISTIC && !n->slope && !n->chosen;
    philox_ahead ahead[2];
    philox_at noise = philox_begin(n->rng, HS_DRAW_NOISE, l, &ahead[0]);
    coin denoise = coin_begin(n->rng, HS_DRAW_DENOISE, l, &ahead[1]);
    vf eta = vf_load(n->eta + l);
    unit u = unit_of(vf_set(n->domain->gap), eta);

    if (n->factor)
        vf_store(n->root + l, vf_exp_negative(-0.5f * u.r));
    for (int i = first; i < last; i += 8) {
        int end = last - i < 8 ? last - i : 8, any = !n->chosen;
        vu a[8], b[4];

        for (int j = 0; j < end && !any; j++)
            any = n->chosen[i + j];
        if (!any) {
            pass_through(n, i, end, l);
            continue;
        }
        if (end > 4)
            philox_thrice(&noise, (uint32_t)i / 4, a, &denoise.at,
                          (uint32_t)i / 8, b);
        else
            philox_twice(&noise, (uint32_t)i / 4, a, &denoise.at,
                         (uint32_t)i / 8, b);
        if (is_plain && end == 8) {
            pair_batch(n, &u, i, l, a, &denoise, b);
            pair_batch(n, &u, i + 4, l, a + 4, &denoise, b);
            continue;
        }
        for (int j = 0; j < end; j++)
            pair_coordinate(n, &u, eta, i + j, l,
                            vm_all(!n->chosen || n->chosen[i + j]), a[j],
                            &denoise, b);
    }
}

/* Computes phi relative to the present value (and slope) of a numeric
 * coordinate. */
static void numeric_rows(const hs_noise *n, vf eta, int i, int l, vu word)
{
    const hs_domain *d = n->domain;
    int first = d->value[i], k = d->states[i];
    vi x = vi_load_index(&n->x[i][l]);
    level at = level_of(word);
    vf here = value_at(d->values + first, k, x);

    for (int v = 0; v < k; v++) {
        vf step = d->values[first + v] - here;
        vm upwards = vf_less(vf_set(0.0f), step);
        vm same = vi_equal(x, vi_set(v));
        unit u = unit_of(vf_abs(step), eta);
        vf change = phi_change(n, &u, at, upwards);

        vf_store(&n->phi[first + v][l], vf_where(vm_not(same), change));
        if (!n->slope)
            continue;
        vf_store(&n->slope[2 * (first + v)][l],
                 vf_select(same, slope_here(n, at),
                           slope_there(n, &u, at, upwards)) /
                     eta);
        vf_store(&n->slope[2 * (first + v) + 1][l], vf_set(0.0f));
    }
}

/* Computes phi (and slope) of a categorical coordinate: k one-hot entries with
 * noise, each with values 0 and 1. */
static void label_rows(const hs_noise *n, vf eta, int i, int l,
                       philox_rows *words)
{
    const hs_domain *d = n->domain;
    int first = d->value[i], k = d->states[i];
    vi x = vi_load_index(&n->x[i][l]);
    unit u = unit_of(vf_set(1.0f), eta);

    for (int c = 0; c < k; c++) {
        int r = first + c;
        level at = level_of(philox_row(words, (uint32_t)r));
        vi hot = vi_of(vi_equal(x, vi_set(c)));
        vm upwards = vm_not(vm_of(hot));
        vf change = phi_change(n, &u, at, upwards);

        vf_store(&n->phi[r][l], vf_negate_if(hot, change));
        if (n->slope) {
            vf here = slope_here(n, at) / eta;
            vf there = slope_there(n, &u, at, upwards) / eta;

            vf_store(&n->slope[2 * r][l], vf_select(upwards, here, there));
            vf_store(&n->slope[2 * r + 1][l], vf_select(upwards, there, here));
        }
    }
}

static void clear_rows(const hs_noise *n, int i, int l)
{
    const hs_domain *d = n->domain;

    vi_store_index(&n->y[i][l], vi_load_index(&n->x[i][l]));
    for (int r = d->value[i]; r < d->value[i + 1]; r++) {
        vf_store(&n->phi[r][l], vf_set(0.0f));
        if (n->slope) {
            vf_store(&n->slope[2 * r][l], vf_set(0.0f));
            vf_store(&n->slope[2 * r + 1][l], vf_set(0.0f));
        }
    }
}

/* Draws one of many values, by this word and one more at its own address. */
static vi draw_many(const hs_noise *n, int i, int l, vu word)
{
    philox_at at = philox_begin(n->rng, HS_DRAW_TIE, l, NULL);
    uint32_t high[HS_WIDTH], low[HS_WIDTH];
    vu more[4];

    philox_four(&at, (uint32_t)i, more);
    memcpy(high, &word, sizeof high);
    memcpy(low, &more[0], sizeof low);
    return softmax_many((const float(*)[HS_LANES])n->phi + n->domain->value[i],
                        n->domain->states[i], l, n->scratch, high, low);
}

static void noise_general(const hs_noise *n, int first, int last, int l)
{
    const hs_domain *d = n->domain;
    philox_rows noise = {.at = philox_begin(n->rng, HS_DRAW_NOISE, l, NULL)};
    philox_rows denoise = {.at =
                               philox_begin(n->rng, HS_DRAW_DENOISE, l, NULL)};
    vf eta = vf_load(n->eta + l);

    for (int i = first; i < last; i++) {
        int row = d->value[i], k = d->states[i];
        vf sum, max, u;

        if (n->chosen && !n->chosen[i]) {
            clear_rows(n, i, l);
            continue;
        }
        if (d->kind[i] == HISS_CATEGORICAL)
            label_rows(n, eta, i, l, &noise);
        else
            numeric_rows(n, eta, i, l, philox_row(&noise, (uint32_t)row));
        if (k > HS_FEW) {
            vi_store_index(
                &n->y[i][l],
                draw_many(n, i, l, philox_row(&denoise, (uint32_t)i)));
            continue;
        }
        sum = softmax_partial((const float(*)[HS_LANES])n->phi + row, k, l,
                              n->scratch, &max);
        u = vf_uniform(philox_row(&denoise, (uint32_t)i));
        vi_store_index(
            &n->y[i][l],
            softmax_index((const float(*)[HS_LANES])n->scratch, k, l, sum, u));
    }
}

/* Works in blocks, so that later parts of a narrow machine find rows in the
 * cache. */
#define BLOCK 64

void HS_NAME(noise)(const hs_noise *n)
{
    int dim = n->domain->dim;

    for (int first = 0; first < dim; first += BLOCK) {
        int last = dim - first < BLOCK ? dim : first + BLOCK;

        HS_EACH_PART(l)
        {
            if (n->domain->is_pair)
                noise_pair(n, first, last, l);
            else
                noise_general(n, first, last, l);
        }
    }
}
