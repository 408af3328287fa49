/* scan.c - draws at many temperatures, from one run of parallel tempering.
 *
 * The levels of that run are the requested temperatures and those of a pilot,
 * which states need to pass from the hottest to the coldest. */
#include <hiss/scan.h>

#include <math.h>

#include "api/object/objects.h"
#include "api/object/sized.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/text.h"
#include "model/factor/scaled.h"
#include "run/search/scale.h"

#define COUNT_MAX 512
#define SAME      1e-7 /* relative: levels are stored as floats */

/* Levels in falling order of beta, as shares of the coldest. */
struct levels {
    double *beta; /* owned, [count] */
    int count;
    int *of;     /* owned: the level of each requested temperature */
    int *sorted; /* owned: the requested temperatures, the coldest first */
};

static void clear(struct levels *l)
{
    hs_free(l->beta);
    hs_free(l->of);
    hs_free(l->sorted);
}

static hiss_status check(const double *beta, int count, const hiss_settings *s,
                         hiss_error *err)
{
    if (count < 1 || count > COUNT_MAX)
        return hs_fail(err, HISS_EARG, "%d temperatures, expected 1 to %d",
                       count, COUNT_MAX);
    if (s->samples < 1)
        return hs_fail(err, HISS_EARG,
                       "a scan needs a number of samples per chain");
    for (int k = 0; k < count; k++)
        if (!(beta[k] > 0.0 && isfinite(beta[k])))
            return hs_fail(err, HISS_EARG,
                           "beta is %g, expected a finite number above 0",
                           beta[k]);
    return HISS_OK;
}

/* Sorts the requested temperatures. */
static hiss_status sort(struct levels *l, const double *beta, int count,
                        hiss_error *err)
{
    l->of = hs_alloc_array((size_t)count, sizeof *l->of);
    l->sorted = hs_alloc_array((size_t)count, sizeof *l->sorted);
    if (!l->of || !l->sorted)
        return hs_fail_memory(err);
    for (int k = 0; k < count; k++) {
        int at = k;

        for (; at > 0 && beta[l->sorted[at - 1]] < beta[k]; at--)
            l->sorted[at] = l->sorted[at - 1];
        l->sorted[at] = k;
    }
    for (int k = 1; k < count; k++)
        if (beta[l->sorted[k]] >= beta[l->sorted[k - 1]] * (1.0 - SAME))
            return hs_fail(err, HISS_EARG, "beta %g is given twice",
                           beta[l->sorted[k]]);
    return HISS_OK;
}

/* Whether a requested temperature replaces a level of the pilot: it is nearer
 * than halfway to that level's neighbors. */
static bool is_served(const struct levels *l, const double *beta, int count,
                      double own, double colder, double hotter)
{
    bool is_near = false;

    for (int k = 0; k < count; k++) {
        double b = beta[l->sorted[k]];

        is_near |= b <= own ? own - b < (own - hotter) / 2.0
                            : b - own < (colder - own) / 2.0;
    }
    return is_near;
}

/* Merges the coldest, the requested levels and those of the pilot. */
static hiss_status merge(struct levels *l, const hiss_tempering *pilot,
                         double coldest, const double *beta, int count,
                         hiss_error *err)
{
    int next = 0, asked = 0;

    l->beta =
        hs_alloc_array((size_t)(count + pilot->levels) + 1, sizeof *l->beta);
    if (!l->beta)
        return hs_fail_memory(err);
    l->beta[l->count++] = 1.0;
    while (asked < count || next < pilot->levels) {
        double own = next < pilot->levels ? coldest * pilot->beta[next] : -1.0;
        double b = asked < count ? beta[l->sorted[asked]] : -1.0;

        if (b >= own) {
            if (b < coldest * (1.0 - SAME))
                l->beta[l->count++] = b / coldest;
            l->of[l->sorted[asked++]] = l->count - 1;
            continue;
        }
        if (next > 0 &&
            !is_served(l, beta, count, own, coldest * pilot->beta[next - 1],
                       next + 1 < pilot->levels
                           ? coldest * pilot->beta[next + 1]
                           : -own))
            l->beta[l->count++] = own / coldest;
        next++;
    }
    return HISS_OK;
}

/* Returns pt(base=BASE,ladder=[1,...]), or NULL if memory is short. */
static char *ladder_text(const char *base, const struct levels *l)
{
    hs_text text = {0};

    hs_text_print(&text, "pt(base=%s,ladder=[1", base);
    for (int k = 1; k < l->count; k++)
        if (l->beta[k] > 0.0)
            hs_text_print(&text, ",%.17g", 1.0 / l->beta[k]);
        else
            hs_text_add_string(&text, ",inf");
    hs_text_add_string(&text, "])");
    return hs_text_take(&text);
}

