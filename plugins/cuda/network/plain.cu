/* plain.cu - networks of any shape, and on machines without tensor cores: a
 * thread per number, each sum in the order of its index. */
#include "cuda/network/network.h"

/* s of a bit. */
HS_ON_CARD float sign(const hs_card_network *n, const int16_t *x, int64_t lane,
                      int64_t i)
{
    int16_t bit =
        x[(lane / HS_LANES * n->dim + i) * HS_LANES + lane % HS_LANES];

    return bit ? 1.0f : -1.0f;
}

/* A unit of a case of a lane. */
HS_ON_CARD void make_unit(const hs_card_network *n, const int16_t *x,
                          int64_t lane, int64_t c, int64_t j)
{
    int64_t hidden = n->form.hidden;
    const float *z = n->form.input + c * (n->form.inputs + 1);
    float a = sign(n, x, lane, n->form.inputs * hidden + j);

    for (int i = 0; i < n->form.inputs; i++)
        if (z[i] != 0.0f)
            a = a + z[i] * sign(n, x, lane, i * hidden + j);
    n->unit[(c * hidden + j) * n->all + lane] = vf_tanh(a);
}

HS_KERNEL void plain_units(hs_card_network n, const int16_t *x)
{
    int64_t at = hs_card_thread(), j = at / n.all;
    int64_t hidden = n.form.hidden;

    if (j / hidden < n.form.cases)
        make_unit(&n, x, at % n.all, j / hidden, j % hidden);
}

/* A case of a lane.  dU/dx = 2 dU/ds, and 2 of the square. */
HS_ON_CARD void make_error(const hs_card_network *n, const int16_t *x,
                           int64_t lane, int64_t c)
{
    int64_t hidden = n->form.hidden, first = (n->form.inputs + 1) * hidden;
    int64_t at = c * n->all + lane;
    float o = sign(n, x, lane, n->dim - 1), f, error;

    for (int j = 0; j < hidden; j++)
        o = o + n->unit[(c * hidden + j) * n->all + lane] *
                    sign(n, x, lane, first + j);
    f = 1.0f / (1.0f + vf_exp(-o));
    error = f - n->form.target[c];
    n->slope[at] = n->slope_scale * error * f * (1.0f - f);
    n->slope[n->form.cases * n->all + at] = error;
    if (n->said)
        n->said[lane * n->form.cases + c] = f;
}

HS_KERNEL void plain_errors(hs_card_network n, const int16_t *x)
{
    int64_t at = hs_card_thread();

    if (at / n.all < n.form.cases)
        make_error(&n, x, at % n.all, at / n.all);
}

HS_ON_CARD double loss_of(const hs_card_network *n, int64_t lane)
{
    const float *error = n->slope + n->form.cases * n->all + lane;
    double loss = 0.0;

    for (int64_t c = 0; c < n->form.cases; c++)
        loss = loss + (double)(error[c * n->all] * error[c * n->all]);
    return loss;
}

/* Thread: a lane. */
HS_KERNEL void plain_energies(hs_card_network n, const int16_t *x, double *u)
{
    int64_t lane = hs_card_thread(), on = 0;

    if (lane >= n.all)
        return;
    for (int64_t i = 0; n.form.lambda != 0.0 && i < n.dim; i++)
        on += sign(&n, x, lane, i) > 0.0f;
    u[lane] = -n.form.scale * loss_of(&n, lane) - n.form.lambda * (double)on;
}

/* dU/dx of a coordinate of a lane, but for lambda. */
HS_ON_CARD float slope_of(const hs_card_network *n, const int16_t *x,
                          int64_t lane, int64_t i)
{
    int64_t hidden = n->form.hidden, layer = i / hidden, j = i % hidden;
    int inputs = n->form.inputs;
    float sum = 0.0f, w;

    w = i < n->dim - 1 ? sign(n, x, lane, (inputs + 1) * hidden + j) : 0.0f;
    for (int64_t c = 0; c < n->form.cases; c++) {
        float slope = n->slope[c * n->all + lane], t;

        if (i == n->dim - 1) {
            sum = sum + slope;
            continue;
        }
        t = n->unit[(c * hidden + j) * n->all + lane];
        if (layer == inputs + 1)
            sum = sum + slope * t;
        else
            sum = sum + slope * w * (1.0f - t * t) *
                            n->form.input[c * (inputs + 1) + layer];
    }
    return sum;
}

HS_KERNEL void plain_gradient(hs_card_network n, const int16_t *x,
                              float *gradient)
{
    int64_t at = hs_card_thread(), i = at / n.all, lane = at % n.all;

    if (i < n.dim)
        gradient[(lane / HS_LANES * n.dim + i) * HS_LANES + lane % HS_LANES] =
            slope_of(&n, x, lane, i) - (float)n.form.lambda;
}

void hs_plain_evaluate(const hs_card_network *n, const int16_t *x, double *u,
                       float *gradient)
{
    int64_t cases = n->form.cases;

    HS_LAUNCH(plain_units, cases * n->form.hidden * n->all, *n, x);
    HS_LAUNCH(plain_errors, cases * n->all, *n, x);
    HS_LAUNCH(plain_energies, n->all, *n, x, u);
    if (gradient)
        HS_LAUNCH(plain_gradient, n->dim * n->all, *n, x, gradient);
}

#if !defined(__CUDACC__)
double hs_plain_lane(const hs_card_network *n, const int16_t *x, int64_t lane,
                     float *gradient)
{
    for (int64_t c = 0; c < n->form.cases; c++) {
        for (int64_t j = 0; j < n->form.hidden; j++)
            make_unit(n, x, lane, c, j);
        make_error(n, x, lane, c);
    }
    for (int64_t i = 0; i < n->dim; i++)
        gradient[i] = slope_of(n, x, lane, i);
    return loss_of(n, lane);
}
#endif
