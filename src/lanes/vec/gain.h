/* gain.h - the gain of a change of one coordinate to first order:
 *     beta g_i(v) + phi_i(v) - phi_i(x_i)
 * with g_i(v) = dU_i (v - x_i) for numbers and dU_v - dU_x for labels.  The
 * difference of phi is exact, or linearized if a slope is given. */
#ifndef HS_LANES_VEC_GAIN_H
#define HS_LANES_VEC_GAIN_H

#include "lanes/lanes.h"
#include "lanes/vec/vec.h"

typedef struct gain_terms {
    vf beta;
    vm live; /* beta is not 0, which avoids 0 * infinity */
} gain_terms;

HS_INLINE gain_terms gain_begin(const hs_dlp *d, int l)
{
    gain_terms t = {.beta = vf_load(d->beta + l)};

    t.live = vm_not(vf_equal(t.beta, vf_set(0.0f)));
    return t;
}

/* Gain of flipping coordinate i of a pair domain. */
HS_INLINE vf gain_flip(const hs_dlp *d, const gain_terms *t, vf g, vi x, int i,
                       int l)
{
    float gap = d->domain->gap;
    vf up = vf_where(t->live, t->beta * (g * gap)); /* towards the high value */

    if (d->slope)
        up = up + gap * vf_select(vm_of(x), vf_load(&d->slope[2 * i + 1][l]),
                                  vf_load(&d->slope[2 * i][l]));
    else if (d->phi)
        up = up + vf_load(&d->phi[i][l]);
    return vf_negate_if(x, up);
}

/* Looks up the entry of row x, of k rows, in every lane. */
HS_INLINE vf entry_at(const float (*rows)[HS_LANES], int k, int stride, vi x,
                      int l)
{
    vf at = vf_set(0.0f);

    for (int v = 0; v < k; v++)
        at = vf_select(vi_equal(x, vi_set(v)), vf_load(&rows[stride * v][l]),
                       at);
    return at;
}

HS_INLINE vf value_at(const float *values, int k, vi x)
{
    vf at = vf_set(0.0f);

    for (int v = 0; v < k; v++)
        at = vf_select(vi_equal(x, vi_set(v)), vf_set(values[v]), at);
    return at;
}

/* Writes the gain of every value of coordinate i to out[v]; exactly 0 for the
 * present one.  grad has only the rows of this coordinate. */
HS_INLINE void gain_values(const hs_dlp *d, const gain_terms *t, int i,
                           const float (*grad)[HS_LANES], vi x, int l,
                           float (*out)[HS_LANES])
{
    const hs_domain *domain = d->domain;
    int k = domain->states[i], row = domain->value[i];
    int labels = domain->kind[i] == HISS_CATEGORICAL;
    const float *values = domain->values + row;
    vf here = labels ? entry_at(grad, k, 1, x, l) : value_at(values, k, x);
    vf phi_x = vf_set(0.0f), slope_x = vf_set(0.0f);

    if (d->slope)
        slope_x = entry_at(d->slope + 2 * row + labels, k, 2, x, l);
    else if (d->phi)
        phi_x = entry_at(d->phi + row, k, 1, x, l);
    for (int v = 0; v < k; v++) {
        vf step = values[v] - here; /* unused by labels */
        vf rise =
            labels ? vf_load(&grad[v][l]) - here : vf_load(&grad[0][l]) * step;

        rise = vf_where(t->live, t->beta * rise);
        if (d->slope && labels)
            rise = rise + (vf_load(&d->slope[2 * (row + v)][l]) - slope_x);
        else if (d->slope)
            rise = rise + slope_x * step;
        else if (d->phi)
            rise = rise + (vf_load(&d->phi[row + v][l]) - phi_x);
        vf_store(&out[v][l], vf_where(vm_not(vi_equal(x, vi_set(v))), rise));
    }
}

#endif
