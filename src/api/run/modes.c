/* modes.c - the modes of a result. */
#include <math.h>
#include <string.h>

#include "api/object/objects.h"
#include "api/object/sized.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "run/atlas/modes.h"
#include "run/policy/policy.h"
#include "run/price/work.h"

#define EXACT_STATES 262144.0 /* climbing from every state must stay cheap */
#define ASK_EVERY    0.02     /* seconds */
#define LATE         1.2      /* times the limit that still counts as in time */

struct hiss_modes {
    hs_modes modes;          /* owned */
    const hs_domain *domain; /* borrowed from the result */
    int64_t found;
};

static const hiss_modes_settings defaults = {.size = sizeof defaults};

void hiss_modes_settings_defaults(hiss_modes_settings *settings, size_t size)
{
    hs_sized_init(settings, size, &defaults, sizeof defaults);
}

/* --- how long ------------------------------------------------------------ */

struct watch {
    const hiss_modes_settings *set;
    double draws;       /* draws that fit into the work limit, */
    double all;         /* of this many */
    double began, next; /* hs_now(); time of the next poll */
};

/* Also prevents a start that would come too late to be useful. */
static hiss_ended stops(void *context, double done, double aim)
{
    struct watch *w = context;
    double now = hs_now(), most = w->set->seconds;
    double seconds = now - w->began;
    hiss_progress p = {.size = sizeof p, .fraction = done, .seconds = seconds};
    double wanted =
        aim > 0.0 ? aim * w->all : fmin(hs_policy(HS_SAMPLES), w->all);

    if (wanted > w->draws)
        return HISS_ENDED_TIME;
    if (most > 0.0 &&
        (seconds > most || (done > 0.0 && seconds * aim > LATE * most * done)))
        return HISS_ENDED_TIME;
    if (!w->set->progress || now < w->next)
        return HISS_ENDED_DONE;
    w->next = now + ASK_EVERY;
    return w->set->progress(w->set->context, &p) ? HISS_ENDED_STOPPED
                                                 : HISS_ENDED_DONE;
}

static void set_work(struct watch *w, const hiss_result *result,
                     const hs_model *m)
{
    const hiss_run_info *info = &result->run.info;
    hs_work_said said = {info->seconds,
                         info->energy_evals + info->gradient_evals};

    w->all = (double)info->chains * (double)info->samples;
    w->draws = w->set->work > 0.0 ? w->set->work / hs_work_climbs(m, &said, 1.0)
                                  : HUGE_VAL;
}

/* --- looking -------------------------------------------------------------- */

static hiss_status check(const hiss_result *result, const hiss_model *model,
                         const hiss_modes_settings *set, hiss_error *err)
{
    const hiss_run_info *info = &result->run.info;

    if (!(set->seconds >= 0.0) || !(set->work >= 0.0))
        return hs_fail(err, HISS_EARG,
                       "seconds and work must not be negative or NaN");
    if (hiss_model_dim(model) != info->dim)
        return hs_fail(err, HISS_EARG,
                       "the model has %d coordinates, the result %d",
                       hiss_model_dim(model), info->dim);
    if (info->samples == 0)
        return hs_fail(err, HISS_EARG, "there are no draws");
    return HISS_OK;
}

