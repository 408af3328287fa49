/* scheme.c - a sampler as it will be run. */
#include "run/pilot/scheme.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/text.h"
#include "device/open.h"
#include "kernel/tempering.h"
#include "model/softened.h"
#include "run/flat/flat_pilot.h"
#include "run/pilot/choice.h"
#include "run/pilot/local_sampler.h"
#include "run/pilot/smc_pilot.h"
#include "run/pilot/tables_pilot.h"
#include "run/pilot/tour_sampler.h"
#include "run/policy/policy.h"
#include "run/schedule/network_top.h"
#include "run/schedule/reference_path.h"
#include "run/scouts/survey.h"

#define LISTED     4     /* precision: modes whose masses are said */
#define PERCENT    100.0 /* mathematics: of a share */
#define GOLDEN     0.6180339887498949 /* mathematics: the golden ratio */
#define BUDGET_MIN 1000.0 /* capacity: the least value of the option `pilot` */

struct resolving {
    hs_scheme *scheme;
    const hs_model *m;
    hs_sampler *full; /* kept: the sampler with every default */
    hs_survey_request search;
    hs_sampler *base; /* kept: the local sampler */
    hs_survey f;      /* owned */
    bool is_cut;      /* the time of the survey was over */
    hs_text text;     /* owned */
};

static bool has_open_ladder(const hs_sampler *s)
{
    bool has_levels = s->type == &hs_kernel_pt || s->type == &hs_kernel_pthr;

    return has_levels && !hs_sampler_list(s, "ladder") &&
           isnan(hs_sampler_number(s, "levels"));
}

/* Sets the sampler of the pilot chains: auto's own, a plain one if bridges need
 * modes that the pilot must find, else the base of tempering. */
static hiss_status set_base(struct resolving *r, hiss_error *err)
{
    bool is_auto = r->full->type == &hs_kernel_auto;
    hs_sampler *usual, *gibbs = NULL;
    hiss_status rc;

    if (!is_auto && !hs_uses_modes(r->full)) {
        r->base = hs_sampler_keep(r->full->child[0]);
        return HISS_OK;
    }
    HS_TRY(hs_sampler_make(&usual, &hs_kernel_gibbs, NULL, err));
    rc = hs_sampler_spell_out(&gibbs, usual, err);
    if (rc == HISS_OK && is_auto && !hs_sampler_equal(r->full->child[0], gibbs))
        r->base = hs_sampler_keep(r->full->child[0]);
    else if (rc == HISS_OK)
        rc = hs_local_sampler(&r->base, r->m, r->scheme->softened != NULL, err);
    hs_sampler_release(usual);
    hs_sampler_release(gibbs);
    return rc;
}

/* The distribution at the end of the reference path, or NULL. */
static const char *reference_of(const hs_sampler *s)
{
    static const char *const names[] = {NULL, "product", "modes", NULL};

    return s->type == &hs_kernel_pt
               ? names[(int)hs_sampler_number(s, "reference")]
               : NULL;
}

static bool has_network_end(const hs_sampler *s)
{
    return s->type == &hs_kernel_pt &&
           (int)hs_sampler_number(s, "reference") == HS_TEMPERING_NETWORK;
}

/* The hottest temperature of tempering that ends in a network. */
static hiss_status find_end(struct resolving *r, hs_pilot_account *account,
                            hiss_error *err)
{
    if (!has_network_end(r->full) || !r->search.wants_ladder)
        return HISS_OK;
    r->search.reference = "network";
    if (isfinite(r->search.hottest))
        return HISS_OK;
    return hs_network_top_find(&r->scheme->network, &r->search.hottest,
                               r->scheme->model, account, &r->text, err);
}

