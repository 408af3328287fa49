/* energy.c - mean and variance of U under a target.
 *
 * The mean is exact where there are exact answers, the variance comes from
 * independent draws of the law: its relative error is about 2 %. */
#include <math.h>
#include <stdlib.h>

#include "arena/targets/families.h"

#define CHAINS_EXACT 16
#define DRAWS        256 /* of each */

double family_energy(const instance *at, const int16_t *index)
{
    int dim = hiss_model_dim(at->model);
    double u = (double)NAN, *x = malloc(sizeof *x * (size_t)dim);

    for (int i = 0; x && i < dim; i++)
        x[i] = hiss_model_kind(at->model, i) == HISS_SPIN ? 2.0 * index[i] - 1.0
                                                          : index[i];
    if (x)
        hiss_model_energy(at->model, x, &u, NULL);
    free(x);
    return u;
}

/* Mean square of u - mean; U that is the same everywhere has none, whatever
 * rounding leaves of it. */
static double variance_about(const double *u, int count, double mean)
{
    double sum = 0.0;

    for (int n = 0; n < count; n++)
        sum += (u[n] - mean) * (u[n] - mean) / count;
    return sum > 1e-12 * (1.0 + mean * mean) ? sum : 0.0;
}

void family_energies(instance *at, const double *u, int count)
{
    double mean = 0.0;

    for (int n = 0; n < count; n++)
        mean += u[n] / count;
    at->u.mean = mean;
    at->u.variance = isfinite(mean) ? variance_about(u, count, mean) : 0.0;
    at->u.se = sqrt(at->u.variance / count);
}

static int draw(const instance *at, hiss_result **out)
{
    hiss_settings set;
    hiss_sampler *s = NULL;
    int good;

    hiss_settings_init(&set);
    set.chains = CHAINS_EXACT;
    set.samples = DRAWS;
    set.seed = 1;
    set.threads = 1;
    good = hiss_sampler_create(&s, "independent", NULL) == HISS_OK &&
           hiss_sample(out, at->model, s, &set, NULL) == HISS_OK;
    hiss_sampler_destroy(s);
    return good;
}

void instance_measure_energy(instance *at)
{
    hiss_exact *own = NULL;
    const hiss_exact *exact = at->exact;
    hiss_result *r = NULL;

    if (at->u.variance > 0.0 || at->of->is_energy)
        return;
    if (!exact && hiss_exact_quick(&own, at->model, 1, NULL) == HISS_OK)
        exact = own;
    if (exact && draw(at, &r)) {
        at->u.mean = hiss_exact_mean_u(exact);
        at->u.variance =
            variance_about(hiss_result_lp(r), CHAINS_EXACT * DRAWS, at->u.mean);
    }
    hiss_result_destroy(r);
    hiss_exact_destroy(own);
}
