/* search.c - searches for modes that the draws have missed: the last check.
 *
 * Chains at any temperature may miss a narrow mode.  So thousands of short
 * climbs list optima (run/scouts/quench.h), and those that the draws do not
 * reach are *candidates*.  Chains from each of them learn a distribution q, a
 * basin (run/atlas/basin.h) and its part Z(basin) of Z.
 *
 * A basin that contains draws is known.  The mass of another is Z(basin) /
 * (Z(basin) + Z(seen)), where Z(seen), for everything the run has visited,
 * comes from basins around some of its own draws: 1 / Z(seen) = E_draws[q / p;
 * in the basin], by draws of other parts of the run than that of q.  A q that
 * fits badly makes Z(basin) too small and Z(seen) too large, both on the safe
 * side.  If q cannot be a product, as in a glass, nothing is found and no alarm
 * raised.  Modes of the run are weighed in the same way against other chains
 * that disagree with it (missed_by.c). */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/random/streams.h"
#include "run/atlas/basin.h"
#include "run/chain/group.h"
#include "run/pilot/local_sampler.h"
#include "run/scouts/quench.h"
#include "verdict/states/seen_draws.h"
#include "verdict/verdict.h"
#include "verdict/weigh.h"

#define SEED_FLIP  0xd1b54a32d192ed03u
#define LEAST      2e4   /* fewest evaluations that can find anything */
#define SITES      4e9   /* most coordinates times evaluations */
#define CLIMBS     16384 /* most climbs */
#define PARTS      8     /* parts of the run, each with its own basin */
#define CANDIDATES 32    /* optima that are checked: the heaviest, */
#define AT_RANDOM  8     /* and some where climbs ended, of any weight */
#define FINALISTS  4     /* candidates that are checked for longer */
#define CLIMB_PART 0.5   /* fraction of the evaluations */
#define HIDDEN     0.5   /* fraction of these, for modes where no climb ends */
#define LOOKS      2.5   /* times as many for models of numbers */
#define SHORT_PART 0.15  /* the same for chains from candidates, */
#define LONG_PART  0.3   /* and for chains from finalists and draws */
#define STEP_COST  2.0   /* evaluations per step, unless they cost more */
#define SHORT_MAX  48    /* steps, */
#define LONG_MAX   512
#define SHORT_SEEN 32 /* draws of q, */
#define LONG_SEEN  512
#define SURE       2.0 /* standard errors subtracted from an estimate */
/* share of the draws that climb to an optimum, above which it is known */
#define SEEN   0.02
#define HARDLY 0.1 /* fraction of the expected share of draws in a basin */

struct candidate {
    const int16_t *state; /* borrowed: an optimum, */
    double u;             /* and its U */
    double log_z;         /* log Z of its basin, after short chains */
    double odds;          /* odds against everything visited, a lower bound; 0
                             if unknown */
    hs_basin basin;       /* owned: after long chains */
    int64_t seen;         /* number of draws in it */
};

struct search {
    const hs_evidence *e;
    const hiss_result *run; /* the run that may have missed something: */
    const hs_modes *modes;  /* the modes of its draws */
    const hs_model *m;
    hs_sampler *local; /* kept */
    hs_pilot_account account;
    uint32_t next;    /* reserved chain */
    double looks;     /* evaluations that the account does not count
                         (quench.h) */
    double step_cost; /* evaluations of the last steps; blocks cost more */
    hs_seen drawn;    /* owned: of the run */
    hs_quench quench; /* owned */
    int16_t *allowed; /* owned, [CANDIDATES][dim]: optima from starts that
                         satisfy constraints; or NULL */
    struct candidate candidate[CANDIDATES];
    int candidates;
    int finalists;     /* most of them */
    double long_part;  /* part of the evaluations */
    double missed;     /* mass of the worst basin found, 0 if none */
    hs_misweighed off; /* a known mode with a wrong share */
    int worst;         /* its candidate */
};

static int is_over(void *context, const hiss_progress *progress)
{
    const struct search *s = context;

    return hs_diagnosis_is_stopped(s->e, progress->fraction) ||
           hs_deadline_is_over(s->e, "search");
}

/* --- candidates ----------------------------------------------------------- */

static bool is_seen(const struct search *s, const int16_t *state)
{
    const hs_mode_table *t = &s->modes->table;
    size_t bytes = (size_t)t->dim * sizeof *state;
    int64_t draws = s->modes->chains * s->modes->looked;

    for (int64_t k = 0; k < t->used; k++)
        if (memcmp(t->state + k * t->dim, state, bytes) == 0)
            return (double)t->mode[k].draws >= SEEN * (double)draws;
    return false;
}

