/* comparison.c - makes the comparison run and finds where it differs.
 *
 * Columns of the same quantity are compared by their means.  Shares of modes:
 * the heaviest groups of either side are compared, with the draws of both
 * assigned to them.  A group without draws has the error that one draw in all
 * the effective ones would have.  If the run has no group that matters, there
 * are more modes than draws, and shares are not compared. */
#include "verdict/comparison.h"

#include <math.h>
#include <stdio.h>

#include "api/object/trust.h"
#include "base/alloc.h"
#include "diag/chains/mcse.h"
#include "diag/maths/normal.h"
#include "run/chain/group.h"
#include "run/price/price.h"

/* alarms per verdict if both have the same distribution */
#define BY_CHANCE   0.01
#define GROUPS      16   /* number of heaviest groups of either side */
#define MODES_LEAST 4096 /* draws assigned to them, and as many more as ... */
/* ... compare this many coordinates: a second or two */
#define COMPARED_MAX 4e9
#define BYTES_MAX    1e9 /* bytes of their states */
/* relative to a share that matters; a smaller one counts as none */
#define HARDLY 0.1
/* times the remaining work, because prices are not exact */
#define FAR  4.0
#define NEAR 10 /* a tenth of the coordinates, as in modes.c */

static bool has_heavy_modes(const hs_modes *s)
{
    double mass = 0.0;

    for (int64_t i = 0; i < s->table.used; i++)
        mass += s->cluster[i] == 0 ? s->table.mode[i].mass : 0.0;
    return mass > HS_MATTERS;
}

static int is_over(void *context, const hiss_progress *progress)
{
    return hs_diagnosis_is_stopped(context, progress->fraction) ||
           hs_deadline_is_over(context, "other chains");
}

/* Priced seconds of the chains of a sampler that a file names.  They follow
 * from the work of its steps, not from the time that the file states. */
static double price_of(const hs_evidence *e, const hiss_sampler *s,
                       const hiss_settings *set)
{
    int chains = set->chains < HS_GROUP_CHAINS ? set->chains : HS_GROUP_CHAINS;
    double steps =
        (double)set->warmup + (double)set->samples * (double)set->thin;
    const hs_model *m = e->model->model;
    double unit = hs_work_evaluation(m, &(hs_work_said){0});
    hs_group *g = NULL;
    double price = 0.0;

    if (hs_group_create(&g, m, s->tree, set->seed, 0, chains, NULL) == HISS_OK)
        price = hs_price_group(g) * set->chains / chains * steps *
                e->work->evaluation / unit; /* price of a function, from the
                                               file */
    hs_group_destroy(g);
    return price;
}

/* Runs the chains if the work suffices. */
static hiss_status sample(hs_comparison *r, const hs_evidence *e,
                          const hiss_sampler *s, bool is_foreign,
                          const hiss_settings *given, hiss_error *err)
{
    double lanes = (double)given->chains * hiss_sampler_replicas(s);
    hiss_settings set = *given;
    hiss_status rc;

    if (lanes / HS_LANES * (double)hs_point_bytes(e->model->model) > BYTES_MAX)
        return hs_fail(err, HISS_ELIMIT, "they would take too much memory");
    if (is_foreign && price_of(e, s, given) > FAR * e->work->left)
        return hs_fail(err, HISS_ELIMIT,
                       "the work limit leaves too little for them");
    set.progress = is_over;
    set.context = (void *)(uintptr_t)e;
    rc = hiss_sample(&r->result, e->model, s, &set, err);
    if (e->deadline->is_stopped)
        return hs_fail(err, HISS_ESTOP, "stopped on request");
    if (rc == HISS_ESTOP ||
        (rc == HISS_OK && r->result->run.info.ended == HISS_ENDED_STOPPED))
        return hs_fail(err, HISS_ELIMIT, "the time was over");
    if (rc == HISS_OK)
        hs_work_take(e, (r->result->run.info.energy_evals +
                         r->result->run.info.gradient_evals) *
                            e->work->evaluation);
    return rc;
}

/* A sampler that a file names may open only its own files. */
static hiss_status open_sampler(const hs_evidence *e, const char *spec,
                                bool is_foreign, hiss_sampler **out,
                                hiss_error *err)
{
    hiss_trust trust;
    hiss_status rc;

    if (!is_foreign || !e->result->folder)
        return hiss_sampler_create(out, spec, err);
    HS_TRY(hs_trust_init(&trust, e->result, NULL, err));
    rc = hiss_sampler_create_from(out, spec, &trust, err);
    hs_trust_clear(&trust);
    return rc;
}

