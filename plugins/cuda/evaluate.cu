/* evaluate.cu - U of every lane at a point, afresh from its states. */
#include "cuda/model.h"
#include "cuda/next.h"
#include "cuda/point.h"

/* Equal couplings without fields: J / 2 times a whole number. */
HS_ON_CARD double whole_energy(const hs_device_model *m, const int16_t *x)
{
    double half = 0.5 * (double)m->j.uniform / (double)m->scale;
    int64_t sum = 0;

    for (int i = 0; i < m->dim; i++)
        sum += (int64_t)hs_card_spin(m, x, i) * (int64_t)hs_card_whole(m, x, i);
    return m->offset + half * (double)sum;
}

/* What sites first <= i < last add to scale times U. */
HS_ON_CARD double pair_part(const hs_device_model *m, const int16_t *x,
                            int first, int last)
{
    double sum = 0.0;

    for (int i = first; i < last; i++) {
        float s = hs_card_spin(m, x, i);

        if (m->j.is_wide) {
            double pull = hs_card_pull_wide(m, x, i);

            sum = sum + (double)s * (pull * 0.5 + m->j.exact_field[i]);
        } else {
            float field = m->j.field ? m->j.field[i] : 0.0f;

            sum = sum + (double)(s * (hs_card_pull(m, x, i) * 0.5f + field));
        }
    }
    return sum;
}

HS_ON_CARD int is_whole(const hs_device_model *m)
{
    return m->j.uniform != 0.0f && !m->j.field && !m->j.is_wide;
}

HS_ON_CARD double pair_energy(const hs_device_model *m, const int16_t *x)
{
    if (is_whole(m))
        return whole_energy(m, x);
    return m->offset + 1.0 / (double)m->scale * pair_part(m, x, 0, m->dim);
}