/* Adds a candidate unless draws climb to the same optimum. */
static void add(struct search *s, const int16_t *state, double u)
{
    bool is_new = s->candidates < CANDIDATES;

    for (int k = 0; is_new && k < s->candidates; k++)
        is_new = s->candidate[k].state != state;
    if (is_new && !is_seen(s, state))
        s->candidate[s->candidates++] =
            (struct candidate){.state = state, .u = u};
}

/* If no climb from a random state satisfies the constraints, starts from states
 * that satisfy them, drawn like start states of chains. */
static hiss_status start(struct search *s, hiss_error *err)
{
    int dim = s->m->domain.dim;
    hiss_status rc = HISS_OK;

    s->allowed = hs_alloc_array(CANDIDATES * (size_t)dim, sizeof *s->allowed);
    if (!s->allowed)
        return hs_fail_memory(err);
    for (int k = 0; rc == HISS_OK && k < CANDIDATES; k += HS_LANES) {
        hs_group *g = NULL;

        rc = hs_group_create(&g, s->m, s->local, s->account.seed, s->next,
                             HS_LANES, err);
        if (rc == HISS_OK)
            rc = hs_group_start(g, true, err);
        for (int l = 0; rc == HISS_OK && l < HS_LANES; l++) {
            int16_t *to = s->allowed + (size_t)(k + l) * (size_t)dim;

            hs_point_read(&g->tile[0].at, dim, l, to);
            add(s, to, g->tile[0].at.u[l]);
        }
        s->next += HS_LANES;
        hs_group_destroy(g);
    }
    return rc;
}

static hiss_status choose(struct search *s, hiss_error *err)
{
    const hs_mode_table *t = &s->quench.optima;
    int64_t best[4 * CANDIDATES], all = t->used;
    int count = hs_quench_best(&s->quench, 4 * CANDIDATES, HUGE_VAL, best);

    if (all == 0)
        return start(s, err);
    for (int k = 0; k < count && s->candidates < CANDIDATES - AT_RANDOM; k++)
        add(s, t->state + best[k] * t->dim, t->mode[best[k]].u);
    for (int k = 0; k < AT_RANDOM && k < all; k++)
        add(s, t->state + k * all / AT_RANDOM * t->dim,
            t->mode[k * all / AT_RANDOM].u);
    return HISS_OK;
}

/* Number of steps for this many groups of chains with a part of the budget. */
static int steps_for(const struct search *s, double part, int groups, int most)
{
    double steps =
        part * s->account.budget / (s->step_cost * HS_LANES * groups);

    return steps > most ? most : steps < 4.0 ? 4 : (int)steps;
}

/* draws: number of draws of the distribution, 0 for one of the run's own. */
static hiss_status look(struct search *s, hs_basin *b, const int16_t *state,
                        int steps, int draws, hiss_error *err)
{
    hs_basin_request request = {.sampler = s->local,
                                .first_chain = s->next,
                                .discard = steps / 4,
                                .steps = steps - steps / 4,
                                .draws = draws,
                                .other = draws > 0 ? s->drawn.log_r : NULL,
                                .margin = s->drawn.margin};

    double before = hs_pilot_account_spent(&s->account), cost;

    s->next += 2 * HS_LANES;
    hs_basin_clear(b);
    HS_TRY(hs_basin_init(b, s->m, state, &request, &s->account, err));
    cost = hs_pilot_account_spent(&s->account) - before - draws;
    s->step_cost = fmax(STEP_COST, cost / (steps * HS_LANES));
    return HISS_OK;
}

/* Lists candidates that resemble no draw, by falling mass. */
static hiss_status screen(struct search *s, hiss_error *err)
{
    int left = 0;

    for (int k = 0; k < s->candidates; k++) {
        struct candidate c = s->candidate[k];
        int to = left, steps;
        bool is_new;

        steps = steps_for(s, SHORT_PART, CANDIDATES, SHORT_MAX);
        HS_TRY(look(s, &c.basin, c.state, steps, SHORT_SEEN, err));
        is_new = (double)hs_seen_in(&s->drawn, &s->m->domain, &c.basin) <
                 fmax(1.0, HARDLY * HS_FOUND_MASS * (double)s->drawn.count);
        c.log_z = c.basin.log_z;
        hs_basin_clear(&c.basin);
        if (!is_new)
            continue;
        for (; to > 0 && s->candidate[to - 1].log_z < c.log_z; to--)
            s->candidate[to] = s->candidate[to - 1];
        s->candidate[to] = c;
        left++;
    }
    s->candidates = left;
    return HISS_OK;
}

