/* choice.c - which sampler `auto` becomes: candidates, compared by evidence. */
#include "run/pilot/choice.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/random/streams.h"
#include "run/pilot/leg.h"
#include "run/pilot/rates.h"
#include "run/pilot/run_off.h"
#include "run/pilot/spread.h"
#include "run/policy/policy.h"
#include "run/survey/race.h"

#define LEG_SHARE   0.15 /* of the race's budget, for a leg to the modes */
#define LEG_LOWER   0.5  /* times the temperatures' barrier that it may have */
#define LAWS        8   /* of a leg beside tables, which cost less to look at */
#define GUESSED     400 /* evaluations of a replica, of temperatures guessed */
#define LEGGED      4   /* chains of its trial */
#define JUMPING     12  /* chains of a trial of jumps */
#define DEAR_SHARE  0.15 /* of the race's budget that blocks may cost */
#define STEPS       24   /* that a trial of blocks should have */
#define DEAR        4    /* chains of a trial of tables larger than NARROW */
#define NARROW      256  /* entries of tables that all chains can afford */
#define BLOCK_DIM   (1 << 14) /* coordinates where blocks are tried */
#define FRESH       0.07 /* effective draws per step that need no strands, */
#define FRESH_LOCAL 0.25 /* the same where local moves are enough */
#define LANES_LEAST 8    /* pilot chains that can tell whether they agree */
#define ROBUST      0.5  /* of the best rate is enough for what misses less */
#define CLEARLY     0.8  /* of the best rate: by chance */
#define LOOKS       16   /* states of tempering that say something of modes */
#define OPEN        0.5  /* of the climbs end in an optimum of their own */
#define COVERED     0.95 /* of what tempering brings is in the library */
#define LED_OUT     0.15 /* more of the chains than by local moves: a door */

static const int tables[] = {16, 256, 4096, 65536};

/* The kinds of jump: how many are of pieces; the more robust ones first, which
 * have it where others are not clearly better. */
#define KINDS (sizeof pieces / sizeof *pieces)
static const double pieces[] = {1.0, 0.5, 0.0};

static bool jumps_whole(int kind)
{
    return pieces[(size_t)kind % KINDS] < 1.0;
}

struct contest {
    const hs_choice_request *c;
    hs_race race; /* owned */
    hs_race_request request;
    int16_t *start; /* owned: states of all modes */
    int starts;
    int first_jump, end_jump; /* places in the race */
    bool
        misses[HS_CANDIDATES]; /* jumps that do not reach what tempering does */
    hs_text *text;
};

/* The local sampler and another one after it. */
static hiss_status followed_by(hs_sampler **out, const hs_sampler *base,
                               const hs_kernel_type *type,
                               const hs_setting *settings, hiss_error *err)
{
    hs_sampler *more;
    hiss_status rc;

    *out = NULL;
    HS_TRY(hs_sampler_make(&more, type, settings, err));
    rc = hs_sampler_make(
        out, &hs_kernel_sequence,
        (hs_setting[]){{.sampler = base}, {.sampler = more}, {0}}, err);
    hs_sampler_release(more);
    return rc;
}

/* Can this kernel be set up for the model?  Where all sites are coupled, blocks
 * are no larger than a few sites and clusters hold everything or nothing. */
static bool is_possible(const hs_model *m, const hs_kernel_type *type,
                        const hs_setting *settings)
{
    hs_sampler *sampler = NULL;
    hs_kernel *k = NULL;
    bool can = !m->is_dense &&
               hs_sampler_make(&sampler, type, settings, NULL) == HISS_OK &&
               hs_kernel_create(&k, sampler, NULL) == HISS_OK &&
               hs_kernel_setup(k, m, NULL) == HISS_OK;

    hs_kernel_destroy(k);
    hs_sampler_release(sampler);
    return can;
}

/* Evaluations of a step of one chain, made and counted. */
static hiss_status price(const hs_choice_request *c, const hs_sampler *s,
                         hs_pilot_account *account, double *cost,
                         hiss_error *err)
{
    hs_group *g;
    hiss_status rc;

    HS_TRY(hs_group_create(&g, c->m, s, account->seed,
                           hs_stream(HS_STREAM_PRICES, 0), 1, err));
    hs_group_set(g, 0, 0, c->found->pilots.state);
    rc = hs_group_step(g, err);
    *cost = hs_group_spent(g);
    account->energy_evals += *cost;
    hs_group_destroy(g);
    return rc;
}

