/* temperature.c - which inverse temperature the draws have.
 *
 * Maximum pseudo-likelihood (diag/tests/pseudo.h) asks only what single changes
 * of the draws do to log p.  If the draws are the model's, its score at the
 * model's beta is 0 but for chance, whichever modes they are in.  So the test
 * finds wrong temperatures and wrong signs of models that have no exact
 * answers.  Of many draws, evenly spaced ones are used; of large states, or
 * expensive ones, evenly spaced coordinates. */
#include <math.h>
#include <string.h>

#include "api/object/sized.h"
#include "base/alloc.h"
#include "diag/tests/pseudo.h"
#include "verdict/verdict.h"

#define CHANGES_MAX 4e6  /* in memory, enough for an error of about 0.001 */
#define WORK_SHARE  0.1  /* fraction of the work of a verdict */
#define DRAWS_LEAST 64.0 /* before coordinates are left out */
#define DRAWS_CHAIN 4.0  /* fewest draws of a chain, for its autocorrelation */
#define NEAR        0.01 /* relative difference of beta that does not matter */

static const char impossible[] = "some draws are impossible under the model";
static const char is_tour[] =
    "the states are permutations, which have no single changes";
static const char is_forced[] =
    "no single change of a draw is possible, or none changes log p";
static const char too_expensive[] =
    "the function is too expensive for evaluations of single changes";
static const char too_late[] = "the time limit was reached";
static const char no_draws[] = "there are no draws";

/* The draws and coordinates that are used, and the results. */
struct sample {
    hs_conditionals c;
    int64_t span;  /* draws of the result in a chain of c */
    int *site;     /* owned, [c.sites] */
    int *others;   /* owned, [c.sites] */
    float *change; /* owned, [chains * draws][width] */
    const char *why;
    /* room for one state, as values and as indices, and for its changes */
    double *values;    /* owned, [dim] */
    int16_t *state;    /* owned, [dim] */
    hs_float_row *row; /* owned, [most values of a site] */
};

static void forget(struct sample *s)
{
    hs_free(s->site);
    hs_free(s->others);
    hs_free(s->change);
    hs_free(s->values);
    hs_free(s->state);
    hs_free(s->row);
}

/* Takes every n-th free coordinate so that DRAWS_LEAST draws fit, then as many
 * draws as fit. */
static hiss_status plan(struct sample *s, const hs_evidence *e, hiss_error *err)
{
    const hs_model *m = e->model->model;
    const hs_domain *d = &m->domain;
    const hiss_run_info *info = &e->result->run.info;
    double free = d->value_count - d->dim, total, fits, share;
    int places = 0, every;

    total = (double)info->chains * (double)info->samples;
    fits = WORK_SHARE * fmax(e->work->left, 0.0) /
           hs_work_sweep(m, &e->work->said); /* whole draws, in work, */
    fits = fmin(fits, CHANGES_MAX / fmax(free, 1.0)); /* and in memory */
    share = fmin(1.0, fits / fmin(total, DRAWS_LEAST));
    s->site = hs_alloc_array((size_t)d->dim, sizeof *s->site);
    s->others = hs_alloc_array((size_t)d->dim, sizeof *s->others);
    if (!s->site || !s->others)
        return hs_fail_memory(err);
    if (share * d->dim < 1.0) {
        s->why = too_expensive;
        return HISS_OK;
    }
    every = (int)ceil(1.0 / share);
    for (int i = 0; i < d->dim; i++) {
        if (d->states[i] < 2 || places++ % every)
            continue;
        s->site[s->c.sites] = i;
        s->others[s->c.sites++] = d->states[i] - 1;
        s->c.width += d->states[i] - 1;
    }
    /* if too few draws of each chain fit, all chains make one */
    s->c.chains = fits * every < fmin(DRAWS_CHAIN * info->chains, total)
                      ? 1
                      : info->chains;
    s->span = (int64_t)total / s->c.chains;
    fits = fmax(floor(fits * every / s->c.chains), 1.0);
    s->c.draws = fits < (double)s->span ? (int64_t)fits : s->span;
    s->why = s->c.sites > 0 ? NULL : is_forced;
    hs_work_take(e, (double)s->c.chains * (double)s->c.draws / every *
                        hs_work_sweep(m, &e->work->said));
    return HISS_OK;
}

/* Writes the changes of sixteen draws at most. */
static hiss_status fill(struct sample *s, const hs_evidence *e, hs_point *p,
                        hs_point *spare, float *out, hiss_error *err)
{
    const hs_model *m = e->model->model;

    for (int k = 0; k < s->c.sites; k++) {
        int i = s->site[k], at = 0;
        hiss_status rc;

        if (hs_deadline_is_over(e, "temperature")) {
            s->why = too_late;
            return HISS_OK;
        }
        rc = hs_model_differences(m, p, i, s->row, spare);
        if (rc != HISS_OK)
            return hs_fail_model(err, rc, m, &p->fault, "");
        for (int v = 0; v <= s->others[k]; v++)
            for (int l = 0; l < p->lanes; l++) {
                at = v - (v > p->x[i][l]);
                if (v != p->x[i][l])
                    out[l * s->c.width + at] = s->row[v][l];
            }
        out += s->others[k];
    }
    return HISS_OK;
}

static bool has_impossible(const hs_point *p)
{
    bool found = false;

    for (int l = 0; l < p->lanes; l++)
        found = found || isinf(p->u[l]);
    return found;
}