/* --- what the run has seen ------------------------------------------------ */

static double log_add(double a, double b)
{
    double max = fmax(a, b);

    return max == -HUGE_VAL ? max : max + log(exp(a - max) + exp(b - max));
}

/* Adds ln q of draws to log_q, except for the part that q began from. */
static void add_law(const struct search *s, const hs_basin *b, int own,
                    double *log_q)
{
    for (int64_t n = 0; n < s->drawn.count; n++)
        if (n * PARTS / s->drawn.count != own)
            log_q[n] = log_add(
                log_q[n], hs_basin_log(b, &s->m->domain,
                                       s->drawn.state + n * s->m->domain.dim));
}

/* ln of the mean of q / p over the draws, minus its error. */
static double least_mean(const struct search *s, const double *log_q)
{
    double top = -HUGE_VAL, sum[PARTS] = {0}, mean = 0.0, square = 0.0;

    for (int64_t n = 0; n < s->drawn.count; n++)
        top = fmax(top, log_q[n] - s->drawn.u[n]);
    for (int64_t n = 0; top > -HUGE_VAL && n < s->drawn.count; n++)
        sum[n * PARTS / s->drawn.count] += exp(log_q[n] - s->drawn.u[n] - top);
    for (int k = 0; k < PARTS; k++) {
        /* each part has the terms of PARTS - 1 distributions */
        sum[k] *= (double)PARTS / (double)s->drawn.count / (PARTS - 1);
        mean += sum[k] / PARTS;
    }
    for (int k = 0; k < PARTS; k++)
        square += (sum[k] - mean) * (sum[k] - mean);
    mean -= SURE * sqrt(square / (PARTS * (PARTS - 1.0)));
    return mean > 0.0 ? top + log(mean) : -HUGE_VAL;
}

/* A lower bound on ln of 1 / Z(seen); -infinity if unknown. */
static hiss_status weigh_seen(struct search *s, double *out, hiss_error *err)
{
    int steps = steps_for(s, s->long_part, PARTS + s->finalists, LONG_MAX);
    double *log_q = hs_alloc_array((size_t)s->drawn.count, sizeof *log_q);
    hiss_status rc = log_q ? HISS_OK : hs_fail_memory(err);

    for (int64_t n = 0; rc == HISS_OK && n < s->drawn.count; n++)
        log_q[n] = -HUGE_VAL;
    for (int k = 0; rc == HISS_OK && k < PARTS; k++) {
        int64_t from = (2 * k + 1) * s->drawn.count / (2 * PARTS);
        hs_basin basin = {0};

        rc = look(s, &basin, s->drawn.state + from * s->m->domain.dim, steps, 0,
                  err);
        if (rc == HISS_OK)
            add_law(s, &basin, k, log_q);
        hs_basin_clear(&basin);
    }
    if (rc == HISS_OK)
        *out = least_mean(s, log_q);
    hs_free(log_q);
    return rc;
}

/* --- what follows --------------------------------------------------------- */

/* Runs longer chains for the finalists.  The worst is the heaviest that has no
 * draws or hardly any. */
static hiss_status weigh(struct search *s, hiss_error *err)
{
    int steps = steps_for(s, s->long_part, PARTS + s->finalists, LONG_MAX);
    double seen = -HUGE_VAL;

    if (s->candidates > 0)
        HS_TRY(weigh_seen(s, &seen, err));
    for (int k = 0; k < s->candidates && k < s->finalists; k++) {
        struct candidate *c = &s->candidate[k];
        double mass;

        HS_TRY(look(s, &c->basin, c->state, steps, LONG_SEEN, err));
        c->seen = hs_seen_in(&s->drawn, &s->m->domain, &c->basin);
        if (c->basin.error * SURE >= 1.0 || seen == -HUGE_VAL)
            continue;
        c->odds = exp(c->basin.log_z + seen) * (1.0 - SURE * c->basin.error);
        mass = c->odds < HUGE_VAL ? c->odds / (1.0 + c->odds) : 1.0;
        if (mass > s->missed &&
            (double)c->seen < HARDLY * mass * (double)s->drawn.count) {
            s->missed = mass;
            s->worst = k;
        }
    }
    return HISS_OK;
}

/* If no other sampler has checked the masses: weighs the run's own modes. */
static hiss_status weigh_own(struct search *s, const hiss_diagnosis *d,
                             hiss_error *err)
{
    int steps = steps_for(s, s->long_part, PARTS + s->finalists, LONG_MAX);
    hs_weighing w = {s->e,           s->local,       &s->account,
                     s->next,        s->drawn.state, s->drawn.u,
                     s->drawn.count, steps,          LONG_SEEN};

    if (s->missed >= HS_FOUND_MASS || !hs_weigh_is_needed(d))
        return HISS_OK;
    return hs_weigh_modes(&s->off, &w, err);
}