/* Blocks, wider and wider, as long as a trial can be paid for; the narrowest,
 * of four spins, are not worth its time where nothing local mixes by far. */
static hiss_status enter_blocks(struct contest *n, hs_pilot_account *account,
                                hiss_error *err)
{
    const hs_choice_request *c = n->c;
    double room =
        DEAR_SHARE * (account->budget - hs_pilot_account_spent(account));
    hs_sampler *s;

    if (c->m->domain.dim > BLOCK_DIM)
        return HISS_OK;
    for (size_t t = c->found->is_rugged; t < sizeof tables / sizeof *tables;
         t++) {
        hs_setting wide[] = {{"table", .number = tables[t]}, {0}};
        int chains = tables[t] > NARROW ? DEAR : HS_GROUP_CHAINS;
        double cost = 0.0;
        hiss_status rc;

        if (!is_possible(c->m, &hs_kernel_blocks, wide))
            return HISS_OK;
        HS_TRY(hs_sampler_make(&s, &hs_kernel_blocks, wide, err));
        rc = price(c, s, account, &cost, err);
        if (rc != HISS_OK || cost * chains * STEPS > room) {
            hs_sampler_release(s);
            return rc;
        }
        hs_race_enter(&n->race, s, chains);
    }
    return HISS_OK;
}

static hiss_status enter_local(struct contest *n, hiss_error *err)
{
    const hs_choice_request *c = n->c;
    hs_sampler *s;

    hs_race_enter(&n->race, hs_sampler_keep(c->base), HS_GROUP_CHAINS);
    if (is_possible(c->m, &hs_kernel_cluster, NULL)) {
        HS_TRY(followed_by(&s, c->base, &hs_kernel_cluster, NULL, err));
        hs_race_enter(&n->race, s, HS_GROUP_CHAINS);
    }
    return HISS_OK;
}

/* Whether the library has nearly all that tempering brought, and every mode
 * that was told apart. */
static bool is_covered(const hs_survey *f)
{
    return f->coverage * (f->looks + 0.5) >= COVERED * f->looks &&
           (!f->library || f->modes <= f->library->modes);
}

static hiss_status enter_kinds(struct contest *n, const hs_sampler *base,
                               size_t kinds, hiss_error *err)
{
    for (size_t k = 0; k < kinds; k++) {
        hs_setting settings[] = {{"pieces", .number = pieces[k]}, {0}};
        hs_sampler *s;

        HS_TRY(followed_by(&s, base, &hs_kernel_bridge, settings, err));
        hs_race_enter(&n->race, s, JUMPING);
        n->race.at[n->race.count - 1].is_partial =
            jumps_whole((int)k) && !is_covered(n->c->found);
    }
    return HISS_OK;
}

/* Jumps of all kinds after local moves; where these are of all coordinates at
 * once, pieces also after moves of one. */
static hiss_status enter_jumps(struct contest *n, hiss_error *err)
{
    hs_sampler *gwg;
    hiss_status rc;

    n->first_jump = n->end_jump = n->race.count;
    if (!n->c->found->library)
        return HISS_OK;
    HS_TRY(enter_kinds(n, n->c->base, KINDS, err));
    if (n->c->base->type == &hs_kernel_dmala) {
        HS_TRY(hs_sampler_make(&gwg, &hs_kernel_gwg, NULL, err));
        rc = enter_kinds(n, gwg, 1, err);
        hs_sampler_release(gwg);
        HS_TRY(rc);
    }
    n->end_jump = n->race.count;
    return HISS_OK;
}

static hiss_status make_tempered(struct contest *n, const hs_sampler *base,
                                 int parts, hs_sampler **out, hiss_error *err)
{
    hs_ladder_request request = {
        .base = base, .swap_every = n->c->swap_every, .parts = parts};

    return hs_ladder_sampler(out, &n->c->found->ladder, &request, err);
}

/* What was measured before. */
static hiss_status enter_known(struct contest *n, hiss_error *err)
{
    const hs_choice_request *c = n->c;
    hs_sampler *s;

    if (c->found->ladder.rounds == 0)
        return HISS_OK;
    HS_TRY(make_tempered(n, c->base, 0, &s, err));
    hs_race_enter_known(&n->race, s, c->found->tempered);
    if (c->found->in_parts > 0.0) {
        HS_TRY(make_tempered(n, c->base, 1, &s, err));
        hs_race_enter_known(&n->race, s, c->found->in_parts);
    }
    return HISS_OK;
}

