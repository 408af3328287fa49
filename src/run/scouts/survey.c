/* survey.c - what a pilot finds out about a model. */
#include "run/scouts/survey.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/random/streams.h"
#include "run/account/budget.h"
#include "run/atlas/mode_file.h"
#include "run/atlas/mode_laws.h"
#include "run/schedule/cooling.h"
#include "run/schedule/ladder_top.h"
#include "run/scouts/unseen_modes.h"

#define OPTIMA   64    /* capacity: optima that chains start from */
#define LANES    512   /* capacity: pilot chains */
#define BYTES    1.3e8 /* capacity: of what pilot chains count */
#define SKETCHED 16    /* capacity: optima that stand for modes */
#define CLIMBS   8192  /* capacity: climbs of a search */
#define NUMBERS  4096u /* capacity: chains of a round */

struct pilot {
    const hs_model *m;
    const hs_survey_request *search;
    hs_pilot_account *account;
    hs_survey *f;
    hs_budget budget;
    hs_cooling cooling; /* owned */
    int optima, each;   /* start states of the first pilot chains, in turn */
    int16_t *unseen;    /* owned, [unseens][dim] */
    int unseens;
};

/* Lanes that walks can pay for, and memory has room for. */
static int lanes_most(const struct pilot *p)
{
    double steps = (1.0 + 2.0) * hs_policy(HS_MIN_STEPS); /* with the burn-in */
    double paid = hs_budget_share(HS_SHARE_WALKS) * p->account->budget / steps;
    double room =
        BYTES / ((2.0 * p->m->domain.value_count + 2.0 * p->m->domain.dim) *
                 sizeof(float));
    double lanes = fmin(paid, room);

    return lanes > LANES ? LANES : lanes < 2.0 ? 2 : (int)lanes;
}

static hiss_status tune(struct pilot *p, hiss_error *err)
{
    hs_ladder_request request = {.base = p->search->base,
                                 .hottest = p->search->hottest,
                                 .swap_every = p->search->swap_every,
                                 .parts = p->search->parts,
                                 .reference = p->search->reference,
                                 .first_chain =
                                     hs_stream(HS_STREAM_TEMPERATURES, 0)};
    bool wants = p->search->wants_choice || p->search->wants_modes;
    int most = hs_policy_count(HS_COOLING_GROUPS);
    int groups = wants ? lanes_most(p) / (2 * HS_GROUP_CHAINS) : 1;

    groups = groups < 1 ? 1 : groups > most ? most : groups;
    HS_TRY(hs_cooling_init(&p->cooling, p->m, p->search->base,
                           hs_stream(HS_STREAM_COOLING, 0), groups,
                           hs_budget_allows(&p->budget, HS_SHARE_COOLING, 1.0),
                           p->account, err));
    request.budget =
        wants ? hs_budget_allows(&p->budget, HS_SHARE_TEMPERATURES, 1.0)
              : fmin(0.5 * p->account->budget, hs_budget_left(&p->budget));
    return hs_ladder_tune(&p->f->ladder, p->m, &request, &p->cooling,
                          p->account, err);
}

static hiss_status climb(struct pilot *p, hiss_error *err)
{
    hs_quench_request request = {
        .seed = p->account->seed,
        .first_chain = hs_stream(HS_STREAM_CLIMBS, 0),
        .most = CLIMBS,
        .budget = hs_budget_allows(&p->budget, HS_SHARE_CLIMBS, 1.0),
        .hidden = hs_policy(HS_HIDDEN_SHARE)};

    return hs_quench_init(&p->f->quench, p->m, &request, p->account, err);
}

/* --- pilot chains ------------------------------------------------------- */

static void take(hs_pilot_chains *to, int at, const int16_t *from, int count)
{
    size_t dim = (size_t)to->dim;

    if (count > 0)
        memcpy(to->state + (size_t)at * dim, from,
               (size_t)count * dim * sizeof *from);
}

/* Starts pilot chains from all states that were found: optima of the search,
 * unknown ones, cooled ones, cold ones of tempering.  If there is not enough
 * room, the first ones win. */
