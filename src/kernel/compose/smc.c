/* smc.c - sequential Monte Carlo from infinite temperature to the target:
 * options, and the moves of the population.
 *
 * A population of replicas begins with uniform states and passes through beta_1
 * < ... < beta_K = 1 (run/population/population.h).  At each beta every
 * replica's weight is multiplied by exp((beta_k - beta_k-1) U), the population
 * is resampled if the effective number of replicas,
 *     (sum w)^2 / sum w^2,
 * is below `resample` times their number, and `steps` steps of the base move it
 * at beta_k.  The product of the mean factors times the number of states is an
 * unbiased estimate of Z [Del Moral, Doucet & Jasra 2006].  resample=1 is
 * population annealing [Hukushima & Iba 2003; Machta 2010], resample=0 annealed
 * importance sampling [Neal 2001].
 *
 * It is a run of its own kind, not a repeated step (run/sampling/smc.c). A step
 * of this kernel is one of the base at the target, which is what `verify`
 * tests. */
#include "base/error.h"
#include "kernel/kernel.h"

struct smc {
    hs_spec *base;
    double ess;
    double resample;
    int steps;
    hs_reals betas;
};

static hiss_status smc_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                            hs_tile *x)
{
    return hs_kernel_step(k->child[0], m, t, x);
}

static bool smc_packs(const hs_kernel *k)
{
    return hs_kernel_packs(k->child[0]);
}

static hiss_status smc_walk(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                            hs_tile *x, int64_t steps)
{
    return hs_kernel_walk(k->child[0], m, t, x, steps);
}

static hiss_status smc_flush(hs_kernel *k, const hs_model *m, hs_tile *x)
{
    return hs_kernel_flush(k->child[0], m, x);
}

static hs_traits smc_traits(const hs_kernel *k)
{
    return hs_kernel_traits(k->child[0]);
}

static hiss_status smc_check(const hs_kernel *k, hiss_error *err)
{
    const struct smc *s = k->state;
    const hs_reals *b = &s->betas;

    for (int n = 0; n < b->count; n++)
        if (n > 0 && !(b->at[n] > b->at[n - 1]))
            return hs_fail(err, HISS_EARG,
                           "sampler smc: betas must rise, entry %d is %g",
                           n + 1, b->at[n]);
    if (b->count && b->at[b->count - 1] != 1.0)
        return hs_fail(err, HISS_EARG,
                       "sampler smc: betas must end with 1, the target");
    return HISS_OK;
}

static const hs_option smc_options[] = {
    {"base", HS_CHILD, offsetof(struct smc, base), "gibbs", NULL,
     "kernel that moves the replicas"},
    {"steps", HS_INTEGER, offsetof(struct smc, steps), "5", "[0,1000000]",
     "steps of it at each temperature"},
    {"resample", HS_REAL, offsetof(struct smc, resample), "0.5", "[0,1]",
     "replicas are resampled where less than this share of them counts (ESS); "
     "1: at every temperature (population annealing), 0: never (annealed "
     "importance sampling)"},
    {"ess", HS_REAL, offsetof(struct smc, ess), "0.9", "[0.05,0.999]",
     "a pilot places temperatures such that this share counts behind a step "
     "from one to the next (conditional ESS)"},
    {"betas", HS_REALS, offsetof(struct smc, betas), "", "(0,1]",
     "1 / temperature of each, rising to 1, as in [0.2,0.5,1]; without them a "
     "pilot places them"},
    {0},
};

const hs_kernel_type hs_kernel_smc = {
    .name = "smc",
    .summary = "a population led from infinite temperature to the target, with "
               "weights and log Z",
    .is_outermost = true,
    .moves_tours = true,
    .size = sizeof(struct smc),
    .options = smc_options,
    .step = smc_step,
    .traits = smc_traits,
    .check = smc_check,
    .packs = smc_packs,
    .walk = smc_walk,
    .flush = smc_flush,
};