/* Effective draws per evaluation of jumps inside tempering, where a step costs
 * twice as much: they bring so many per step, but a part of the law is not
 * reached by them and is left to tempering.  Its share of the variance is
 * 4 c (1 - c) at most. */
static double with_jumps(const hs_survey *f, double brought)
{
    double cost = 2.0 * f->ladder.levels;
    double left = 4.0 * f->coverage * (1.0 - f->coverage);

    left = f->coverage > 0.5 && left < 1.0 ? left : 1.0;
    return 1.0 / (cost * (1.0 - left) / brought + 2.0 * left / f->tempered);
}

/* Jumps between whole modes, with temperatures around them; without, where the
 * library does not have nearly all that tempering brought, they are out. */
static hiss_status weigh_jumps(struct contest *n, hiss_error *err)
{
    const hs_survey *f = n->c->found;
    double brought = 0.0;
    int best = -1;
    hs_sampler *s;

    for (int k = n->first_jump; k < n->end_jump; k++) {
        hs_candidate *c = &n->race.at[k];

        if (c->rate * c->cost > brought) {
            best = k;
            brought = c->rate * c->cost;
        }
        n->misses[k] = jumps_whole(k - n->first_jump) && !is_covered(f);
        if (n->misses[k])
            c->rate = 0.0;
    }
    if (best < 0 || !(f->tempered > 0.0))
        return HISS_OK;
    HS_TRY(make_tempered(n, n->race.at[best].sampler, 0, &s, err));
    hs_race_enter_known(&n->race, s, with_jumps(f, brought));
    return HISS_OK;
}

/* Tempering with a leg to the modes' laws, where nothing but tempering was seen
 * to mix and the leg's barrier is lower; temperatures beside it only where the
 * library does not have nearly all that they bring.  Every step looks at all
 * laws, which no evaluation says: beside tables that is most of its time. */
static hiss_status enter_leg(struct contest *n, hs_pilot_account *account,
                             hiss_error *err)
{
    const hs_choice_request *c = n->c;
    const hs_survey *f = c->found;
    int best = hs_race_best(&n->race);
    hs_reals ladder = {f->ladder.temperature, f->ladder.levels};
    hs_race_request more = n->request;
    hs_leg_request request = {.base = c->base,
                              .swap_every = c->swap_every,
                              .reference = "modes",
                              .library = f->library,
                              .from = more.from};
    bool is_local = c->m->ops->factors && !c->m->is_dense;
    hs_sampler *s;
    hs_leg leg;

    if (!f->library || f->ladder.rounds == 0 ||
        (is_local && f->library->modes > LAWS) ||
        (best >= 0 && n->race.at[best].sampler->type != &hs_kernel_pt))
        return HISS_OK;
    request.budget =
        0.5 * fmax(account->budget - hs_pilot_account_spent(account), 0.0);
    HS_TRY(hs_leg_tune(&leg, c->m, &request, account, err));
    if (leg.rounds == 0 || leg.barrier > LEG_LOWER * f->ladder.barrier)
        return HISS_OK;
    HS_TRY(hs_leg_sampler(&s, &leg, &request, is_covered(f) ? NULL : &ladder,
                          err));
    hs_race_enter(&n->race, s, LEGGED);
    more.budget = fmax(account->budget - hs_pilot_account_spent(account), 0.0);
    return hs_race_run(&n->race, c->m, &more, account, err);
}

static hiss_status race(struct contest *n, hs_pilot_account *account,
                        hiss_error *err)
{
    const hs_survey *f = n->c->found;
    double share = f->library ? 1.0 - LEG_SHARE : 1.0;

    n->request = (hs_race_request){.library = f->library,
                                   .from = {n->start, n->starts},
                                   .first_chain = hs_stream(HS_STREAM_RACE, 0)};
    hs_pilot_account_calibrate(account);
    n->request.budget =
        share * fmax(account->budget - hs_pilot_account_spent(account), 0.0);
    HS_TRY(enter_local(n, err));
    HS_TRY(enter_blocks(n, account, err));
    HS_TRY(enter_jumps(n, err));
    HS_TRY(enter_known(n, err));
    if (n->c->network->sampler)
        hs_race_enter_known(&n->race, hs_sampler_keep(n->c->network->sampler),
                            n->c->network->rate);
    HS_TRY(hs_race_run(&n->race, n->c->m, &n->request, account, err));
    HS_TRY(weigh_jumps(n, err));
    return enter_leg(n, account, err);
}