static hiss_status collect(struct pilot *p, hiss_error *err)
{
    hs_survey *f = p->f;
    const hs_ladder *l = &f->ladder;
    int cooled = p->cooling.groups * HS_GROUP_CHAINS, at = 0;
    int colds = l->colds < HS_LADDER_COLD ? l->colds : HS_LADDER_COLD;
    int64_t best[OPTIMA];
    int most = lanes_most(p), room = most / 2 < OPTIMA ? most / 2 : OPTIMA;
    int optima =
            hs_quench_best(&f->quench, room, hs_policy(HS_LIGHT_DEPTH), best),
        each, lanes;

    each = optima > 0 ? room / optima : 0;
    each = each < 2 * hs_policy_count(HS_MIN_CHAINS)
               ? each
               : 2 * hs_policy_count(HS_MIN_CHAINS);
    p->optima = optima;
    p->each = each;
    lanes = each * optima + p->unseens + cooled + colds;
    lanes = lanes < most ? lanes : most;
    hs_pilot_chains_clear(&f->pilots);
    hs_free(f->of);
    f->of = hs_alloc_array((size_t)lanes, sizeof *f->of);
    if (!f->of)
        return hs_fail_memory(err);
    HS_TRY(hs_pilot_chains_init(&f->pilots, p->m, lanes, err));
    for (int k = 0; k < each * optima && at < lanes; k++)
        take(&f->pilots, at++,
             f->quench.optima.state + best[k % optima] * f->pilots.dim, 1);
    for (int k = 0; k < p->unseens && at < lanes; k++)
        take(&f->pilots, at++, p->unseen + (size_t)k * (size_t)f->pilots.dim,
             1);
    for (int n = 0; n < cooled && at < lanes; n++)
        hs_pilot_chains_take(&f->pilots, at++,
                             &p->cooling.group[n / HS_GROUP_CHAINS]->tile[0],
                             n % HS_GROUP_CHAINS);
    for (int k = 0; k < colds && at < lanes; k++)
        take(&f->pilots, at++, l->cold + (size_t)k * (size_t)f->pilots.dim, 1);
    return HISS_OK;
}

/* Do chains agree after a walk with the local sampler?  And which modes do they
 * distinguish? */
static hiss_status look(struct pilot *p, uint32_t chains, hiss_error *err)
{
    hs_survey *f = p->f;
    hs_pilot_walk run = {.sampler = p->search->base,
                         .first_chain = chains,
                         .discard = hs_policy_count(HS_MIN_STEPS)};

    HS_TRY(collect(p, err));
    run.steps = hs_policy_steps(
        0.5 *
        (hs_budget_allows(&p->budget, HS_SHARE_WALKS, 1.0) / f->pilots.lanes -
         run.discard));
    HS_TRY(hs_pilot_chains_count(&f->pilots, p->m, &run, p->account, err));
    f->discord = hs_pilot_chains_discord(&f->pilots);
    f->modes = hs_mode_laws_split(&f->pilots, f->of);
    if (f->modes > 0 && f->modes < p->optima &&
        hs_mode_laws_hold(&f->pilots, p->optima, p->each * p->optima, f->of))
        f->modes = p->optima;
    return HISS_OK;
}

/* --- tempering ---------------------------------------------------------- */

/* Appends states [more][dim] to the list at *to, which had `count`. */
static hiss_status append(int16_t **to, int *count, const int16_t *from,
                          int more, int dim, hiss_error *err)
{
    size_t had = (size_t)*count * (size_t)dim, new = (size_t)more *(size_t)dim;
    void *grown = hs_realloc_array(*to, had, had + new, sizeof **to);

    if (!grown)
        return hs_fail_memory(err);
    *to = grown;
    if (more > 0)
        memcpy(*to + had, from, new * sizeof **to);
    *count += more;
    return HISS_OK;
}

/* Orders the pilot chains: one of every mode first, then a second one, and so
 * on. */
static bool rank_lanes(const hs_survey *f, int *order)
{
    int lanes = f->pilots.lanes;
    int *taken = hs_alloc_array((size_t)lanes, sizeof *taken);
    int *last = hs_alloc_array((size_t)lanes, sizeof *last);
    bool has_room = taken && last;

    for (int n = 0, round = 1; has_room && n < lanes; round++)
        for (int l = 0; l < lanes; l++) {
            if (taken[l] || last[f->of[l]] == round)
                continue;
            taken[l] = 1;
            last[f->of[l]] = round; /* one chain per mode and round */
            order[n++] = l;
        }
    hs_free(taken);
    hs_free(last);
    return has_room;
}

