/* diagnose.c - can the draws be believed?  Findings, and what follows.
 *
 * A finding that FAILED settles it.  A DOUBT does so too, unless exact answers
 * could be had and the draws agree with them closely. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "api/object/sized.h"
#include "base/alloc.h"
#include "base/number.h"
#include "verdict/verdict.h"

#define COLUMNS_TIME 0.25    /* of a limit of time */
#define PROBE_MAX    1000000 /* fresh chains, as many as a run may have */
#define ENOUGH       1.5     /* times what would just do */

/* --- rules -------------------------------------------------------------- */

static void judge_law(hiss_diagnosis *d, const hs_evidence *e)
{
    if (e->result->run.info.is_exact)
        return;
    hs_find(d, "law", HISS_DOUBT, NAN, NAN,
            "the sampler is not exact: its draws follow another law than the "
            "model's");
    hs_find_need(d, HISS_NEED_LAW, 0.0);
}

/* What another program said of U, which hiss_result_adopt has compared. */
static void judge_energies(hiss_diagnosis *d, const hs_evidence *e)
{
    const char *right = hiss_result_text(e->result, "lp_agrees");
    const char *wrong = hiss_result_text(e->result, "lp_differs");

    if (right || wrong)
        hs_find(d, "energies", wrong ? HISS_FAILED : HISS_PASSED, NAN, NAN,
                "%s", wrong ? wrong : right);
}

static void judge_length(hiss_diagnosis *d, const hs_evidence *e)
{
    const hiss_run_info *info = &e->result->run.info;
    bool has_fresh = e->model && e->set->probe > 0;

    if (info->samples < HISS_DRAWS_MIN) {
        hs_find(d, "length", HISS_FAILED, (double)info->samples, HISS_DRAWS_MIN,
                info->samples == 1
                    ? "%lld draw per chain is too few to judge"
                    : "%lld draws per chain are too few to judge",
                (long long)info->samples);
        hs_find_need(d, HISS_NEED_DRAWS, HISS_ESS_DOUBT);
    }
    if (info->chains == 1) {
        hs_find(d, "chains", has_fresh ? HISS_PASSED : HISS_DOUBT, 1, 2,
                "one chain cannot tell whether it misses a mode%s",
                has_fresh ? "; fresh chains are asked instead" : "");
        if (!has_fresh)
            hs_find_need(d, HISS_NEED_CHAINS, 0.0);
    }
}

/* Coordinates that no chain moves. */
static void judge_movement(hiss_diagnosis *d, const hs_evidence *e)
{
    const hs_columns *c = e->columns;
    int coordinates = 0, stuck = 0, constant = 0;

    for (int n = 0; n < c->count; n++) {
        const hs_examined *x = &c->at[n];

        if (x->of != HS_OF_COORDINATE && x->of != HS_OF_LABEL)
            continue;
        coordinates++;
        stuck += x->column.state == HISS_STUCK;
        constant += x->column.state == HISS_CONSTANT;
    }
    if (stuck > 0) {
        hs_find(d, "movement", HISS_FAILED, stuck, 0,
                "%d of %d coordinates are stuck: no chain moves them, and "
                "chains disagree",
                stuck, coordinates);
        hs_find_need(d, HISS_NEED_MODES, 0.0);
    } else {
        hs_find(d, "movement", HISS_PASSED, 0, 0,
                "no coordinate is stuck; %d of %d never changed, in any chain",
                constant, coordinates);
    }
}

static hiss_outcome mixing_of(const hs_examined *x, int columns)
{
    double p = x->agree.p * columns; /* Bonferroni */
    double rhat = x->column.rhat;

    if (x->column.state != HISS_VARIES || !(p < HISS_CHANCE_DOUBT))
        return HISS_PASSED;
    if (rhat > HISS_RHAT_FAILED && !hs_column_is_derived(x))
        return HISS_FAILED;
    return rhat > HISS_RHAT_DOUBT || isnan(rhat) ? HISS_DOUBT : HISS_PASSED;
}

