/* truth.c - compares the draws with exact answers, if available.
 *
 * Every number of the draws must hold: marginals, mean U, the means of terms
 * (joints.h), the shares of modes.  It holds if it is within OFF_SIGMAS of its
 * stated errors, or within OFF of the truth.  Marginals have stricter rules:
 * within HS_SIGMAS of what the exact distribution implies for this many draws,
 * or within MATTERS; and no mode of more than HS_MISSED_MASS may be without
 * draws.  With very many values both limits are raised such that one is
 * exceeded in BY_CHANCE of all verdicts on right runs.  Numbers that hold
 * remove a doubt if they are also close to the truth.  Marginals that a
 * symmetry fixes do not count for that; if it fixes all, terms or modes must
 * have been compared. */
#include <math.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/number.h"
#include "diag/chains/mcse.h"
#include "diag/maths/normal.h"
#include "verdict/verdict.h"

#define OFF         0.02 /* with OFF_SIGMAS: beyond both a number is wrong */
#define OFF_SIGMAS  4.0
#define BY_CHANCE   0.01
#define MATTERS     0.005 /* smaller errors do not matter */
#define MEAN_SMALL  0.01  /* with SMALL: errors that leave no doubt */
#define SMALL       0.05
#define TERM_MEAN   0.02 /* the same two limits for terms */
#define TERM_SMALL  0.1
#define ENERGY_NEAR 0.25      /* in units of its standard deviation */
#define STATES_MAX  262144.0  /* most states for finding all modes */
#define TERM_STATES 1048576.0 /* most states for summing all terms */
#define TERM_WORK   1e8       /* states times terms */

typedef enum number_of {
    OF_MARGINAL,
    OF_ENERGY,
    OF_TERM,
    OF_MODE,
} number_of;

/* The worst number so far. */
struct worst {
    number_of of;
    int index, state; /* coordinate and value; column of a term; mode */
    double error, sigmas;
    bool is_off;
};

/* The compared numbers. */
struct compared {
    const hs_evidence *e;
    double by_chance; /* sigmas that the largest of all values exceeds by
                         chance */
    const hiss_exact *exact;
    struct worst worst;
    double marginal_error, marginal_largest; /* for marginals that no symmetry
                                                fixes */
    int open;                                /* number of such values */
    double term_error, term_largest;
    int terms;
    double mode_largest;
    hs_masses masses;
    double missed; /* heaviest mode without draws, NaN if unknown */
};

hiss_status hiss_exact_quick(hiss_exact **out, const hiss_model *model,
                             int threads, hiss_error *err)
{
    hiss_exact_settings settings = {
        .size = sizeof settings, .threads = threads, .quick = 1};
    hiss_status rc = hiss_exact_solve(out, model, &settings, err);

    /* too many states, or tables too large: refused at the start */
    if (rc == HISS_ESTOP || rc == HISS_ELIMIT || rc == HISS_ENOMEM)
        rc = HISS_OK;
    return rc;
}

/* --- one number --------------------------------------------------------- */

/* A smaller sigma that fails is worse than a larger one that passes. */
static void keep_worst(struct compared *c, const struct worst *w)
{
    if (w->is_off == c->worst.is_off ? w->sigmas > c->worst.sigmas : w->is_off)
        c->worst = *w;
}

/* Checks a number by its stated error, NaN or 0 if nothing moved. */
static void hold(struct compared *c, number_of of, int index, int state,
                 double error, double stated)
{
    double se = stated > 0.0 ? stated : 0.0;
    struct worst w = {of, index, state, error, 0.0, false};

    if (!(error > OFF))
        return;
    w.sigmas = se > 0.0 ? error / se : HUGE_VAL;
    w.is_off = w.sigmas > fmax(OFF_SIGMAS, c->by_chance);
    keep_worst(c, &w);
}

/* --- marginals ---------------------------------------------------------- */

/* The column of a coordinate, or of a label; NULL if it was omitted.  They are
 * in order behind the energy: *from, 1 at first, follows them. */
