/* exact.c - exact answers of the public interface.
 *
 * Up to ENUMERATED states are enumerated, which also gives the most probable
 * ones.  For more states elimination takes over if the model is a sum of tables
 * and the estimates say that it is cheaper or the only way.  Tables with zeros
 * can also be counted.  The cost of counting is known only afterwards, so it is
 * tried within a limit of work first, and without one if elimination is
 * refused. */
#include <math.h>
#include <string.h>

#include "api/object/manifest.h"
#include "api/object/objects.h"
#include "api/object/sized.h"
#include "api/problem/exact_answers.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/number.h"
#include "base/poll.h"
#include "base/pool.h"
#include "exact/counting.h"
#include "exact/elimination.h"
#include "exact/enumerate.h"
#include "model/factor/factor_graph.h"

#define TOPS          100    /* number of most probable states stored */
#define ENUMERATED    0x1p20 /* states: always enumerated */
#define QUICK_SECONDS 5.0    /* an estimate */
#define QUICK_BYTES   1e9
#define STATE_TIME    1.5e-10 /* seconds per state and coordinate, roughly */
#define ESTIMATE_MOST 600.0   /* seconds: longer estimates are not shown */
#define ESTIMATE_DIM  4096    /* coordinates: larger models get no estimate */
/* Steps of counting before other methods are tried: about 1.5 s. */
#define COUNT_FIRST 1e8
#define COUNT_MOST  1e12 /* steps: some hours */
/* gives up if it would take this many times the first limit */
#define COUNT_GIVE_UP 30.0
/* seconds of elimination above which weighted draws are preferred, if
 * allowed */
#define NEARLY_SECONDS 10.0
/* seconds of elimination below which counting is not tried */
#define SHORT_WORK  1.0
#define SPEEDUP     0.7 /* gain by each further thread, up to */
#define SPEEDUP_MAX 8

/* A double, infinite only past 10^308. */
static double count_states(const hs_domain *d)
{
    double states = 1.0;

    for (int i = 0; i < d->dim; i++)
        states *= d->states[i];
    return states;
}

static double enumeration_seconds(const hs_domain *d)
{
    return count_states(d) * d->dim * STATE_TIME;
}

static hiss_exact_cost cost_of(const hs_model *m, const hs_plan *plan)
{
    if (!plan)
        return (hiss_exact_cost){.size = sizeof(hiss_exact_cost),
                                 .method = "enumeration",
                                 .seconds = enumeration_seconds(&m->domain)};
    return (hiss_exact_cost){.size = sizeof(hiss_exact_cost),
                             .method = "elimination",
                             .order = plan->name,
                             .seconds = plan->seconds,
                             .bytes = plan->bytes,
                             .largest = plan->largest,
                             .bytes_limit = plan->memory_limit};
}

static double on_threads(double seconds, int threads)
{
    int used = threads < SPEEDUP_MAX ? threads : SPEEDUP_MAX;

    return seconds / (1.0 + SPEEDUP * (used - 1));
}

/* Estimates elimination by a quick plan. */
static bool estimate(const hs_model *m, double most, hiss_exact_cost *out)
{
    hs_factors f;
    hs_plan plan;
    bool is_possible;

    if (!m->ops->factors || m->is_dense ||
        hs_model_structure(m, HS_STRUCTURE_DENSE_WIDE) ||
        m->domain.dim > ESTIMATE_DIM || m->ops->factors(m, &f, NULL) != HISS_OK)
        return false;
    is_possible = hs_plan_quick(&plan, &f, most, NULL) == HISS_OK;
    hs_factors_clear(&f);
    if (!is_possible)
        return false;
    *out = cost_of(m, &plan);
    hs_plan_clear(&plan);
    return out->bytes <= out->bytes_limit;
}