/* Sets what the pilot must search for; false if nothing. */
static bool set_search(struct resolving *r)
{
    const hs_sampler *bridge = hs_sampler_find(r->full, &hs_kernel_bridge);
    double hottest = hs_sampler_number(r->full, "max_temperature");
    double every = hs_sampler_number(r->full, "swap_every");
    double parts = hs_sampler_number(r->full, "houdayer");
    const char *modes = bridge ? hs_sampler_text(bridge, "modes") : NULL;
    hs_survey_request *s = &r->search;

    s->hottest = isnan(hottest) ? HUGE_VAL : hottest;
    s->swap_every = isnan(every) ? 1 : (int)every;
    s->parts = isnan(parts) ? 0 : (int)parts;
    s->wants_choice = r->full->type == &hs_kernel_auto;
    s->wants_ladder = has_open_ladder(r->full);
    s->wants_law = reference_of(r->full) != NULL;
    s->wants_modes = hs_uses_modes(r->full) || s->wants_law;
    s->modes = modes && *modes ? modes : NULL;
    s->learn = hs_uses_modes(r->full) &&
               (!bridge || hs_sampler_number(bridge, "learn") != 0.0);
    return s->wants_choice || s->wants_ladder || s->wants_modes;
}

/* Temperatures of pt as it was given; *room has room for them. */
static hs_reals given_ladder(const hs_sampler *pt, double *room)
{
    hs_kernel shape = pt->shape;
    hs_reals out = {room, hs_tempering_ladder(&shape)};

    for (int j = 0; j < out.count; j++)
        room[j] = hs_tempering_temperature(&shape, j);
    return out;
}

/* pt with a reference path to the learned distribution.  Its levels are placed
 * unless they are given. */
static hiss_status add_leg(struct resolving *r, hs_pilot_account *account,
                           hs_sampler **out, hiss_error *err)
{
    const hs_survey *f = &r->f;
    const hs_reals *given = hs_sampler_list(r->full, "path");
    double room[HS_REPLICAS_MAX];
    hs_reals ladder = r->search.wants_ladder
                          ? (hs_reals){f->ladder.temperature, f->ladder.levels}
                          : given_ladder(r->full, room);
    hs_leg_request request = {.base = r->full->child[0],
                              .swap_every = r->search.swap_every,
                              .reference = reference_of(r->full),
                              .library = f->library};
    hs_leg leg = {0};
    hiss_status rc = HISS_OK;
    int starts = 0;
    int16_t *start;

    request.budget =
        fmax(account->budget - hs_pilot_account_spent(account), 0.0);
    if (given && given->count > 0) {
        leg.levels = given->count < HS_LEG_MAX ? given->count : HS_LEG_MAX;
        memcpy(leg.lambda, given->at, (size_t)leg.levels * sizeof *leg.lambda);
        return hs_leg_sampler(out, &leg, &request, &ladder, err);
    }
    start = hs_survey_starts(f, &starts);
    if (!start)
        return hs_fail_memory(err);
    request.from = (hs_trial_start){start, starts};
    rc = hs_leg_tune(&leg, r->scheme->model, &request, account, err);
    hs_free(start);
    HS_TRY(rc);
    hs_text_line(&r->text, "a reference path of %d level%s to %s, barrier %.2f",
                 leg.levels, leg.levels == 1 ? "" : "s",
                 !f->library ? "the uniform law"
                 : strcmp(request.reference, "product") == 0
                     ? "a product law"
                     : "the modes' laws",
                 leg.barrier);
    return hs_leg_sampler(out, &leg, &request, &ladder, err);
}

/* pt without a pilot: its default number of levels, up to the requested highest
 * temperature. */
static hiss_status add_usual_ladder(struct resolving *r, hs_sampler **out,
                                    hiss_error *err)
{
    const hs_survey_request *s = &r->search;
    hs_setting hottest = {"max_temperature", .number = s->hottest};

    hs_text_line(&r->text, "no time for tuning temperatures: the usual ones");
    return hs_sampler_make(
        out, &hs_kernel_pt,
        (hs_setting[]){{"base", .sampler = r->full->child[0]},
                       {"swap_every", .number = s->swap_every},
                       {"houdayer", .number = s->parts},
                       isfinite(s->hottest) ? hottest : (hs_setting){0},
                       {0}},
        err);
}