static int gravity(hiss_outcome o)
{
    return o == HISS_FAILED ? 2 : o == HISS_DOUBT ? 1 : 0;
}

hiss_outcome hs_worst_mixing(const hs_columns *c, int *worst)
{
    hiss_outcome found = HISS_PASSED;
    double rhat = 0.0;

    *worst = 0;
    for (int n = 0; n < c->count; n++) {
        hiss_outcome o = mixing_of(&c->at[n], c->count);
        double own = c->at[n].column.rhat;

        if (gravity(o) < gravity(found))
            continue;
        if (gravity(o) > gravity(found) || own > rhat) {
            *worst = n;
            rhat = isnan(own) ? 0.0 : own;
        }
        found = o;
    }
    return found;
}

static void tell_mixed(hiss_diagnosis *d, const hs_columns *c,
                       const hs_examined *x, const char *name)
{
    double rhat = x->column.rhat;

    if (isnan(rhat))
        hs_find(d, "mixing", HISS_PASSED, rhat, HISS_RHAT_DOUBT,
                "none of %d columns varies: there is nothing to compare",
                c->count);
    else if (rhat <= HISS_RHAT_DOUBT)
        hs_find(d, "mixing", HISS_PASSED, rhat, HISS_RHAT_DOUBT,
                "the chains agree in all %d columns: largest R-hat %.3f, at "
                "%s",
                c->count, rhat, name);
    else
        hs_find(d, "mixing", HISS_PASSED, rhat, HISS_RHAT_DOUBT,
                "the chains differ by no more than %.0f effective draws at %s "
                "explain, where they differ most of %d columns",
                x->column.ess_bulk, name, c->count);
}

static void judge_mixing(hiss_diagnosis *d, const hs_evidence *e)
{
    const hs_columns *c = e->columns;
    char name[HS_COLUMN_TEXT];
    int worst;
    hiss_outcome outcome = hs_worst_mixing(c, &worst);
    const hs_examined *x = &c->at[worst];

    hs_column_name(c, x, &e->result->domain, name);
    if (outcome == HISS_PASSED) {
        tell_mixed(d, c, x, name);
        return;
    }
    hs_find(d, "mixing", outcome, x->column.rhat, HISS_RHAT_DOUBT,
            "the chains differ at %s: R-hat %.3f; in one of %d columns that "
            "happens by chance with probability %.0e",
            name, x->column.rhat, c->count, fmax(x->agree.p * c->count, 1e-99));
    hs_find_need(d, HISS_NEED_MODES, 0.0);
}

/* What a column must have: rare values and columns that were derived, in which
 * slow modes show most, less than the others; so do coordinates that change
 * sides by a symmetry, of which nothing else depends. */
static double ess_limit(const hs_evidence *e, const hs_examined *x)
{
    bool is_fixed = (x->of == HS_OF_COORDINATE || x->of == HS_OF_LABEL) &&
                    e->invariance->fixed > 0 &&
                    e->invariance->is_fixed[x->index];

    if (x->minority < HISS_RARE)
        return HISS_ESS_FAILED;
    return hs_column_is_derived(x) || x->of == HS_OF_TERM || is_fixed
               ? HISS_ESS_DERIVED
               : HISS_ESS_DOUBT;
}

