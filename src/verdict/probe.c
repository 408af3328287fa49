/* probe.c - compares fresh chains with the run.
 *
 * Chains that all fell into the same one of two modes agree with each other.
 * Fresh chains from other random states reveal missed modes.  Those of the
 * run's own sampler, tuned afresh, must agree with each other and with the run.
 * Those of another sampler, which tempering takes through the whole space, must
 * agree with the run as far as they agree with each other.
 *
 * It compares the means of the energy, coordinates and terms, and the shares of
 * modes.  A difference counts if it exceeds, in standard errors, the quantile
 * that the largest of so many comparisons exceeds in BY_CHANCE of all verdicts.
 * The first alarm by another sampler is tested again with new fresh chains, and
 * so is one by the same sampler that is close to chance. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "exact/descent.h"
#include "exact/network/network.h"
#include "verdict/comparison.h"
#include "verdict/verdict.h"

#define TIMES_TAU    100.0 /* draws of a fresh chain, in units of tau */
#define DRAWS_MIN    200.0
#define OTHER_MIN    500.0 /* draws per chain of the other sampler */
#define OTHER_MAX    1000.0
#define OTHER_MORE   2.0 /* times all draws of the run */
#define SEED_FLIP    0x9e3779b97f4a7c15u
#define COSTLY_SITES 64  /* coordinates of a model without cheap sites */
#define TELLING      50  /* with fewer draws there is no finding */
#define OTHER_WORK   4e5 /* evaluations of its pilot and its chains, about */
#define MILD         1.4 /* times the limit: a larger alarm is not by chance */
#define AGAIN        2   /* factor on the draws in the repetition */
#define LEAST_STEP   0.1 /* evaluations: no step costs less */
#define LEAST_WORK   1e5 /* fewest useful evaluations of the other sampler */

#define BUILD_WORK 4e9 /* multiplications of a network: two seconds */
#define NETWORK    0.9 /* share of the network's draws that must be accepted */

static const char independent[] = "independent", network[] = "network";

/* --- drawing ------------------------------------------------------------ */

/* Number of draws of a fresh chain of the run's sampler. */
static int64_t draws_wanted(const hs_evidence *e)
{
    double tau = 1.0, wanted;
    int64_t samples = e->result->run.info.samples;

    for (int n = 0; n < e->columns->count; n++) {
        double own = e->columns->at[n].agree.tau;

        tau = own > tau ? own : tau;
    }
    wanted = TIMES_TAU * tau;
    wanted = wanted < DRAWS_MIN ? DRAWS_MIN : wanted;
    return wanted < (double)samples ? (int64_t)wanted : samples;
}

/* By the cost of steps that the run states, but at least that of the price
 * table, because a file may state anything. */
static double cost_of(const hs_evidence *e, int64_t draws)
{
    const hiss_run_info *info = &e->result->run.info;
    double steps =
        (double)info->warmup + (double)info->samples * (double)info->thin;
    double fresh = (double)info->warmup + (double)draws * (double)info->thin;
    double lanes = e->set->probe * (double)info->replicas;
    double tiles = ceil(info->chains * (double)info->replicas / HS_LANES);
    double said = info->seconds * fresh / (steps > 0.0 ? steps : 1.0) *
                  ceil(lanes / HS_LANES) / tiles *
                  (info->threads < tiles ? info->threads : tiles);

    return fmax(said, LEAST_STEP * lanes * fresh * e->work->evaluation);
}

/* The sampler as originally requested, so that `auto` options are tuned afresh.
 * On tours, which have their own defaults, and for independent draws it is the
 * resolved sampler, because making `auto` choose it again would take more
 * evaluations. */
static const char *same_sampler(const hs_evidence *e)
{
    const char *run = hiss_result_text(e->result, "resolved");
    bool is_run = run && (e->model->model->domain.is_tour ||
                          strcmp(run, independent) == 0);

    return is_run ? run : hiss_result_text(e->result, "sampler");
}