HS_ON_CARD double label_energy(const hs_device_model *m, const int16_t *x)
{
    double sum = m->offset;

    for (int i = 0; i < m->dim; i++) {
        int own = HS_AT(x, i);
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

HS_KERNEL void energies(hs_card_group g, hs_card_point p)
{
    const hs_device_model *m = &g.model;
    int64_t number = hs_card_thread();
    const int16_t *x;
    double u;

    if (number >= hs_card_lanes(&g))
        return;
    x = &p.x[number / HS_LANES * m->dim][number % HS_LANES];
    if (m->energy == HS_DEVICE_PAIRS)
        u = pair_energy(m, x);
    else if (m->energy == HS_DEVICE_LABELS)
        u = label_energy(m, x);
    else
        u = table_energy(m, x);
    p.u[0][number] = u;
}

/* The parts of blocks of coordinates. */
HS_KERNEL void parts(hs_card_group g, hs_card_work w, hs_card_point p)
{
    const hs_device_model *m = &g.model;
    hs_card_place at;

    if (hs_card_thread() >= hs_card_places(&g, &w))
        return;
    at = hs_card_place_at(&g, hs_card_thread());
    HS_CARD_ROW(w.part, at.tile, w.blocks, at.block, at.lane) =
        pair_part(m, &p.x[at.tile * m->dim][at.lane], at.first, at.last);
}

HS_KERNEL void add_parts(hs_card_group g, hs_card_work w, hs_card_point p)
{
    int64_t number = hs_card_thread(), tile = number / HS_LANES;
    int lane = (int)(number % HS_LANES);
    double weight = 1.0 / (double)g.model.scale, u = g.model.offset;

    if (number >= hs_card_lanes(&g))
        return;
    for (int b = 0; b < w.blocks; b++)
        u = u + weight * HS_CARD_ROW(w.part, tile, w.blocks, b, lane);
    p.u[tile][lane] = u;
}

void hs_card_evaluate(const hs_card_group *g, const hs_card_work *w,
                      const hs_card_point *p, int want)
{
    const hs_device_model *m = &g->model;
    int is_whole = m->j.uniform != 0.0f && !m->j.field && !m->j.is_wide;

    if (g->whole) {
        hs_whole_evaluate(g->whole, p, want);
        return;
    }
    if (!(want & HS_CARD_U))
        return;
    if (want & HS_CARD_IN_BLOCKS && m->energy == HS_DEVICE_PAIRS && !is_whole) {
        HS_LAUNCH(parts, hs_card_places(g, w), *g, *w, *p);
        HS_LAUNCH(add_parts, hs_card_lanes(g), *g, *w, *p);
        return;
    }
    HS_LAUNCH(energies, hs_card_lanes(g), *g, *p);
}

/* A thread is a lane and a block of coordinates, with their rows. */
HS_KERNEL void move(hs_card_group g, hs_card_work w)
{
    const hs_device_model *m = &g.model;
    const hs_domain *d = &m->domain;
    hs_card_place at;

    if (hs_card_thread() >= hs_card_places(&g, &w))
        return;
    at = hs_card_place_at(&g, hs_card_thread());
    if (!w.accept[at.tile][at.lane])
        return;
    for (int i = at.first; i < at.last; i++)
        HS_CARD_ROW(w.at.x, at.tile, m->dim, i, at.lane) =
            HS_CARD_ROW(w.y.x, at.tile, m->dim, i, at.lane);
    for (int r = d->row[at.first]; w.at.grad && r < d->row[at.last]; r++)
        HS_CARD_ROW(w.at.grad, at.tile, d->rows, r, at.lane) =
            HS_CARD_ROW(w.y.grad, at.tile, d->rows, r, at.lane);
}

HS_KERNEL void move_cache(hs_card_group g, hs_card_work w)
{
    int64_t n = hs_card_thread(), lanes = hs_card_lanes(&g);
    int64_t tile = n % lanes / HS_LANES;
    int lane = (int)(n % HS_LANES), row = (int)(n / lanes);

    if (row >= w.at.cache_rows || !w.accept[tile][lane])
        return;
    HS_CARD_ROW(w.at.cache, tile, w.at.cache_rows, row, lane) =
        HS_CARD_ROW(w.y.cache, tile, w.at.cache_rows, row, lane);
}

void hs_card_move(const hs_card_group *g, const hs_card_work *w)
{
    if (g->whole && g->model.domain.is_pair) {
        hs_whole_move(g, w);
        return;
    }
    HS_LAUNCH(move, hs_card_places(g, w), *g, *w);
    if (w->at.cache_rows)
        HS_LAUNCH(move_cache, hs_card_lanes(g) * w->at.cache_rows, *g, *w);
}

/* States of two words each, 0 or 1, as bytes. */
HS_ON_CARD uint32_t bytes_of(uint32_t a, uint32_t b)
{
    return (a & 1) | (a >> 8 & 0x100) | (b & 1) << 16 | (b << 8 & 0x1000000);
}

/* Where lanes of a pair domain stand, to counts in bytes: a thread is a row of
 * a tile, and a byte that is full was added up before (sums.cu). */
HS_KERNEL void count_pairs(hs_card_group g)
{
    uint32_t n = (uint32_t)hs_card_thread(), dim = (uint32_t)g.model.dim;
    int64_t tile = n / dim, row = n % dim;
    uint32_t x[HS_LANES / 2], counts[HS_LANES / 4], *to;

    HS_WAIT();
    if (tile >= g.tiles)
        return;
    to = (uint32_t *)((uint8_t *)&g.lanes.sum[tile * g.sums + g.counted] +
                      row * HS_LANES);
    hs_load_four((uint32_t *)&g.lanes.x[n], x);
    hs_load_four((uint32_t *)&g.lanes.x[n] + 4, x + 4);
    hs_load_four(to, counts);
    HS_UNROLL
    for (int k = 0; k < HS_LANES / 4; k++) {
        uint32_t counted = 0;

        HS_UNROLL
        for (int l = 0; l < 4; l++)
            counted |= (uint32_t)(g.lanes.weight[tile][4 * k + l] != 0.0f)
                       << 8 * l;
        counts[k] += bytes_of(x[2 * k], x[2 * k + 1]) & counted;
    }
    hs_store_four(counts, to);
}

/* Of other domains, indicators. */
HS_KERNEL void count_values(hs_card_group g, hs_card_work w)
{
    const hs_device_model *m = &g.model;
    hs_card_place at;
    hs_card_lane lane;

    if (hs_card_thread() >= hs_card_places(&g, &w))
        return;
    at = hs_card_place_at(&g, hs_card_thread());
    lane = hs_card_lane_at(&g, at.number);
    for (int i = at.first; i < at.last; i++)
        lane.sum[(int64_t)(m->value[i] + HS_AT(lane.x, i)) * HS_LANES] +=
            lane.weight;
}

void hs_card_count_states(const hs_card_group *g, const hs_card_work *w)
{
    if (g->counted)
        HS_NEXT(count_pairs, (int64_t)g->tiles * g->model.dim, *g);
    else
        HS_LAUNCH(count_values, hs_card_places(g, w), *g, *w);
}