static const hs_examined *column_of(const hs_columns *c, int *from, int i,
                                    int label)
{
    int n = *from;

    while (n < c->count &&
           (c->at[n].of == HS_OF_COORDINATE || c->at[n].of == HS_OF_LABEL) &&
           (c->at[n].index < i ||
            (c->at[n].index == i && c->at[n].of == HS_OF_LABEL &&
             c->at[n].label < label)))
        n++;
    *from = n;
    if (n == c->count || c->at[n].index != i ||
        !(c->at[n].of == HS_OF_COORDINATE ||
          (c->at[n].of == HS_OF_LABEL && c->at[n].label == label)))
        return NULL;
    return &c->at[n];
}

/* Room for one column, and for the shares of a coordinate. */
struct room {
    double *column, *hit, *share; /* owned */
    int from;                     /* number of columns already passed */
};

/* The stated error of a share, and its autocorrelation time. */
static hiss_status stated_error(const hs_evidence *e, int i, int v,
                                struct room *r, double *se, double *tau,
                                hiss_error *err)
{
    const hs_domain *d = &e->result->domain;
    const float *value = d->values + d->value[i];
    int64_t samples = e->result->run.info.samples;
    int chains = e->result->run.info.chains;
    const hs_examined *x = column_of(e->columns, &r->from, i, v);
    double usual = e->columns->at[0].column.tau;

    *tau = x && x->column.tau > 0.0 ? x->column.tau : usual > 0.0 ? usual : 1.0;
    if (x && x->of == HS_OF_LABEL) {
        *se = x->column.mcse;
        return HISS_OK;
    }
    if (x && d->states[i] == 2) {
        *se = x->column.mcse / (double)(value[1] - value[0]);
        return HISS_OK;
    }
    *se = 0.0;
    if (r->share[v] == 0.0 || r->share[v] == 1.0)
        return HISS_OK;
    for (int64_t n = 0; n < chains * samples; n++)
        r->hit[n] = r->column[n] == (double)value[v];
    HS_TRY(hs_mcse_mean(r->hit, chains, samples, se, err));
    *tau = (double)chains * (double)samples * *se * *se /
           (r->share[v] * (1.0 - r->share[v]));
    return HISS_OK;
}

/* The contribution of one share to the divergence from its probability. */
static double part(double share, double p)
{
    return share > 0.0 ? share * log(share / p) : 0.0;
}

/* The stricter rule of marginals: for n independent draws such a deviation has
 * probability at most e^(-n KL) (Chernoff), however rare the value is; a normal
 * variable exceeds sigmas with probability about e^(-sigmas^2 / 2). */
static void hold_marginal(struct compared *c, int i, int v, double share,
                          double p, double effective)
{
    double error = fabs(share - p);
    struct worst w = {OF_MARGINAL, i, v, error, 0.0, false};

    if (!(error > MATTERS))
        return;
    w.sigmas =
        sqrt(2.0 * effective * (part(share, p) + part(1.0 - share, 1.0 - p)));
    w.is_off = w.sigmas > fmax(HS_SIGMAS, c->by_chance);
    keep_worst(c, &w);
}

/* Computes the shares of the values among the draws. */
static void shares_of(const hiss_result *r, int i, const struct room *room)
{
    const hs_domain *d = &r->domain;
    int64_t total = r->run.info.chains * r->run.info.samples;

    hs_store_column(&r->run.store, r->run.info.samples, i, room->column);
    for (int v = 0; v < d->states[i]; v++) {
        double value = (double)d->values[d->value[i] + v];
        int64_t hits = 0;

        for (int64_t n = 0; n < total; n++)
            hits += room->column[n] == value;
        room->share[v] = (double)hits / (double)total;
    }
}

static hiss_status compare_coordinate(struct compared *c, int i,
                                      struct room *room, hiss_error *err)
{
    const hs_evidence *e = c->e;
    const hiss_result *r = e->result;
    const double *p = hiss_exact_marginal(c->exact, i);
    double draws = (double)r->run.info.chains * (double)r->run.info.samples;
    bool is_open = !e->invariance->is_fixed[i];

