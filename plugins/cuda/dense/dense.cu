/* dense.cu - U and gradient of dense couplings, of pairs
 *     U = offset + sum_i s_i (h_i + p_i / 2),   p = J s,   dU/ds = p + h
 * and of hidden units that are summed out (model/network/boltzmann.c)
 *     U = sum_i b_i v_i + sum_j softplus(a_j),   a = c + W' v,
 *     dU/dv = b + W sigma(a). */
#include "cuda/dense/dense.h"

#define PUT(to, from, count)                                                   \
  PASS(hs_card_put(memory, &(to), from, (int64_t)(count), sizeof *(to), err))

hiss_status hs_card_pairs_build(hs_card_dense *d, hs_card_memory *memory,
                                const hs_dense *f, double offset, int tiles,
                                hiss_error *err)
{
    d->dim = f->dim;
    d->lanes = (int64_t)tiles * HS_LANES;
    d->low = f->low;
    d->gap = f->gap;
    d->offset = offset;
    PASS(hs_card_matrix_put(&d->to, memory, f->j, f->dim, f->dim, 0, err));
    PUT(d->b, f->h, f->dim);
    PUT(d->sum, NULL, (int64_t)tiles * f->dim);
    PUT(d->term, NULL, (int64_t)tiles * f->dim);
    return HISS_OK;
}

hiss_status hs_card_units_build(hs_card_dense *d, hs_card_memory *memory,
                                const hs_units_form *f, int tiles,
                                hiss_error *err)
{
    d->dim = f->visible;
    d->hidden = f->hidden;
    d->lanes = (int64_t)tiles * HS_LANES;
    d->gap = 1.0f;
    PASS(hs_card_matrix_put(&d->to, memory, f->weight, f->hidden, f->visible, 0,
                            err));
    PASS(hs_card_matrix_put(&d->back, memory, f->weight, f->visible, f->hidden,
                            1, err));
    PUT(d->b, f->b, f->visible);
    PUT(d->c, f->c, f->hidden);
    PUT(d->sum, NULL, (int64_t)tiles * f->hidden);
    PUT(d->on, NULL, (int64_t)tiles * f->hidden);
    PUT(d->term, NULL, (int64_t)tiles * (f->visible + f->hidden));
    return HISS_OK;
}

/* A thread is a row of a lane: of pulls. */
HS_KERNEL void pair_terms(hs_card_dense d, const int16_t *x, float *gradient)
{
    int64_t n = hs_card_thread();
    int i = (int)(n / HS_LANES % d.dim);
    float pull, s;

    if (n >= d.lanes * d.dim)
        return;
    pull = d.sum[0][n];
    s = d.low + d.gap * (float)x[n];
    d.term[0][n] = s * (0.5f * pull + d.b[i]);
    if (gradient)
        gradient[n] = pull + d.b[i];
}

/* Of hidden units, then of visible ones. */
HS_KERNEL void unit_terms(hs_card_dense d, const int16_t *x)
{
    int rows = d.dim + d.hidden;
    int64_t n = hs_card_thread(), tile = n / HS_LANES / rows;
    int r = (int)(n / HS_LANES % rows), lane = (int)(n % HS_LANES);
    float a, e;

    if (n >= d.lanes * rows)
        return;
    if (r >= d.hidden) {
        int i = r - d.hidden;

        d.term[0][n] = x[(tile * d.dim + i) * HS_LANES + lane] ? d.b[i] : 0.0f;
        return;
    }
    a = d.sum[tile * d.hidden + r][lane] + d.c[r];
    e = vf_exp_negative(-vf_abs(a));
    d.term[0][n] = vf_log(1.0f + e) + vf_max(a, 0.0f);
    d.on[tile * d.hidden + r][lane] = (a < 0.0f ? e : 1.0f) / (1.0f + e);
}

HS_KERNEL void unit_slopes(hs_card_dense d, float *gradient)
{
    int64_t n = hs_card_thread();

    if (n < d.lanes * d.dim)
        gradient[n] = gradient[n] + d.b[n / HS_LANES % d.dim];
}

void hs_card_dense_evaluate(const hs_card_dense *d, const int16_t *x, double *u,
                            float *gradient)
{
    hs_card_product(&d->to, x, d->low, d->gap, NULL, &d->sum[0][0], d->lanes);
    if (!d->hidden) {
        HS_LAUNCH(pair_terms, d->lanes * d->dim, *d, x, gradient);
    } else {
        HS_LAUNCH(unit_terms, d->lanes * (d->dim + d->hidden), *d, x);
        if (gradient) {
            hs_card_product(&d->back, NULL, 0.0f, 0.0f, &d->on[0][0], gradient,
                            d->lanes);
            HS_LAUNCH(unit_slopes, d->lanes * d->dim, *d, gradient);
        }
    }
    hs_card_add_terms(&d->term[0][0], d->dim + d->hidden, d->lanes, d->offset,
                      u);
}
