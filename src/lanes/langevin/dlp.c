/* dlp.c - the discrete Langevin proposal: every coordinate moves at once.
 *
 *     logit_i(v) = b [beta g_i(v) + phi_i(v) - phi_i(x_i)] - |v - x_i|^2 / 2a
 * with g_i(v) = dU_i (v - x_i) for numbers and dU_v - dU_x for labels, whose
 * |.|^2 is 2; b the balance (1/2: DMALA), a the step size.
 *
 * Pair domains: a flip has logit z, probability sigma(z), and
 *     ln q = sum_i min(+-z_i, 0) - ln prod_i (1 + e^-|z_i|)
 * takes one logarithm per GROUP coordinates: the product stays below
 * 2^GROUP, and its rounding below GROUP * 6e-8. */
#include "lanes/lanes.h"
#include "lanes/langevin/rates.h"
#include "lanes/vec/gain.h"
#include "lanes/vec/philox.h"
#include "lanes/vec/softmax.h"
#include "lanes/vec/vec.h"

#define GROUP 8 /* a multiple of four, the words of a Philox block */

void HS_NAME(dlp_propose)(const hs_dlp *d, int first, int last,
                          const float (*grad)[HS_LANES],
                          const int16_t (*x)[HS_LANES], int16_t (*y)[HS_LANES],
                          double *log_q);
void HS_NAME(dlp_log_q)(const hs_dlp *d, int first, int last,
                        const float (*grad)[HS_LANES],
                        const int16_t (*x)[HS_LANES],
                        const int16_t (*y)[HS_LANES], double *log_q);

/* Constants of some lanes. */
typedef struct lane_terms {
    gain_terms gain;
    vf balance, stiffness;
    vf time, log_time; /* for jumps at fixed rates */
} lane_terms;

HS_INLINE lane_terms terms_of(const hs_dlp *d, int l)
{
    vf log_time = d->log_time ? vf_load(d->log_time + l) : vf_set(0.0f);

    return (lane_terms){.gain = gain_begin(d, l),
                        .balance = vf_load(d->balance + l),
                        .stiffness = vf_load(d->stiffness + l),
                        .time = vf_exp(log_time),
                        .log_time = log_time};
}

/* Computes the logit of a flip of coordinate i of a pair domain. */
HS_INLINE vf flip_logit(const hs_dlp *d, const lane_terms *c, vf g, vi x, int i,
                        int l, int has_rates)
{
    float gap = d->domain->gap;

    if (has_rates)
        return rate_flip(d, c->time, gain_flip(d, &c->gain, g, x, i, l));
    return c->balance * gain_flip(d, &c->gain, g, x, i, l) -
           c->stiffness * (gap * gap);
}

/* has_rates is a constant of the caller, so the compiler makes two loops. */
HS_INLINE void propose_pair(const hs_dlp *d, int first, int last,
                            const float (*grad)[HS_LANES],
                            const int16_t (*x)[HS_LANES],
                            int16_t (*y)[HS_LANES], double *log_q, int l,
                            int has_rates)
{
    lane_terms c = terms_of(d, l);
    philox_ahead ahead;
    philox_at at = philox_begin(d->rng, HS_DRAW_PROPOSE, l, &ahead);
    vf zero = vf_set(0.0f), one = vf_set(1.0f);
    vd total = vd_load(log_q + l);

    for (int i = first; i < last; i += GROUP) {
        int end = last - i < GROUP ? last - i : GROUP;
        vf sum = zero, product = one;
        vu words[GROUP];

        for (int b = 0; 4 * b < end; b++)
            philox_four(&at, (uint32_t)i / 4 + (uint32_t)b, words + 4 * b);
        for (int j = 0; j < end; j++) {
            vi s = vi_load_index(&x[i + j][l]);
            vf z = flip_logit(d, &c, vf_load(&grad[i + j - first][l]), s, i + j,
                              l, has_rates);
            vf e = vf_exp_negative(-vf_abs(z));
            vf whole = 1.0f + e; /* sigma(z) = (z < 0 ? e : 1) / whole */
            vi flip = vi_of(vf_less(vf_uniform(words[j]) * whole,
                                    vf_select(vf_less(z, zero), e, one)));

            vi_store_index(&y[i + j][l], s ^ flip);
            sum = sum + vf_min(vf_negate_if(1 - flip, z), zero);
            product = product * whole;
        }
        total = vd_add(total, vd_of(sum - vf_log_normal(product)));
    }
    vd_store(log_q + l, total);
}