bool hs_choice_has_ladder(const hs_choice_request *c, bool is_cut,
                          hs_text *text)
{
    const hs_ladder *l = &c->found->ladder;

    if (l->rounds > 0)
        return true;
    if (is_cut || l->levels < 2 || c->left < GUESSED * l->levels)
        return false;
    hs_text_line(text, "temperatures are a guess: no evaluations to tune them");
    return true;
}

/* Everything that may help: jumps of all kinds, and tempering; unless there is
 * little time, half of which and more goes to what does not. */
static hiss_status take_all(struct contest *n, hs_pilot_account *account,
                            hs_sampler **out, hiss_error *err)
{
    const hs_choice_request *c = n->c;
    hs_sampler *base = NULL;
    hiss_status rc = HISS_OK;

    if (account->is_lowered) {
        hs_text_line(n->text, "there is time for what is most likely to help");
        return hs_choice_hasty(out, c, account, n->text, err);
    }
    hs_text_line(n->text, "all that may help is used");
    if (c->found->library)
        rc = followed_by(&base, c->base, &hs_kernel_bridge,
                         (hs_setting[]){{"pieces", .number = 0.5}, {0}}, err);
    else if (c->found->is_rugged) /* clusters cost 16 times as much */
        base = hs_sampler_keep(c->base);
    else
        rc = hs_choice_cold(&base, c->m, c->base, err);
    if (rc == HISS_OK && hs_choice_has_ladder(c, false, n->text))
        rc = make_tempered(n, base, 0, out, err);
    else if (rc == HISS_OK)
        *out = hs_sampler_keep(base);
    hs_sampler_release(base);
    return rc;
}

/* Whether there are more modes than the library can know: too little was
 * tempered to show it, and most climbs end where no other one did, so that
 * most of what they could end in was never seen [Good 1953]. */
static bool is_open(const hs_survey *f)
{
    return f->looks < LOOKS &&
           (double)f->quench.optima.used > OPEN * (double)f->quench.climbs;
}

/* Whether pieces lead from mode to mode, though they be too slow to mix by
 * themselves: then these are local choices, and the library may lack some
 * hundreds of their combinations.  Each is light, and tempering brought few of
 * them; jumps between whole modes would leave them out, in all chains alike. */
static bool leads_out(const struct contest *n)
{
    const hs_candidate *local = &n->race.at[0];

    return n->race.at[n->first_jump].left >= local->left + LED_OUT;
}

/* The best jump with pieces; one of both kinds where none was seen to mix. */
static int best_pieces(const struct contest *n)
{
    int best = n->first_jump + 1;

    for (int k = n->first_jump; k < n->end_jump; k++)
        if (pieces[(size_t)(k - n->first_jump) % KINDS] > 0.0 &&
            n->race.at[k].rate > n->race.at[best].rate)
            best = k;
    return best;
}

/* Pieces that were not seen to mix by themselves are tries for nothing: of
 * jumps with them and without, whose trials differ by chance, those without,
 * unless the others are clearly better. */
static int without_pieces(const struct contest *n, int best)
{
    const hs_candidate *at = n->race.at;
    int kind = (int)((size_t)(best - n->first_jump) % KINDS);
    int whole = best - kind + (int)KINDS - 1;

    if (at[best - kind].rate > 0.0 || is_open(n->c->found) || leads_out(n) ||
        !(at[whole].rate >= CLEARLY * at[best].rate))
        return best;
    return whole;
}

/* Where pieces alone were seen to mix, modes are products of local choices, and
 * a library may lack some of them though tempering brought none: jumps with
 * pieces, or these alone, if they have half of what jumps between whole modes
 * bring. */
static int best_of(const struct contest *n)
{
    const hs_candidate *at = n->race.at;
    int best = hs_race_best(&n->race), first = n->first_jump, robust = first;

    if (best < first || best >= n->end_jump)
        return best;
    if (pieces[(size_t)(best - first) % KINDS] > 0.0)
        return without_pieces(n, best);
    if (is_open(n->c->found) || leads_out(n))
        return best_pieces(n);
    if (!(at[first].rate > 0.0))
        return best;
    if (at[first + 1].rate > at[first].rate)
        robust = first + 1;
    return at[robust].rate >= ROBUST * at[best].rate ? robust : best;
}