static hiss_status draw_same(const hs_evidence *e, int64_t draws, uint64_t turn,
                             hs_comparison *out, hiss_error *err)
{
    const hiss_run_info *info = &e->result->run.info;
    hiss_settings set;

    hiss_settings_init(&set);
    set.chains = e->set->probe;
    set.samples = draws;
    set.warmup = info->warmup;
    set.thin = info->thin;
    set.seed = (info->seed ^ SEED_FLIP) + turn;
    set.threads = e->set->threads;
    return hs_comparison_init(out, e, same_sampler(e), true, &set, err);
}

/* Returns true if the sampler that a result names is parallel tempering; false
 * for an unknown one. */
static bool is_tempered(const char *spec)
{
    hs_sampler *sampler;
    bool is_so;

    if (!spec || hs_sampler_parse(&sampler, spec, NULL) != HISS_OK)
        return false;
    is_so = sampler->type == &hs_kernel_pt;
    hs_sampler_release(sampler);
    return is_so;
}

/* Independent draws miss no mode, if their tables are inexpensive. */
static bool can_be_independent(const hs_model *m)
{
    hs_descent_price price;
    bool is_cheap = hs_descent_weigh(&price, m, 0.0, NULL) == HISS_OK &&
                    price.sweeps <= OTHER_WORK;

    hs_descent_price_clear(&price);
    return is_cheap;
}

/* Returns a truncated network whose draws are nearly independent, or NULL.
 * Annealing must find no state that it misses (exact/network/probe.h). */
static const hs_network *hold_network(const hs_model *m)
{
    const hs_network_request request = {.most = BUILD_WORK};
    const hs_network *n = NULL;
    hs_network_price price;

    if (!m->ops->factors || m->is_dense ||
        hs_network_weigh(&price, m, HS_NETWORK_BOND_FIRST, NULL) != HISS_OK ||
        !(price.set_up <= BUILD_WORK) ||
        hs_network_hold(&n, m, &request, NULL) != HISS_OK)
        return NULL;
    if (hs_network_about(n)->accepted >= NETWORK)
        return n;
    hs_network_release(n);
    return NULL;
}

/* Nearly independent draws if possible; else tempering with local moves or, if
 * the run used that, `auto`.  *held is the network, to be released. */
static const char *other_sampler(const hs_evidence *e, const hs_network **held)
{
    const hs_model *m = e->model->model;
    const char *run = hiss_result_text(e->result, "resolved");

    run = run ? run : hiss_result_text(e->result, "sampler");
    if (can_be_independent(m))
        return independent;
    *held = hold_network(m);
    if (*held)
        return network;
    if (is_tempered(run))
        return "auto";
    if (m->domain.is_tour)
        return "pt(base=tour,levels=auto)";
    if (hs_model_has_constraints(m))
        return "pt(base=blocks,levels=auto)";
    if (!hs_model_has_cheap_sites(m) && m->domain.dim > COSTLY_SITES)
        return "pt(base=dmala(alpha=0.2),levels=auto)";
    return "pt(base=gibbs,levels=auto)";
}

/* Evaluations that the other sampler may make; 0 for no limit. */
static double evals_of_other(const hs_evidence *e)
{
    const hs_model *m = e->model->model;
    double sweep = !hs_model_has_cheap_sites(m) && m->domain.dim <= COSTLY_SITES
                       ? (double)m->domain.dim
                       : 1.0;
    double room = hs_work_share(e, HS_VERDICT_OTHER) / e->work->evaluation;

    return room >= OTHER_WORK * sweep ? 0.0 : fmax(floor(room), 1.0);
}

static hiss_status draw_other(const hs_evidence *e, const char *name,
                              uint64_t turn, double evals, hs_comparison *out,
                              hiss_error *err)
{
    const hiss_run_info *info = &e->result->run.info;
    double wanted = OTHER_MORE * (double)info->chains * (double)info->samples /
                    e->set->probe;
    hiss_settings set;

    hiss_settings_init(&set);
    wanted = fmin(fmax(wanted, OTHER_MIN), OTHER_MAX);
    set.chains = e->set->probe;
    set.samples = (int64_t)wanted;
    set.seed = (info->seed ^ SEED_FLIP) + turn;
    set.threads = e->set->threads;
    set.evals = evals;
    return hs_comparison_init(out, e, name, false, &set, err);
}