    shares_of(r, i, room);
    for (int v = 0; v < r->domain.states[i]; v++) {
        double error = fabs(room->share[v] - p[v]), se, tau;

        HS_TRY(stated_error(e, i, v, room, &se, &tau, err));
        hold(c, OF_MARGINAL, i, v, error, se);
        hold_marginal(c, i, v, room->share[v], p[v], draws / tau);
        if (is_open)
            c->marginal_largest = fmax(c->marginal_largest, error);
    }
    hiss_result_marginal(r, i, room->share);
    for (int v = 0; is_open && v < r->domain.states[i]; v++, c->open++)
        c->marginal_error += fabs(room->share[v] - p[v]);
    return HISS_OK;
}

static hiss_status compare_marginals(struct compared *c, hiss_error *err)
{
    const hiss_result *r = c->e->result;
    size_t draws = (size_t)r->run.info.chains * (size_t)r->run.info.samples;
    struct room room = {
        .column = hs_alloc_array(draws, sizeof(double)),
        .hit = hs_alloc_array(draws, sizeof(double)),
        .share = hs_alloc_array((size_t)r->domain.states_max, sizeof(double))};
    hiss_status rc =
        room.column && room.hit && room.share ? HISS_OK : hs_fail_memory(err);

    for (int i = 0; rc == HISS_OK && i < r->domain.dim; i++)
        rc = compare_coordinate(c, i, &room, err);
    hs_free(room.column);
    hs_free(room.hit);
    hs_free(room.share);
    return rc;
}

/* --- terms -------------------------------------------------------------- */

/* Computes their exact means by enumeration. */
static hiss_status enumerate_terms(const hs_evidence *e, double log_z,
                                   double *mean, hiss_error *err)
{
    const hs_model *m = e->model->model;
    const hs_domain *d = &m->domain;
    int64_t total = (int64_t)hs_domain_size(d);
    hs_point p;
    hiss_status rc;

    HS_TRY(hs_point_init(&p, m, err));
    for (int64_t first = 0; first < total; first += HS_LANES) {
        int lanes = total - first < HS_LANES ? (int)(total - first) : HS_LANES;

        hs_modes_enumerate(d, first, lanes, &p);
        rc = hs_model_evaluate(m, &p, HS_U);
        if (rc != HISS_OK) {
            hs_point_clear(&p);
            return hs_fail(err, rc, "model %s: %s", m->name,
                           hiss_status_text(rc));
        }
        for (int l = 0; l < lanes; l++) {
            double weight = exp(p.u[l] - log_z);

            for (int k = 0; weight > 0.0 && k < e->terms->count; k++)
                mean[k] += weight * hs_joints_at(e->terms, k, p.x, l);
        }
    }
    hs_point_clear(&p);
    return HISS_OK;
}

/* Exact means of the terms, NaN if unknown. */
static hiss_status term_means(const struct compared *c, double *mean,
                              hiss_error *err)
{
    const hs_joints *t = c->e->terms;
    const double *known = hs_exact_factor_means(c->exact);
    double states = hiss_exact_states(c->exact);

    for (int k = 0; k < t->count; k++)
        mean[k] = known && t->is_own
                      ? hs_joints_scaled(t, k, known[t->number[k]])
                      : (double)NAN;
    if (known || states > TERM_STATES || states * t->count > TERM_WORK)
        return HISS_OK;
    for (int k = 0; k < t->count; k++)
        mean[k] = 0.0;
    return enumerate_terms(c->e, hiss_exact_log_z(c->exact), mean, err);
}

static hiss_status compare_terms(struct compared *c, hiss_error *err)
{
    const hs_columns *columns = c->e->columns;
    size_t count = (size_t)c->e->terms->count;
    double *mean = hs_alloc_array(count, sizeof *mean);
    hiss_status rc = mean ? HISS_OK : hs_fail_memory(err);

    if (rc == HISS_OK && count > 0)
        rc = term_means(c, mean, err);
    for (int n = 0; rc == HISS_OK && n < columns->count; n++) {
        const hs_examined *x = &columns->at[n];
        double error;

        if (x->of != HS_OF_TERM || isnan(mean[x->index]))
            continue;
        error = fabs(x->column.mean - mean[x->index]);
        hold(c, OF_TERM, n, 0, error, x->column.mcse);
        c->term_largest = fmax(c->term_largest, error);
        c->term_error += error;
        c->terms++;
    }
    hs_free(mean);
    return rc;
}

