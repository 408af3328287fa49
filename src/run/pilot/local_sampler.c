/* local_sampler.c - the plain sampler that fits a model. */
#include "run/pilot/local_sampler.h"

#include "base/error.h"
#include "run/policy/policy.h"

/* Returns true if a sweep over sites evaluates about as many states as a
 * gradient made of differences, and then moves further. */
static bool has_dear_gradient(const hs_model *m)
{
    int64_t sites = 0;

    for (int i = 0; i < m->domain.dim; i++)
        sites += m->domain.states[i] - 1;
    return m->gradient_states > 0 && sites <= 2 * m->gradient_states;
}

hiss_status hs_local_sampler(hs_sampler **out, const hs_model *m,
                             bool is_softened, hiss_error *err)
{
    bool is_cheap = hs_model_has_cheap_sites(m);
    hs_sampler *plain;
    hiss_status rc;

    if (hs_model_structure(m, HS_STRUCTURE_HIDDEN))
        return hs_sampler_make(out, &hs_kernel_hidden, NULL, err);
    if (is_cheap && !is_softened && hs_model_has_constraints(m))
        return hs_sampler_make(
            out, &hs_kernel_blocks,
            (hs_setting[]){
                {"table", .number = hs_policy_count(HS_BLOCK_STATES)}, {0}},
            err);
    HS_TRY(hs_sampler_make(&plain,
                           is_cheap || has_dear_gradient(m) ? &hs_kernel_gibbs
                                                            : &hs_kernel_dmala,
                           NULL, err));
    rc = hs_sampler_spell_out(out, plain, err);
    hs_sampler_release(plain);
    return rc;
}