/* --- judging ------------------------------------------------------------ */

static void tell_apart(hiss_diagnosis *d, const hs_evidence *e,
                       const char *finding, const char *who,
                       const hs_apart *apart)
{
    hs_find(d, finding, HISS_DOUBT, apart->sigmas, apart->limit,
            "%d %s disagree with the run at %s: %.9g, there %.9g",
            e->set->probe, who, apart->name, apart->fresh, apart->run);
    hs_find_need(d, HISS_NEED_MODES, 0.0);
}

/* Decides whether chains contradict the run.  They do not if they have
 * missed modes of the run, have visited no others, and agree with the run on
 * the rest. */
static hiss_status exempt(hiss_diagnosis *d, const hs_evidence *e,
                          const char *finding, const char *who,
                          const hs_comparison *fresh, hs_apart *apart,
                          bool *is_exempt, hiss_error *err)
{
    double mass = 0.0;

    HS_TRY(hs_comparison_missed(fresh, e, apart, &mass, err));
    *is_exempt = mass > 0.0;
    if (*is_exempt)
        d->is_confirmed = true;
    if (*is_exempt)
        hs_find(d, finding, HISS_SKIPPED, mass, NAN,
                "%d %s have missed a mode of the run, or hardly seen it, that "
                "holds %.2g, or more, of what it and they make up; they agree "
                "with the run about the rest",
                e->set->probe, who, mass);
    return HISS_OK;
}

static void judge_same(hiss_diagnosis *d, const hs_evidence *e,
                       const hs_comparison *fresh, const hs_apart *apart)
{
    const hs_columns *c = &fresh->columns;
    char name[HS_COLUMN_TEXT];
    int worst, stuck = 0;
    hiss_outcome outcome = hs_worst_mixing(c, &worst);

    for (int n = 0; n < c->count; n++)
        stuck += c->at[n].column.state == HISS_STUCK;
    if (apart->is_so) {
        tell_apart(d, e, "fresh chains", "fresh chains", apart);
    } else if (stuck || outcome != HISS_PASSED) {
        hs_column_name(c, &c->at[worst], &e->result->domain, name);
        hs_find(d, "fresh chains", HISS_DOUBT, c->at[worst].column.rhat,
                HISS_RHAT_DOUBT,
                "%d fresh chains do not agree with each other: R-hat %.3f at "
                "%s",
                e->set->probe, c->at[worst].column.rhat, name);
        hs_find_need(d, HISS_NEED_MODES, 0.0);
    } else {
        d->is_confirmed = true;
        hs_find(d, "fresh chains", HISS_PASSED, apart->sigmas, apart->limit,
                "%d fresh chains from other starts agree with the run",
                e->set->probe);
    }
}

/* The verdict is not decided unless other chains confirm the run. */
static hiss_status leave_out(hiss_diagnosis *d, const hs_evidence *e,
                             const char *finding, const char *why)
{
    hs_find(d, finding, HISS_SKIPPED, NAN, NAN, "%s", why);
    hs_find_more(d, e);
    d->finding[d->findings - 1].is_left_out = true;
    return HISS_OK;
}

/* Reports a sampler that cannot be run, which is not a fault of the run. */
static hiss_status tell_failure(hiss_diagnosis *d, const hs_evidence *e,
                                const char *finding, hiss_status rc,
                                hiss_error *err)
{
    if (rc == HISS_ENOMEM || rc == HISS_ESTOP)
        return rc;
    if (hs_deadline_is_over(e, finding))
        return leave_out(d, e, finding, "the time was over");
    hs_find(d, finding, HISS_SKIPPED, NAN, NAN, "they cannot be drawn: %s",
            err ? err->message : hiss_status_text(rc));
    return HISS_OK;
}

