/* energies.cu - U of every lane, afresh from its states. */
#include "cuda/model.h"

/* Equal couplings without fields: J / 2 times a whole number. */
HS_ON_CARD double whole_energy(const hs_device_model *m, const int16_t *x)
{
    double half = 0.5 * (double)m->j.uniform / (double)m->scale;
    int64_t sum = 0;

    for (int i = 0; i < m->dim; i++)
        sum += (int64_t)hs_card_spin(m, x, i) * (int64_t)hs_card_whole(m, x, i);
    return m->offset + half * (double)sum;
}

HS_ON_CARD double pair_energy(const hs_device_model *m, const int16_t *x)
{
    double sum = 0.0;

    if (m->j.uniform != 0.0f && !m->j.field && !m->j.is_wide)
        return whole_energy(m, x);
    for (int i = 0; i < m->dim; i++) {
        float s = hs_card_spin(m, x, i);

        if (m->j.is_wide) {
            double pull = hs_card_pull_wide(m, x, i);

            sum = sum + (double)s * (pull * 0.5 + m->j.exact_field[i]);
        } else {
            float field = m->j.field ? m->j.field[i] : 0.0f;

            sum = sum + (double)(s * (hs_card_pull(m, x, i) * 0.5f + field));
        }
    }
    return m->offset + 1.0 / (double)m->scale * sum;
}

HS_ON_CARD double label_energy(const hs_device_model *m, const int16_t *x)
{
    double sum = m->offset;

    for (int i = 0; i < m->dim; i++) {
        int own = x[i * HS_LANES];
        float term = hs_card_agreement(m, x, i, own) * 0.5f;

        if (m->j.field)
            term = term + m->j.field[(int64_t)i * m->states_max + own];
        sum = sum + (double)term;
    }
    return sum;
}

HS_ON_CARD double table_energy(const hs_device_model *m, const int16_t *x)
{
    const hs_tables *t = &m->once;
    double sum = m->offset;

    for (int64_t k = 0; k < t->start[m->dim]; k++) {
        const hs_incidence *n = &t->incidence[k];

        sum = sum + t->entry[n->table + hs_card_find(t, n, x)];
    }
    return sum;
}

HS_KERNEL void energies(hs_card_group g)
{
    const hs_device_model *m = &g.model;
    hs_card_lane at;
    double u;

    if (hs_card_thread() >= hs_card_lanes(&g))
        return;
    at = hs_card_lane_at(&g, hs_card_thread());
    if (m->energy == HS_DEVICE_PAIRS)
        u = pair_energy(m, at.x);
    else if (m->energy == HS_DEVICE_LABELS)
        u = label_energy(m, at.x);
    else
        u = table_energy(m, at.x);
    g.lanes.u[0][at.number] = u;
}

void hs_card_energies(const hs_card_group *g)
{
    HS_LAUNCH(energies, hs_card_lanes(g), *g);
}
