/* diagnose.c - whether the draws can be trusted: the checks and their order. */
#include <math.h>
#include <string.h>

#include "api/object/sized.h"
#include "base/alloc.h"
#include "base/number.h"
#include "verdict/verdict.h"

#define PROBE_MAX  1000000 /* most fresh chains of a run */
#define EFFORT_MAX 1e6

/* --- all of it ---------------------------------------------------------- */

static const hiss_diagnose_settings defaults = {
    .size = sizeof defaults, .probe = 16, .effort = 1.0, .search = 2e5};

void hiss_diagnose_settings_defaults(hiss_diagnose_settings *settings,
                                     size_t size)
{
    hs_sized_init(settings, size, &defaults, sizeof defaults);
}

static hiss_status judge_all(hiss_diagnosis *d, const hs_evidence *e,
                             hiss_error *err)
{
    hs_judge_draws(d, e);
    HS_TRY(hs_judge_twice(d, e, err));
    if (e->result->run.info.samples < HISS_DRAWS_MIN)
        return HISS_OK;
    HS_TRY(hs_compare_exact(d, e, err));
    if (e->model && (e->result->is_foreign || e->set->temperature))
        HS_TRY(hs_judge_temperature(d, e, err));
    /* Exact answers judge better and cost less, unless a symmetry fixes the
     * marginals. */
    if (d->is_settled)
        return HISS_OK;
    if (hs_diagnosis_is_good(d)) {
        HS_TRY(hs_probe(d, e, err));
    } else {
        hs_find(d, "fresh chains", HISS_SKIPPED, NAN, NAN,
                "fresh chains would not change the verdict");
    }
    if (d->is_searched)
        hs_find(d, "search", HISS_PASSED, NAN, NAN,
                "independent draws agree with the run: they would miss no mode "
                "of the law, so no search was made");
    if (d->is_settled)
        return HISS_OK;
    /* other chains can only doubt; a search may prove an error */
    if (hs_diagnosis_is_good(d) ||
        (!hs_diagnosis_has_failed(d) && e->result->is_foreign))
        return hs_search_modes(d, e, err);
    hs_find(d, "search", HISS_SKIPPED, NAN, NAN,
            "a search for modes would not change the verdict");
    return HISS_OK;
}

/* Exact answers of few states cost nothing. */
static hiss_status judge_quickly(hiss_diagnosis *d, const hs_evidence *e,
                                 hiss_error *err)
{
    const hs_columns *c = e->columns;

    hs_judge_draws(d, e);
    if (e->terms->count > 0 || e->invariance->is_fixed)
        HS_TRY(hs_compare_exact(d, e, err));
    hs_judge_quickly(d, e);
    d->column = hs_alloc_array((size_t)c->count, sizeof *d->column);
    if (!d->column)
        return hs_fail_memory(err);
    memcpy(d->column, c->at, (size_t)c->count * sizeof *d->column);
    d->columns = c->count;
    return HISS_OK;
}

static hiss_status judge(hiss_diagnosis *d, const hs_evidence *e,
                         hiss_error *err)
{
    if (e->set->quick)
        return judge_quickly(d, e, err);
    HS_TRY(judge_all(d, e, err));
    hs_judge_deadline(d, e);
    return HISS_OK;
}

/* Data of the checks that do not come from the run itself. */
struct views {
    hs_joints terms;
    hs_invariance invariance;
    hs_modes modes;
    hs_columns columns;
};

static hiss_status look_structure(struct views *v, const hs_evidence *e,
                                  const hs_model *m, hiss_error *err)
{
    HS_TRY(hs_joints_init(&v->terms, m, err));
    HS_TRY(hs_invariance_init(
        &v->invariance, m, v->terms.is_own ? &v->terms.f : NULL,
        &e->result->run.store, e->result->run.info.samples, err));
    /* a few states of a function do not prove a symmetry, so it is not used */
    for (int i = 0; m->is_user && i < m->domain.dim; i++)
        v->invariance.is_fixed[i] = false;
    if (m->is_user)
        v->invariance.fixed = 0;
    return HISS_OK;
}