int16_t *hs_survey_starts(const hs_survey *f, int *count)
{
    int lanes = f->pilots.lanes, looks = f->looks;
    size_t dim = (size_t)f->pilots.dim;
    int16_t *out = hs_alloc_array((size_t)(lanes + looks) * dim, sizeof *out);
    int *order = hs_alloc_array((size_t)lanes, sizeof *order);
    int n = 0;

    if (!out || !order || !rank_lanes(f, order)) {
        hs_free(out);
        hs_free(order);
        return NULL;
    }
    for (int k = 0; k < lanes || k < looks; k++) {
        if (k < lanes)
            memcpy(out + (size_t)n++ * dim,
                   f->pilots.state + (size_t)order[k] * dim, dim * sizeof *out);
        if (k < looks) /* the latest first */
            memcpy(out + (size_t)n++ * dim,
                   f->look + (size_t)(looks - 1 - k) * dim, dim * sizeof *out);
    }
    *count = n;
    hs_free(order);
    return out;
}

/* Tempering searches for states that the pilot chains have not seen and starts
 * chains from them.  Its rate goes to *rate. */
static hiss_status temper(struct pilot *p, int parts, double part, int number,
                          double *rate, int *count, hiss_error *err)
{
    hs_survey *f = p->f;
    hs_ladder_request ladder = {.base = p->search->base,
                                .swap_every = p->search->swap_every,
                                .parts = parts};
    int starts = 0;
    int16_t *start = hs_survey_starts(f, &starts);
    hs_unseen_request request = {
        .from = {start, starts},
        .every = (int)fmin(1.0 / hs_survey_trips(f), INT32_MAX),
        .first_chain =
            hs_stream(HS_STREAM_UNSEEN_MODES, NUMBERS * (uint32_t)number),
        .budget = hs_budget_allows(&p->budget, HS_SHARE_UNSEEN, part)};
    hs_unseen_modes found = {0};
    hs_library *sketch = NULL;
    hs_sampler *sampler = NULL;
    hiss_status rc;

    *count = 0;
    if (!start)
        return hs_fail_memory(err);
    rc = hs_mode_laws_sketch(&sketch, &f->pilots, f->of, f->modes,
                             &p->m->domain, err);
    if (rc == HISS_OK)
        rc = hs_ladder_sampler(&sampler, &f->ladder, &ladder, err);
    request.known = sketch;
    request.sampler = sampler;
    if (rc == HISS_OK)
        rc = hs_unseen_modes_make(&found, p->m, &request, p->account, err);
    if (rc == HISS_OK && found.looks > 0)
        *rate =
            fmin(hs_survey_trips(f) * found.freshness, found.of_u) / found.cost;
    *count = found.count;
    if (rc == HISS_OK)
        rc = append(&p->unseen, &p->unseens, found.state, found.count,
                    p->m->domain.dim, err);
    if (rc == HISS_OK)
        rc = append(&f->look, &f->looks, found.look, found.looks,
                    p->m->domain.dim, err);
    hs_unseen_modes_clear(&found);
    hs_free(start);
    hs_sampler_release(sampler);
    hs_library_destroy(sketch);
    return rc;
}

/* Two rounds, the second twice as long, unless nothing unseen turns up. */
static hiss_status explore(struct pilot *p, hiss_error *err)
{
    hs_survey *f = p->f;
    bool has_parts = p->search->wants_choice && p->m->ops->factors &&
                     !p->m->is_dense && p->search->parts == 0;
    double part = 1.0 / (1 + 2) / (has_parts ? 2.0 : 1.0);

    for (int round = 0; round < 2; round++, part *= 2.0) {
        int found, more = 0;

        HS_TRY(temper(p, p->search->parts, part, 2 * round, &f->tempered,
                      &found, err));
        if (has_parts)
            HS_TRY(temper(p, 1, part, 2 * round + 1, &f->in_parts, &more, err));
        if (found + more > 0)
            HS_TRY(look(
                p, hs_stream(HS_STREAM_WALKS, NUMBERS * (uint32_t)(round + 1)),
                err));
        else if (f->discord < HS_AGREED)
            break;
    }
    return HISS_OK;
}

/* --- modes -------------------------------------------------------------- */

/* The share of the states found by tempering that the library knows, with half
 * a state added to the unknown ones. */
static double coverage(const hs_survey *f, const hs_domain *d)
{
    double known = 0.0;

    for (int n = 0; n < f->looks; n++)
        known += hs_library_mode(f->library, d,
                                 f->look + (size_t)n * (size_t)d->dim) >= 0;
    return f->looks > 0 ? known / (f->looks + 0.5) : 1.0;
}

/* Finds the components in which optima next to the pilot chains differ.  There
 * are more such optima than modes, and lower ones. */