/* The column that is furthest below its limit, or least above it. */
static void judge_effective(hiss_diagnosis *d, const hs_evidence *e)
{
    const hs_columns *c = e->columns;
    double least = HUGE_VAL;
    int worst = -1;
    hiss_outcome outcome;
    char name[HS_COLUMN_TEXT];
    double ess;

    for (int n = 0; n < c->count; n++) {
        const hs_examined *x = &c->at[n];
        double ratio = x->column.ess_bulk / ess_limit(e, x);

        if (x->column.state == HISS_VARIES && ratio < least) {
            least = ratio;
            worst = n;
        }
    }
    if (worst < 0)
        return; /* nothing varies */
    ess = c->at[worst].column.ess_bulk;
    outcome = least >= 1.0 ? HISS_PASSED
              : ess < HISS_ESS_FAILED && !(c->at[worst].minority < HISS_RARE) &&
                      !hs_column_is_derived(&c->at[worst])
                  ? HISS_FAILED
                  : HISS_DOUBT;
    hs_column_name(c, &c->at[worst], &e->result->domain, name);
    hs_find(d, "effective draws", outcome, ess, ess_limit(e, &c->at[worst]),
            "%s %.0f effective draws, at %s",
            outcome == HISS_PASSED ? "at least" : "only", ess, name);
    if (outcome != HISS_PASSED)
        hs_find_need(d, HISS_NEED_DRAWS, ENOUGH / least);
}

/* What marginals cannot say. */
static void tell_symmetry(hiss_diagnosis *d, const hs_evidence *e)
{
    const hs_invariance *v = e->invariance;

    if (v->fixed == 0)
        return;
    hs_find(d, "symmetry", HISS_PASSED, v->fixed, NAN,
            "U does not change when %s: %s%d marginals are fixed by that and "
            "count for nothing; the energy%s and modes are looked at",
            v->flips && v->renames ? "values are flipped and labels renamed"
            : v->flips             ? "values are flipped"
                                   : "labels are renamed",
            v->open == 0 ? "all " : "", v->fixed,
            e->terms->count > 0 ? ", terms" : "");
}

/* What the run's own pilot knew, and the run has not seen. */
static void judge_pilot(hiss_diagnosis *d, const hs_evidence *e)
{
    const char *doubt = hiss_result_text(e->result, "doubt");

    if (!doubt)
        return;
    hs_find(d, "pilot", HISS_DOUBT, NAN, NAN, "%s", doubt);
    hs_find_need(d, HISS_NEED_MODES, 0.0);
}

/* "", or " (from 400 of 3200 draws)". */
static void part_of(const hs_evidence *e, char text[64])
{
    const hiss_run_info *info = &e->result->run.info;

    text[0] = '\0';
    if (e->modes->ended == HISS_ENDED_TIME)
        hs_snprintf(text, 64, " (from %lld of %lld draws, time ended)",
                    (long long)e->modes->chains * e->modes->looked,
                    (long long)info->chains * info->samples);
}

static void tell_modes(hiss_diagnosis *d, const hs_evidence *e)
{
    char part[64];
    const hs_modes *s = e->modes;
    int64_t found = 0;

    if (!s && e->model && e->result->run.info.samples > 0) {
        hs_find(d, "modes", HISS_DOUBT, NAN, NAN,
                "modes were not looked at: there was no time");
        hs_find_remedy(d, e, "allow more (--time-limit)",
                       "allow more: diagnose(time_limit=...)");
        return;
    }
    if (!s) {
        hs_find(d, "modes", HISS_SKIPPED, NAN, NAN,
                "modes were not looked at: the model is not at hand");
        return;
    }
    part_of(e, part);
    while (found < s->table.used && s->table.mode[found].draws > 0)
        found++;
    hs_find(
        d, "modes", HISS_PASSED, (double)found, NAN,
        "%lld mode%s%s in %d%s group%s, the heaviest with %.3f of the draws; "
        "%.3g changes of mode per 1000 draws",
        (long long)found, found == 1 ? "" : "s", part, s->clusters,
        s->clusters == HS_CLUSTERS_MAX ? " or more" : "",
        s->clusters == 1 ? "" : "s", s->table.mode[0].mass,
        1000.0 * (double)s->transitions /
            ((double)s->chains * (double)(s->looked > 1 ? s->looked - 1 : 1)));
}

/* --- all of it ---------------------------------------------------------- */

static const hiss_diagnose_settings defaults = {
    .size = sizeof defaults, .probe = 16, .probe_seconds = 10.0, .search = 2e5};

void hiss_diagnose_settings_defaults(hiss_diagnose_settings *settings,
                                     size_t size)
{
    hs_sized_init(settings, size, &defaults, sizeof defaults);
}