static hiss_status look_quickly(struct views *v, hs_evidence *e,
                                const hs_model *m, hiss_error *err)
{
    hs_columns_bounds few = {.stops = hs_deadline_columns,
                             .context = e,
                             .is_plain = true,
                             .most = e->set->most};
    int64_t samples = e->result->run.info.samples;

    if (m && !e->set->blind && samples >= HISS_DRAWS_MIN &&
        hs_domain_size(&m->domain) <= HS_QUICK_STATES)
        HS_TRY(look_structure(v, e, m, err));
    return hs_columns_init(&v->columns, &e->result->run.store, samples,
                           &e->result->domain, NULL, NULL, &few, e->pool, err);
}

static hiss_status look(struct views *v, hs_evidence *e, hiss_error *err)
{
    const hs_store *store = &e->result->run.store;
    int64_t samples = e->result->run.info.samples;
    const hs_model *m = e->model ? e->model->model : NULL;
    hs_modes_bounds bounds = {.stops = hs_deadline_modes, .context = e};
    hs_columns_bounds few = {.stops = hs_deadline_columns,
                             .is_over = hs_deadline_columns_over,
                             .context = e};
    hiss_status rc;

    e->terms = &v->terms;
    e->invariance = &v->invariance;
    e->columns = &v->columns;
    if (e->set->quick)
        return look_quickly(v, e, m, err);
    if (m && samples > 0) {
        rc = hs_modes_init(&v->modes, store, samples, m, (double)NAN, &bounds,
                           err);
        if (e->deadline->is_stopped || (rc != HISS_OK && rc != HISS_ESTOP))
            return rc == HISS_OK
                       ? hs_fail(err, HISS_ESTOP, "stopped on request")
                       : rc;
        e->modes = rc == HISS_OK ? &v->modes : NULL;
        if (e->modes)
            hs_work_take(e, hs_work_climbs(m, &e->work->said,
                                           (double)v->modes.chains *
                                               (double)v->modes.looked));
        HS_TRY(look_structure(v, e, m, err));
    }
    HS_TRY(hs_columns_init(&v->columns, store, samples, &e->result->domain,
                           e->modes, &v->terms, &few, e->pool, err));
    if (v->columns.left_out > 0)
        hs_snprintf(e->deadline->missing, sizeof e->deadline->missing,
                    "%d of %d columns left", v->columns.left_out,
                    v->columns.left_out + v->columns.count);
    return HISS_OK;
}

static void forget(struct views *v)
{
    hs_columns_clear(&v->columns);
    hs_modes_clear(&v->modes);
    hs_invariance_clear(&v->invariance);
    hs_joints_clear(&v->terms);
}

hiss_status hs_check_domains(const hiss_result *result, const hiss_model *model,
                             hiss_error *err)
{
    const hs_domain *a = &result->domain, *b = &model->model->domain;

    if (a->dim == b->dim && a->value_count == b->value_count)
        return HISS_OK;
    return hs_fail(err, HISS_EARG,
                   "the model has %d coordinates with %d values in all, the "
                   "result %d with %d",
                   b->dim, b->value_count, a->dim, a->value_count);
}

static hiss_status check(const hiss_result *result, const hiss_model *model,
                         const hiss_diagnose_settings *s, hiss_error *err)
{
    HS_TRY(hs_check_threads(s->threads, err));
    if (s->probe < 0 || s->probe > PROBE_MAX)
        return hs_fail(err, HISS_EARG, "probe must be in [0,%d], not %d",
                       PROBE_MAX, s->probe);
    if (!(s->effort > 0.0 && s->effort <= EFFORT_MAX))
        return hs_fail(err, HISS_EARG, "effort must be in (0,%g], not %g",
                       EFFORT_MAX, s->effort);
    if (s->voice != HISS_SHELL && s->voice != HISS_PYTHON)
        return hs_fail(err, HISS_EARG, "there is no voice %d", (int)s->voice);
    if (!(s->seconds >= 0.0))
        return hs_fail(err, HISS_EARG, "seconds must not be negative or NaN");
    if (s->most < 0)
        return hs_fail(err, HISS_EARG, "most must not be negative");
    if (!(s->search >= 0.0))
        return hs_fail(err, HISS_EARG, "search must not be negative or NaN");
    return model ? hs_check_domains(result, model, err) : HISS_OK;
}