/* --- modes -------------------------------------------------------------- */

static hiss_status compare_mode(struct compared *c, const hs_modes *s, int n,
                                double *hit, hiss_error *err)
{
    const hiss_mode *mode = &s->table.mode[n];
    double error = fabs(mode->mass - mode->exact), se = 0.0;
    bool is_told = c->e->result->is_foreign && c->masses.count < HS_MASSES_MAX;

    c->mode_largest = fmax(c->mode_largest, error);
    if (!(error > OFF) && !is_told)
        return HISS_OK;
    if (mode->draws > 0 && mode->draws < s->chains * s->looked) {
        for (int64_t k = 0; k < s->chains * s->looked; k++)
            hit[k] = s->at[k] == n;
        HS_TRY(hs_mcse_mean(hit, s->chains, s->looked, &se, err));
    }
    if (is_told)
        hs_masses_add(&c->masses, n + 1, mode->mass, se, mode->exact, 0.0);
    hold(c, OF_MODE, n, 0, error, se);
    return HISS_OK;
}

/* Compares the shares of modes, if there are few enough states. */
static hiss_status compare_modes(struct compared *c, hiss_error *err)
{
    const hiss_result *r = c->e->result;
    hs_modes s;
    double *hit;
    hiss_status rc;

    c->missed = NAN;
    if (hiss_exact_states(c->exact) > STATES_MAX)
        return HISS_OK;
    HS_TRY(hs_modes_init(&s, &r->run.store, r->run.info.samples,
                         c->e->model->model, hiss_exact_log_z(c->exact), NULL,
                         err));
    c->missed = isnan(s.missed) ? 0.0 : s.missed;
    hit = hs_alloc_array((size_t)s.chains * (size_t)s.looked, sizeof *hit);
    rc = hit ? HISS_OK : hs_fail_memory(err);
    for (int n = 0; rc == HISS_OK && n < s.table.used; n++)
        rc = compare_mode(c, &s, n, hit, err);
    hs_free(hit);
    hs_modes_clear(&s);
    return rc;
}

/* --- what follows ------------------------------------------------------- */

static void tell_off(hiss_diagnosis *d, const struct compared *c)
{
    const hs_domain *dom = &c->e->result->domain;
    const hs_columns *columns = c->e->columns;
    const struct worst *w = &c->worst;
    char name[HS_COLUMN_TEXT + 16];

    switch (w->of) {
    case OF_MARGINAL:
        hs_snprintf(name, sizeof name, "P(x.%d = %g)", w->index + 1,
                    (double)dom->values[dom->value[w->index] + w->state]);
        break;
    case OF_ENERGY:
        snprintf(name, sizeof name, "mean log p");
        break;
    case OF_TERM:
        hs_column_name(columns, &columns->at[w->index], dom, name);
        break;
    case OF_MODE:
        snprintf(name, sizeof name, "the share of mode %d", w->index + 1);
        break;
    }
    if (w->sigmas < HUGE_VAL)
        hs_find(d, "exact answers", HISS_FAILED, w->sigmas,
                fmax(OFF_SIGMAS, c->by_chance),
                "%s is off by %.3g, %.1f standard errors", name, w->error,
                w->sigmas);
    else
        hs_find(d, "exact answers", HISS_FAILED, w->sigmas,
                fmax(OFF_SIGMAS, c->by_chance),
                "%s is off by %.3g, and the draws do not show any error", name,
                w->error);
    hs_find_wrong(d, c->e, w->sigmas);
}

