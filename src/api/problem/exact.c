/* exact.c - ground truth of the public interface.
 *
 * Up to ENUMERATED states are simply enumerated, which gives the most probable
 * ones too.  Beyond that elimination takes over where the model is a sum of
 * tables and the estimates say that it is cheaper or that nothing else goes.
 * Tables with zeros can be counted as well.  What that takes is known only
 * afterwards: counting is tried within a limit of work first, and without one
 * where elimination is refused. */
#include <math.h>
#include <string.h>

#include "api/object/manifest.h"
#include "api/object/objects.h"
#include "api/object/sized.h"
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
#include "sink/sink.h"

#define TOPS          100    /* most probable states kept */
#define ENUMERATED    0x1p20 /* states: no question of cost */
#define QUICK_SECONDS 5.0    /* an estimate */
#define QUICK_BYTES   1e9
#define STATE_TIME    1.5e-10 /* seconds per state and coordinate, roughly */
#define ESTIMATE_MOST 600.0   /* seconds that are worth telling */
#define ESTIMATE_DIM  4096    /* coordinates: more are not looked at */
#define COUNT_FIRST                                                            \
  1e8                    /* steps of counting before other ways are looked at:
                               about 1.5 s */
#define COUNT_MOST  1e12 /* steps: some hours */
#define COUNT_HOPE  30.0 /* times the first limit: then it is given up early */
#define SHORT_WORK  1.0  /* seconds of elimination: no need to count */
#define SPEEDUP     0.7  /* of each further thread, up to */
#define SPEEDUP_MAX 8

struct hiss_exact {
    hs_exact exact;             /* owned; empty after elimination */
    hs_elimination elimination; /* owned; empty after enumeration */
    hs_count_answers counted;   /* owned; empty unless it was counted */
    const char *order;          /* of elimination, else NULL */
    bool is_counted;
    double count_log_z;
    double forecast;  /* seconds of counting, where it was given up */
    char *digits;     /* owned: solutions, or NULL */
    hs_domain domain; /* owned: of the model, which may be gone */
    double states;
    double seconds;
};

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