HS_INLINE void log_q_pair(const hs_dlp *d, int first, int last,
                          const float (*grad)[HS_LANES],
                          const int16_t (*x)[HS_LANES],
                          const int16_t (*y)[HS_LANES], double *log_q, int l,
                          int has_rates)
{
    lane_terms c = terms_of(d, l);
    vf zero = vf_set(0.0f);
    vd total = vd_load(log_q + l);

    for (int i = first; i < last; i += GROUP) {
        int end = last - i < GROUP ? last - i : GROUP;
        vf sum = zero, product = vf_set(1.0f);

        for (int j = 0; j < end; j++) {
            vi s = vi_load_index(&x[i + j][l]);
            vi flip = s ^ vi_load_index(&y[i + j][l]);
            vf z = flip_logit(d, &c, vf_load(&grad[i + j - first][l]), s, i + j,
                              l, has_rates);

            sum = sum + vf_min(vf_negate_if(1 - flip, z), zero);
            product = product * (1.0f + vf_exp_negative(-vf_abs(z)));
        }
        total = vd_add(total, vd_of(sum - vf_log_normal(product)));
    }
    vd_store(log_q + l, total);
}

static void propose_flips(const hs_dlp *d, int first, int last,
                          const float (*grad)[HS_LANES],
                          const int16_t (*x)[HS_LANES], int16_t (*y)[HS_LANES],
                          double *log_q, int l)
{
    if (d->log_time)
        propose_pair(d, first, last, grad, x, y, log_q, l, 1);
    else
        propose_pair(d, first, last, grad, x, y, log_q, l, 0);
}

static void log_q_flips(const hs_dlp *d, int first, int last,
                        const float (*grad)[HS_LANES],
                        const int16_t (*x)[HS_LANES],
                        const int16_t (*y)[HS_LANES], double *log_q, int l)
{
    if (d->log_time)
        log_q_pair(d, first, last, grad, x, y, log_q, l, 1);
    else
        log_q_pair(d, first, last, grad, x, y, log_q, l, 0);
}

/* Writes the logits of all values of coordinate i to scratch; grad has only its
 * rows. */
static void value_logits(const hs_dlp *d, const lane_terms *c, int i,
                         const float (*grad)[HS_LANES], vi x, int l)
{
    const hs_domain *domain = d->domain;
    int k = domain->states[i];
    const float *values = domain->values + domain->value[i];
    int labels = domain->kind[i] == HISS_CATEGORICAL;
    vf here = value_at(values, k, x);

    gain_values(d, &c->gain, i, grad, x, l, d->scratch);
    if (d->log_time) {
        rate_values(d, c->log_time, k, x, l);
        return;
    }
    for (int v = 0; v < k; v++) {
        vf step = values[v] - here;
        vf far = labels ? vf_where(vm_not(vi_equal(x, vi_set(v))), vf_set(2.0f))
                        : step * step;
        vf rise = vf_load(&d->scratch[v][l]);

        vf_store(&d->scratch[v][l], c->balance * rise - c->stiffness * far);
    }
}

/* Computes ln q of the value y of coordinate i, given its logits and their
 * sum. */
HS_INLINE vd value_log_q(const hs_dlp *d, int k, vi y, vf max, vf sum, int l)
{
    vf chosen = entry_at((const float(*)[HS_LANES])d->scratch, k, 1, y, l);

    return vd_of((chosen - max) - vf_log(sum));
}

/* The same for a coordinate of many values.  If words are given, draws y with
 * them and one more word at its own address. */
