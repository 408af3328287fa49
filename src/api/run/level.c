/* level.c - the draws of one temperature as a separate result. */
#include <math.h>
#include <string.h>

#include "api/object/manifest.h"
#include "api/object/objects.h"
#include "base/alloc.h"
#include "base/error.h"

/* Takes the draws of row `level` of every chain, with log p at its
 * temperature. */
static hiss_status take_draws(hiss_result *to, const hiss_result *from,
                              int level, double factor, hiss_error *err)
{
    const hs_store *all = &from->run.at_level;
    hs_store *s = &to->run.store;
    int64_t draws = from->run.info.samples;
    size_t bytes = (size_t)draws * hs_store_row_bytes(all);

    HS_TRY(hs_store_init(s, &to->domain, from->run.info.chains, draws, HUGE_VAL,
                         err));
    for (int c = 0; c < s->chains; c++) {
        int row = c * from->run.info.replicas + level;

        memcpy(hs_store_row(s, c, 0), hs_store_row(all, row, 0), bytes);
        for (int64_t n = 0; n < draws; n++) {
            s->lp[c * draws + n] =
                factor * all->lp[(int64_t)row * all->capacity + n];
            s->accept[c * draws + n] = (float)NAN;
        }
    }
    return HISS_OK;
}

static hiss_status scale_real(json_t *o, const char *key, double factor,
                              hiss_error *err)
{
    const json_t *old = json_object_get(o, key);

    if (old &&
        json_object_set_new(o, key, json_real(json_number_value(old) * factor)))
        return hs_fail_memory(err);
    return HISS_OK;
}

/* Copies the fixed values, and the manifest at the other temperature. */
static hiss_status describe(hiss_result *to, const hiss_result *from,
                            double factor, hiss_error *err)
{
    size_t bytes = (size_t)from->domain.dim * sizeof *from->fixed_at;

    if (from->fixed_at) {
        to->fixed_at = hs_alloc_array(1, bytes);
        to->full_states = hs_alloc_array(1, bytes);
        if (!to->fixed_at || !to->full_states)
            return hs_fail_memory(err);
        memcpy(to->fixed_at, from->fixed_at, bytes);
        memcpy(to->full_states, from->full_states, bytes);
    }
    to->manifest = json_deep_copy(from->manifest);
    if (!to->manifest)
        return hs_fail_memory(err);
    if (from->run.resolved &&
        !(to->run.resolved = hs_strdup(from->run.resolved)))
        return hs_fail_memory(err);
    json_object_del(to->manifest, "tempering");
    json_object_del(to->manifest, "levels");
    HS_TRY(scale_real(to->manifest, "beta", factor, err));
    return scale_real(to->manifest, "objective_scale", 1.0 / factor, err);
}

static hiss_status make(hiss_result *to, const hiss_result *from, int level,
                        double factor, hiss_error *err)
{
    to->run.info = from->run.info;
    to->run.info.replicas = 1;
    to->run.info.warmup_samples = 0;
    HS_TRY(hs_domain_copy(&to->domain, &from->domain, err));
    HS_TRY(take_draws(to, from, level, factor, err));
    return describe(to, from, factor, err);
}

hiss_status hiss_result_at_level(hiss_result **out, const hiss_result *result,
                                 int level, hiss_error *err)
{
    hiss_tempering t = HISS_INIT(hiss_tempering);
    hiss_result *r;
    hiss_status rc;

    if (out)
        *out = NULL;
    if (!out || !result)
        return hs_fail(err, HISS_EARG,
                       "hiss_result_at_level: an argument is NULL");
    if (!result->run.at_level.draws || !hiss_result_tempering(result, &t))
        return hs_fail(err, HISS_EUNSUP,
                       "the draws of the levels were not kept: set "
                       "level_draws, and a sampler that tempers");
    if (level < 0 || level >= t.levels)
        return hs_fail(err, HISS_EARG, "level %d of %d", level, t.levels);
    if (!(t.beta[level] > 0.0))
        return hs_fail(err, HISS_EUNSUP,
                       "level %d is at infinite temperature: it has no log p",
                       level);
    r = hs_alloc_array(1, sizeof *r);
    if (!r)
        return hs_fail_memory(err);
    rc = make(r, result, level, t.beta[level], err);
    if (rc != HISS_OK) {
        hiss_result_destroy(r);
        return rc;
    }
    *out = r;
    return HISS_OK;
}