/* By elimination, as a quick look says. */
static bool estimate(const hs_model *m, double most, hiss_exact_cost *out)
{
    hs_factors f;
    hs_plan plan;
    bool is_possible;

    if (!m->ops->factors || m->is_dense || m->domain.dim > ESTIMATE_DIM ||
        m->ops->factors(m, &f, NULL) != HISS_OK)
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

/* The tables of a model that rounds what it adds up, as a model that does not;
 * NULL where there is nothing to gain or no room for tables. */
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

/* Solutions of a model that was enumerated: at most 2^26, so that a double has
 * all digits. */
static hiss_status print_count(hiss_exact *e, hiss_error *err)
{
    char text[32];

    hs_snprintf(text, sizeof text, "%.0f",
                exp(e->exact.log_z - e->exact.max_u));
    e->digits = hs_strdup(text);
    return e->digits ? HISS_OK : hs_fail_memory(err);
}

/* Asks the caller, who may want to know how far counting is. */
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

/* What exact answers are made with. */
struct task {
    hiss_exact *e;
    const hs_model *m;
    hs_factors f; /* owned; without states: the model has no tables */
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
                              .hopeless = COUNT_HOPE,
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

/* The same where it is the only way, after what the others say. */
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

/* By the cheapest way, for models that are sums of tables. */
static hiss_status solve_tables(struct task *t, hiss_error *err)
{
    bool has_zeros = hs_counting_applies(&t->f), is_feasible;
    bool is_uniform = hs_counting_is_uniform(&t->f);
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
    if (has_zeros && !is_feasible)
        return count_all(t, err);
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
            hs_error_prefix(err, "model %s", m->name);
    } else if (rc == HISS_OK || rc == HISS_ELIMIT) {
        bool has_count = rc == HISS_OK && hs_counting_is_uniform(&t.f);

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
    hs_free(exact->digits);
    hs_domain_clear(&exact->domain);
    hs_free(exact);
}

double hiss_exact_log_z(const hiss_exact *exact)
{
    if (!exact)
        return (double)NAN;
    if (exact->is_counted)
        return exact->count_log_z;
    return exact->order ? exact->elimination.log_z : exact->exact.log_z;
}

const char *hiss_exact_count(const hiss_exact *exact)
{
    return exact ? exact->digits : NULL;
}

double hiss_exact_states(const hiss_exact *exact)
{
    return exact ? exact->states : (double)NAN;
}

double hiss_exact_max_u(const hiss_exact *exact)
{
    if (!exact)
        return (double)NAN;
    if (exact->is_counted)
        return exact->counted.max_u;
    return exact->order ? exact->elimination.max_u : exact->exact.max_u;
}

double hiss_exact_mean_u(const hiss_exact *exact)
{
    if (!exact)
        return (double)NAN;
    if (exact->is_counted)
        return exact->counted.mean_u;
    return exact->order ? exact->elimination.mean_u : exact->exact.mean_u;
}

const double *hs_exact_factor_means(const hiss_exact *exact)
{
    return exact->order ? exact->elimination.mean : NULL;
}

double hiss_exact_seconds(const hiss_exact *exact)
{
    return exact ? exact->seconds : (double)NAN;
}

const char *hiss_exact_method(const hiss_exact *exact)
{
    return !exact              ? NULL
           : exact->is_counted ? "counting"
           : exact->order      ? "elimination"
                               : "enumeration";
}

const char *hiss_exact_order(const hiss_exact *exact)
{
    return exact ? exact->order : NULL;
}

static const double *marginals(const hiss_exact *exact)
{
    if (exact->is_counted)
        return exact->counted.marginal;
    return exact->order ? exact->elimination.marginal : exact->exact.marginal;
}

const double *hiss_exact_marginal(const hiss_exact *exact, int coordinate)
{
    if (!exact || !hs_has_coordinate(&exact->domain, coordinate))
        return NULL;
    return marginals(exact) + exact->domain.value[coordinate];
}

/* The one most probable state that is known; NULL: all were enumerated. */
static const int16_t *best_state(const hiss_exact *exact)
{
    return exact->is_counted ? exact->counted.best
           : exact->order    ? exact->elimination.best
                             : NULL;
}

int hiss_exact_top(const hiss_exact *exact, int number, double *state,
                   double *probability)
{
    const int16_t *best;
    double u;

    if (!exact || number < 0)
        return 0;
    best = best_state(exact);
    if (number >= (best ? 1 : exact->exact.tops))
        return 0;
    u = best ? hiss_exact_max_u(exact) : exact->exact.top[number].u;
    if (state && !best)
        hs_exact_values(&exact->exact, exact->exact.top[number].state, state);
    for (int i = 0; state && best && i < exact->domain.dim; i++)
        state[i] =
            (double)exact->domain.values[exact->domain.value[i] + best[i]];
    if (probability)
        *probability = exp(u - hiss_exact_log_z(exact));
    return 1;
}

hiss_status hiss_exact_write_mar(const hiss_exact *exact,
                                 const hiss_model *model, const char *path,
                                 int replace, hiss_error *err)
{
    hs_output out = {0};

    if (!exact || !model || !path)
        return hs_fail(err, HISS_EARG,
                       "hiss_exact_write_mar: an argument is NULL");
    if (exact->domain.value_count != model->model->domain.value_count)
        return hs_fail(err, HISS_EARG,
                       "hiss_exact_write_mar: the answers are those of another "
                       "model");
    out.domain = &exact->domain;
    out.fixed_at = model->model->fixed_at;
    out.full_states = model->model->full_states;
    out.marginal = marginals(exact);
    for (int n = 0; hs_sinks[n]; n++)
        if (strcmp(hs_sinks[n]->name, "mar") == 0)
            return hs_sinks[n]->write(&out, path, replace, err);
    return hs_fail(err, HISS_EINTERNAL, "no writer of marginals");
}