/* A sampler that brings so many effective draws per evaluation, 0 where it was
 * not seen to, in strands if they pay. */
static hiss_status spread(hs_sampler **out, double *each, const hs_sampler *s,
                          double rate, const hs_spread_request *request,
                          hs_pilot_account *account, hs_text *text,
                          hiss_error *err)
{
    HS_TRY(hs_spread_out(out, hs_sampler_keep(s), request, account, text, err));
    *each = rate > 0.0 ? 1.0 / rate : 0.0;
    if ((*out)->type == &hs_kernel_replicas)
        *each *= (*out)->replicas;
    return HISS_OK;
}

/* The winner; everything where nothing was seen to mix. */
static hiss_status take_best(struct contest *n, hs_pilot_account *account,
                             hs_sampler **out, double *each, hiss_error *err)
{
    int best = best_of(n), first = best;

    HS_TRY(hs_run_off(&n->race, &best, n->c->m, &n->request, account, err));
    hs_rates_report(&(hs_rates){&n->race, best, n->misses,
                                n->end_jump > n->first_jump, n->c->base,
                                n->c->found->ladder.levels},
                    n->text);
    if (best >= 0) {
        const hs_candidate *c = &n->race.at[best];

        if (best == first && best != hs_race_best(&n->race) &&
            (is_open(n->c->found) || leads_out(n)))
            hs_text_line(n->text, "%s: there are more modes than are known",
                         is_open(n->c->found) ? "climbs end in ever new optima"
                                              : "pieces lead out of modes");
        return spread(out, each, c->sampler, c->rate,
                      &(hs_spread_request){
                          c->rate * c->cost > 0.0 ? c->rate * c->cost : 1.0,
                          FRESH, c->cost},
                      account, n->text, err);
    }
    hs_text_line(n->text, "nothing was seen to mix in so short trials:");
    return take_all(n, account, out, err);
}

hiss_status hs_choice_cold(hs_sampler **out, const hs_model *m,
                           const hs_sampler *base, hiss_error *err)
{
    if (is_possible(m, &hs_kernel_cluster, NULL))
        return followed_by(out, base, &hs_kernel_cluster, NULL, err);
    *out = hs_sampler_keep(base);
    return HISS_OK;
}

hiss_status hs_choice_make(hs_sampler **out, double *each,
                           const hs_choice_request *c,
                           hs_pilot_account *account, hs_text *text,
                           hiss_error *err)
{
    struct contest n = {.c = c, .text = text};
    const hs_pilot_chains *chains = &c->found->pilots;
    double discord = c->found->discord;
    hiss_status rc;

    *each = 0.0;
    if (chains->lanes < LANES_LEAST) {
        hs_text_line(text, "%d pilot chains are too few to compare samplers:",
                     chains->lanes);
        return take_all(&n, account, out, err);
    }
    if (discord < HS_AGREED) {
        double brought =
            fmin((1.0 - discord) / (2.0 * chains->steps * discord), 1.0);

        if (c->network->rate >
            hs_policy(HS_NETWORK_CLEARLY) * brought / chains->cost) {
            hs_text_line(text, "chains of local moves agree, but bring less");
            *out = hs_sampler_keep(c->network->sampler);
            *each = 1.0 / c->network->rate;
            return HISS_OK;
        }
        hs_text_line(text, "chains from %d states all over the space agree",
                     chains->lanes);
        hs_text_line(text, "(discord %.2g): local moves are enough", discord);
        return spread(out, each, c->base, brought / chains->cost,
                      &(hs_spread_request){brought, FRESH_LOCAL, chains->cost},
                      account, text, err);
    }
    hs_text_line(
        text,
        "local moves do not mix: chains differ by %.0f %% of the variance",
        100.0 * fmin(discord, 1.0));
    n.start = hs_survey_starts(c->found, &n.starts);
    rc = n.start ? race(&n, account, err) : hs_fail_memory(err);
    if (rc == HISS_OK)
        rc = take_best(&n, account, out, each, err);
    hs_race_clear(&n.race);
    hs_free(n.start);
    return rc;
}