hs_allowance hs_work_of(const hiss_result *result, const hiss_model *model,
                        double effort)
{
    const hiss_run_info *info = &result->run.info;
    hs_allowance w = {
        .said = {info->seconds, info->energy_evals + info->gradient_evals}};

    w.left = hs_work_limit(&w.said, effort);
    w.evaluation = model ? hs_work_evaluation(model->model, &w.said) : 0.0;
    return w;
}

hiss_status hiss_diagnose(hiss_diagnosis **out, const hiss_result *result,
                          const hiss_model *model,
                          const hiss_diagnose_settings *settings,
                          hiss_error *err)
{
    hiss_diagnose_settings s = defaults;
    hs_deadline deadline = {.began = hs_now()};
    hs_allowance work;
    hs_evidence e = {.result = result,
                     .model = model,
                     .set = &s,
                     .deadline = &deadline,
                     .work = &work};
    struct views views = {0};
    hiss_diagnosis *d;
    hiss_status rc;

    if (out)
        *out = NULL;
    if (!out || !result || !settings)
        return hs_fail(err, HISS_EARG, "hiss_diagnose: an argument is NULL");
    HS_TRY(
        hs_sized_read(&s, sizeof s, settings, "hiss_diagnose_settings", err));
    HS_TRY(check(result, model, &s, err));
    if (s.quick)
        s.probe = 0;
    if (s.seconds > 0.0)
        deadline.until = deadline.began + s.seconds;
    work = hs_work_of(result, model, s.effort);
    d = hs_alloc_array(1, sizeof *d);
    rc = d ? hs_pool_create(&e.pool, hs_threads(s.threads), err)
           : hs_fail_memory(err);
    if (rc == HISS_OK)
        rc = look(&views, &e, err);
    if (rc == HISS_OK)
        rc = judge(d, &e, err);
    forget(&views);
    hs_pool_destroy(e.pool);
    if (rc != HISS_OK) {
        hiss_diagnosis_destroy(d);
        return rc;
    }
    hs_conclude(d, &e);
    *out = d;
    return HISS_OK;
}

void hiss_diagnosis_destroy(hiss_diagnosis *diagnosis)
{
    if (!diagnosis)
        return;
    for (int n = 0; n < diagnosis->findings; n++) {
        hs_free(diagnosis->finding[n].text);
        hs_free(diagnosis->finding[n].remedy);
    }
    hs_free(diagnosis->column);
    hs_free(diagnosis);
}

int hiss_diagnosis_is_trusted(const hiss_diagnosis *diagnosis)
{
    return diagnosis && (diagnosis->opinion == HISS_TRUSTED ||
                         diagnosis->opinion == HISS_PROVED);
}

hiss_opinion hiss_diagnosis_opinion(const hiss_diagnosis *diagnosis)
{
    return diagnosis ? diagnosis->opinion : HISS_NOT_TRUSTED;
}

const char *hiss_diagnosis_headline(const hiss_diagnosis *diagnosis)
{
    return diagnosis ? diagnosis->headline : "";
}

int hiss_diagnosis_column(const hiss_diagnosis *diagnosis, int number,
                          int *coordinate, hiss_column *out)
{
    const hs_examined *x;

    if (!diagnosis || !coordinate || number < 0 || number >= diagnosis->columns)
        return 0;
    x = &diagnosis->column[number];
    *coordinate = x->of == HS_OF_ENERGY ? -1 : x->index;
    return hs_sized_fill(out, &x->column, sizeof *out);
}

int hiss_diagnosis_temperature(const hiss_diagnosis *diagnosis,
                               hiss_temperature *out)
{
    if (!diagnosis || diagnosis->temperature.size == 0)
        return 0;
    return hs_sized_fill(out, &diagnosis->temperature, sizeof *out);
}

int hiss_diagnosis_finding(const hiss_diagnosis *diagnosis, int number,
                           hiss_finding *out)
{
    if (!diagnosis || number < 0 || number >= diagnosis->findings)
        return 0;
    return hs_sized_fill(out, &diagnosis->finding[number].found, sizeof *out);
}