static hiss_status cut(struct pilot *p, hiss_error *err)
{
    hs_survey *f = p->f;
    size_t size = (size_t)f->pilots.lanes * (size_t)f->pilots.dim;
    int16_t *top = hs_alloc_array(size, sizeof *top);
    hiss_status rc = top ? HISS_OK : hs_fail_memory(err);

    if (rc == HISS_OK) {
        memcpy(top, f->pilots.state, size * sizeof *top);
        rc = hs_quench_states(top, f->pilots.lanes, p->m, p->account, err);
    }
    hs_pieces_clear(&f->library->pieces);
    if (rc == HISS_OK)
        rc = hs_pieces_find(&f->library->pieces, p->m, top, f->pilots.lanes,
                            err);
    hs_free(top);
    return rc;
}

/* If no race follows, a small budget goes to the distributions alone. */
static double to_learn(const struct pilot *p)
{
    return fmax(hs_budget_allows(&p->budget, HS_SHARE_LEARNING, 1.0),
                p->search->wants_choice
                    ? 0.0
                    : fmin(hs_budget_left(&p->budget), hs_mode_laws_least()));
}

/* Makes a library of states with equal weights from the states [*][dim] that
 * are numbered at[0] .. at[count - 1]. */
static hiss_status take_states(struct pilot *p, const int16_t *state,
                               const int64_t *at, int count, hiss_error *err)
{
    const hs_domain *d = &p->m->domain;
    hs_library **out = &p->f->library;
    hiss_status rc = hs_library_create(out, d, count, err);

    for (int k = 0; rc == HISS_OK && k < count; k++)
        rc = hs_library_state(*out, d, k, state + at[k] * d->dim, err);
    if (rc == HISS_OK)
        hs_library_weigh(*out, NULL);
    return rc;
}

/* If chains disagree but no modes are distinguished: takes a few optima as they
 * are, for the components in which they differ. */
static hiss_status sketch(struct pilot *p, hiss_error *err)
{
    hs_survey *f = p->f;
    int64_t best[SKETCHED];
    int count =
        hs_quench_best(&f->quench, SKETCHED, hs_policy(HS_LIGHT_DEPTH), best);

    f->is_sketch = count > 1;
    return count > 1 ? take_states(p, f->quench.optima.state, best, count, err)
                     : HISS_OK;
}

static hiss_status learn(struct pilot *p, hiss_error *err)
{
    hs_survey *f = p->f;
    hs_pilot_request request = {.base = p->search->base,
                                .first_chain = hs_stream(HS_STREAM_LEARNING, 0),
                                .budget = to_learn(p),
                                .takes_one = p->search->wants_law};

    /* trees may take as much again, at the expense of the race */
    request.more =
        fmax(0.0, fmin(hs_budget_share(HS_SHARE_LEARNING) * p->account->budget,
                       hs_budget_left(&p->budget) - request.budget));
    HS_TRY(hs_mode_laws_learn(&f->library, &f->pilots, f->of, f->modes, p->m,
                              &request, p->account, err));
    if (!f->library && p->search->wants_choice)
        HS_TRY(sketch(p, err));
    if (!f->library)
        return HISS_OK;
    f->coverage = coverage(f, &p->m->domain);
    return p->search->modes ? HISS_OK : cut(p, err);
}

/* States of a file: places to learn from, or modes as they are. */
static hiss_status take_file(struct pilot *p, hiss_error *err)
{
    hs_survey *f = p->f;
    const hs_domain *d = &p->m->domain;
    int64_t at[HS_LIBRARY_MAX];
    int16_t *states;
    int count;
    hiss_status rc;

    HS_TRY(hs_mode_file_read(&states, &count, p->search->modes, d,
                             hs_library_most(d), err));
    f->modes = count;
    rc = hs_pilot_chains_init(&f->pilots, p->m, count, err);
    f->of = hs_alloc_array((size_t)count, sizeof *f->of);
    if (rc == HISS_OK && !f->of)
        rc = hs_fail_memory(err);
    for (int k = 0; rc == HISS_OK && k < count; k++)
        at[k] = f->of[k] = k;
    if (rc == HISS_OK)
        take(&f->pilots, 0, states, count);
    if (rc == HISS_OK && p->search->learn)
        rc = learn(p, err);
    else if (rc == HISS_OK)
        rc = take_states(p, states, at, count, err);
    if (rc == HISS_OK && !p->search->learn)
        rc = hs_library_cut(f->library, p->m, err);
    hs_free(states);
    return rc;
}

/* A sum of tables whose modes no library can hold, such as a glass: what is
 * learned of some says nothing of the rest, jumps between them are refused, and
 * learning them would be most of the pilot's time.  Houdayer moves do what
 * components could. */
