/* rows.h - the rows of a gradient, of one coordinate and lane.
 *
 * Those of a local model are made from the states, as model/ makes them: a row
 * of a number, states[i] rows of a label. */
#ifndef HS_CUDA_ROWS_H
#define HS_CUDA_ROWS_H

#include "cuda/model.h"
#include "cuda/point.h"

/* Of a coordinate with one row: pairs, and tables of two values. */
HS_ON_CARD float hs_card_pair_slope(const hs_device_model *m, const int16_t *x,
                                    int i)
{
    float row = hs_card_pair_row(m, x, i);
    double sum[2];

    if (m->diagonal)
        return row + hs_card_spin(m, x, i) * m->diagonal[i];
    if (!m->has_pairs || m->gain == HS_DEVICE_PAIRS ||
        m->all.start[i] == m->all.start[i + 1])
        return row;
    hs_card_table_sums(m, x, i, sum);
    return hs_card_is_impossible(sum[0]) && hs_card_is_impossible(sum[1])
               ? 0.0f
               : row + hs_card_slope(sum[0], sum[1], m->step);
}

/* The slope at level x of the parabola through its neighbors (model/slope.h);
 * sum: U at every level. */
HS_ON_CARD float hs_card_level_slope(const float *level, int states, int x,
                                     const double *sum)
{
    double here = sum[x], left = 0.0, right = 0.0, down = 0.0, up = 0.0;
    int is_possible = !hs_card_is_impossible(here);
    int has_below =
        x > 0 && is_possible && !hs_card_is_impossible(sum[x > 0 ? x - 1 : 0]);
    int has_above = x + 1 < states && is_possible &&
                    !hs_card_is_impossible(sum[x + 1 < states ? x + 1 : x]);

    if (has_below) {
        left = (double)level[x] - (double)level[x - 1];
        down = (here - sum[x - 1]) / left;
    }
    if (has_above) {
        right = (double)level[x + 1] - (double)level[x];
        up = (sum[x + 1] - here) / right;
    }
    if (has_below && has_above)
        return (float)((down * right + up * left) / (left + right));
    return (float)(has_below ? down : up);
}

HS_ON_CARD void hs_card_table_rows(const hs_device_model *m, const int16_t *x,
                                   int i, float *out)
{
    const hs_domain *d = &m->domain;
    const float *value = d->values + d->value[i];
    int states = d->states[i], here = HS_AT(x, i);
    double sum[HS_FEW];

    hs_card_table_sums(m, x, i, sum);
    if (d->kind[i] != HISS_CATEGORICAL) {
        int both = states == 2 && hs_card_is_impossible(sum[0]) &&
                   hs_card_is_impossible(sum[1]);

        out[0] = states != 2 ? hs_card_level_slope(value, states, here, sum)
                 : both      ? 0.0f
                        : hs_card_slope(sum[0], sum[1], value[1] - value[0]);
        return;
    }
    for (int v = 0; v < states; v++)
        out[v] = (float)(m->is_wide && !hs_card_is_impossible(sum[here])
                             ? sum[v] - sum[here]
                             : sum[v]);
}

/* To out[0], or out[0 .. states - 1] of a label. */
HS_ON_CARD void hs_card_rows(const hs_device_model *m, const hs_card_point *p,
                             int64_t tile, int lane, int i, float *out)
{
    const int16_t *x = &p->x[tile * m->dim][lane];
    const hs_domain *d = &m->domain;

    if (p->grad)
        for (int r = d->row[i]; r < d->row[i + 1]; r++)
            out[r - d->row[i]] = HS_CARD_ROW(p->grad, tile, d->rows, r, lane);
    else if (m->gain == HS_DEVICE_LABELS)
        for (int v = 0; v < m->states_max; v++)
            out[v] = hs_card_label_row(m, x, i, v);
    else if (m->gain == HS_DEVICE_PAIRS || m->has_pairs)
        out[0] = hs_card_pair_slope(m, x, i);
    else
        hs_card_table_rows(m, x, i, out);
}

/* The one row of a coordinate of a pair domain. */
HS_ON_CARD float hs_card_row_of_pair(const hs_device_model *m,
                                     const hs_card_point *p, int64_t tile,
                                     int lane, int i)
{
    float row[2] = {0.0f, 0.0f};

    if (p->grad)
        return HS_CARD_ROW(p->grad, tile, m->domain.rows, i, lane);
    if (m->gain == HS_DEVICE_PAIRS || m->has_pairs)
        return hs_card_pair_slope(m, &p->x[tile * m->dim][lane], i);
    hs_card_rows(m, p, tile, lane, i, row);
    return row[0];
}

#endif