int hiss_exact_estimate(const hiss_model *model, int threads,
                        hiss_exact_cost *out)
{
    hiss_exact_cost cost, other;
    const hs_model *m = model ? model->model : NULL;
    double states, faster;

    if (!m || !out || hs_check_threads(threads, NULL) != HISS_OK)
        return 0;
    states = count_states(&m->domain);
    faster = on_threads(1.0, hs_threads(threads));
    cost = cost_of(m, NULL);
    if (states > (double)HS_ENUMERATE_MAX)
        cost.seconds = HUGE_VAL;
    if (states > ENUMERATED && estimate(m, ESTIMATE_MOST / faster, &other) &&
        other.seconds < cost.seconds)
        cost = other;
    cost.seconds *= faster;
    return cost.seconds <= ESTIMATE_MOST &&
           hs_sized_fill(out, &cost, sizeof cost);
}

static hiss_exact_cost counting_cost(const hiss_exact *e)
{
    return (hiss_exact_cost){.size = sizeof(hiss_exact_cost),
                             .method = "counting",
                             .seconds = e->forecast};
}

/* Shows the caller the cost before the work begins. */
static hiss_status announce(const hiss_exact_settings *settings,
                            hiss_exact_cost cost, hiss_error *err)
{
    if (settings->quick &&
        (cost.seconds > QUICK_SECONDS || cost.bytes > QUICK_BYTES))
        return hs_fail(err, HISS_ESTOP, "it would take more than %g s or %g B",
                       QUICK_SECONDS, QUICK_BYTES);
    if (settings->begin && settings->begin(settings->context, &cost))
        return hs_fail(err, HISS_ESTOP, "stopped before the work began");
    return HISS_OK;
}

/* Makes a model without rounding from the tables of one that rounds sums; NULL
 * if nothing is gained or the tables are too large. */
static hiss_status make_twin(hs_model **out, const hs_model *m, hiss_error *err)
{
    bool is_rounded = m->precision.kind == HS_PRECISION_ROUNDED ||
                      m->precision.kind == HS_PRECISION_UNIFORM;
    hs_domain domain = {0};
    hs_factors f;
    hiss_status rc;

    *out = NULL;
    if (!is_rounded || !m->ops->factors)
        return HISS_OK;
    rc = m->ops->factors(m, &f, err);
    if (rc == HISS_ELIMIT)
        return HISS_OK;
    HS_TRY(rc);
    rc = hs_domain_copy(&domain, &m->domain, err);
    if (rc == HISS_OK)
        return hs_factor_graph_create_over(out, m->name, &domain, &f, err);
    hs_factors_clear(&f);
    return rc;
}

static hiss_status enumerate(hiss_exact *e, const hs_model *m,
                             const hiss_exact_settings *settings,
                             const hs_poll *poll, hiss_error *err)
{
    hs_model *twin = NULL;
    hiss_status rc;
    hs_exact_options options = {.threads = hs_threads(settings->threads),
                                .tops = TOPS,
                                .limit = HS_ENUMERATE_MAX,
                                .what = "enumeration",
                                .poll = poll};

    if (e->states <= (double)HS_ENUMERATE_MAX)
        HS_TRY(announce(settings, cost_of(m, NULL), err));
    HS_TRY(make_twin(&twin, m, err));
    rc = hs_exact_init(&e->exact, twin ? twin : m, &options, err);
    hs_model_destroy(twin);
    HS_TRY(rc);
    e->states = hs_domain_count(&m->domain);
    return HISS_OK;
}

static hiss_status eliminate(hiss_exact *e, const hs_model *m,
                             const hs_plan *plan,
                             const hiss_exact_settings *settings,
                             hiss_error *err)
{
    hiss_status rc = HISS_OK;

    e->order = plan->name;
    if (plan->bytes <= plan->memory_limit)
        rc = announce(settings, cost_of(m, plan), err);
    if (rc == HISS_OK)
        rc = hs_elimination_init(&e->elimination, plan,
                                 hs_threads(settings->threads), err);
    return rc;
}

/* Prints the number of solutions of an enumerated model: at most 2^26, so a
 * double has all digits. */
