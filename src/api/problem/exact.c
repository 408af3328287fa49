/* exact.c - ground truth of the public interface.
 *
 * Up to ENUMERATED states are simply enumerated, which gives the most probable
 * ones too.  Beyond that elimination takes over where the model is a sum of
 * tables and the estimates say that it is cheaper or that nothing else goes. */
#include <math.h>
#include <string.h>

#include "api/object/manifest.h"
#include "api/object/objects.h"
#include "api/object/sized.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/poll.h"
#include "base/pool.h"
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
#define SPEEDUP       0.7     /* of each further thread, up to */
#define SPEEDUP_MAX   8

struct hiss_exact {
    hs_exact exact;             /* owned; empty after elimination */
    hs_elimination elimination; /* owned; empty after enumeration */
    const char *order;          /* of elimination; NULL: enumerated */
    hs_domain domain;           /* owned: of the model, which may be gone */
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

/* How to go about it: *has_plan says that elimination is the way. */
static hiss_status choose(hs_plan *plan, bool *has_plan, const hs_model *m,
                          hiss_error *err)
{
    double states = count_states(&m->domain);
    hs_factors f;
    hiss_status rc;

    *has_plan = false;
    if (states <= ENUMERATED || !m->ops->factors || m->is_dense)
        return HISS_OK;
    rc = m->ops->factors(m, &f, err);
    if (rc == HISS_ELIMIT)
        return HISS_OK;
    HS_TRY(rc);
    rc = hs_plan_init(plan, &f, err);
    hs_factors_clear(&f);
    HS_TRY(rc);
    if (states <= (double)HS_ENUMERATE_MAX &&
        (plan->bytes > plan->memory_limit ||
         plan->seconds > enumeration_seconds(&m->domain)))
        hs_plan_clear(plan);
    else
        *has_plan = true;
    return HISS_OK;
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

/* Shows the caller the cost before the work begins. */
static hiss_status announce(const hiss_exact_settings *settings,
                            const hs_model *m, const hs_plan *plan,
                            hiss_error *err)
{
    hiss_exact_cost cost = cost_of(m, plan);

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
        HS_TRY(announce(settings, m, NULL, err));
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
        rc = announce(settings, m, plan, err);
    if (rc == HISS_OK)
        rc = hs_elimination_init(&e->elimination, plan,
                                 hs_threads(settings->threads), err);
    return rc;
}

static hiss_status solve(hiss_exact *e, const hs_model *m,
                         const hiss_exact_settings *settings, hiss_error *err)
{
    hs_patience patience = HS_PATIENCE(settings->poll, settings->context);
    hs_poll poll = {hs_patience_ask, &patience};
    hs_plan plan = {0};
    bool has_plan = false;
    hiss_status rc;

    e->states = count_states(&m->domain);
    rc = choose(&plan, &has_plan, m, err);
    if (rc == HISS_OK && !has_plan)
        return enumerate(e, m, settings, settings->poll ? &poll : NULL, err);
    plan.poll = settings->poll ? &poll : NULL;
    if (rc == HISS_OK)
        rc = eliminate(e, m, &plan, settings, err);
    hs_plan_clear(&plan);
    if (rc != HISS_OK && rc != HISS_ESTOP)
        hs_error_prefix(err, "model %s", m->name);
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
    hs_domain_clear(&exact->domain);
    hs_free(exact);
}

double hiss_exact_log_z(const hiss_exact *exact)
{
    if (!exact)
        return (double)NAN;
    return exact->order ? exact->elimination.log_z : exact->exact.log_z;
}

double hiss_exact_states(const hiss_exact *exact)
{
    return exact ? exact->states : (double)NAN;
}

double hiss_exact_max_u(const hiss_exact *exact)
{
    if (!exact)
        return (double)NAN;
    return exact->order ? exact->elimination.max_u : exact->exact.max_u;
}

double hiss_exact_mean_u(const hiss_exact *exact)
{
    if (!exact)
        return (double)NAN;
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
    return !exact ? NULL : exact->order ? "elimination" : "enumeration";
}

const char *hiss_exact_order(const hiss_exact *exact)
{
    return exact ? exact->order : NULL;
}

static const double *marginals(const hiss_exact *exact)
{
    return exact->order ? exact->elimination.marginal : exact->exact.marginal;
}

const double *hiss_exact_marginal(const hiss_exact *exact, int coordinate)
{
    if (!exact || !hs_has_coordinate(&exact->domain, coordinate))
        return NULL;
    return marginals(exact) + exact->domain.value[coordinate];
}

int hiss_exact_top(const hiss_exact *exact, int number, double *state,
                   double *probability)
{
    const hs_exact *e;
    const hs_domain *d;
    double u;

    if (!exact || number < 0 ||
        number >= (exact->order ? 1 : exact->exact.tops))
        return 0;
    e = &exact->exact;
    d = &exact->domain;
    u = exact->order ? exact->elimination.max_u : e->top[number].u;
    if (state && !exact->order)
        hs_exact_values(e, e->top[number].state, state);
    for (int i = 0; state && exact->order && i < d->dim; i++)
        state[i] = (double)d->values[d->value[i] + exact->elimination.best[i]];
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
