/* tilt.c - the terms that a sampler adds to a model: beta * U(x) + sum_i
 * phi_i(x_i).
 *
 * Owns: the rows of phi, slope and factors.  Not here: drawing a
 * (lanes/langevin/noise.c), ladders of beta (pt.c). */
#include "kernel/tilt.h"

#include "base/alloc.h"
#include "base/assert.h"
#include "base/error.h"
#include "lanes/lanes.h"

int hs_tilt_rows(const hs_domain *d)
{
    return d->is_pair ? d->dim : d->value_count;
}

hiss_status hs_tilt_init(hs_tilt *t, const hs_domain *d, bool has_slope,
                         hiss_error *err)
{
    size_t rows = (size_t)hs_tilt_rows(d);

    *t = (hs_tilt){0};
    t->phi = hs_alloc_array(rows, sizeof *t->phi);
    if (has_slope)
        t->slope = hs_alloc_array(2 * rows, sizeof *t->slope);
    if (!t->phi || (has_slope && !t->slope)) {
        hs_tilt_clear(t);
        return hs_fail_memory(err);
    }
    return HISS_OK;
}

hiss_status hs_tilt_init_factors(hs_tilt *t, const hs_domain *d,
                                 hiss_error *err)
{
    *t = (hs_tilt){0};
    t->factor = hs_alloc_array((size_t)d->dim, sizeof *t->factor);
    t->was = hs_alloc_array((size_t)d->dim, sizeof *t->was);
    if (t->factor && t->was)
        return HISS_OK;
    hs_tilt_clear(t);
    return hs_fail_memory(err);
}

void hs_tilt_clear(hs_tilt *t)
{
    hs_free(t->factor);
    hs_free(t->was);
    hs_free(t->phi);
    hs_free(t->slope);
    *t = (hs_tilt){0};
}

void hs_tilt_difference(const hs_tilt *t, const hs_domain *d,
                        const hs_index_row *x, const hs_index_row *y,
                        double *difference)
{
    HS_ASSERT(!t->factor); /* only kernels that support factors get them */
    for (int l = 0; l < HS_LANES; l++)
        difference[l] = 0.0;
    if (t->phi)
        hs_lanes()->tilt_difference(d, (const hs_float_row *)t->phi, x, y,
                                    difference);
}

void hs_tilt_add_values(const hs_tilt *t, const hs_domain *d, int i,
                        const int16_t *x, hs_float_row *out)
{
    const hs_float_row *phi = t->phi;

    HS_ASSERT(i >= 0 && i < d->dim && !t->factor);
    if (!phi)
        return;
    for (int v = 0; v < d->states[i]; v++)
        for (int l = 0; l < HS_LANES; l++) {
            int row = d->value[i];

            if (d->is_pair)
                out[v][l] += phi[i][l] * (float)(v - x[l]);
            else
                out[v][l] += phi[row + v][l] - phi[row + x[l]][l];
        }
}

void hs_tilt_flatten(hs_tilt *t, const hs_domain *d, int i, int lane)
{
    int first = d->is_pair ? i : d->value[i];
    int last = d->is_pair ? i + 1 : d->value[i] + d->states[i];

    HS_ASSERT(t->phi && i >= 0 && i < d->dim);
    HS_ASSERT(lane >= 0 && lane < HS_LANES);
    for (int row = first; row < last; row++) {
        t->phi[row][lane] = 0.0f;
        if (t->slope)
            t->slope[2 * row][lane] = t->slope[2 * row + 1][lane] = 0.0f;
    }
}