static bool is_rugged(const struct pilot *p)
{
    return p->search->wants_choice && !p->search->wants_modes &&
           p->m->ops->factors && !p->m->is_dense && hs_survey_is_open(p->f) &&
           hs_survey_single_chains(p->f) > 0.5;
}

/* A glassy model will probably be run by tempering: lowers its top temperature
 * as far as possible, by trials from where pilot chains stand. */
static hiss_status lower_top(struct pilot *p, double budget, hiss_error *err)
{
    hs_survey *f = p->f;
    double gain;
    hs_ladder_top_request request = {.base = p->search->base,
                                     .first_chain =
                                         hs_stream(HS_STREAM_HOTTEST_LEVEL, 0),
                                     .budget = budget};
    int16_t *start = hs_survey_starts(f, &request.from.count);
    hiss_status rc;

    if (!start)
        return hs_fail_memory(err);
    request.from.state = start;
    rc =
        hs_ladder_top_lower(&f->ladder, p->m, &request, p->account, &gain, err);
    hs_free(start);
    f->tempered *= gain;
    f->in_parts *= gain;
    return rc;
}

/* Tours are not searched for modes: pilot chains start from cooled states and
 * from cold states of tempering. */
static hiss_status lower_tours(struct pilot *p, hiss_error *err)
{
    double budget = hs_budget_allows(&p->budget, HS_SHARE_LEARNING, 1.0);

    HS_TRY(collect(p, err));
    return lower_top(p, budget, err);
}

static hiss_status find_modes(struct pilot *p, hiss_error *err)
{
    hs_survey *f = p->f;

    HS_TRY(climb(p, err));
    HS_TRY(look(p, hs_stream(HS_STREAM_WALKS, 0), err));
    if (f->ladder.rounds > 0)
        HS_TRY(explore(p, err));
    f->is_rugged = is_rugged(p);
    if (f->is_rugged && f->ladder.rounds > 0 && f->discord >= HS_AGREED)
        HS_TRY(lower_top(p, 0.5 * hs_budget_left(&p->budget), err));
    if (f->is_rugged || (!p->search->wants_modes && f->discord < HS_AGREED))
        return HISS_OK;
    return learn(p, err);
}

/* What remains of a survey that was cut short: temperatures, and whether chains
 * agreed. */
static void keep_measured(hs_survey *f)
{
    hs_survey whole = *f;

    *f = (hs_survey){.ladder = whole.ladder,
                     .discord = whole.discord,
                     .tempered = whole.tempered,
                     .coverage = 1.0};
    whole.ladder = (hs_ladder){0};
    hs_survey_clear(&whole);
}

hiss_status hs_survey_init(hs_survey *f, const hs_model *m,
                           const hs_survey_request *search,
                           hs_pilot_account *account, hiss_error *err)
{
    struct pilot p = {.m = m,
                      .search = search,
                      .account = account,
                      .f = f,
                      .budget = {account, hs_pilot_account_spent(account)}};
    bool wants = search->wants_choice || search->wants_modes;
    hiss_status rc = HISS_OK;

    *f = (hs_survey){.discord = 1.0, .coverage = 1.0};
    if (search->modes)
        rc = take_file(&p, err);
    wants = wants && !search->modes;
    if (rc == HISS_OK && (wants || search->wants_ladder))
        rc = tune(&p, err);
    if (rc == HISS_OK && wants)
        rc = find_modes(&p, err);
    else if (rc == HISS_OK && search->lowers_top && f->ladder.rounds > 0)
        rc = lower_tours(&p, err);
    hs_cooling_clear(&p.cooling);
    hs_free(p.unseen);
    if (rc == HISS_ESTOP && account->is_late) {
        keep_measured(f);
        return HISS_OK;
    }
    if (rc != HISS_OK)
        hs_survey_clear(f);
    return rc;
}

void hs_survey_clear(hs_survey *f)
{
    hs_ladder_clear(&f->ladder);
    hs_quench_clear(&f->quench);
    hs_pilot_chains_clear(&f->pilots);
    hs_free(f->of);
    hs_free(f->look);
    hs_library_destroy(f->library);
    *f = (hs_survey){0};
}

double hs_survey_trips(const hs_survey *f)
{
    double sum = 0.0;

    for (int j = 0; j + 1 < f->ladder.levels; j++) {
        double r = f->ladder.rejection[j];

        sum += r < 1.0 ? r / (1.0 - r) : HUGE_VAL;
    }
    return 1.0 / (2.0 + 2.0 * sum);
}