static __attribute__((noinline)) vd many_values(const hs_dlp *d, int i, int l,
                                                const vu *word, vi *y)
{
    int k = d->domain->states[i];
    float(*weight)[HS_LANES] = d->scratch + d->domain->states_max;
    const float(*logits)[HS_LANES] = (const float(*)[HS_LANES])d->scratch;
    vf max;
    vd sum = softmax_weights(logits, k, l, weight, &max), log_sum;

    if (word) {
        philox_at at = philox_begin(d->rng, HS_DRAW_TIE, l, NULL);
        uint32_t high[HS_WIDTH], low[HS_WIDTH];
        vu more[4];

        philox_four(&at, (uint32_t)i, more);
        memcpy(high, word, sizeof high);
        memcpy(low, &more[0], sizeof low);
        *y = softmax_search((const float(*)[HS_LANES])weight, k, l, sum, high,
                            low);
    }
    log_sum = softmax_log(sum);
    return vd_sub(vd_of(entry_at(logits, k, 1, *y, l) - max), log_sum);
}

static void propose_general(const hs_dlp *d, int first, int last,
                            const float (*grad)[HS_LANES],
                            const int16_t (*x)[HS_LANES],
                            int16_t (*y)[HS_LANES], double *log_q, int l)
{
    const hs_domain *domain = d->domain;
    lane_terms c = terms_of(d, l);
    philox_rows words = {.at = philox_begin(d->rng, HS_DRAW_PROPOSE, l, NULL)};
    float(*partial)[HS_LANES] = d->scratch + domain->states_max;
    int base = domain->row[first];
    vd total = vd_load(log_q + l);

    for (int i = first; i < last; i++) {
        int k = domain->states[i];
        vf max, sum, u;
        vi to;

        value_logits(d, &c, i, grad + (domain->row[i] - base),
                     vi_load_index(&x[i][l]), l);
        if (k > HS_FEW) {
            vu word = philox_row(&words, (uint32_t)i);

            total = vd_add(total, many_values(d, i, l, &word, &to));
            vi_store_index(&y[i][l], to);
            continue;
        }
        sum = softmax_partial((const float(*)[HS_LANES])d->scratch, k, l,
                              partial, &max);
        u = vf_uniform(philox_row(&words, (uint32_t)i));
        to = softmax_index((const float(*)[HS_LANES])partial, k, l, sum, u);
        vi_store_index(&y[i][l], to);
        total = vd_add(total, value_log_q(d, k, to, max, sum, l));
    }
    vd_store(log_q + l, total);
}

static void log_q_general(const hs_dlp *d, int first, int last,
                          const float (*grad)[HS_LANES],
                          const int16_t (*x)[HS_LANES],
                          const int16_t (*y)[HS_LANES], double *log_q, int l)
{
    const hs_domain *domain = d->domain;
    lane_terms c = terms_of(d, l);
    float(*partial)[HS_LANES] = d->scratch + domain->states_max;
    int base = domain->row[first];
    vd total = vd_load(log_q + l);

    for (int i = first; i < last; i++) {
        int k = domain->states[i];
        vf max, sum;
        vi to = vi_load_index(&y[i][l]);

        value_logits(d, &c, i, grad + (domain->row[i] - base),
                     vi_load_index(&x[i][l]), l);
        if (k > HS_FEW) {
            total = vd_add(total, many_values(d, i, l, NULL, &to));
            continue;
        }
        sum = softmax_partial((const float(*)[HS_LANES])d->scratch, k, l,
                              partial, &max);
        total = vd_add(total, value_log_q(d, k, to, max, sum, l));
    }
    vd_store(log_q + l, total);
}

void HS_NAME(dlp_propose)(const hs_dlp *d, int first, int last,
                          const float (*grad)[HS_LANES],
                          const int16_t (*x)[HS_LANES], int16_t (*y)[HS_LANES],
                          double *log_q)
{
    HS_EACH_PART(l)
    {
        if (d->domain->is_pair)
            propose_flips(d, first, last, grad, x, y, log_q, l);
        else
            propose_general(d, first, last, grad, x, y, log_q, l);
    }
}

void HS_NAME(dlp_log_q)(const hs_dlp *d, int first, int last,
                        const float (*grad)[HS_LANES],
                        const int16_t (*x)[HS_LANES],
                        const int16_t (*y)[HS_LANES], double *log_q)
{
    HS_EACH_PART(l)
    {
        if (d->domain->is_pair)
            log_q_flips(d, first, last, grad, x, y, log_q, l);
        else
            log_q_general(d, first, last, grad, x, y, log_q, l);
    }
}
