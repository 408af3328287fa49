/* flat_arm.c - multicanonical sampling for `auto`. */
#include "run/arms/flat_arm.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "kernel/multicanonical/log_weights.h"
#include "run/flat/flat_pilot.h"
#include "run/flat/flatten.h"
#include "run/flat/peaks.h"
#include "run/policy/policy.h"

void hs_flat_arm_clear(hs_flat_arm *a)
{
    hs_sampler_release(a->sampler);
    hs_free(a->start);
    *a = (hs_flat_arm){0};
}

/* Evaluations that learning may take. */
static double most_evals(const hs_model *m, const hs_pilot_account *account)
{
    double most = hs_flatten_evals(m->domain.dim);

    if (account->evals > 0.0)
        most = fmin(most, hs_policy(HS_PREPARATION_SHARE) * account->evals);
    return most;
}

hiss_status hs_flat_arm_is_wanted(bool *out, const hs_model *m,
                                  const hs_pilot_chains *chains, double brought,
                                  hs_pilot_account *account, hiss_error *err)
{
    double *u;
    hiss_status rc;

    *out = false;
    if (brought * most_evals(m, account) > hs_policy(HS_WARMUP_DRAWS))
        return HISS_OK;
    u = hs_alloc_array((size_t)chains->lanes, sizeof *u);
    if (!u)
        return hs_fail_memory(err);
    rc = hs_pilot_chains_energies(chains, m, u, account, err);
    if (rc == HISS_OK)
        *out = hs_has_two_peaks(u, chains->lanes);
    hs_free(u);
    return rc;
}

/* With every default; *out stays NULL where this cannot be the base. */
static hiss_status make_sampler(hs_sampler **out, const hs_sampler *base,
                                hiss_error *err)
{
    hs_sampler *given = NULL;
    hs_kernel *k = NULL;
    hiss_status rc;

    *out = NULL;
    if (hs_sampler_make(&given, &hs_kernel_multicanonical,
                        (hs_setting[]){{"base", .sampler = base}, {0}},
                        NULL) != HISS_OK ||
        hs_kernel_create(&k, given, NULL) != HISS_OK) {
        hs_sampler_release(given);
        return HISS_OK;
    }
    hs_kernel_destroy(k);
    rc = hs_sampler_spell_out(out, given, err);
    hs_sampler_release(given);
    return rc;
}

static hiss_status choose_base(hs_sampler **out, const hs_sampler *local,
                               hiss_error *err)
{
    hs_sampler *gibbs;
    hiss_status rc;

    HS_TRY(make_sampler(out, local, err));
    if (*out)
        return HISS_OK;
    HS_TRY(hs_sampler_make(&gibbs, &hs_kernel_gibbs, NULL, err));
    rc = make_sampler(out, gibbs, err);
    hs_sampler_release(gibbs);
    return rc;
}

hiss_status hs_flat_arm_learn(hs_flat_arm *a, const hs_model *m,
                              const hs_sampler *local,
                              hs_pilot_account *account, hs_text *text,
                              hiss_error *err)
{
    hs_flat_learned learned;
    hs_sampler *full;
    hiss_status rc;

    HS_TRY(choose_base(&full, local, err));
    if (!full)
        return HISS_OK;
    rc = hs_flat_learn(&learned, m, full, true, account, err);
    hs_sampler_release(full);
    HS_TRY(rc);
    a->crossings = (int)learned.crossings;
    a->rate = learned.rate;
    a->barrier = learned.barrier;
    hs_text_line(text, "log p of chains has two peaks");
    if (!learned.has_phases)
        hs_text_print(text, ", but the target has one phase");
    else
        hs_text_print(text, ": its weights learned, %d crossings",
                      a->crossings);
    if (learned.has_phases &&
        learned.crossings < 2.0 * hs_policy(HS_MIN_CHAINS))
        hs_text_print(text, ", too few");
    else if (learned.has_phases) {
        a->sampler = learned.sampler;
        a->start = learned.start;
        learned.sampler = NULL;
        learned.start = NULL;
    }
    hs_flat_learned_clear(&learned);
    return HISS_OK;
}
