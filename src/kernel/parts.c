/* parts.c - Houdayer moves: exchanges connected components of the differences
 * of two replicas. */
#include "kernel/parts.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/sets.h"
#include "lanes/lanes.h"

hiss_status hs_parts_init(hs_parts *p, const hs_model *m, hiss_error *err)
{
    size_t dim = (size_t)m->domain.dim;

    *p = (hs_parts){0};
    if (!m->ops->factors)
        return hs_fail(err, HISS_EUNSUP,
                       "exchanges in parts need a model that is a sum of "
                       "tables, and model %s is not",
                       m->name);
    HS_TRY(m->ops->factors(m, &p->factors, err));
    p->parent = hs_alloc_array(dim, sizeof *p->parent);
    p->size = hs_alloc_array(dim, sizeof *p->size);
    p->gain = hs_alloc_array(dim, sizeof *p->gain);
    return p->parent && p->size && p->gain ? HISS_OK : hs_fail_memory(err);
}

void hs_parts_clear(hs_parts *p)
{
    hs_factors_clear(&p->factors);
    hs_free(p->parent);
    hs_free(p->size);
    hs_free(p->gain);
    *p = (hs_parts){0};
}

static int value_at(hs_parts_side s, int i)
{
    return s.tile->at.x[i][s.lane];
}

void hs_parts_join(const hs_factors *f, int32_t *parent)
{
    for (int64_t n = 0; n < f->count; n++) {
        int first = -1;

        for (int64_t k = f->scope_at[n]; k < f->scope_at[n + 1]; k++) {
            int i = f->scope[k];

            if (parent[i] < 0)
                continue;
            if (first >= 0)
                hs_sets_join(parent, first, i);
            first = i;
        }
    }
}

static void find_parts(hs_parts *p, hs_parts_side a, hs_parts_side b)
{
    for (int i = 0; i < p->factors.dim; i++) {
        p->parent[i] = value_at(a, i) == value_at(b, i) ? -1 : i;
        p->size[i] = 0;
        p->gain[i] = 0.0;
    }
    hs_parts_join(&p->factors, p->parent);
}

/* Sums D of every component at its root. */
static void sum_gains(hs_parts *p, hs_parts_side a, hs_parts_side b)
{
    const hs_factors *f = &p->factors;

    for (int64_t n = 0; n < f->count; n++) {
        const double *table = f->table + f->table_at[n];
        int64_t own = 0, other = 0;
        int part = -1;

        for (int64_t k = f->scope_at[n]; k < f->scope_at[n + 1]; k++) {
            int i = f->scope[k];

            own = own * f->states[i] + value_at(a, i);
            other = other * f->states[i] + value_at(b, i);
            if (p->parent[i] >= 0)
                part = i;
        }
        if (part >= 0)
            p->gain[hs_sets_find(p->parent, part)] += table[other] - table[own];
    }
}

/* The root of the largest component, the first of equals; -1 if there is
 * none. */
static int largest(hs_parts *p)
{
    int most = -1;

    for (int i = 0; i < p->factors.dim; i++)
        if (p->parent[i] >= 0)
            p->size[hs_sets_find(p->parent, i)]++;
    for (int i = 0; i < p->factors.dim; i++)
        if (p->size[i] > (most < 0 ? 0 : p->size[most]))
            most = i;
    return most;
}

/* Decides for up to sixteen roots: gain becomes 1 or 0. */
static void decide(hs_parts *p, const int *root, int roots, double gap,
                   const hs_rng *rng, uint32_t chain, uint32_t level)
{
    float chance[HS_LANES] = {0};

    for (int n = 0; n < roots; n++) {
        double log_ratio = gap * p->gain[root[n]];

        chance[n] = log_ratio < 0.0 ? (float)log_ratio : 0.0f;
    }
    hs_lanes()->exp(chance, chance);
    for (int n = 0; n < roots; n++) {
        uint32_t word = hs_rng_word(rng->seed, chain, level, rng->clock,
                                    HS_DRAW_BOND, (uint32_t)root[n]);

        p->gain[root[n]] = (float)word * 0x1p-32f + 0x1p-33f < chance[n];
    }
}

static void exchange_site(hs_parts_side a, hs_parts_side b, int i)
{
    int16_t own = a.tile->at.x[i][a.lane];

    a.tile->at.x[i][a.lane] = b.tile->at.x[i][b.lane];
    b.tile->at.x[i][b.lane] = own;
}

void hs_parts_exchange(hs_parts *p, hs_parts_side a, hs_parts_side b,
                       uint32_t chain, uint32_t level)
{
    double gap =
        (double)a.tile->tilt.beta[a.lane] - (double)b.tile->tilt.beta[b.lane];
    int root[HS_LANES], roots = 0, dim = p->factors.dim, stays;

    find_parts(p, a, b);
    sum_gains(p, a, b);
    stays = largest(p);
    for (int i = 0; i < dim; i++) {
        if (p->parent[i] == i && i != stays)
            root[roots++] = i;
        if (roots == HS_LANES || i + 1 == dim) {
            decide(p, root, roots, gap, &a.tile->rng, chain, level);
            roots = 0;
        }
    }
    if (stays >= 0)
        p->gain[stays] = 0.0;
    for (int i = 0; i < dim; i++)
        if (p->parent[i] >= 0 && p->gain[hs_sets_find(p->parent, i)] > 0.0)
            exchange_site(a, b, i);
}

/* The component of site number n among those where two states differ. */
static int part_of(hs_parts *p, int n)
{
    int i = 0;

    while (p->parent[i] < 0 || n-- > 0)
        i++;
    return hs_sets_find(p->parent, i);
}

void hs_parts_exchange_one(hs_parts *p, hs_parts_side a, hs_parts_side b,
                           uint32_t chain, uint32_t level)
{
    const hs_rng *rng = &a.tile->rng;
    uint32_t word =
        hs_rng_word(rng->seed, chain, level, rng->clock, HS_DRAW_BOND, 0);
    int dim = p->factors.dim, differ = 0, part;

    find_parts(p, a, b);
    for (int i = 0; i < dim; i++)
        differ += p->parent[i] >= 0;
    if (differ == 0)
        return;
    part = part_of(p, hs_below(word, differ));
    for (int i = 0; i < dim; i++)
        if (p->parent[i] >= 0 && hs_sets_find(p->parent, i) == part)
            exchange_site(a, b, i);
}