/* Number of coordinates in which the nearest draw differs from a state. */
static int nearest(const struct search *s, const int16_t *state)
{
    int dim = s->m->domain.dim, least = dim;

    for (int64_t n = 0; n < s->drawn.count; n++) {
        int apart = hs_states_apart(s->drawn.state + n * dim, state, dim);

        least = apart < least ? apart : least;
    }
    return least;
}

/* The narrowest mode that climbs have met with probability .95: one to which
 * one random state in x leads, (1 - 1/x)^n = .05.  One climb in four may begin
 * at states that the model itself proposes. */
static double narrowest(const struct search *s)
{
    double uniform = 0.75 * (double)s->quench.climbs;

    return fmax(floor(uniform / -log(0.05)), 1.0);
}

static void tell(hiss_diagnosis *d, const struct search *s)
{
    const hs_mode_table *t = &s->quench.optima;
    const struct candidate *c = &s->candidate[s->worst];
    double evals = hs_pilot_account_spent(&s->account);

    d->is_searched = s->missed < HS_DOUBTED_MASS;
    if (s->missed < HS_DOUBTED_MASS && t->used == 0) {
        hs_find(d, "search", HISS_PASSED, s->missed, HS_FOUND_MASS,
                "%lld climbs (%.2g evaluations in all) met no possible state; "
                "climbs from %d possible ones show no mode that the draws have "
                "missed",
                (long long)s->quench.climbs, evals, CANDIDATES);
        return;
    }
    if (s->missed < HS_DOUBTED_MASS) {
        d->narrowest = narrowest(s);
        hs_find(d, "search", HISS_PASSED, s->missed, HS_FOUND_MASS,
                "%lld climbs (%.2g evaluations in all) ended in %lld optima: "
                "none shows a mode that the draws have missed.  A mode to "
                "which one random state in %.0f leads, or more, would have "
                "been met with probability 0.95",
                (long long)s->quench.climbs, evals, (long long)t->used,
                d->narrowest);
        return;
    }
    hs_find(d, "search", s->missed < HS_FOUND_MASS ? HISS_DOUBT : HISS_FAILED,
            s->missed, HS_FOUND_MASS,
            "%lld climbs (%.2g evaluations in all) found a mode that %s: "
            "it holds %.2g, or more, of the law that it and the draws make up; "
            "the nearest draw differs from its optimum, log p = %.6g, in %d of "
            "%d coordinates",
            (long long)s->quench.climbs, evals,
            c->seen > 0 ? "hardly any draw is in" : "no draw is in", s->missed,
            c->u, nearest(s, c->state), s->m->domain.dim);
    hs_find_need(d, HISS_NEED_MODES, 0.0);
    if (c->seen == 0)
        hs_find_wrong(d, s->e, hs_missed_sigmas(s->e, s->missed));
}

/* Sets the evaluations: as many as are useful, fit into memory and into the
 * share of the work. */
static void set_budget(struct search *s, hs_verdict_part part)
{
    const hs_evidence *e = s->e;
    double most = fmin(e->set->search, SITES / s->m->domain.dim);
    double room = hs_work_share(e, part) / e->work->evaluation;

    s->account.budget = floor(fmin(most, room));
    s->looks = floor(fmin(LOOKS * most, room - s->account.budget));
}

static hiss_status search(struct search *s, const hiss_diagnosis *d,
                          hiss_error *err)
{
    hs_quench_request request = {.seed = s->account.seed,
                                 .first_chain = hs_stream(HS_STREAM_VERDICT, 0),
                                 .most = CLIMBS,
                                 .budget = CLIMB_PART * s->account.budget,
                                 .hidden = HIDDEN,
                                 .looks = s->looks};

    s->next = hs_stream(HS_STREAM_VERDICT, HS_LANES);
    HS_TRY(hs_local_sampler(&s->local, s->m, false, err));
    HS_TRY(hs_quench_init(&s->quench, s->m, &request, &s->account, err));
    HS_TRY(hs_seen_init(&s->drawn, s->run, HS_SEEN_DRAWS, err));
    HS_TRY(hs_seen_sum_up(&s->drawn, &s->m->domain, err));
    HS_TRY(choose(s, err));
    HS_TRY(screen(s, err));
    HS_TRY(weigh(s, err));
    return weigh_own(s, d, err);
}