static bool has_failed(const hiss_diagnosis *d)
{
    bool failed = false;

    for (int n = 0; n < d->findings; n++)
        failed = failed || d->finding[n].found.outcome == HISS_FAILED;
    return failed;
}

static bool is_trusted_so_far(const hiss_diagnosis *d)
{
    bool doubt = false;

    for (int n = 0; n < d->findings; n++)
        doubt = doubt || d->finding[n].found.outcome == HISS_DOUBT;
    return !has_failed(d) && (!doubt || d->has_exact);
}

/* One call for all that is lacking, at the first finding of the gravest need:
 * more draws of a sampler that crosses no modes would not help. */
static void advise(hiss_diagnosis *d, const hs_evidence *e)
{
    hs_finding *worst = NULL;
    double times = 0.0;

    for (int n = 0; n < d->findings; n++) {
        hs_finding *f = &d->finding[n];

        times = fmax(times, f->times);
        if (f->need > (worst ? worst->need : HISS_NEED_NONE))
            worst = f;
    }
    if (worst)
        worst->remedy =
            hiss_advice(e->result, e->model, worst->need, times, e->set->voice);
}

static void conclude(hiss_diagnosis *d, const hs_evidence *e)
{
    d->is_trusted = is_trusted_so_far(d);
    if (!d->is_trusted)
        advise(d, e);
    for (int n = 0; n < d->findings; n++) {
        d->finding[n].found.text = d->finding[n].text ? d->finding[n].text : "";
        d->finding[n].found.remedy = d->finding[n].remedy;
    }
}

static hiss_status judge_draws(hiss_diagnosis *d, const hs_evidence *e,
                               hiss_error *err)
{
    judge_law(d, e);
    judge_energies(d, e);
    judge_length(d, e);
    judge_movement(d, e);
    hs_judge_copies(d, e);
    judge_mixing(d, e);
    judge_effective(d, e);
    judge_pilot(d, e);
    tell_modes(d, e);
    tell_symmetry(d, e);
    if (e->result->run.info.samples < HISS_DRAWS_MIN)
        return HISS_OK;
    HS_TRY(hs_compare_exact(d, e, err));
    /* Exact answers are the better judge, and cheaper; but not where a
     * symmetry gives marginals away. */
    if (d->is_settled)
        return HISS_OK;
    if (is_trusted_so_far(d)) {
        HS_TRY(hs_probe(d, e, err));
    } else {
        hs_find(d, "fresh chains", HISS_SKIPPED, NAN, NAN,
                "fresh chains would not change the verdict");
    }
    if (d->is_settled)
        return HISS_OK;
    /* what other chains only doubt, a search may prove to be wrong */
    if (is_trusted_so_far(d) || (!has_failed(d) && e->result->is_foreign))
        return hs_search_modes(d, e, err);
    hs_find(d, "search", HISS_SKIPPED, NAN, NAN,
            "a search for modes would not change the verdict");
    return HISS_OK;
}

static hiss_status judge(hiss_diagnosis *d, const hs_evidence *e,
                         hiss_error *err)
{
    HS_TRY(judge_draws(d, e, err));
    hs_judge_hurry(d, e);
    return HISS_OK;
}

/* What is looked at beside the run itself. */
struct views {
    hs_joints terms;
    hs_invariance invariance;
    hs_modes modes;
    hs_columns columns;
};

