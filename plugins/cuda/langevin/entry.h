/* entry.h - sites of a graph of one degree with equal couplings, by what they
 * see: lanes/regular/regular.h, of one lane. */
#ifndef HS_CUDA_LANGEVIN_ENTRY_H
#define HS_CUDA_LANGEVIN_ENTRY_H

#include "cuda/langevin/flip.h"

typedef struct hs_card_regular {
    int degree, entries, is_even;
    float low, gap, coupling, field;
} hs_card_regular;

HS_EITHER hs_card_regular hs_card_regular_of(const hs_device_model *m)
{
    hs_card_regular r;

    r.degree = m->degree;
    r.low = m->low;
    r.gap = m->gap;
    r.coupling = m->j.uniform;
    r.field = m->regular_field;
    r.is_even = r.field == 0.0f && r.low * -2.0f == r.gap;
    r.entries = (r.degree + 1) * (r.is_even ? 1 : 2);
    return r;
}

/* The entry of site i, which has the value `own`. */
HS_ON_CARD int hs_card_entry(const hs_device_model *m, const hs_card_regular *r,
                             const int16_t *x, int i, int own)
{
    const int *column = m->j.column + (int64_t)r->degree * i;
    int count = 0;

    for (int e = 0; e < r->degree; e++)
        count += HS_AT(x, column[e]);
    if (r->is_even)
        return own ? count : r->degree - count;
    return count + (own ? r->degree + 1 : 0);
}

HS_ON_CARD float hs_card_regular_row(const hs_card_regular *r, int count)
{
    float n = (float)count * r->gap + r->low * (float)r->degree;

    return n * r->coupling + r->field;
}

/* The logit of a flip of a site in entry k. */
HS_ON_CARD float hs_card_entry_logit(const hs_card_group *g,
                                     const hs_card_regular *r,
                                     const hs_card_law *law, int k)
{
    float gap = g->model.domain.gap;
    float pull = law->balance * law->beta * gap;
    float still = law->stiffness * (gap * gap);
    int count = k > r->degree ? k - r->degree - 1 : k;

    return vf_negate_if(r->is_even || k > r->degree,
                        pull * hs_card_regular_row(r, count)) -
           still;
}

/* What a site in entry k adds to scale times U, rounded as in ising.c. */
HS_ON_CARD double hs_card_entry_energy(const hs_card_regular *r, int k)
{
    int count = k > r->degree ? k - r->degree - 1 : k;
    int state = r->is_even || k > r->degree;
    float s = (float)state * r->gap + r->low;
    float n = (float)count * r->gap + r->low * (float)r->degree;

    if (r->field == 0.0f)
        return 0.5 * (double)r->coupling * (double)(s * n);
    return (double)(s * (n * r->coupling * 0.5f + r->field));
}

/* ln(1 + e^z) of entry k. */
HS_ON_CARD float hs_card_entry_spread(const hs_card_group *g,
                                      const hs_card_regular *r,
                                      const hs_card_law *law, int k)
{
    float z = hs_card_entry_logit(g, r, law, k);

    return vf_max(z, 0.0f) + vf_log_normal(1.0f + vf_exp_negative(-vf_abs(z)));
}

#endif
