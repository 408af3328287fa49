/* modes.c - the modes of a result. */
#include <math.h>
#include <string.h>

#include "api/object/objects.h"
#include "api/object/sized.h"
#include "base/alloc.h"
#include "base/error.h"
#include "run/modes/modes.h"

#define EXACT_STATES 262144.0 /* ascending every state must stay cheap */

struct hiss_modes {
    hs_modes modes;          /* owned */
    const hs_domain *domain; /* borrowed from the result */
    int64_t found;
};

hiss_status hiss_modes_create(hiss_modes **out, const hiss_result *result,
                              const hiss_model *model, const hiss_exact *exact,
                              hiss_error *err)
{
    const hiss_run_info *info;
    double log_z = (double)NAN;
    hiss_modes *s;
    hiss_status rc;

    if (out)
        *out = NULL;
    if (!out || !result || !model)
        return hs_fail(err, HISS_EARG,
                       "hiss_modes_create: an argument is NULL");
    info = &result->run.info;
    if (hiss_model_dim(model) != info->dim)
        return hs_fail(err, HISS_EARG,
                       "the model has %d coordinates, the result %d",
                       hiss_model_dim(model), info->dim);
    if (info->samples == 0)
        return hs_fail(err, HISS_EARG, "there are no draws");
    s = hs_alloc_array(1, sizeof *s);
    if (!s)
        return hs_fail_memory(err);
    if (exact && hiss_exact_states(exact) <= EXACT_STATES)
        log_z = hiss_exact_log_z(exact);
    rc = hs_modes_init(&s->modes, &result->run.store, info->samples,
                       model->model, log_z, err);
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