static hiss_status print_count(hiss_exact *e, hiss_error *err)
{
    char text[32];

    hs_snprintf(text, sizeof text, "%.0f",
                exp(e->exact.log_z - e->exact.max_u));
    e->digits = hs_strdup(text);
    return e->digits ? HISS_OK : hs_fail_memory(err);
}

/* Polls the caller, with the progress of counting. */
struct watch {
    const hiss_exact_settings *settings;
    double done;
};

static int ask(void *context)
{
    const struct watch *w = context;
    const hiss_exact_settings *s = w->settings;

    if (s->progress && s->progress(s->context, w->done))
        return 1;
    return s->poll ? s->poll(s->context) : 0;
}

/* The state of a computation of exact answers. */
struct task {
    hiss_exact *e;
    const hs_model *m;
    hs_factors f; /* owned; without states if the model has no tables */
    hs_plan plan; /* owned */
    struct watch watch;
    const hs_poll *poll;
};

static bool is_too_much(hiss_status rc)
{
    return rc == HISS_ELIMIT || rc == HISS_ENOMEM;
}

static hiss_status count(struct task *t, double work, hiss_error *err)
{
    hiss_exact *e = t->e;
    hs_count_limits limits = {.work = work,
                              .give_up = COUNT_GIVE_UP,
                              .done = &t->watch.done,
                              .seconds = &e->forecast,
                              .poll = t->poll};
    hs_count *c;
    hiss_status rc;

    HS_TRY(hs_counting(&c, &t->f, NULL, limits, err));
    rc = hs_count_answer(&e->counted, c, t->poll, err);
    if (rc == HISS_OK && hs_count_is_uniform(c))
        rc = hs_count_digits(&e->digits, c, err);
    e->count_log_z = hs_count_log_z(c);
    e->is_counted = rc == HISS_OK;
    hs_count_destroy(c);
    return rc;
}

/* Counts if it is the only way, after the other methods have refused. */
static hiss_status count_all(struct task *t, hiss_error *err)
{
    hiss_error other = {0}, own = {0};
    hiss_status rc, refused = hs_plan_check(&t->plan, &other);

    if (t->watch.settings->quick)
        return hs_fail(err, refused, "%s", other.message);
    HS_TRY(announce(t->watch.settings, counting_cost(t->e), err));
    rc = count(t, COUNT_MOST, &own);
    if (is_too_much(rc))
        return hs_fail(err, refused, "%s; %s", other.message, own.message);
    return rc == HISS_OK ? rc : hs_fail(err, rc, "%s", own.message);
}

static bool is_enumerable(const struct task *t)
{
    return t->e->states <= (double)HS_ENUMERATE_MAX;
}

/* Decides whether weighted draws are better than the plan. */
static bool prefers_draws(const struct task *t, bool is_feasible)
{
    return t->watch.settings->nearly &&
           (!is_feasible || t->plan.seconds > NEARLY_SECONDS);
}

/* Fails like elimination, and names the alternatives. */
static hiss_status refuse(const struct task *t, hiss_error *err)
{
    hiss_error own = {0};
    hiss_status rc = hs_plan_check(&t->plan, &own);

    return hs_fail(err, rc,
                   "%s; with --nearly (nearly=True in Python) weighted draws "
                   "give log Z, marginals and mean U with errors",
                   own.message);
}