static hiss_status look(struct views *v, hs_evidence *e, hiss_error *err)
{
    const hs_store *store = &e->result->run.store;
    int64_t samples = e->result->run.info.samples;
    const hs_model *m = e->model ? e->model->model : NULL;
    hs_modes_bounds bounds = {.stops = hs_hurry_modes, .context = e};
    hs_columns_bounds few = {.stops = hs_hurry_columns, .context = e};
    hiss_status rc;

    e->terms = &v->terms;
    e->invariance = &v->invariance;
    e->columns = &v->columns;
    if (m && samples > 0) {
        rc = hs_modes_init(&v->modes, store, samples, m, (double)NAN, &bounds,
                           err);
        if (e->hurry->is_stopped || (rc != HISS_OK && rc != HISS_ESTOP))
            return rc == HISS_OK
                       ? hs_fail(err, HISS_ESTOP, "stopped on request")
                       : rc;
        e->modes = rc == HISS_OK ? &v->modes : NULL;
        HS_TRY(hs_joints_init(&v->terms, m, err));
        HS_TRY(hs_invariance_init(&v->invariance, m,
                                  v->terms.is_own ? &v->terms.f : NULL, store,
                                  samples, err));
    }
    if (e->hurry->until > 0.0)
        few.seconds = COLUMNS_TIME * (e->hurry->until - e->hurry->began);
    HS_TRY(hs_columns_init(&v->columns, store, samples, &e->result->domain,
                           e->modes, &v->terms, &few, e->pool, err));
    if (v->columns.left_out > 0)
        hs_snprintf(e->hurry->missing, sizeof e->hurry->missing,
                    "%d of %d columns", v->columns.left_out,
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

static hiss_status check(const hiss_result *result, const hiss_model *model,
                         const hiss_diagnose_settings *s, hiss_error *err)
{
    const hs_domain *a = &result->domain, *b;

    HS_TRY(hs_check_threads(s->threads, err));
    if (s->probe < 0 || s->probe > PROBE_MAX)
        return hs_fail(err, HISS_EARG, "probe must be in [0,%d], not %d",
                       PROBE_MAX, s->probe);
    if (!(s->probe_seconds >= 0.0))
        return hs_fail(err, HISS_EARG,
                       "probe_seconds must not be negative or NaN");
    if (s->voice != HISS_SHELL && s->voice != HISS_PYTHON)
        return hs_fail(err, HISS_EARG, "there is no voice %d", (int)s->voice);
    if (!(s->seconds >= 0.0))
        return hs_fail(err, HISS_EARG, "seconds must not be negative or NaN");
    if (!(s->search >= 0.0))
        return hs_fail(err, HISS_EARG, "search must not be negative or NaN");
    if (!model)
        return HISS_OK;
    b = &model->model->domain;
    if (a->dim == b->dim && a->value_count == b->value_count)
        return HISS_OK;
    return hs_fail(err, HISS_EARG,
                   "the model has %d coordinates with %d values in all, the "
                   "result %d with %d",
                   b->dim, b->value_count, a->dim, a->value_count);
}

hiss_status hiss_diagnose(hiss_diagnosis **out, const hiss_result *result,
                          const hiss_model *model,
                          const hiss_diagnose_settings *settings,
                          hiss_error *err)
{
    hiss_diagnose_settings s = defaults;
    hs_hurry hurry = {.began = hs_now()};
    hs_evidence e = {
        .result = result, .model = model, .set = &s, .hurry = &hurry};
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
    if (s.seconds > 0.0)
        hurry.until = hurry.began + s.seconds;
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
    conclude(d, &e);
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
    hs_free(diagnosis);
}

int hiss_diagnosis_is_trusted(const hiss_diagnosis *diagnosis)
{
    return diagnosis && diagnosis->is_trusted;
}

hiss_opinion hiss_diagnosis_opinion(const hiss_diagnosis *diagnosis)
{
    if (!diagnosis || diagnosis->is_trusted)
        return diagnosis ? HISS_TRUSTED : HISS_NOT_TRUSTED;
    for (int n = 0; n < diagnosis->findings; n++)
        if (diagnosis->finding[n].found.is_wrong)
            return HISS_WRONG;
    return HISS_NOT_TRUSTED;
}

int hiss_diagnosis_finding(const hiss_diagnosis *diagnosis, int number,
                           hiss_finding *out)
{
    if (!diagnosis || number < 0 || number >= diagnosis->findings)
        return 0;
    return hs_sized_fill(out, &diagnosis->finding[number].found, sizeof *out);
}
