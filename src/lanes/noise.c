/* noise.c - a = x + eta * noise, and x' drawn back from a alone.
 *
 *     logistic   phi(v) = -2 ln cosh((a - v) / 2 eta)
 *     gaussian   phi(v) = -(a - v)^2 / 2 eta^2
 * One pass writes x' and phi; a itself is not kept, because a sweep needs of
 * it only the differences of phi (and, for the linearised tilt, its slope).
 *
 * Random words: the noise of value row r has coordinate r (pair domains: the
 * coordinate itself), the denoising draw of coordinate i has coordinate i. */
#include "lanes/lanes.h"
#include "lanes/normal.h"
#include "lanes/philox.h"
#include "lanes/softmax.h"
#include "lanes/vec.h"

void HS_NAME(noise)(const hs_noise *n);

/* Scale of the noise and the constants that follow from it. */
typedef struct scale {
    vf eta;
    vf inverse; /* 1 / eta */
    int gaussian;
} scale;

/* Standard noise from 32 random bits.  The tail min(u, 1 - u) is formed from
 * the bits, so both tails are equally fine. */
HS_INLINE vf draw_noise(const scale *s, vu word)
{
    vi upper = (vi)word < 0; /* top bit: u >= 1/2 */
    vf tail = vf_uniform((vu)vi_select(upper, (vi)~word, (vi)word));
    vf z;

    if (s->gaussian)
        return vf_normal_quantile(tail, upper);
    z = vf_log(1.0f / tail - 1.0f);
    return vf_select(upper, z, -z);
}

/* phi(high) - phi(low) for a - low = t. */
HS_INLINE vf phi_difference(const scale *s, vf t, vf gap)
{
    vf z0 = t * s->inverse, z1 = (t - gap) * s->inverse;
    vf a0, a1, e0, e1;

    if (s->gaussian)
        return 0.5f * (z0 - z1) * (z0 + z1);
    /* -2 ln cosh(z/2) = -|z| - 2 ln(1 + e^-|z|) + 2 ln 2 */
    a0 = vf_abs(z0);
    a1 = vf_abs(z1);
    e0 = vf_exp(-a0);
    e1 = vf_exp(-a1);
    return (a0 - a1) + 2.0f * vf_log((1.0f + e0) / (1.0f + e1));
}

HS_INLINE vf phi_value(const scale *s, vf t)
{
    vf z = t * s->inverse;
    vf a = vf_abs(z);

    if (s->gaussian)
        return -0.5f * z * z;
    return -a - 2.0f * vf_log(1.0f + vf_exp(-a));
}

/* d phi / d v at a - v = t. */
HS_INLINE vf phi_slope(const scale *s, vf t)
{
    vf z = t * s->inverse;

    if (s->gaussian)
        return z * s->inverse;
    return vf_tanh(0.5f * z) * s->inverse;
}

/* 1 with probability sigma(d), in lanes as a mask. */
HS_INLINE vi draw_high(vf d, vu word)
{
    vf e = vf_exp(-vf_abs(d));

    return vf_uniform(word) * (1.0f + e) <
           vf_select(d < vf_set(0.0f), e, vf_set(1.0f));
}

/* Four coordinates that are not noised. */
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

/* One coordinate of a pair domain; mask is all ones where it is noised. */
HS_INLINE void pair_coordinate(const hs_noise *n, const scale *s, int i, int l,
                               vi mask, vu noise, vu denoise)
{
    vf gap = vf_set(n->domain->gap);
    vi x = vi_load_index(&n->x[i][l]);
    vf t = vf_of(x) * gap + s->eta * draw_noise(s, noise);
    vf d = phi_difference(s, t, gap);
    vi high = draw_high(d, denoise) & 1;

    vi_store_index(&n->y[i][l], vi_select(mask, high, x));
    vf_store(&n->phi[i][l], vf_mask(mask, d));
    if (!n->slope)
        return;
    vf_store(&n->slope[2 * i][l], vf_mask(mask, phi_slope(s, t)));
    vf_store(&n->slope[2 * i + 1][l], vf_mask(mask, phi_slope(s, t - gap)));
}

