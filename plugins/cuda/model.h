/* model.h - what a model says of one lane: rows, changes of U, U itself.
 *
 * The formulas of lanes/rows, lane by lane, with sums in the same order and
 * precision. */
#ifndef HS_CUDA_MODEL_H
#define HS_CUDA_MODEL_H

#include "cuda/group.h"

#define HS_MINUS_INFINITY (-__builtin_inf())

/* s_j of a neighbor. */
HS_ON_CARD float hs_card_spin(const hs_device_model *m, const int16_t *x, int i)
{
    return (float)HS_AT(x, i) * m->gap + m->low;
}

/* sum_j s_j of equal couplings: a whole number. */
HS_ON_CARD float hs_card_whole(const hs_device_model *m, const int16_t *x,
                               int i)
{
    int64_t first = m->j.start[i], last = m->j.start[i + 1];
    int count = 0;

    for (int64_t e = first; e < last; e++)
        count += HS_AT(x, m->j.column[e]);
    return (float)count * m->gap + m->low * (float)(last - first);
}

/* sum_j J_ij s_j (lanes/rows/ising.c), without the field. */
HS_ON_CARD float hs_card_pull(const hs_device_model *m, const int16_t *x, int i)
{
    float sum = 0.0f;

    if (m->j.uniform != 0.0f)
        return hs_card_whole(m, x, i) * m->j.uniform;
    for (int64_t e = m->j.start[i]; e < m->j.start[i + 1]; e++)
        sum = sum + hs_card_spin(m, x, m->j.column[e]) * m->j.value[e];
    return sum;
}

/* The same in double. */
HS_ON_CARD double hs_card_pull_wide(const hs_device_model *m, const int16_t *x,
                                    int i)
{
    double sum = 0.0;

    for (int64_t e = m->j.start[i]; e < m->j.start[i + 1]; e++)
        sum = sum + (double)hs_card_spin(m, x, m->j.column[e]) * m->j.exact[e];
    return sum;
}

/* The row of a pair model: h_i + sum_j J_ij s_j. */
HS_ON_CARD float hs_card_pair_row(const hs_device_model *m, const int16_t *x,
                                  int i)
{
    if (m->j.is_wide)
        return (float)(hs_card_pull_wide(m, x, i) + m->j.exact_field[i]);
    return m->j.field ? hs_card_pull(m, x, i) + m->j.field[i]
                      : hs_card_pull(m, x, i);
}

/* Changes of U to each value of site i, as floats; sum: room for doubles. */
HS_ON_CARD void hs_card_pair_changes(const hs_device_model *m, const int16_t *x,
                                     int i, float *change)
{
    int here = HS_AT(x, i);
    float row = hs_card_pair_row(m, x, i);

    change[here] = 0.0f;
    change[1 - here] = (here ? -m->step : m->step) * row;
}

/* sum_j J_ij [x_j = label] (lanes/rows/potts.c). */
HS_ON_CARD float hs_card_agreement(const hs_device_model *m, const int16_t *x,
                                   int i, int label)
{
    float sum = 0.0f;
    int count = 0;

    if (m->j.uniform != 0.0f) {
        for (int64_t e = m->j.start[i]; e < m->j.start[i + 1]; e++)
            count += HS_AT(x, m->j.column[e]) == label;
        return (float)count * m->j.uniform;
    }
    for (int64_t e = m->j.start[i]; e < m->j.start[i + 1]; e++)
        sum = sum + (HS_AT(x, m->j.column[e]) == label ? m->j.value[e] : 0.0f);
    return sum;
}

HS_ON_CARD float hs_card_label_row(const hs_device_model *m, const int16_t *x,
                                   int i, int label)
{
    float sum = hs_card_agreement(m, x, i, label);

    return m->j.field ? sum + m->j.field[(int64_t)i * m->states_max + label]
                      : sum;
}

HS_ON_CARD void hs_card_label_changes(const hs_device_model *m,
                                      const int16_t *x, int i, float *change)
{
    int here = HS_AT(x, i);
    float from = hs_card_label_row(m, x, i, here);

    for (int v = 0; v < m->states_max; v++)
        change[v] = v == here ? 0.0f : hs_card_label_row(m, x, i, v) - from;
}

/* Where the other coordinates put the lane in a table. */
HS_ON_CARD int32_t hs_card_find(const hs_tables *t, const hs_incidence *n,
                                const int16_t *x)
{
    int32_t at = 0;

    for (int64_t o = n->other; o < n->other + n->others; o++)
        at += t->stride[o] * HS_AT(x, t->column[o]);
    return at;
}

/* sum_f table_f(x with x_i = v), to sum[v] (lanes/rows/factor.c). */
HS_ON_CARD void hs_card_table_sums(const hs_device_model *m, const int16_t *x,
                                   int i, double *sum)
{
    const hs_tables *t = &m->all;
    int states = m->states[i];

    for (int v = 0; v < states; v++)
        sum[v] = 0.0;
    for (int64_t k = t->start[i]; k < t->start[i + 1]; k++) {
        const hs_incidence *n = &t->incidence[k];
        const double *entry = t->entry + n->table + hs_card_find(t, n, x);

        for (int v = 0; v < states; v++)
            sum[v] += entry[(int64_t)v * n->own];
    }
}

HS_ON_CARD int hs_card_is_impossible(double a)
{
    return a == HS_MINUS_INFINITY;
}

/* (high - low) / gap, model/slope.h. */
HS_ON_CARD float hs_card_slope(double low, double high, float gap)
{
    return (float)((high - low) / (double)gap);
}

/* Two values, of which some tables are pairs (model/factor/factor_graph.c). */
HS_ON_CARD void hs_card_mixed_changes(const hs_device_model *m,
                                      const int16_t *x, int i, float *change)
{
    int here = HS_AT(x, i);
    float row = hs_card_pair_row(m, x, i);
    double sum[2];

    if (m->all.start[i] < m->all.start[i + 1]) {
        hs_card_table_sums(m, x, i, sum);
        row = hs_card_is_impossible(sum[0]) && hs_card_is_impossible(sum[1])
                  ? 0.0f
                  : row + hs_card_slope(sum[0], sum[1], m->step);
    }
    change[here] = 0.0f;
    if (m->states[i] == 2)
        change[1 - here] = (here ? -m->step : m->step) * row;
}

HS_ON_CARD void hs_card_table_changes(const hs_device_model *m,
                                      const int16_t *x, int i, float *change)
{
    double sum[HS_FEW], here;

    hs_card_table_sums(m, x, i, sum);
    here = sum[HS_AT(x, i)];
    for (int v = 0; v < m->states[i]; v++)
        change[v] = hs_card_is_impossible(here) && hs_card_is_impossible(sum[v])
                        ? 0.0f
                        : (float)(sum[v] - here);
}

/* U(x with x_i = v) - U(x) for every value v, to change[v]. */
HS_ON_CARD void hs_card_changes(const hs_device_model *m, const int16_t *x,
                                int i, float *change)
{
    if (m->gain == HS_DEVICE_PAIRS)
        hs_card_pair_changes(m, x, i, change);
    else if (m->gain == HS_DEVICE_LABELS)
        hs_card_label_changes(m, x, i, change);
    else if (m->has_pairs)
        hs_card_mixed_changes(m, x, i, change);
    else
        hs_card_table_changes(m, x, i, change);
}

#endif
