/* survey.c - what a pilot finds out about a model. */
#include "run/survey/survey.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "run/survey/cooling.h"
#include "run/survey/mode_file.h"
#include "run/survey/mode_laws.h"
#include "run/survey/unseen_modes.h"

/* Reserved chains of each part. */
#define COOLING_CHAINS (HS_PILOT_CHAIN + 0x10000u)
#define LADDER_CHAINS  (HS_PILOT_CHAIN + 0x20000u)
#define LOCAL_CHAINS   (HS_PILOT_CHAIN + 0x30000u)
#define CLUSTER_CHAINS (HS_PILOT_CHAIN + 0x40000u)
#define LAW_CHAINS     (HS_PILOT_CHAIN + 0x50000u)
#define TRIAL_CHAINS   (HS_PILOT_CHAIN + 0x60000u)
#define UNSEEN_CHAINS  (HS_PILOT_CHAIN + 0x70000u)
#define BLOCK_CHAINS   (HS_PILOT_CHAIN + 0x48000u)

/* Shares of the budget. */
#define COOLING_SHARE 0.15
#define LADDER_SHARE  0.3
#define WALK_SHARE    0.05
#define UNSEEN_SHARE  0.35
#define LAW_SHARE     0.15
#define BLOCK_SHARE   0.1

#define COOLED    4         /* groups of chains */
#define DIM_MAX   (1 << 16) /* coordinates of a model that is looked into */
#define BLOCK_DIM (1 << 14) /* and of one whose blocks are tried */
#define BLIND     0.7       /* discord that says nothing about relaxation */

struct pilot {
    const hs_model *m;
    const hs_survey_request *search;
    hs_pilot_account *account;
    hs_survey *f;
    hs_cooling cooling;     /* owned */
    hs_pilot_chains pilots; /* owned */
    int *of;                /* owned, [lanes]: modes */
    hs_unseen_modes unseen; /* owned */
};

static hiss_status tune(struct pilot *p, hiss_error *err)
{
    hs_ladder_request request = {.base = p->search->base,
                                 .hottest = p->search->hottest,
                                 .swap_every = p->search->swap_every,
                                 .parts = p->search->parts,
                                 .first_chain = LADDER_CHAINS,
                                 .budget = LADDER_SHARE * p->account->budget};
    int groups = p->search->wants_choice || p->search->wants_modes ? COOLED : 1;

    HS_TRY(hs_cooling_init(&p->cooling, p->m, p->search->base, COOLING_CHAINS,
                           groups, COOLING_SHARE * p->account->budget,
                           p->account, err));
    return hs_ladder_tune(&p->f->ladder, p->m, &request, &p->cooling,
                          p->account, err);
}

/* Pilot chains from all states that were found: cooled, cold ones of
 * tempering, and those that were not known. */
static hiss_status collect(struct pilot *p, hiss_error *err)
{
    const hs_ladder *l = &p->f->ladder;
    const hs_unseen_modes *found = &p->unseen;
    int cooled = p->cooling.groups * HS_GROUP_CHAINS;
    int colds = l->colds < HS_LADDER_COLD ? l->colds : HS_LADDER_COLD;

    hs_pilot_chains_clear(&p->pilots);
    hs_free(p->of);
    p->of = NULL;
    HS_TRY(hs_pilot_chains_init(&p->pilots, p->m, cooled + colds + found->count,
                                err));
    p->of = hs_alloc_array((size_t)p->pilots.lanes, sizeof *p->of);
    if (!p->of)
        return hs_fail_memory(err);
    for (int n = 0; n < cooled; n++)
        hs_pilot_chains_take(&p->pilots, n,
                             &p->cooling.group[n / HS_GROUP_CHAINS]->tile[0],
                             n % HS_GROUP_CHAINS);
    memcpy(p->pilots.state + (size_t)cooled * (size_t)p->pilots.dim, l->cold,
           (size_t)colds * (size_t)p->pilots.dim * sizeof *l->cold);
    if (found->count > 0)
        memcpy(p->pilots.state +
                   (size_t)(cooled + colds) * (size_t)p->pilots.dim,
               found->state,
               (size_t)found->count * (size_t)p->pilots.dim *
                   sizeof *found->state);
    return HISS_OK;
}

/* Steps in each half of a walk that takes its share of the budget. */
static int walk_steps(const struct pilot *p, int cost)
{
    double steps =
        0.5 * WALK_SHARE * p->account->budget / (p->pilots.lanes * cost) - 4.0;

    return steps > 32.0 ? 32 : steps < 8.0 ? 8 : (int)steps;
}

