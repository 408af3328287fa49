/* fingerprint.c - identifies a run. */
#include "run/chain/fingerprint.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/random/rng.h"

uint64_t hs_fingerprint_mix(uint64_t h, const void *from, size_t size)
{
    const unsigned char *p = from;

    for (size_t i = 0; i < size; i++)
        h = (h ^ p[i]) * 0x100000001b3u;
    return h;
}

#define MIX(field) h = hs_fingerprint_mix(h, &(field), sizeof(field))

static hiss_status take_energies(uint64_t *out, const hs_model *m,
                                 hiss_error *err)
{
    const hs_domain *d = &m->domain;
    hs_point p;
    hiss_status rc;

    HS_TRY(hs_point_init(&p, m, err));
    for (int i = 0; i < d->dim; i++)
        for (uint32_t l = 0; l < HS_LANES; l++)
            p.x[i][l] = (int16_t)hs_below(
                hs_rng_word(0, l, 0, 0, HS_DRAW_INIT, (uint32_t)i),
                d->states[i]);
    rc = hs_model_evaluate(m, &p, HS_U);
    *out = hs_fingerprint_mix(0xcbf29ce484222325u, p.u, sizeof p.u);
    if (rc != HISS_OK)
        hs_fail_model(err, rc, m, &p.fault, "at a random state");
    hs_point_clear(&p);
    return rc;
}

static uint64_t mix_domain(uint64_t h, const hs_domain *d)
{
    MIX(d->dim);
    for (int i = 0; i < d->dim; i++) {
        MIX(d->kind[i]);
        MIX(d->states[i]);
    }
    return hs_fingerprint_mix(h, d->values,
                              (size_t)d->value_count * sizeof *d->values);
}

hiss_status hs_fingerprint_take(hs_fingerprint *out, const hs_model *m,
                                const char *origin, const hs_sampler *sampler,
                                const hiss_settings *set, hiss_error *err)
{
    uint64_t h = mix_domain(0xcbf29ce484222325u, &m->domain);
    char *spec = hs_sampler_print_given(sampler);

    if (!spec)
        return hs_fail_memory(err);
    h = hs_fingerprint_mix(h, spec, strlen(spec));
    h = hs_fingerprint_mix(h, origin, strlen(origin));
    hs_free(spec);
    MIX(set->chains);
    MIX(set->samples);
    if (set->samples == 0) /* the number of kept draws may decide the sampler */
        MIX(set->samples_most);
    MIX(set->warmup);
    MIX(set->thin);
    MIX(set->seed);
    MIX(set->evals);
    MIX(set->ess);
    MIX(set->marginals);
    MIX(set->save_warmup);
    out->settings = h;
    return take_energies(&out->energies, m, err);
}