hiss_status hs_comparison_init(hs_comparison *r, const hs_evidence *e,
                               const char *sampler, bool is_foreign,
                               const hiss_settings *set, hiss_error *err)
{
    hiss_sampler *s = NULL;
    hiss_status rc;

    *r = (hs_comparison){0};
    rc = open_sampler(e, sampler, is_foreign, &s, err);
    if (rc == HISS_OK)
        rc = sample(r, e, s, is_foreign, set, err);
    hiss_sampler_destroy(s);
    if (rc == HISS_OK) {
        r->samples = r->result->run.info.samples;
        rc = hs_columns_init(
            &r->columns, &r->result->run.store, r->samples, &r->result->domain,
            NULL, e->terms,
            &(hs_columns_bounds){.is_over = hs_deadline_columns_over,
                                 .context = (void *)(uintptr_t)e},
            e->pool, err);
    }
    if (rc == HISS_OK && r->samples > 0 && has_heavy_modes(e->modes))
        rc = hs_modes_init(&r->modes, &r->result->run.store, r->samples,
                           e->model->model, (double)NAN, NULL, err);
    return rc;
}

void hs_comparison_clear(hs_comparison *r)
{
    hs_modes_clear(&r->modes);
    hs_columns_clear(&r->columns);
    hiss_result_destroy(r->result);
    *r = (hs_comparison){0};
}

static double known(double x)
{
    return isnan(x) ? 0.0 : x;
}

bool hs_apart_weigh(hs_apart *out, const hs_two_means *p)
{
    double apart = fabs(p->run - p->fresh);
    double error = hypot(known(p->run_se), known(p->fresh_se));
    double sigmas = error > 0.0 ? apart / error : HUGE_VAL;

    if (!(apart > p->matters) || !(sigmas > out->sigmas))
        return false;
    out->sigmas = sigmas;
    out->run = p->run;
    out->fresh = p->fresh;
    return true;
}

void hs_apart_decide(hs_apart *out, int compared)
{
    out->limit = compared > 0
                     ? hs_normal_quantile(1.0 - 0.5 * BY_CHANCE / compared)
                     : HUGE_VAL;
    out->is_so = out->sigmas > out->limit;
}

/* --- columns ------------------------------------------------------------ */

double hs_column_matters(const hs_examined *x, const hs_domain *d)
{
    if (x->of != HS_OF_COORDINATE)
        return HS_MATTERS;
    return HS_MATTERS * (double)(d->values[d->value[x->index + 1] - 1] -
                                 d->values[d->value[x->index]]);
}

static bool is_same(const hs_examined *a, const hs_examined *b)
{
    return a->of == b->of && a->index == b->index && a->label == b->label;
}

/* Both list the same columns in the same order; of very many, a selection. */
const hs_examined *hs_comparison_column(const hs_comparison *r,
                                        const hs_evidence *e, int n)
{
    const hs_columns *fresh = &r->columns;
    const hs_examined *x = &e->columns->at[n];

    for (int k = n; k < fresh->count; k++)
        if (is_same(x, &fresh->at[k]))
            return &fresh->at[k];
    for (int k = n < fresh->count ? n : fresh->count; k > 0; k--)
        if (is_same(x, &fresh->at[k - 1]))
            return &fresh->at[k - 1];
    return NULL;
}

static int compare_columns(const hs_comparison *r, const hs_evidence *e,
                           hs_apart *out)
{
    const hs_columns *run = e->columns;
    int compared = 0;

    for (int n = 0; n < run->count; n++) {
        const hs_examined *x = &run->at[n], *y;

        y = hs_column_is_derived(x) ? NULL : hs_comparison_column(r, e, n);
        if (!y)
            continue;
        compared++;
        if (hs_apart_weigh(
                out, &(hs_two_means){x->column.mean, x->column.mcse,
                                     y->column.mean, y->column.mcse,
                                     hs_column_matters(x, &e->result->domain)}))
            hs_column_name(run, x, &e->result->domain, out->name);
    }
    return compared;
}

/* --- shares of modes ---------------------------------------------------- */

void hs_comparison_assign(const hs_modes *from, const hs_modes *s, int groups,
                          int32_t *group)
{
    int dim = s->table.dim;
    double most = fmax(COMPARED_MAX / ((double)groups * dim), MODES_LEAST);

    for (int64_t i = 0; i < s->table.used; i++) {
        group[i] = -1;
        for (int k = 0; (double)i < most && k < groups && group[i] < 0; k++)
            if (hs_states_apart(s->table.state + i * dim,
                                from->table.state +
                                    (int64_t)from->leader[k] * dim,
                                dim) <= dim / NEAR)
                group[i] = k;
    }
}

double hs_comparison_portion(const hs_modes *s, const int32_t *group, int k)
{
    int64_t total = s->chains * s->looked, hits = 0;

    for (int64_t n = 0; n < total; n++)
        hits += group[s->at[n]] == k;
    return (double)hits / (double)total;
}