/* A mild alarm occurs in a share BY_CHANCE of correct runs, and a second one,
 * with more draws, hardly ever.  An alarm stays if it cannot be repeated, or if
 * the chains have visited more than the run. */
static hiss_status repeat_same(const hs_evidence *e, int64_t draws,
                               const hs_comparison *fresh, hs_apart *apart,
                               hiss_error *err)
{
    hs_comparison again = {0};
    hs_apart second = {0};
    bool sees_more;
    hiss_status rc;
    int worst;

    if (apart->sigmas > MILD * apart->limit ||
        cost_of(e, AGAIN * draws) > hs_work_share(e, HS_VERDICT_SAME))
        return HISS_OK;
    HS_TRY(hs_comparison_sees_more(fresh, e, &sees_more, err));
    if (sees_more)
        return HISS_OK;
    rc = draw_same(e, AGAIN * draws, 2, &again, err);
    if (rc == HISS_OK)
        rc = hs_comparison_compare(&again, e, &second, err);
    if (rc == HISS_OK && !second.is_so &&
        hs_worst_mixing(&again.columns, &worst) == HISS_PASSED)
        *apart = second;
    hs_comparison_clear(&again);
    return rc == HISS_ENOMEM || rc == HISS_ESTOP ? rc : HISS_OK;
}

static hiss_status probe_same(hiss_diagnosis *d, const hs_evidence *e,
                              hiss_error *err)
{
    int64_t draws = draws_wanted(e);
    hs_comparison fresh = {0};
    hs_apart apart = {0};
    bool is_exempt = false;
    hiss_status rc;

    if (e->result->is_foreign) {
        hs_find(d, "fresh chains", HISS_SKIPPED, NAN, NAN,
                "what made the draws is another program");
        return HISS_OK;
    }

    if (hs_deadline_is_over(e, "fresh chains"))
        return leave_out(d, e, "fresh chains", "the time was over");
    if (cost_of(e, draws) > hs_work_share(e, HS_VERDICT_SAME))
        return leave_out(d, e, "fresh chains",
                         "the work limit leaves too little for fresh chains");
    rc = draw_same(e, draws, 0, &fresh, err);
    if (rc == HISS_OK)
        rc = hs_comparison_compare(&fresh, e, &apart, err);
    if (rc == HISS_OK && apart.is_so)
        rc = repeat_same(e, draws, &fresh, &apart, err);
    if (rc == HISS_OK && apart.is_so)
        rc = exempt(d, e, "fresh chains", "fresh chains", &fresh, &apart,
                    &is_exempt, err);
    if (rc == HISS_OK && !is_exempt)
        judge_same(d, e, &fresh, &apart);
    hs_comparison_clear(&fresh);
    return rc == HISS_OK ? rc : tell_failure(d, e, "fresh chains", rc, err);
}

/* The chains prove nothing if some column has fewer effective draws than
 * this. */
static bool is_witness(const hs_comparison *fresh)
{
    int worst;

    if (fresh->samples < TELLING)
        return false;
    for (int n = 0; n < fresh->columns.count; n++) {
        const hs_examined *x = &fresh->columns.at[n];

        if (x->column.state == HISS_STUCK ||
            (x->column.state == HISS_VARIES && !hs_column_is_derived(x) &&
             !(x->minority < HISS_RARE) &&
             x->column.ess_bulk < HISS_ESS_FAILED))
            return false;
    }
    return hs_worst_mixing(&fresh->columns, &worst) != HISS_FAILED;
}

/* Repeats an alarm once.  By chance it occurs twice at the same place in one of
 * many thousand verdicts. */