static char *pilot_text(const char *base)
{
    hs_text text = {0};

    hs_text_print(&text, "pt(base=%s,levels=auto)", base);
    return hs_text_take(&text);
}

static const char *usual_base(const hs_model *m)
{
    return m->domain.is_tour      ? "tour"
           : hs_scale_is_cheap(m) ? "gibbs"
                                  : "dmala(alpha=auto)";
}

static hiss_status run(hiss_result **out, const hiss_model *model, char *spec,
                       const hiss_settings *settings, hiss_error *err)
{
    hiss_sampler *sampler = NULL;
    hiss_status rc =
        spec ? hiss_sampler_create(&sampler, spec, err) : hs_fail_memory(err);

    hs_free(spec);
    if (rc == HISS_OK)
        rc = hiss_sample(out, model, sampler, settings, err);
    hiss_sampler_destroy(sampler);
    return rc;
}

/* Finds the temperatures that states need to pass, by a run of one draw. */
static hiss_status look(hiss_result **out, const hiss_model *model,
                        const char *base, const hiss_settings *settings,
                        hiss_error *err)
{
    hiss_settings s = *settings;

    s.chains = 1;
    s.samples = s.thin = 1;
    s.warmup = 0;
    s.init = NULL;
    s.save_warmup = s.marginals = 0;
    return run(out, model, pilot_text(base), &s, err);
}

/* Takes the draws at each temperature, without states that the model
 * forbids. */
static hiss_status take(hiss_result **out, const hiss_result *all,
                        const struct levels *l, const double *beta, int count,
                        hiss_error *err)
{
    for (int k = 0; k < count; k++) {
        const hs_store *s;
        bool is_hard = true;

        HS_TRY(hiss_result_at_level(&out[k], all, l->of[k], err));
        s = &out[k]->run.store;
        for (int64_t n = 0; n < s->chains * s->capacity; n++)
            is_hard &= isfinite(s->lp[n]) != 0;
        if (!is_hard)
            return hs_fail(err, HISS_EUNSUP,
                           "at beta %g chains pass states of probability 0: "
                           "take temperatures nearer to the coldest",
                           beta[k]);
    }
    return HISS_OK;
}

static hiss_status scan(hiss_result **out, const hiss_model *model,
                        const char *base, const double *beta, int count,
                        hiss_settings *s, struct levels *l, hiss_error *err)
{
    hiss_tempering pilot = HISS_INIT(hiss_tempering);
    hiss_result *first = NULL, *all = NULL;
    hiss_status rc;

    HS_TRY(look(&first, model, base, s, err));
    hiss_result_tempering(first, &pilot);
    rc = merge(l, &pilot, hiss_model_beta(model), beta, count, err);
    hiss_result_destroy(first);
    if (rc != HISS_OK)
        return rc;
    s->level_draws = 1;
    HS_TRY(run(&all, model, ladder_text(base, l), s, err));
    rc = take(out, all, l, beta, count, err);
    hiss_result_destroy(all);
    return rc;
}

hiss_status hiss_scan(hiss_result **out, const hiss_model *model,
                      const char *base, const double *beta, int count,
                      const hiss_settings *settings, hiss_error *err)
{
    struct levels levels = {0};
    hiss_model cold = {0};
    hiss_settings s;
    hiss_status rc;

    for (int k = 0; out && (k == 0 || (k < count && k < COUNT_MAX)); k++)
        out[k] = NULL;
    if (!out || !model || !beta || !settings)
        return hs_fail(err, HISS_EARG, "hiss_scan: an argument is NULL");
    hiss_settings_init(&s);
    HS_TRY(hs_sized_read(&s, sizeof s, settings, "hiss_settings", err));
    HS_TRY(check(beta, count, &s, err));
    rc = sort(&levels, beta, count, err);
    if (rc == HISS_OK)
        rc = hs_model_scaled_copy(
            &cold.model, model->model,
            beta[levels.sorted[0]] / hiss_model_beta(model), err);
    if (rc == HISS_OK)
        rc = scan(out, &cold, base ? base : usual_base(cold.model), beta, count,
                  &s, &levels, err);
    clear(&levels);
    hs_model_destroy(cold.model);
    for (int k = 0; rc != HISS_OK && k < count; k++) {
        hiss_result_destroy(out[k]);
        out[k] = NULL;
    }
    return rc;
}