hiss_status hiss_modes_look(hiss_modes **out, const hiss_result *result,
                            const hiss_model *model, const hiss_exact *exact,
                            const hiss_modes_settings *settings,
                            hiss_error *err)
{
    hiss_modes_settings set = defaults;
    struct watch watch = {.set = &set, .began = hs_now()};
    hs_modes_bounds bounds = {.stops = stops, .context = &watch};
    double log_z = (double)NAN;
    hiss_modes *s;
    hiss_status rc;

    if (out)
        *out = NULL;
    if (!out || !result || !model || !settings)
        return hs_fail(err, HISS_EARG, "hiss_modes_look: an argument is NULL");
    HS_TRY(
        hs_sized_read(&set, sizeof set, settings, "hiss_modes_settings", err));
    HS_TRY(check(result, model, &set, err));
    s = hs_alloc_array(1, sizeof *s);
    if (!s)
        return hs_fail_memory(err);
    if (exact && hiss_exact_states(exact) <= EXACT_STATES)
        log_z = hiss_exact_log_z(exact);
    bounds.is_full = set.is_full;
    set_work(&watch, result, model->model);
    rc = hs_modes_init(&s->modes, &result->run.store, result->run.info.samples,
                       model->model, log_z, &bounds, err);
    if (rc != HISS_OK) {
        hs_free(s);
        return rc;
    }
    s->domain = &result->domain;
    while (s->found < s->modes.table.used &&
           s->modes.table.mode[s->found].draws > 0)
        s->found++;
    *out = s;
    return HISS_OK;
}

hiss_status hiss_modes_create(hiss_modes **out, const hiss_result *result,
                              const hiss_model *model, const hiss_exact *exact,
                              hiss_error *err)
{
    if (out)
        *out = NULL;
    if (!out || !result || !model)
        return hs_fail(err, HISS_EARG,
                       "hiss_modes_create: an argument is NULL");
    return hiss_modes_look(out, result, model, exact, &defaults, err);
}

hiss_ended hiss_modes_ended(const hiss_modes *modes)
{
    return modes ? modes->modes.ended : HISS_ENDED_DONE;
}

void hiss_modes_destroy(hiss_modes *modes)
{
    if (!modes)
        return;
    hs_modes_clear(&modes->modes);
    hs_free(modes);
}

int64_t hiss_modes_count(const hiss_modes *modes)
{
    return modes ? modes->modes.table.used : 0;
}

int64_t hiss_modes_found(const hiss_modes *modes)
{
    return modes ? modes->found : 0;
}

static bool has_mode(const hiss_modes *modes, int64_t number)
{
    return modes && number >= 0 && number < modes->modes.table.used;
}

int hiss_modes_get(const hiss_modes *modes, int64_t number, hiss_mode *out,
                   double *state)
{
    const hs_mode_table *t;
    const hs_domain *d;

    if (!hs_sized_is_set(out) || !has_mode(modes, number))
        return 0;
    t = &modes->modes.table;
    d = modes->domain;
    for (int i = 0; state && i < d->dim; i++)
        state[i] =
            (double)d->values[d->value[i] + t->state[number * t->dim + i]];
    return hs_sized_fill(out, &t->mode[number], sizeof *out);
}

double hiss_modes_share(const hiss_modes *modes, int64_t number, int chain)
{
    const hs_modes *s;
    int64_t hits = 0;

    if (!has_mode(modes, number) || chain < 0 || chain >= modes->modes.chains)
        return (double)NAN;
    s = &modes->modes;
    for (int64_t n = 0; n < s->looked; n++)
        hits += s->at[chain * s->looked + n] == number;
    return (double)hits / (double)s->looked;
}

int hiss_modes_distance(const hiss_modes *modes, int64_t a, int64_t b)
{
    return has_mode(modes, a) && has_mode(modes, b)
               ? hs_modes_distance(&modes->modes, a, b)
               : 0;
}

double hiss_modes_transitions(const hiss_modes *modes)
{
    const hs_modes *s;
    double steps;

    if (!modes)
        return (double)NAN;
    s = &modes->modes;
    steps = (double)s->chains * (double)(s->looked - 1);
    return steps > 0.0 ? 1000.0 * (double)s->transitions / steps : 0.0;
}

int64_t hiss_modes_looked(const hiss_modes *modes)
{
    return modes ? modes->modes.looked : 0;
}

void hiss_modes_column(const hiss_modes *modes, int64_t number, double *out)
{
    const hs_modes *s;

    if (!out || !has_mode(modes, number))
        return;
    s = &modes->modes;
    for (int64_t n = 0; n < s->chains * s->looked; n++)
        out[n] = s->at[n] == number;
}