static hiss_status confirm(hiss_diagnosis *d, const hs_evidence *e,
                           const char *name, const char *who, hs_apart *apart,
                           bool *is_exempt, hiss_error *err)
{
    hs_comparison again = {0};
    hs_apart second;
    hiss_status rc = draw_other(e, name, 1, evals_of_other(e), &again, err);

    if (rc == HISS_OK)
        rc = hs_comparison_compare(&again, e, &second, err);
    if (rc == HISS_OK && second.is_so && name != independent)
        rc =
            exempt(d, e, "other sampler", who, &again, &second, is_exempt, err);
    if (rc == HISS_OK && is_witness(&again) && !second.is_so)
        apart->is_so = false;
    hs_comparison_clear(&again);
    return rc;
}

static void judge_other(hiss_diagnosis *d, const hs_evidence *e,
                        const char *name, const char *who,
                        const hs_comparison *other, const hs_apart *apart)
{
    if (apart->is_so) {
        tell_apart(d, e, "other sampler", who, apart);
        if (name == independent) /* from the distribution itself */
            hs_find_wrong(d, e, apart->sigmas);
    } else if (!is_witness(other)) {
        hs_find(d, "other sampler", HISS_SKIPPED, NAN, NAN,
                "%d %s do not mix well enough to be compared", e->set->probe,
                who);
    } else {
        hs_find(d, "other sampler", HISS_PASSED, apart->sigmas, apart->limit,
                "%d %s agree with the run", e->set->probe, who);
        d->is_confirmed = true;
        d->is_settled = name == independent || name == network;
        d->is_searched = d->is_settled; /* such draws miss no mode */
    }
    if (is_witness(other))
        hs_find_masses(d, e, &apart->masses);
}

static hiss_status compare_other(hiss_diagnosis *d, const hs_evidence *e,
                                 const char *name, hiss_error *err)
{
    hs_comparison other = {0};
    hs_apart apart = {0};
    bool is_exempt = false;
    double evals = evals_of_other(e);
    bool is_local = name != independent && name != network;
    char who[128];
    hiss_status rc;

    snprintf(who, sizeof who, "chains of %s", name);
    if (hs_deadline_is_over(e, "other sampler"))
        return leave_out(d, e, "other sampler", "the time was over");
    if (is_local && evals > 0.0 && evals < LEAST_WORK)
        return leave_out(d, e, "other sampler",
                         "the work limit leaves too little for another one");
    rc = draw_other(e, name, 0, evals, &other, err);
    if (rc == HISS_OK)
        rc = hs_comparison_compare(&other, e, &apart, err);
    if (rc == HISS_OK && apart.is_so && name != independent)
        rc =
            exempt(d, e, "other sampler", who, &other, &apart, &is_exempt, err);
    if (rc == HISS_OK && apart.is_so && !is_exempt)
        rc = confirm(d, e, name, who, &apart, &is_exempt, err);
    if (rc == HISS_OK && !is_exempt)
        judge_other(d, e, name, who, &other, &apart);
    hs_comparison_clear(&other);
    return rc == HISS_OK ? rc : tell_failure(d, e, "other sampler", rc, err);
}

static hiss_status probe_other(hiss_diagnosis *d, const hs_evidence *e,
                               hiss_error *err)
{
    const hs_network *held = NULL;
    const char *name = other_sampler(e, &held);
    hiss_status rc = compare_other(d, e, name, err);

    hs_network_release(held);
    return rc;
}

hiss_status hs_probe(hiss_diagnosis *d, const hs_evidence *e, hiss_error *err)
{
    if (!e->model || e->set->probe < 1 || !e->modes) {
        hs_find(d, "fresh chains", HISS_SKIPPED, NAN, NAN, "%s",
                !e->model ? "no fresh chains: the model is not at hand"
                : e->set->probe < 1 ? "fresh chains were not asked for"
                                    : "no fresh chains: the time was over");
        return HISS_OK;
    }
    HS_TRY(probe_same(d, e, err));
    HS_TRY(probe_other(d, e, err));
    for (int n = 0; n < d->findings && !d->is_confirmed; n++)
        if (d->finding[n].is_left_out)
            d->finding[n].found.outcome = HISS_UNCHECKED;
    return HISS_OK;
}