/* pt with the levels that were found around the base that was given. */
static hiss_status add_ladder(struct resolving *r, hs_sampler **out,
                              hiss_error *err)
{
    hs_ladder_request request = {.base = r->full->child[0],
                                 .swap_every = r->search.swap_every,
                                 .reference = r->search.reference,
                                 .parts = r->search.parts};

    if (r->full->type == &hs_kernel_pthr)
        return hs_ladder_copies(out, &r->f.ladder, r->full, err);
    if (r->f.ladder.levels == 0 && r->is_cut)
        return add_usual_ladder(r, out, err);
    return hs_ladder_sampler(out, &r->f.ladder, &request, err);
}

static int by_falling_mass(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x < *y) - (*x > *y);
}

/* Adds the masses of the heaviest modes at the end of a line. */
static void report_masses(struct resolving *r, const hs_library *b)
{
    double *mass = hs_alloc_array((size_t)b->modes, sizeof *mass);

    if (!mass)
        return; /* nothing depends on it */
    memcpy(mass, b->weight, (size_t)b->modes * sizeof *mass);
    qsort(mass, (size_t)b->modes, sizeof *mass, by_falling_mass);
    for (int k = 0; k < b->modes && k < LISTED; k++)
        hs_text_print(&r->text, " %.2g", mass[k]);
    hs_text_print(&r->text, "%s", b->modes > LISTED ? " ..." : "");
    hs_free(mass);
}

static void report_trees(struct resolving *r, const hs_mode_trees *t)
{
    hs_text_line(
        &r->text,
        "trees join %.0f coordinates: %.0f %% of jumps accepted, %.0f %% "
        "without",
        hs_mode_trees_joined(t), PERCENT * t->accepted,
        PERCENT * t->as_product);
}

static void report_modes(struct resolving *r)
{
    const hs_quench *q = &r->f.quench;

    if (q->climbs > 0)
        hs_text_line(&r->text,
                     "%lld short climbs ended in %lld%s local maxima of U",
                     (long long)q->climbs, (long long)q->optima.used,
                     q->is_full ? " or more" : "");
    if (!r->f.library || r->f.is_sketch) {
        hs_text_line(
            &r->text, "%s",
            r->f.is_rugged   ? "most of them are different: no modes to learn"
            : r->f.is_sketch ? "chains from them form no groups that agree: "
                               "no modes"
                             : "no two modes were distinguished");
        return;
    }
    hs_text_line(&r->text, "%d modes distinguished, %d learned, of masses",
                 r->f.modes, r->f.library->modes);
    report_masses(r, r->f.library);
    if (r->f.library->trees)
        report_trees(r, r->f.library->trees);
}

/* Reports the levels and how long replicas need to burn in. */
static void report_levels(struct resolving *r, const hs_sampler *s)
{
    if ((s->type != &hs_kernel_pt && s->type != &hs_kernel_pthr) ||
        r->f.ladder.levels == 0)
        return;
    if (!reference_of(s) && !hs_sampler_find(s, &hs_kernel_bridge) &&
        !hs_sampler_find(s, &hs_kernel_cluster))
        r->scheme->settling = r->f.ladder.levels / hs_survey_trips(&r->f);
    if (hs_sampler_list(s, "path") && r->search.wants_choice)
        hs_text_line(&r->text,
                     "a reference path of %d levels to the modes' laws",
                     hs_sampler_list(s, "path")->count);
    if (r->search.wants_ladder ||
        (r->search.wants_choice && hs_sampler_number(s, "levels") > 1.0))
        hs_text_line(&r->text, "%d temperatures, barrier %.2f",
                     r->f.ladder.levels, r->f.ladder.barrier);
    if ((r->search.wants_choice || r->search.lowers_top) &&
        r->f.ladder.temperature[r->f.ladder.levels - 1] < HUGE_VAL)
        hs_text_line(
            &r->text,
            "none hotter than %.3g: local moves mix there by themselves",
            r->f.ladder.temperature[r->f.ladder.levels - 1]);
}