static void noise_pair(const hs_noise *n, const scale *s, int first, int last,
                       int l)
{
    philox_at noise = philox_begin(n->rng, HS_DRAW_NOISE, l);
    philox_at denoise = philox_begin(n->rng, HS_DRAW_DENOISE, l);

    for (int i = first; i < last; i += 4) {
        int end = last - i < 4 ? last - i : 4, any = !n->chosen;
        vu a[4], b[4];

        for (int j = 0; j < end && !any; j++)
            any = n->chosen[i + j];
        if (!any) {
            pass_through(n, i, end, l);
            continue;
        }
        philox_four(&noise, (uint32_t)i / 4, a);
        philox_four(&denoise, (uint32_t)i / 4, b);
        for (int j = 0; j < end; j++)
            pair_coordinate(n, s, i + j, l,
                            vi_set(!n->chosen || n->chosen[i + j] ? -1 : 0),
                            a[j], b[j]);
    }
}

/* phi (and slope) of a numeric coordinate. */
static void numeric_rows(const hs_noise *n, const scale *s, int i, int l,
                         vu word)
{
    const hs_domain *d = n->domain;
    int first = d->value[i], k = d->states[i];
    vi x = vi_load_index(&n->x[i][l]);
    vf a = vf_set(0.0f);

    for (int v = 0; v < k; v++)
        a = a + vf_mask(x == v, vf_set(d->values[first + v]));
    a = a + s->eta * draw_noise(s, word);
    for (int v = 0; v < k; v++) {
        vf t = a - d->values[first + v];

        vf_store(&n->phi[first + v][l], phi_value(s, t));
        if (n->slope) {
            vf_store(&n->slope[2 * (first + v)][l], phi_slope(s, t));
            vf_store(&n->slope[2 * (first + v) + 1][l], vf_set(0.0f));
        }
    }
}

/* phi (and slope) of a categorical coordinate: k one-hot entries noised. */
static void label_rows(const hs_noise *n, const scale *s, int i, int l,
                       philox_rows *words)
{
    const hs_domain *d = n->domain;
    int first = d->value[i], k = d->states[i];
    vi x = vi_load_index(&n->x[i][l]);

    for (int c = 0; c < k; c++) {
        int r = first + c;
        vf z = draw_noise(s, philox_row(words, (uint32_t)r));
        vf a = vf_mask(x == c, vf_set(1.0f)) + s->eta * z;

        vf_store(&n->phi[r][l], phi_difference(s, a, vf_set(1.0f)));
        if (n->slope) {
            vf_store(&n->slope[2 * r][l], phi_slope(s, a));
            vf_store(&n->slope[2 * r + 1][l], phi_slope(s, a - 1.0f));
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

static void noise_general(const hs_noise *n, const scale *s, int first,
                          int last, int l)
{
    const hs_domain *d = n->domain;
    philox_rows noise = {.at = philox_begin(n->rng, HS_DRAW_NOISE, l)};
    philox_rows denoise = {.at = philox_begin(n->rng, HS_DRAW_DENOISE, l)};

    for (int i = first; i < last; i++) {
        int row = d->value[i], k = d->states[i];
        vf sum, max, u;

        if (n->chosen && !n->chosen[i]) {
            clear_rows(n, i, l);
            continue;
        }
        if (d->kind[i] == HISS_CATEGORICAL)
            label_rows(n, s, i, l, &noise);
        else
            numeric_rows(n, s, i, l, philox_row(&noise, (uint32_t)row));
        sum = softmax_partial((const float(*)[HS_LANES])n->phi + row, k, l,
                              n->scratch, &max);
        u = vf_uniform(philox_row(&denoise, (uint32_t)i));
        vi_store_index(
            &n->y[i][l],
            softmax_index((const float(*)[HS_LANES])n->scratch, k, l, sum, u));
    }
}

/* In blocks, so that the parts of a narrow machine meet warm rows. */
#define BLOCK 64

void HS_NAME(noise)(const hs_noise *n)
{
    int dim = n->domain->dim;

    for (int first = 0; first < dim; first += BLOCK) {
        int last = dim - first < BLOCK ? dim : first + BLOCK;

        HS_EACH_PART(l)
        {
            scale s = {.eta = vf_load(n->eta + l),
                       .gaussian = n->shape == HS_GAUSSIAN};

            s.inverse = 1.0f / s.eta;
            if (n->domain->is_pair)
                noise_pair(n, &s, first, last, l);
            else
                noise_general(n, &s, first, last, l);
        }
    }
}