static hiss_status share_of(const hs_modes *s, const int32_t *group, int k,
                            double effective, double *hit, double *share,
                            double *se, hiss_error *err)
{
    for (int64_t n = 0; n < s->chains * s->looked; n++)
        hit[n] = group[s->at[n]] == k;
    *share = hs_comparison_portion(s, group, k);
    HS_TRY(hs_mcse_mean(hit, s->chains, s->looked, se, err));
    *se = fmax(known(*se), 1.0 / effective);
    return HISS_OK;
}

struct sides {
    const hs_modes *run, *fresh;
    double run_ess, fresh_ess;
    int32_t *run_group, *fresh_group; /* owned, by mode */
    double *hit;                      /* owned */
};

/* Compares the groups led by modes of one side. */
static hiss_status compare_groups(struct sides *s, const hs_modes *from,
                                  hs_apart *out, int *compared, hiss_error *err)
{
    int groups = from->clusters < GROUPS ? from->clusters : GROUPS;

    hs_comparison_assign(from, s->run, groups, s->run_group);
    hs_comparison_assign(from, s->fresh, groups, s->fresh_group);
    for (int k = 0; k < groups; k++) {
        hs_two_means p = {.matters = HS_MATTERS};

        HS_TRY(share_of(s->run, s->run_group, k, s->run_ess, s->hit, &p.run,
                        &p.run_se, err));
        HS_TRY(share_of(s->fresh, s->fresh_group, k, s->fresh_ess, s->hit,
                        &p.fresh, &p.fresh_se, err));
        ++*compared;
        if (from == s->run || p.run == 0.0) /* a mode of the other side only */
            hs_masses_add(&out->masses, k + 1, p.run, p.run_se, p.fresh,
                          p.fresh_se);
        if (hs_apart_weigh(out, &p))
            snprintf(out->name, sizeof out->name, "the share of %smode %d",
                     from == s->fresh ? "their " : "", k + 1);
    }
    return HISS_OK;
}

double hs_comparison_effective(const hs_columns *c, double draws)
{
    double ess = c->at[0].column.ess_bulk;

    return ess > 0.0 && ess < draws ? ess : draws;
}

static hiss_status compare_modes(const hs_comparison *r, const hs_evidence *e,
                                 hs_apart *out, int *compared, hiss_error *err)
{
    struct sides s = {.run = e->modes, .fresh = &r->modes};
    double run = (double)e->modes->chains * (double)e->modes->looked;
    double fresh = (double)r->modes.chains * (double)r->modes.looked;
    hiss_status rc = HISS_OK;

    s.run_ess = hs_comparison_effective(e->columns, run);
    s.fresh_ess = hs_comparison_effective(&r->columns, fresh);
    s.run_group =
        hs_alloc_array((size_t)e->modes->table.used, sizeof *s.run_group);
    s.fresh_group =
        hs_alloc_array((size_t)r->modes.table.used, sizeof *s.fresh_group);
    s.hit = hs_alloc_array((size_t)fmax(run, fresh), sizeof *s.hit);
    if (!s.run_group || !s.fresh_group || !s.hit)
        rc = hs_fail_memory(err);
    if (rc == HISS_OK)
        rc = compare_groups(&s, s.run, out, compared, err);
    if (rc == HISS_OK)
        rc = compare_groups(&s, s.fresh, out, compared, err);
    hs_free(s.run_group);
    hs_free(s.fresh_group);
    hs_free(s.hit);
    return rc;
}

hiss_status hs_comparison_sees_more(const hs_comparison *r,
                                    const hs_evidence *e, bool *is_so,
                                    hiss_error *err)
{
    const hs_modes *run = e->modes, *fresh = &r->modes;
    int groups = fresh->clusters < GROUPS ? fresh->clusters : GROUPS;
    int32_t *there = hs_alloc_array((size_t)run->table.used, sizeof *there);
    int32_t *here = hs_alloc_array((size_t)fresh->table.used, sizeof *here);

    *is_so = fresh->looked == 0;
    if (there && here) {
        hs_comparison_assign(fresh, run, groups, there);
        hs_comparison_assign(fresh, fresh, groups, here);
        for (int k = 0; k < groups; k++) {
            double share = hs_comparison_portion(fresh, here, k);

            *is_so |=
                share > HS_MATTERS &&
                hs_comparison_portion(run, there, k) < HARDLY * HS_MATTERS;
        }
    }
    hs_free(there);
    hs_free(here);
    return there && here ? HISS_OK : hs_fail_memory(err);
}

hiss_status hs_comparison_compare(const hs_comparison *r, const hs_evidence *e,
                                  hs_apart *out, hiss_error *err)
{
    int compared;

    *out = (hs_apart){.limit = NAN};
    if (r->samples < 4)
        return HISS_OK;
    compared = compare_columns(r, e, out);
    if (r->modes.looked > 0)
        HS_TRY(compare_modes(r, e, out, &compared, err));
    hs_apart_decide(out, compared);
    return HISS_OK;
}