static hiss_status enter_network(struct resolving *r, hs_network_arm *network,
                                 hs_pilot_account *account, hiss_error *err)
{
    if (hs_sampler_number(r->full, "independent") == 0.0)
        return HISS_OK;
    return hs_network_arm_init(network, r->m, r->base,
                               fmax(r->f.pilots.cost, 1.0), account, &r->text,
                               err);
}

/* Composes the sampler that auto becomes, and the reasons. */
static hiss_status compose(struct resolving *r, hs_pilot_account *account,
                           hs_sampler **out, hiss_error *err)
{
    hs_network_arm network = {0};
    hs_flat_arm flat = {0};
    hs_device_choice device;
    hs_choice_request choice = {.m = r->scheme->model,
                                .base = r->base,
                                .found = &r->f,
                                .network = &network,
                                .swap_every = r->search.swap_every,
                                .left = hs_pilot_account_left(account),
                                .is_cut = r->is_cut};
    hiss_status rc;

    if (r->is_cut)
        return hs_choice_make(out, &r->scheme->each, &choice, account, &r->text,
                              err);
    if (account->budget < BUDGET_MIN) {
        hs_text_line(&r->text,
                     "the pilot may not take as many evaluations as a search");
        hs_text_line(&r->text, "for modes needs: no tempering");
        return hs_choice_cold(out, r->scheme->model, r->base, err);
    }
    report_modes(r);
    HS_TRY(hs_device_parse(account->device, &device, err));
    rc = HISS_OK;
    if (!device.is_card || device.may_not) { /* no GPU makes these steps */
        choice.flat = &flat;
        rc = enter_network(r, &network, account, err);
    }
    if (rc == HISS_OK)
        rc = hs_choice_make(out, &r->scheme->each, &choice, account, &r->text,
                            err);
    if (rc == HISS_OK && (*out)->type == &hs_kernel_network) {
        r->scheme->model = r->m; /* it keeps zeros without temperatures */
        r->scheme->network = network.held;
        network.held = NULL;
    }
    if (rc == HISS_OK && (*out)->type == &hs_kernel_multicanonical) {
        r->scheme->start = flat.start;
        flat.start = NULL;
    }
    account->energy_evals += network.evals;
    hs_network_arm_clear(&network);
    hs_flat_arm_clear(&flat);
    return rc;
}

/* Draws modes by their masses and takes the pilot chains in each of them in
 * turn. A mode without chains gives its best state. */
static hiss_status make_starts(struct resolving *r, hs_pilot_account *account,
                               hiss_error *err)
{
    const hs_library *b = r->f.library;
    const hs_pilot_chains *c = &r->f.pilots;
    size_t dim = (size_t)b->dim;
    int *of = hs_alloc_array((size_t)c->lanes, sizeof *of);
    double *u = hs_alloc_array((size_t)c->lanes, sizeof *u);
    int16_t *start = hs_alloc_array(HS_STARTS * dim, sizeof *start);
    int possible = -1;
    hiss_status rc = of && u && start
                         ? hs_pilot_chains_energies(c, r->m, u, account, err)
                         : hs_fail_memory(err);

    r->scheme->start = start;
    for (int l = 0; rc == HISS_OK && l < c->lanes; l++) {
        of[l] = hs_library_mode(b, &r->m->domain, c->state + (size_t)l * dim);
        if (u[l] == -HUGE_VAL) /* of a softened model */
            of[l] = -1;
        else
            possible = l;
    }
    hs_free(u);
    if (rc != HISS_OK) {
        hs_free(of);
        return rc;
    }
    if (possible < 0) { /* chains find one themselves */
        hs_free(of);
        hs_free(start);
        r->scheme->start = NULL;
        return HISS_OK;
    }
    for (int n = 0, next = 0; n < HS_STARTS; n++) {
        double position = fmod(GOLDEN * (n + 0.5), 1.0);
        const int16_t *state;
        int k = 0, tries = 0;

        while (k + 1 < b->modes && position >= b->weight[k])
            position -= b->weight[k++];
        while (tries++ < c->lanes && of[next] != k)
            next = (next + 1) % c->lanes;
        if (of[next] != k && r->scheme->model != r->m)
            next = possible; /* a top may break constraints */
        state = of[next] == k || r->scheme->model != r->m
                    ? c->state + (size_t)next * dim
                    : b->top + (size_t)k * dim;
        memcpy(start + (size_t)n * dim, state, dim * sizeof *start);
        next = (next + 1) % c->lanes;
    }
    hs_free(of);
    return HISS_OK;
}