/* Whether the compared numbers leave no doubt. */
static bool is_close(const struct compared *c)
{
    const hiss_column *u = &c->e->columns->at[0].column;
    double error = fabs(u->mean - hiss_exact_mean_u(c->exact));
    bool has_modes = !isnan(c->missed);

    if (error > OFF && error > ENERGY_NEAR * u->sd)
        return false;
    if (c->open > 0 && (c->marginal_error > MEAN_SMALL * c->open ||
                        c->marginal_largest > SMALL))
        return false;
    if (c->terms > 0 &&
        (c->term_error > TERM_MEAN * c->terms || c->term_largest > TERM_SMALL))
        return false;
    if (has_modes && c->mode_largest > SMALL)
        return false;
    return c->open > 0 || c->terms > 0 || has_modes;
}

static void tell_agreed(hiss_diagnosis *d, const struct compared *c)
{
    char most[64], what[96];

    if (c->worst.sigmas > 0.0)
        hs_snprintf(most, sizeof most, "%.1f standard errors", c->worst.sigmas);
    else /* no error is large enough to matter */
        hs_snprintf(most, sizeof most, "%.2g", c->marginal_largest);
    snprintf(what, sizeof what, "mean log p%s%s%s",
             c->open > 0 ? ", all marginals" : "",
             c->terms > 0 ? ", terms" : "",
             isnan(c->missed) ? "" : ", shares of modes");
    d->is_proved = true;
    d->has_exact = is_close(c);
    hs_find(d, "exact answers", HISS_PASSED, c->worst.sigmas,
            fmax(OFF_SIGMAS, c->by_chance),
            "what the draws say agrees with the exact answers%s (%s): none is "
            "off by more than %s",
            d->has_exact ? "" : ", within errors that are not small", what,
            most);
}

static hiss_status compare(struct compared *c, hiss_error *err)
{
    const hiss_column *u = &c->e->columns->at[0].column;

    hold(c, OF_ENERGY, 0, 0, fabs(u->mean - hiss_exact_mean_u(c->exact)),
         u->mcse);
    HS_TRY(compare_marginals(c, err));
    HS_TRY(compare_terms(c, err));
    return compare_modes(c, err);
}

static void report(hiss_diagnosis *d, const struct compared *c)
{
    if (c->missed > HS_MISSED_MASS) {
        hs_find(d, "exact answers", HISS_FAILED, c->missed, HS_MISSED_MASS,
                "a mode that holds %.3f of the law was never visited",
                c->missed);
        hs_find_wrong(d, c->e, hs_missed_sigmas(c->e, c->missed));
    } else if (c->worst.is_off) {
        tell_off(d, c);
    } else {
        tell_agreed(d, c);
        return;
    }
    hs_find_need(d, HISS_NEED_MODES, 0.0);
}

hiss_status hs_compare_exact(hiss_diagnosis *d, const hs_evidence *e,
                             hiss_error *err)
{
    hiss_exact *exact = NULL;
    double values = e->result->domain.value_count;
    struct compared c = {
        .e = e,
        .by_chance = -hs_normal_quantile(0.5 * BY_CHANCE / (values + 1.0)),
        .missed = NAN};
    char *pointer;
    hiss_status rc;

    if (!e->set->blind && e->model)
        HS_TRY(hiss_exact_quick(&exact, e->model, e->set->threads, err));
    if (!exact) {
        pointer = e->set->blind
                      ? NULL
                      : hiss_advice_exact(e->result, e->model, e->set->voice);
        hs_find(d, "exact answers", HISS_SKIPPED, NAN, NAN, "%s%s%s",
                e->set->blind ? "exact answers were not asked for"
                : e->model    ? "exact answers would take too long"
                              : "no exact answers: the model is not at hand",
                pointer ? "; " : "", pointer ? pointer : "");
        hs_free(pointer);
        hs_judge_log_z(d, e, NULL);
        return HISS_OK;
    }
    c.exact = exact;
    rc = compare(&c, err);
    if (rc == HISS_OK) {
        report(d, &c);
        hs_find_masses(d, e, &c.masses);
    }
    hs_judge_log_z(d, e, exact);
    d->is_settled = e->invariance->fixed == 0;
    hiss_exact_destroy(exact);
    return rc;
}