static void search_clear(struct search *s)
{
    for (int k = 0; k < CANDIDATES; k++)
        hs_basin_clear(&s->candidate[k].basin);
    hs_quench_clear(&s->quench);
    hs_sampler_release(s->local);
    hs_free(s->allowed);
    hs_seen_clear(&s->drawn);
}

/* Without a search the verdict is not decided. */
static hiss_status tell_skipped(hiss_diagnosis *d, const hs_evidence *e,
                                const char *why, const char *shell,
                                const char *python)
{
    hs_find(d, "search", HISS_UNCHECKED, NAN, HS_FOUND_MASS,
            "no search for modes that the draws have missed: %s", why);
    if (shell)
        hs_find_remedy(d, e, shell, python);
    else
        hs_find_more(d, e);
    return HISS_OK;
}

static struct search begin(const hs_evidence *e, const hiss_result *run,
                           const hs_modes *modes)
{
    return (struct search){
        .e = e,
        .run = run,
        .modes = modes,
        .m = e->model->model,
        .step_cost = STEP_COST,
        .finalists = FINALISTS,
        .long_part = LONG_PART,
        .account = {.seed = e->result->run.info.seed ^ SEED_FLIP,
                    .progress = is_over}};
}

/* Weighs the run's modes as finalists, without climbs. */
static hiss_status weigh_modes(struct search *s, const int32_t *mode, int count,
                               hiss_error *err)
{
    const hs_mode_table *t = &s->e->modes->table;

    s->next = hs_stream(HS_STREAM_VERDICT, HS_LANES);
    s->finalists = count;
    s->long_part = CLIMB_PART + LONG_PART;
    HS_TRY(hs_local_sampler(&s->local, s->m, false, err));
    HS_TRY(hs_seen_init(&s->drawn, s->run, HS_SEEN_DRAWS, err));
    for (int k = 0; k < count; k++)
        s->candidate[s->candidates++] =
            (struct candidate){.state = t->state + (int64_t)mode[k] * t->dim,
                               .u = t->mode[mode[k]].u};
    return weigh(s, err);
}

hiss_status hs_search_odds(double *odds, const hs_evidence *e,
                           const hiss_result *other, const hs_modes *modes,
                           const int32_t *mode, int count, hiss_error *err)
{
    struct search s = begin(e, other, modes);
    hiss_status rc;

    s.account.context = &s;
    for (int k = 0; k < count; k++)
        odds[k] = 0.0;
    if (s.m->domain.is_tour)
        return HISS_OK;
    set_budget(&s, HS_VERDICT_OTHER);
    rc = weigh_modes(&s, mode, count, err);
    for (int k = 0; rc == HISS_OK && k < count; k++)
        odds[k] = s.candidate[k].odds;
    hs_work_take(e, hs_pilot_account_spent(&s.account) * e->work->evaluation);
    search_clear(&s);
    return rc == HISS_ESTOP && !e->deadline->is_stopped ? HISS_OK : rc;
}

hiss_status hs_search_modes(hiss_diagnosis *d, const hs_evidence *e,
                            hiss_error *err)
{
    struct search s;
    hiss_status rc;
    bool is_short;

    if (e->model && !e->modes)
        return tell_skipped(d, e, "modes of the draws are not known", NULL,
                            NULL);
    if (!e->model)
        return tell_skipped(d, e, "the model is not at hand",
                            "give it (--model)",
                            "give it: diagnose(model=...)");
    if (e->set->search == 0.0)
        return tell_skipped(d, e, "it was not asked for",
                            "leave out --search 0", "leave out search=0");
    if (e->model->model->domain.is_tour) {
        hs_find(d, "search", HISS_SKIPPED, NAN, NAN,
                "tours are not searched for modes");
        return HISS_OK;
    }
    s = begin(e, e->result, e->modes);
    s.account.context = &s;
    set_budget(&s, HS_VERDICT_SEARCH);
    is_short = s.account.budget < fmin(LEAST, e->set->search);
    rc = is_short || hs_deadline_is_over(e, "search") ? HISS_ESTOP
                                                      : search(&s, d, err);
    if (rc == HISS_OK) {
        tell(d, &s);
        hs_weigh_tell(d, &s.off);
        hs_tell_blind(d, e, &s.quench, hs_pilot_account_spent(&s.account));
    }
    search_clear(&s);
    if (rc == HISS_OK || rc == HISS_ENOMEM || e->deadline->is_stopped)
        return rc;
    return tell_skipped(d, e,
                        is_short ? "the work limit leaves too little for it"
                        : rc == HISS_ESTOP ? "the time was over"
                        : err              ? err->message
                                           : hiss_status_text(rc),
                        NULL, NULL);
}