static hiss_status resolve_auto(struct resolving *r, hs_pilot_account *account,
                                hiss_error *err)
{
    hs_scheme *s = r->scheme;
    hs_sampler *found = NULL;
    hiss_status rc = HISS_OK;

    if (r->search.wants_choice)
        rc = compose(r, account, &found, err);
    if (r->search.wants_modes)
        report_modes(r);
    if (r->search.wants_law)
        rc = add_leg(r, account, &found, err);
    else if (r->search.wants_ladder)
        rc = add_ladder(r, &found, err);
    if (found)
        report_levels(r, found);
    hs_text_line(&r->text, "%.0f evaluations of the pilot",
                 hs_pilot_account_spent(account));
    s->text = hs_text_take(&r->text);
    if (found) {
        hs_sampler_release(s->sampler);
        s->sampler = found;
    }
    if (rc == HISS_OK && r->f.library && !s->start &&
        (reference_of(s->sampler) ||
         !hs_sampler_find(s->sampler, &hs_kernel_pt)))
        rc = make_starts(r, account, err);
    s->library = r->f.library;
    s->knows_all = s->library && s->library->modes > 1 && !r->search.modes &&
                   !r->f.is_sketch && r->f.modes <= s->library->modes;
    r->f.library = NULL;
    if (rc == HISS_OK && !s->text)
        rc = hs_fail_memory(err);
    return rc;
}

/* The smallest of the budgets that the caller, the sampler and the model's size
 * allow. */
static void set_budget(const struct resolving *r, hs_pilot_account *account)
{
    double size = hs_policy(HS_PILOT_WORK) / r->m->domain.dim,
           own = hs_policy(HS_PILOT_EVALS), most;

    if (r->full->type == &hs_kernel_auto)
        own = hs_sampler_number(r->full, "pilot");
    own = own < size ? own : size;
    if (!(account->budget > 0.0) || own < account->budget)
        account->budget = own;
    most = hs_policy(HS_WORK_PER_SECOND) * (account->until - account->from) /
           r->m->domain.dim;
    if (account->until > 0.0 && most < account->budget) {
        account->budget = most;
        account->is_lowered = true;
    }
}

/* Less for large sums of tables, unless `pilot` was given. */
static void lower_budget(const struct resolving *r, hs_pilot_account *account)
{
    if (r->search.wants_choice && r->m->ops->factors && !r->m->is_dense &&
        hs_sampler_number(r->full, "pilot") == hs_policy(HS_PILOT_EVALS))
        account->budget = fmin(account->budget,
                               fmax(hs_policy(HS_TABLE_WORK) / r->m->domain.dim,
                                    2.0 * hs_policy(HS_PILOT_LEAST)));
}

/* Surveys the model as far as there is time. */
static hiss_status survey(struct resolving *r, hs_pilot_account *account,
                          hiss_error *err)
{
    hs_scheme *s = r->scheme;
    double until = account->until;
    hiss_status rc = HISS_OK;

    if (until > 0.0)
        account->until -=
            hs_policy(HS_PREPARATION_SHARE) * (until - account->from);
    set_budget(r, account);
    lower_budget(r, account);
    r->search.base = r->base;
    if (account->budget >= BUDGET_MIN || !r->search.wants_choice)
        rc = hs_survey_init(&r->f, s->model, &r->search, account, err);
    r->is_cut = account->is_late;
    if (r->is_cut)
        hs_text_line(&r->text, "the survey was cut short: its time was over");
    if (rc == HISS_OK)
        rc = resolve_auto(r, account, err);
    s->is_cut = r->is_cut || account->is_late || account->is_lowered;
    account->until = until;
    account->is_late = false;
    return rc;
}

