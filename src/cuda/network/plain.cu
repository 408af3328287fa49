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

/* Thread: a unit of a case of a lane. */
HS_KERNEL void plain_units(hs_card_network n, const int16_t *x)
{
    int64_t at = hs_card_thread(), lane = at % n.all, j = at / n.all;
    int64_t hidden = n.form.hidden, c = j / hidden;
    const float *z = n.form.input + c * (n.form.inputs + 1);
    float a;

    if (c >= n.form.cases)
        return;
    j = j % hidden;
    a = sign(&n, x, lane, n.form.inputs * hidden + j);
    for (int i = 0; i < n.form.inputs; i++)
        if (z[i] != 0.0f)
            a = a + z[i] * sign(&n, x, lane, i * hidden + j);
    n.unit[at] = vf_tanh(a);
}

/* Thread: a case of a lane.  dU/dx = 2 dU/ds, and 2 of the square. */
HS_KERNEL void plain_errors(hs_card_network n, const int16_t *x)
{
    int64_t at = hs_card_thread(), lane = at % n.all, c = at / n.all;
    int64_t hidden = n.form.hidden, first = (n.form.inputs + 1) * hidden;
    float o, f, error;

    if (c >= n.form.cases)
        return;
    o = sign(&n, x, lane, n.dim - 1);
    for (int j = 0; j < hidden; j++)
        o = o + n.unit[(c * hidden + j) * n.all + lane] *
                    sign(&n, x, lane, first + j);
    f = 1.0f / (1.0f + vf_exp(-o));
    error = f - n.form.target[c];
    n.slope[at] = n.slope_scale * error * f * (1.0f - f);
    n.slope[n.form.cases * n.all + at] = error;
    if (n.said)
        n.said[lane * n.form.cases + c] = f;
}

/* Thread: a lane. */
HS_KERNEL void plain_energies(hs_card_network n, const int16_t *x, double *u)
{
    int64_t lane = hs_card_thread(), on = 0;
    const float *error = n.slope + n.form.cases * n.all + lane;
    double loss = 0.0;

    if (lane >= n.all)
        return;
    for (int64_t c = 0; c < n.form.cases; c++)
        loss = loss + (double)(error[c * n.all] * error[c * n.all]);
    for (int64_t i = 0; n.form.lambda != 0.0 && i < n.dim; i++)
        on += sign(&n, x, lane, i) > 0.0f;
    u[lane] = -n.form.scale * loss - n.form.lambda * (double)on;
}

/* Thread: a coordinate of a lane. */
HS_KERNEL void plain_gradient(hs_card_network n, const int16_t *x,
                              float *gradient)
{
    int64_t at = hs_card_thread(), i = at / n.all, lane = at % n.all;
    int64_t hidden = n.form.hidden, layer = i / hidden, j = i % hidden;
    int inputs = n.form.inputs;
    float sum = 0.0f, w;

    if (i >= n.dim)
        return;
    w = i < n.dim - 1 ? sign(&n, x, lane, (inputs + 1) * hidden + j) : 0.0f;
    for (int64_t c = 0; c < n.form.cases; c++) {
        float slope = n.slope[c * n.all + lane], t;

        if (i == n.dim - 1) {
            sum = sum + slope;
            continue;
        }
        t = n.unit[(c * hidden + j) * n.all + lane];
        if (layer == inputs + 1)
            sum = sum + slope * t;
        else
            sum = sum + slope * w * (1.0f - t * t) *
                            n.form.input[c * (inputs + 1) + layer];
    }
    gradient[(lane / HS_LANES * n.dim + i) * HS_LANES + lane % HS_LANES] =
        sum - (float)n.form.lambda;
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