/* The local sampler and a jump after it. */
static hiss_status followed_by(hs_sampler **out, const struct pilot *p,
                               const hs_kernel_type *jump,
                               const hs_setting *settings, hiss_error *err)
{
    hs_sampler *more;
    hiss_status rc;

    *out = NULL;
    HS_TRY(hs_sampler_make(&more, jump, settings, err));
    rc = hs_sampler_make(
        out, &hs_kernel_sequence,
        (hs_setting[]){{.sampler = p->search->base}, {.sampler = more}, {0}},
        err);
    hs_sampler_release(more);
    return rc;
}

/* Do chains agree after a walk?  cost: of a step, in evaluations. */
static hiss_status look(struct pilot *p, const hs_sampler *sampler, int cost,
                        uint32_t chains, double *discord, hiss_error *err)
{
    hs_pilot_walk run = {.sampler = sampler,
                         .first_chain = chains,
                         .discard = 8,
                         .steps = walk_steps(p, cost)};

    HS_TRY(hs_pilot_chains_walk(&p->pilots, p->m, &run, p->account, err));
    *discord = hs_pilot_chains_discord(&p->pilots);
    return HISS_OK;
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

/* Acceptance of jumps of one kind, from where the pilot chains stand. */
static hiss_status try_jumps(struct pilot *p, double swap, uint32_t chains,
                             double *rate, hiss_error *err)
{
    hs_pilot_walk run = {.library = p->f->library,
                         .first_chain = chains,
                         .discard = 8,
                         .steps = walk_steps(p, 2)};
    hs_sampler *sampler;
    hiss_status rc;

    HS_TRY(followed_by(&sampler, p, &hs_kernel_bridge,
                       (hs_setting[]){{"swap", .number = swap}, {0}}, err));
    run.sampler = sampler;
    rc = hs_pilot_chains_walk(&p->pilots, p->m, &run, p->account, err);
    if (rc == HISS_OK)
        *rate = p->pilots.proposed > 0.0 ? p->pilots.taken / p->pilots.proposed
                                         : 0.0;
    hs_sampler_release(sampler);
    return rc;
}

/* Tempering looks for what the pilot chains have not seen, and what it finds
 * becomes chains. */
static hiss_status unseen(struct pilot *p, hiss_error *err)
{
    hs_ladder_request ladder = {.base = p->search->base,
                                .swap_every = p->search->swap_every,
                                .parts = p->search->parts,
                                .first_chain = UNSEEN_CHAINS,
                                .budget = UNSEEN_SHARE * p->account->budget};
    int every = (int)(1.0 / hs_survey_trips(p->f));
    hs_unseen_modes *found = &p->unseen;
    hs_library *sketch = NULL;
    hiss_status rc;

    rc = hs_mode_laws_sketch(&sketch, &p->pilots, p->of, p->f->modes,
                             &p->m->domain, err);
    if (rc == HISS_OK)
        rc = hs_unseen_modes_make(found, p->m, &p->f->ladder, &ladder, sketch,
                                  every, p->account, err);
    if (rc == HISS_OK)
        p->f->freshness = found->freshness;
    if (rc == HISS_OK && found->count > 0) {
        rc = collect(p, err);
        if (rc == HISS_OK)
            rc = look(p, p->search->base, 1, LOCAL_CHAINS + 0x1000u,
                      &p->f->discord, err);
        if (rc == HISS_OK)
            p->f->modes = hs_mode_laws_split(&p->pilots, p->of);
    }
    hs_library_destroy(sketch);
    return rc;
}

/* Would clusters help?  The pilot chains stay where they are. */
static hiss_status try_clusters(struct pilot *p, hiss_error *err)
{
    size_t bytes = (size_t)p->pilots.lanes * (size_t)p->pilots.dim *
                   sizeof *p->pilots.state;
    hs_sampler *sampler = NULL;
    int16_t *before;
    hiss_status rc;

    p->f->has_clusters = is_possible(p->m, &hs_kernel_cluster, NULL);
    if (!p->f->has_clusters)
        return HISS_OK;
    before = hs_alloc_array(bytes, 1);
    if (!before)
        return hs_fail_memory(err);
    memcpy(before, p->pilots.state, bytes);
    rc = followed_by(&sampler, p, &hs_kernel_cluster, NULL, err);
    if (rc == HISS_OK)
        rc = look(p, sampler, 2, CLUSTER_CHAINS, &p->f->cluster_discord, err);
    /* a cluster of nearly all sites turns the state over and changes nothing */
    p->f->cluster_discord =
        fmax(p->f->cluster_discord, hs_pilot_chains_pair_discord(&p->pilots));
    memcpy(p->pilots.state, before, bytes);
    hs_free(before);
    hs_sampler_release(sampler);
    return rc;
}

/* A few pilot chains from all over: states of all modes, the largest first. */
static void pick(const struct pilot *p, hs_pilot_chains *few)
{
    size_t bytes = (size_t)few->dim * sizeof *few->state;
    int taken = 0;

    for (int round = 0; taken < few->lanes && round < p->pilots.lanes; round++)
        for (int k = 0; k < p->f->modes && taken < few->lanes; k++) {
            int skip = round;

            for (int l = 0; l < p->pilots.lanes; l++)
                if (p->of[l] == k && skip-- == 0) {
                    memcpy(few->state + (size_t)taken++ * (size_t)few->dim,
                           p->pilots.state + (size_t)l * (size_t)few->dim,
                           bytes);
                    break;
                }
        }
}

/* Effective draws per evaluation of a walk.  Chains of n steps that differ by
 * chance alone have a discord of (relaxation / n), nearly. */
static double rate_of(const hs_pilot_chains *c, double cost)
{
    double discord = hs_pilot_chains_mean_discord(c);

    if (!(discord > 0.0 && discord < BLIND))
        return 0.0;
    return (1.0 - discord) / (2.0 * c->steps * discord * cost);
}

/* A walk with blocks alone.  A step of them tells what they cost. */
static hiss_status walk_blocks(struct pilot *p, const hs_sampler *blocks,
                               hs_pilot_chains *few, hiss_error *err)
{
    hs_pilot_walk run = {.sampler = blocks,
                         .first_chain = BLOCK_CHAINS,
                         .discard = 1,
                         .steps = 1};
    double before = hs_pilot_account_spent(p->account), cost, steps;

    HS_TRY(hs_pilot_chains_walk(few, p->m, &run, p->account, err));
    cost = (hs_pilot_account_spent(p->account) - before) / (3.0 * few->lanes);
    steps = 0.5 * BLOCK_SHARE * p->account->budget / (few->lanes * cost);
    if (steps < 16.0)
        return HISS_OK;
    run.first_chain += HS_GROUP_CHAINS;
    run.discard = (int)(0.25 * steps);
    run.steps = (int)(0.875 * steps);
    HS_TRY(hs_pilot_chains_walk(few, p->m, &run, p->account, err));
    p->f->block_rate = rate_of(few, cost);
    return HISS_OK;
}

/* Would blocks alone do? */
static hiss_status try_blocks(struct pilot *p, hiss_error *err)
{
    hs_setting narrow[] = {{"table", .number = HS_NARROW_TABLE}, {0}};
    hs_sampler *blocks;
    hs_pilot_chains few = {0};
    hiss_status rc;

    if (p->pilots.dim > BLOCK_DIM || p->pilots.lanes < HS_GROUP_CHAINS ||
        hs_sampler_find(p->search->base, &hs_kernel_blocks) ||
        !is_possible(p->m, &hs_kernel_blocks, narrow))
        return HISS_OK;
    HS_TRY(hs_sampler_make(&blocks, &hs_kernel_blocks, narrow, err));
    rc = hs_pilot_chains_init(&few, p->m, HS_GROUP_CHAINS, err);
    if (rc == HISS_OK) {
        pick(p, &few);
        rc = walk_blocks(p, blocks, &few, err);
    }
    hs_pilot_chains_clear(&few);
    hs_sampler_release(blocks);
    return rc;
}

/* States of a file: places to learn from, or modes as they are. */
static hiss_status take_file(struct pilot *p, hiss_error *err)
{
    const hs_domain *d = &p->m->domain;
    hs_mode_laws_request request = {.base = p->search->base,
                                    .first_chain = LAW_CHAINS,
                                    .budget = LAW_SHARE * p->account->budget};
    double none[HS_LIBRARY_MAX] = {0};
    int16_t *states;
    int count;
    hiss_status rc;

    HS_TRY(hs_mode_file_read(&states, &count, p->search->modes, d,
                             HS_MODE_LAWS_MODES, err));
    p->f->modes = count;
    rc = hs_pilot_chains_init(&p->pilots, p->m, count, err);
    p->of = hs_alloc_array((size_t)count, sizeof *p->of);
    if (rc == HISS_OK && !p->of)
        rc = hs_fail_memory(err);
    for (int k = 0; rc == HISS_OK && k < count; k++)
        p->of[k] = k;
    if (rc == HISS_OK)
        memcpy(p->pilots.state, states,
               (size_t)count * (size_t)d->dim * sizeof *states);
    if (rc == HISS_OK && p->search->learn)
        rc = hs_mode_laws_learn(&p->f->library, &p->pilots, p->of, count, p->m,
                                &request, p->account, err);
    else if (rc == HISS_OK)
        rc = hs_library_create(&p->f->library, d, count, err);
    if (rc == HISS_OK && !p->search->learn) {
        for (int k = 0; k < count && rc == HISS_OK; k++)
            rc = hs_library_state(p->f->library, d, k,
                                  states + (size_t)k * (size_t)d->dim, err);
        hs_library_weigh(p->f->library, none);
    }
    hs_free(states);
    return rc;
}

/* The share of what tempering brought to the target that the library knows;
 * a half of a state more is unknown. */
static double coverage(const struct pilot *p)
{
    size_t dim = (size_t)p->m->domain.dim;
    double known = 0.0;

    for (int n = 0; n < p->unseen.looks; n++)
        known += hs_library_mode(p->f->library, &p->m->domain,
                                 p->unseen.look + (size_t)n * dim) >= 0;
    return known / (p->unseen.looks + 0.5);
}

static hiss_status choose(struct pilot *p, hiss_error *err)
{
    hs_mode_laws_request request = {.base = p->search->base,
                                    .first_chain = LAW_CHAINS,
                                    .budget = LAW_SHARE * p->account->budget};
    hs_survey *f = p->f;

    HS_TRY(collect(p, err));
    HS_TRY(look(p, p->search->base, 1, LOCAL_CHAINS, &f->discord, err));
    f->modes = hs_mode_laws_split(&p->pilots, p->of);
    if (f->ladder.rounds > 0)
        HS_TRY(unseen(p, err));
    if (p->search->wants_choice && f->discord >= HS_AGREED) {
        HS_TRY(try_clusters(p, err));
        if (f->cluster_discord >= HS_AGREED)
            HS_TRY(try_blocks(p, err));
    }
    if (!p->search->wants_modes &&
        (f->discord < HS_AGREED || f->cluster_discord < HS_AGREED ||
         f->ladder.rounds == 0))
        return HISS_OK;
    HS_TRY(hs_mode_laws_learn(&f->library, &p->pilots, p->of, f->modes, p->m,
                              &request, p->account, err));
    if (!f->library || !p->search->wants_choice)
        return HISS_OK;
    f->coverage = coverage(p);
    HS_TRY(try_jumps(p, 0.0, TRIAL_CHAINS, &f->carried, err));
    return try_jumps(p, 1.0, TRIAL_CHAINS + 0x1000u, &f->swapped, err);
}

hiss_status hs_survey_init(hs_survey *f, const hs_model *m,
                           const hs_survey_request *search,
                           hs_pilot_account *account, hiss_error *err)
{
    struct pilot p = {.m = m, .search = search, .account = account, .f = f};
    bool wants = search->wants_choice || search->wants_modes;
    hiss_status rc = HISS_OK;

    *f = (hs_survey){.discord = 1.0, .cluster_discord = 1.0, .freshness = 1.0};
    if (search->modes)
        rc = take_file(&p, err);
    f->is_large = m->domain.dim > DIM_MAX;
    wants = wants && !search->modes && !f->is_large;
    if (rc == HISS_OK && (wants || search->wants_ladder))
        rc = tune(&p, err);
    if (rc == HISS_OK && wants)
        rc = choose(&p, err);
    if (rc == HISS_OK && f->is_large && search->wants_choice)
        f->has_clusters = is_possible(m, &hs_kernel_cluster, NULL);
    hs_cooling_clear(&p.cooling);
    hs_pilot_chains_clear(&p.pilots);
    hs_unseen_modes_clear(&p.unseen);
    hs_free(p.of);
    if (rc != HISS_OK)
        hs_survey_clear(f);
    return rc;
}

void hs_survey_clear(hs_survey *f)
{
    hs_ladder_clear(&f->ladder);
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
