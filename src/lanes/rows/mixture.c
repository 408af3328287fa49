/* mixture.c - sums over all sites, one for each component of a mixture.
 *
 * Up to BLOCK components are added side by side, so that their sums stay in
 * registers.  Each is summed over sites in ascending order. */
#include <string.h>

#include "lanes/lanes.h"
#include "lanes/vec/vec.h"

void HS_NAME(mixture_sums)(int dim, int components, const float *field,
                           const int16_t (*x)[HS_LANES], int lanes,
                           double (*sum)[HS_LANES]);
void HS_NAME(mixture_gradient)(int dim, int components, const float *field,
                               const float (*weight)[HS_LANES],
                               float (*grad)[HS_LANES]);
void HS_NAME(mixture_odds)(int dim, int components, const float *field,
                           const int16_t *component, const float *factor,
                           float (*odds)[HS_LANES]);

#define BLOCK 4
#define HALF  8 /* lanes whose sums of a block fit in registers */

/* Sums components first <= k < first + count in HALF lanes from `lane` on. */
HS_INLINE void sums(int dim, int components, const float *field, int first,
                    int count, const int16_t (*x)[HS_LANES], int lane,
                    double (*sum)[HS_LANES])
{
    double own[BLOCK][HALF];

    for (int k = 0; k < count; k++)
        memcpy(own[k], sum[first + k] + lane, sizeof own[k]);
    for (int i = 0; i < dim; i++) {
        const float *h = field + (size_t)i * (size_t)components + first;
        double s[HALF];

        for (int l = 0; l < HALF; l++)
            s[l] = 2 * x[i][lane + l] - 1;
        for (int k = 0; k < count; k++)
            for (int l = 0; l < HALF; l++)
                own[k][l] += (double)h[k] * s[l];
    }
    for (int k = 0; k < count; k++)
        memcpy(sum[first + k] + lane, own[k], sizeof own[k]);
}

void HS_NAME(mixture_sums)(int dim, int components, const float *field,
                           const int16_t (*x)[HS_LANES], int lanes,
                           double (*sum)[HS_LANES])
{
    int k = 0;

    for (; k + BLOCK <= components; k += BLOCK)
        for (int lane = 0; lane < lanes; lane += HALF)
            sums(dim, components, field, k, BLOCK, x, lane, sum);
    for (; k < components; k++)
        for (int lane = 0; lane < lanes; lane += HALF)
            sums(dim, components, field, k, 1, x, lane, sum);
}

void HS_NAME(mixture_gradient)(int dim, int components, const float *field,
                               const float (*weight)[HS_LANES],
                               float (*grad)[HS_LANES])
{
    for (int i = 0; i < dim; i++) {
        const float *h = field + (size_t)i * (size_t)components;
        float own[HS_LANES] = {0};

        for (int k = 0; k < components; k++)
            for (int l = 0; l < HS_LANES; l++)
                own[l] += weight[k][l] * h[k];
        memcpy(grad[i], own, sizeof own);
    }
}

void HS_NAME(mixture_odds)(int dim, int components, const float *field,
                           const int16_t *component, const float *factor,
                           float (*odds)[HS_LANES])
{
    for (int i = 0; i < dim; i++) {
        const float *h = field + (size_t)i * (size_t)components;

        for (int l = 0; l < HS_LANES; l++)
            odds[i][l] = factor[l] * h[component[l]];
    }
}
