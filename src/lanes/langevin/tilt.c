/* tilt.c - the change of the separable part of a tilt from x to y.
 *
 * Sums are in float over GROUP coordinates, then in double: the error of a
 * group of terms of size 1 is at most GROUP * 6e-8. */
#include "lanes/lanes.h"
#include "lanes/vec/gain.h"
#include "lanes/vec/vec.h"

#define GROUP 16

void HS_NAME(tilt_difference)(const hs_domain *domain,
                              const float (*phi)[HS_LANES],
                              const int16_t (*x)[HS_LANES],
                              const int16_t (*y)[HS_LANES], double *sum);

HS_INLINE vf change(const hs_domain *d, const float (*phi)[HS_LANES], int i,
                    vi x, vi y, int l)
{
    const float(*rows)[HS_LANES] = phi + d->value[i];

    if (d->is_pair)
        return vf_load(&phi[i][l]) * vf_of(y - x);
    return vf_where(vm_not(vi_equal(x, y)),
                    entry_at(rows, d->states[i], 1, y, l) -
                        entry_at(rows, d->states[i], 1, x, l));
}

void HS_NAME(tilt_difference)(const hs_domain *domain,
                              const float (*phi)[HS_LANES],
                              const int16_t (*x)[HS_LANES],
                              const int16_t (*y)[HS_LANES], double *sum)
{
    HS_EACH_PART(l)
    {
        vd total = vd_load(sum + l);

        for (int i = 0; i < domain->dim; i += GROUP) {
            int end = domain->dim - i < GROUP ? domain->dim : i + GROUP;
            vf part = vf_set(0.0f);

            for (int j = i; j < end; j++)
                part = part + change(domain, phi, j, vi_load_index(&x[j][l]),
                                     vi_load_index(&y[j][l]), l);
            total = vd_add(total, vd_of(part));
        }
        vd_store(sum + l, total);
    }
}