/* Temperature leaves zeros zero, and clusters need finite couplings. */
static hiss_status soften(struct resolving *r, hiss_error *err)
{
    hs_scheme *s = r->scheme;

    if (s->sampler->replicas > 1 || r->full->type == &hs_kernel_auto ||
        r->full->type == &hs_kernel_smc ||
        hs_sampler_find(r->full, &hs_kernel_cluster))
        HS_TRY(hs_model_soften(&s->softened, r->m, err));
    if (s->softened)
        s->model = s->softened;
    return HISS_OK;
}

hiss_status hs_scheme_init(hs_scheme *s, const hs_model *m,
                           const hs_sampler *sampler, hs_pilot_account *account,
                           hiss_error *err)
{
    struct resolving r = {.scheme = s, .m = m};
    hiss_status rc;

    *s = (hs_scheme){.model = m};
    rc = hs_tour_sampler(&s->sampler, sampler, m, err);
    r.search.lowers_top = rc == HISS_OK && sampler->type == &hs_kernel_auto &&
                          s->sampler->type == &hs_kernel_pt; /* a tour */
    if (rc == HISS_OK)
        rc = hs_sampler_spell_out(&r.full, s->sampler, err);
    if (rc == HISS_OK && r.full->type == &hs_kernel_auto)
        set_budget(&r, account);
    if (rc == HISS_OK)
        rc = hs_tables_pilot(s, r.full, account, &r.text, err);
    if (rc == HISS_OK && !s->descent)
        rc = soften(&r, err);
    if (rc == HISS_OK && !s->descent && set_search(&r)) {
        hs_pilot_account_restart(account);
        rc = set_base(&r, err);
        if (rc == HISS_OK)
            rc = find_end(&r, account, err);
        if (rc == HISS_OK)
            rc = survey(&r, account, err);
    }
    if (rc == HISS_OK)
        rc = hs_flat_pilot(&s->sampler, &s->start, &s->text, s->model, r.full,
                           account, err);
    if (rc == HISS_OK && r.full->type == &hs_kernel_smc)
        rc = hs_smc_pilot(s, r.full, account, err);
    else if (rc == HISS_OK)
        rc = hs_pilot_init(&s->pilot, s->model, s->sampler,
                           &(hs_pilot_found){s->library, s->start, HS_STARTS},
                           account, err);
    s->is_cut |= s->pilot.is_cut;
    s->energy_evals = account->energy_evals;
    s->gradient_evals = account->gradient_evals;
    hs_survey_clear(&r.f);
    hs_sampler_release(r.base);
    hs_sampler_release(r.full);
    hs_free(hs_text_take(&r.text));
    if (rc != HISS_OK)
        hs_scheme_clear(s);
    return rc;
}

void hs_scheme_clear(hs_scheme *s)
{
    hs_sampler_release(s->sampler);
    hs_library_destroy(s->library);
    hs_pilot_clear(&s->pilot);
    hs_descent_release(s->descent);
    hs_network_release(s->network);
    hs_model_destroy(s->softened);
    hs_betas_clear(&s->betas);
    hs_free(s->text);
    hs_free(s->start);
    *s = (hs_scheme){0};
}

void hs_scheme_attach(const hs_scheme *s, hs_group *g)
{
    hs_group_attach(g, s->library);
    hs_pilot_apply(&s->pilot, -1, g);
}

bool hs_scheme_start(const hs_scheme *s, hs_group *g, int first_chain)
{
    size_t dim = (size_t)g->model->domain.dim;

    for (int c = 0; s->start && c < g->chains; c++)
        for (int r = 0; r < g->replicas; r++) {
            int at = ((first_chain + c) * g->replicas + r) % HS_STARTS;

            hs_group_set(g, c, r, s->start + (size_t)at * dim);
        }
    return s->start != NULL;
}