static hiss_status collect(struct sample *s, const hs_evidence *e, hs_point *p,
                           hs_point *spare, hiss_error *err)
{
    const hs_model *m = e->model->model;
    int64_t samples = e->result->run.info.samples;
    int64_t of = s->c.draws, total = s->c.chains * of;

    for (int64_t n = 0; n < total && !s->why; n += HS_LANES) {
        hiss_status rc;

        if (hs_diagnosis_is_stopped(e, (double)n / (double)total))
            return hs_fail(err, HISS_ESTOP, "stopped on request");
        p->lanes = (int)(total - n < HS_LANES ? total - n : HS_LANES);
        for (int l = 0; l < HS_LANES; l++) {
            int64_t k = n + (l < p->lanes ? l : 0);

            int64_t at =
                k / of * s->span +
                (int64_t)((double)(k % of) * (double)s->span / (double)of);

            hs_store_state(&e->result->run.store, &m->domain,
                           (int)(at / samples), at % samples, s->values,
                           s->state);
            hs_point_write(p, m->domain.dim, l, s->state);
        }
        p->have = 0;
        rc = hs_model_evaluate(m, p, HS_U);
        if (rc != HISS_OK)
            return hs_fail_model(err, rc, m, &p->fault, "");
        if (has_impossible(p))
            s->why = impossible;
        else
            HS_TRY(fill(s, e, p, spare, s->change + n * s->c.width, err));
    }
    return HISS_OK;
}

static hiss_status look(struct sample *s, const hs_evidence *e, hiss_error *err)
{
    const hs_model *m = e->model->model;
    int most = 1;
    hs_point p = {0}, spare = {0};
    hiss_status rc;

    for (int k = 0; k < s->c.sites; k++)
        most = s->others[k] > most ? s->others[k] : most;
    s->row = hs_alloc_array((size_t)most + 1, sizeof *s->row);
    s->values = hs_alloc_array((size_t)m->domain.dim, sizeof *s->values);
    s->state = hs_alloc_array((size_t)m->domain.dim, sizeof *s->state);
    s->change =
        hs_alloc_array((size_t)(s->c.chains * s->c.draws) * (size_t)s->c.width,
                       sizeof *s->change);
    rc = s->row && s->values && s->state && s->change
             ? hs_point_init(&p, m, err)
             : hs_fail_memory(err);
    if (rc == HISS_OK)
        rc = hs_point_init(&spare, m, err);
    if (rc == HISS_OK)
        rc = collect(s, e, &p, &spare, err);
    hs_point_clear(&spare);
    hs_point_clear(&p);
    s->c.change = s->change;
    s->c.others = s->others;
    return rc;
}

static hiss_status estimate(hiss_temperature *out, double *sigmas,
                            const hs_evidence *e, hiss_error *err)
{
    double own = hs_model_beta(e->model->model);
    struct sample s = {0};
    hs_pseudo found;
    hiss_status rc = HISS_OK;

    *out = (hiss_temperature){
        .size = sizeof *out, .beta = NAN, .error = NAN, .model = own};
    *sigmas = 0.0;
    if (e->model->model->domain.is_tour)
        s.why = is_tour;
    else if (e->result->run.info.samples < 1)
        s.why = no_draws;
    else
        rc = plan(&s, e, err);
    if (rc == HISS_OK && !s.why)
        rc = look(&s, e, err);
    if (rc == HISS_OK && !s.why) {
        rc = hs_pseudo_fit(&found, &s.c, err);
        out->draws = s.c.chains * s.c.draws;
        out->beta = own * found.beta;
        out->error = own * found.error;
        *sigmas = found.sigmas;
        s.why = isnan(found.beta) ? is_forced : NULL;
    }
    out->why = s.why;
    forget(&s);
    return rc;
}

hiss_status hs_judge_temperature(hiss_diagnosis *d, const hs_evidence *e,
                                 hiss_error *err)
{
    hiss_temperature *t = &d->temperature;
    double sigmas;
    bool is_apart;

    HS_TRY(estimate(t, &sigmas, e, err));
    if (t->why) {
        hs_find(d, "temperature", HISS_SKIPPED, NAN, NAN,
                "the draws do not tell: %s", t->why);
        return HISS_OK;
    }
    is_apart = sigmas > HS_SIGMAS && fabs(t->beta - t->model) > NEAR * t->model;
    if (isinf(t->beta))
        hs_find(d, "temperature", is_apart ? HISS_FAILED : HISS_PASSED, t->beta,
                t->model,
                "the draws fit no finite beta: no single change %s log p; the "
                "model is at %.4g",
                t->beta > 0.0 ? "raises" : "lowers", t->model);
    else
        hs_find(d, "temperature", is_apart ? HISS_FAILED : HISS_PASSED, t->beta,
                t->model,
                "the draws fit beta %.4g +- %.2g (maximum pseudo-likelihood); "
                "the model is at %.4g%s",
                t->beta, t->error, t->model,
                is_apart && t->beta < 0.0 ? ": is its sign reversed?" : "");
    if (is_apart)
        hs_find_wrong(d, e, sigmas);
    return HISS_OK;
}

hiss_status hiss_result_temperature(const hiss_result *result,
                                    const hiss_model *model,
                                    hiss_temperature *out, hiss_error *err)
{
    hiss_diagnose_settings set = {.size = sizeof set};
    hs_deadline deadline = {0};
    hs_allowance work;
    hs_evidence e = {.result = result,
                     .model = model,
                     .set = &set,
                     .deadline = &deadline,
                     .work = &work};
    hiss_temperature t;
    double sigmas;

    if (!result || !model || !out)
        return hs_fail(err, HISS_EARG,
                       "hiss_result_temperature: an argument is NULL");
    HS_TRY(hs_sized_check(out, "hiss_temperature", err));
    HS_TRY(hs_check_domains(result, model, err));
    work = hs_work_of(result, model, 1.0);
    HS_TRY(estimate(&t, &sigmas, &e, err));
    hs_sized_fill(out, &t, sizeof *out);
    return HISS_OK;
}