/* Uses the least expensive method for models that are sums of tables. */
static hiss_status solve_tables(struct task *t, hiss_error *err)
{
    bool has_zeros = hs_counting_applies(&t->f), is_feasible;
    bool is_uniform = hs_factors_are_uniform(&t->f);
    hiss_status rc;

    if (is_uniform) {
        rc = count(t, COUNT_FIRST, err);
        if (!is_too_much(rc))
            return rc;
    }
    HS_TRY(hs_plan_init(&t->plan, &t->f, err));
    is_feasible = t->plan.bytes <= t->plan.memory_limit;
    if (has_zeros && !is_uniform &&
        !(is_feasible && t->plan.seconds <= SHORT_WORK)) {
        rc = count(t, COUNT_FIRST, err);
        if (!is_too_much(rc))
            return rc;
    }
    if (is_enumerable(t) &&
        (!is_feasible || t->plan.seconds > enumeration_seconds(&t->m->domain)))
        return enumerate(t->e, t->m, t->watch.settings, t->poll, err);
    if (prefers_draws(t, is_feasible))
        return hs_network_answer(&t->e->nearly, t->m, t->poll, err);
    if (has_zeros && !is_feasible)
        return count_all(t, err);
    if (!is_feasible && !t->watch.settings->quick)
        return refuse(t, err);
    t->plan.poll = t->poll;
    return eliminate(t->e, t->m, &t->plan, t->watch.settings, err);
}

static hiss_status solve(hiss_exact *e, const hs_model *m,
                         const hiss_exact_settings *settings, hiss_error *err)
{
    struct task t = {.e = e, .m = m, .watch = {.settings = settings}};
    hs_patience patience = HS_PATIENCE(ask, &t.watch);
    hs_poll poll = {hs_patience_ask, &patience};
    hiss_status rc = HISS_ELIMIT;

    e->states = count_states(&m->domain);
    if (settings->poll || settings->progress)
        t.poll = &poll;
    if (m->ops->factors && !m->is_dense)
        rc = m->ops->factors(m, &t.f, err);
    if (rc == HISS_OK && e->states > ENUMERATED) {
        rc = solve_tables(&t, err);
        if (rc != HISS_OK && rc != HISS_ESTOP)
            hs_error_prefix(err, "model %.80s", m->name);
    } else if (rc == HISS_OK || rc == HISS_ELIMIT) {
        bool has_count = rc == HISS_OK && hs_factors_are_uniform(&t.f);

        rc = enumerate(e, m, settings, t.poll, err);
        if (rc == HISS_OK && has_count)
            rc = print_count(e, err);
    }
    hs_plan_clear(&t.plan);
    hs_factors_clear(&t.f);
    return rc;
}

static const hiss_exact_settings defaults = {.size = sizeof defaults};

void hiss_exact_settings_defaults(hiss_exact_settings *settings, size_t size)
{
    hs_sized_init(settings, size, &defaults, sizeof defaults);
}

hiss_status hiss_exact_solve(hiss_exact **out, const hiss_model *model,
                             const hiss_exact_settings *settings,
                             hiss_error *err)
{
    hiss_exact_settings s = defaults;
    double started = hs_now();
    hiss_exact *e;
    hiss_status rc;

    if (out)
        *out = NULL;
    if (!out || !model || !settings)
        return hs_fail(err, HISS_EARG, "hiss_exact_solve: an argument is NULL");
    HS_TRY(hs_sized_read(&s, sizeof s, settings, "hiss_exact_settings", err));
    HS_TRY(hs_check_threads(s.threads, err));
    e = hs_alloc_array(1, sizeof *e);
    if (!e)
        return hs_fail_memory(err);
    rc = hs_domain_copy(&e->domain, &model->model->domain, err);
    if (rc == HISS_OK)
        rc = solve(e, model->model, &s, err);
    if (rc != HISS_OK) {
        hiss_exact_destroy(e);
        return rc;
    }
    e->seconds = hs_now() - started;
    *out = e;
    return HISS_OK;
}

hiss_status hiss_exact_create(hiss_exact **out, const hiss_model *model,
                              int threads, hiss_error *err)
{
    hiss_exact_settings settings = defaults;

    settings.threads = threads;
    return hiss_exact_solve(out, model, &settings, err);
}

void hiss_exact_destroy(hiss_exact *exact)
{
    if (!exact)
        return;
    hs_exact_clear(&exact->exact);
    hs_elimination_clear(&exact->elimination);
    hs_count_answers_clear(&exact->counted);
    hs_network_answers_clear(&exact->nearly);
    hs_free(exact->digits);
    hs_domain_clear(&exact->domain);
    hs_free(exact);
}
