/* run.c - all chains of a run: preparation, steps, result, cleanup. */
#include "run/sampling/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "device/open.h"
#include "model/user/wide.h"
#include "run/chain/everywhere.h"
#include "run/chain/lane_exchange.h"
#include "run/comm/ranks.h"
#include "run/policy/policy.h"
#include "run/sampling/card_rounds.h"
#include "run/sampling/ess_stop.h"
#include "run/sampling/running.h"
#include "run/sampling/smc.h"

#define OPEN_BYTES 1e9
/* Bytes of other ranks' draws that rank 0 has in memory; more go to a file. */
#define OTHERS_BYTES 6.4e7
/* Shares of a time limit: at most this for the pilot, */
#define PILOT_TIME 0.3
/* and about this for the steps of the chains. */
#define WALK_TIME 0.5

static bool is_open_ended(const hiss_settings *set)
{
    return set->samples == 0;
}

int64_t hs_run_warmup(const hiss_settings *set)
{
    if (set->warmup >= 0)
        return set->warmup;
    if (set->ess > 0.0)
        return HS_ESS_STOP_WARMUP * set->thin;
    return is_open_ended(set) ? -1 : set->samples * set->thin / 2;
}

hiss_status hs_run_build(hs_running *r, int group, hiss_error *err)
{
    const hiss_settings *set = r->set;
    hs_group_state *w = &r->state[group - r->partition.first];

    w->first_chain = group * HS_GROUP_CHAINS;
    w->row = (group - r->partition.first) * HS_GROUP_CHAINS;
    w->thin = w->warm_thin = set->thin;
    w->warmup = hs_run_warmup(set);
    HS_TRY(hs_group_create(&w->group, r->scheme->model, r->scheme->sampler,
                           set->seed, (uint32_t)w->first_chain,
                           hs_partition_chains(&r->partition, group), err));
    hs_partition_tiles(&r->partition, group, w->group);
    for (int i = 0; set->by_level && i < w->group->tiles; i++)
        w->group->kernel[i]->steps = (uint64_t)set->steps_before;
    return w->group->team ? hs_lane_exchange_create(w->group, err) : HISS_OK;
}

static hiss_status build_state(hs_running *r, int group, hiss_error *err)
{
    hs_group_state *w = &r->state[group - r->partition.first];

    HS_TRY(hs_run_build(r, group, err));
    hs_scheme_attach(r->scheme, w->group);
    return hs_marginals_init(&w->marginals, w->group, r->set->marginals, err);
}

static void begin_state(hs_group_state *w)
{
    hs_group_set_warmup(w->group, true);
    if (w->warmup == 0)
        hs_rounds_end_warmup(w);
}

/* For all chains on rank 0, for its own on other ranks. */
static hiss_status prepare_store(hs_running *r, int which, hs_store *store,
                                 int64_t capacity, hiss_error *err)
{
    bool has_others =
        hs_ranks_size(r->partition.ranks) > 1 && hs_is_first_rank(r);
    int chains = r->set->chains;

    if (!hs_is_first_rank(r)) {
        int end = (r->partition.first + r->partition.count) * HS_GROUP_CHAINS;

        end = end < chains ? end : chains;
        chains =
            r->partition.count ? end - r->partition.first * HS_GROUP_CHAINS : 0;
    }
    r->store[which] = store;
    return hs_store_init(store, &r->model->domain, chains, capacity,
                         has_others ? OTHERS_BYTES : HUGE_VAL, err);
}

/* Number of draws of a chain that remain of a phase of unknown length: those
 * that fit. */
static int64_t open_draws(const hs_model *m, const hiss_settings *set)
{
    int64_t least = set->samples_most > 0 ? set->samples_most : HS_OPEN_DRAWS;
    int64_t most =
        set->ess > 0.0 ? hs_ess_stop_draws(set->ess, set->chains) : 0;

    return hs_store_capacity(&m->domain, set->chains, OPEN_BYTES,
                             most > least ? most : least);
}

/* Capacity of its store, which is larger during the run. */
static int64_t store_room(const hs_model *m, const hiss_settings *set)
{
    int64_t open = open_draws(m, set);

    if (!is_open_ended(set))
        return set->samples;
    return set->ess > 0.0 ? open : hs_store_room(&m->domain, set->chains, open);
}

static hiss_status prepare_stores(hs_running *r, hiss_error *err)
{
    const hiss_settings *set = r->set;
    int64_t open = open_draws(r->model, set);
    int64_t warmup = hs_run_warmup(set);

    if (is_open_ended(set) && set->ess > (double)open * set->chains)
        return hs_fail(err, HISS_EARG,
                       "an ESS of %g needs more than the %lld draws per chain "
                       "that can be kept; take more chains",
                       set->ess, (long long)open);
    r->most = is_open_ended(set) ? open : set->samples;
    HS_TRY(prepare_store(r, HS_KEPT, &r->run->store, store_room(r->model, set),
                         err));
    if (!set->save_warmup)
        return HISS_OK;
    return prepare_store(r, HS_WARM, &r->run->warm,
                         warmup < 0 ? open : warmup / set->thin, err);
}

static hiss_status prepare_levels(hs_running *r, hiss_error *err)
{
    if (!r->set->level_draws)
        return HISS_OK;
    return hs_store_init(&r->run->at_level, &r->model->domain,
                         r->set->chains * r->partition.replicas,
                         r->set->samples, OPEN_BYTES, err);
}

static hiss_status prepare_own(hs_running *r, hiss_error *err)
{
    const hiss_settings *set = r->set;
    int states = hs_is_first_rank(r) ? r->partition.groups : r->partition.count;

    r->state = hs_alloc_array((size_t)states, sizeof *r->state);
    if (!r->state)
        return hs_fail_memory(err);
    HS_TRY(prepare_stores(r, err));
    HS_TRY(prepare_levels(r, err));
    HS_TRY(hs_gather_init(&r->gather, &r->partition, r->state, &r->run->store,
                          err));
    HS_TRY(hs_pool_create(&r->pool, set->threads, err));
    for (int g = 0; g < r->partition.count; g++)
        HS_TRY(build_state(r, r->partition.first + g, err));
    HS_TRY(hs_start_states(r, err));
    for (int g = 0; g < r->partition.count; g++)
        begin_state(&r->state[g]);
    r->run->info = (hiss_run_info){.chains = set->chains,
                                   .dim = r->model->domain.dim,
                                   .replicas = r->partition.replicas,
                                   .seed = set->seed,
                                   .threads = set->threads,
                                   .ranks = hs_ranks_size(r->partition.ranks),
                                   .is_exact = r->scheme->sampler->traits.exact,
                                   .element = r->run->store.element};
    return HISS_OK;
}

static hiss_status prepare(hs_running *r, hs_ranks *ranks, hiss_error *err)
{
    hs_device_choice device;

    HS_TRY(hs_device_parse(r->set->device, &device, err));
    HS_TRY(hs_partition_init(&r->partition, ranks, r->set->chains,
                             r->scheme->sampler, device.is_card, err));
    return hs_ranks_agree(ranks, prepare_own(r, err), err);
}

/* Sends resumed states to the ranks that advance them. */
static hiss_status deal(hs_running *r, hs_blob *states, hiss_error *err)
{
    if (!hs_gather_deal(&r->gather, states, r->store))
        return hs_fail(err, HISS_EPARSE,
                       "%s: the checkpoint does not fit this run",
                       r->set->resume);
    for (int g = 0; g < r->partition.count; g++)
        HS_TRY(hs_group_state_check(&r->state[g], r->set->resume, err));
    return HISS_OK;
}

static hiss_status resume(hs_running *r, const hs_fingerprint *print,
                          hiss_error *err)
{
    const hs_ranks *ranks = r->partition.ranks;
    bool is_first = hs_is_first_rank(r), is_bitwise = true;
    hs_blob states = {0};
    hiss_status rc = HISS_OK;

    if (is_first)
        rc = hs_checkpoint_read(&r->checkpoint, r->set, print,
                                r->model->uses_blas, &states, &r->before,
                                &is_bitwise, err);
    rc = hs_ranks_agree(ranks, rc, err);
    if (rc == HISS_OK)
        rc = hs_ranks_agree(ranks, deal(r, &states, err), err);
    hs_blob_clear(&states);
    HS_TRY(rc);
    if (is_first)
        rc = hs_checkpoint_read_draws(&r->checkpoint, &r->state[0], r->store,
                                      err);
    if (!is_bitwise)
        snprintf(r->run->warning, sizeof r->run->warning,
                 "the BLAS of this machine gives the model other bits than "
                 "where the run was begun: it went on, but draws other numbers "
                 "than an uninterrupted run");
    return hs_ranks_agree(ranks, rc, err);
}

/* Only rank 0 has the files. */
static hiss_status prepare_checkpoint(hs_running *r, const hs_sampler *sampler,
                                      hiss_error *err)
{
    const hiss_settings *set = r->set;
    const hs_ranks *ranks = r->partition.ranks;
    hs_fingerprint print = {0};
    hiss_status rc = HISS_OK;

    r->has_checkpoint = set->resume || set->checkpoint;
    if (r->has_checkpoint || hs_ranks_size(ranks) > 1)
        rc =
            hs_fingerprint_take(&print, r->model, r->origin, sampler, set, err);
    HS_TRY(hs_ranks_agree(ranks, rc, err));
    if (!hs_ranks_same(ranks, print.settings) ||
        (!r->model->uses_blas && !hs_ranks_same(ranks, print.energies)))
        return hs_fail(err, HISS_EARG,
                       "the ranks have different models, samplers or settings "
                       "(is the model file the same everywhere?)");
    if (!r->has_checkpoint)
        return HISS_OK;
    /* a new run writes its first checkpoint before its first step, so that a
     * run that is killed early can be resumed */
    r->checkpoint.last = -HUGE_VAL;
    if (set->resume) {
        rc = resume(r, &print, err);
        r->checkpoint.last = hs_now();
    } else if (hs_is_first_rank(r)) {
        rc = hs_checkpoint_open(&r->checkpoint, set, &print, err);
    }
    return hs_ranks_agree(ranks, rc, err);
}

/* Every rank makes its own pilot; all must have the same result. */
static bool is_same_scheme(const hs_ranks *ranks, const hs_run *run,
                           const hs_scheme *scheme)
{
    const hs_library *b = scheme->library;
    uint64_t h = hs_fingerprint_mix(0, run->resolved, strlen(run->resolved));

    if (b) {
        size_t values = (size_t)b->modes * (size_t)b->values;

        h = hs_fingerprint_mix(h, b->weight,
                               (size_t)b->modes * sizeof *b->weight);
        h = hs_fingerprint_mix(h, b->share, values * sizeof *b->share);
        if (b->trees)
            h = hs_fingerprint_mix(h, b->trees->share,
                                   (size_t)b->trees->cells *
                                       sizeof *b->trees->share);
    }
    return hs_ranks_same(ranks, hs_pilot_fingerprint(&scheme->pilot, h));
}

/* A pilot that reads the clock cannot be repeated, but ranks and checkpoints
 * must repeat it.  For them it counts only evaluations. */
static void limit_pilot(hs_pilot_account *account, const hiss_settings *set)
{
    int groups = (set->chains + HS_GROUP_CHAINS - 1) / HS_GROUP_CHAINS;
    double threads = set->threads < groups ? set->threads : groups;

    account->began = account->from = hs_now();
    if (!(set->time_limit > 0.0) || set->checkpoint || set->resume ||
        set->ranks)
        return;
    account->limit = set->time_limit;
    account->until = account->began + PILOT_TIME * set->time_limit;
    account->walk = WALK_TIME * set->time_limit * threads / set->chains;
    account->share = PILOT_TIME;
}

static void warn_of_pilot(hs_run *run, const hs_scheme *scheme,
                          const hs_pilot_account *account)
{
    if (!scheme->is_cut)
        return;
    if (hs_pilot_account_has_overspent(account))
        hs_snprintf(run->warning, sizeof run->warning,
                    "the pilot was cut short at %.3g evaluations, half of "
                    "them: the sampler may not be the best one for the model",
                    hs_pilot_account_spent(account));
    else
        hs_snprintf(run->warning, sizeof run->warning,
                    "the pilot was cut short at %.2g s, its share of the time "
                    "limit: the sampler may not be the best one for the model",
                    hs_now() - account->began);
}

/* The requested evaluations of a pilot, or 0. */
static double pilot_given(const hs_sampler *s)
{
    for (int n = 0; s->type == &hs_kernel_auto && n < s->given.count; n++)
        if (s->given.child[n].key &&
            strcmp(s->given.child[n].key, "pilot") == 0)
            return hs_sampler_number(s, "pilot");
    return 0.0;
}

/* If random states may be impossible, a pilot starts at the user's states. */
static hiss_status take_given(int16_t **out, const hs_model *m,
                              const hiss_settings *set, hiss_error *err)
{
    size_t dim = (size_t)m->domain.dim, each = (size_t)set->chains;

    if (!set->init || set->by_level || m->ops->start || hs_is_everywhere(m))
        return HISS_OK;
    *out = hs_alloc_array(each * dim, sizeof **out);
    if (!*out)
        return hs_fail_memory(err);
    for (size_t c = 0; c < each; c++)
        hs_domain_indices(&m->domain, set->init + c * dim, *out + c * dim);
    return HISS_OK;
}

/* Finds the sampler of the run, and the budget that its pilot leaves. */
static hiss_status resolve(hs_run *run, const hs_model *m,
                           const hs_sampler *sampler, hs_scheme *scheme,
                           hiss_settings *set, hiss_error *err)
{
    double steps =
        (double)hs_run_warmup(set) + (double)set->samples * (double)set->thin;
    int16_t *given = NULL;
    hiss_status rc;
    hs_pilot_account account = {
        .seed = set->seed,
        .evals = set->evals,
        /* without shared budgets a chain does not depend on their number */
        .chains = set->evals > 0.0 ? set->chains : 0,
        .draws = is_open_ended(set) ? open_draws(m, set) : set->samples,
        .room = store_room(m, set),
        .is_open = is_open_ended(set) && set->evals > 0.0 && set->warmup < 0 &&
                   set->thin == 1 && !(set->ess > 0.0) &&
                   !(set->time_limit > 0.0),
        .progress = set->progress,
        .context = set->context,
        .threads = set->threads,
        .device = set->device,
        .share = set->evals > 0.0 ? hs_policy(HS_PREPARATION_SHARE) : 0.0};

    if (steps > 0.0 && !is_open_ended(set))
        account.steps = (int64_t)fmin(steps, hs_policy_count(HS_TUNE_STEPS));
    if (set->evals > 0.0)
        account.tuning = 0.5 * hs_policy(HS_PREPARATION_SHARE) * set->evals;
    if (!is_open_ended(set))
        account.budget = fmax(
            fmax(hs_policy(HS_RUN_STEPS) * steps, hs_policy(HS_PILOT_LEAST)),
            pilot_given(sampler));
    if (set->evals > 0.0 &&
        (account.budget == 0.0 ||
         hs_policy(HS_PREPARATION_SHARE) * set->evals < account.budget))
        account.budget = hs_policy(HS_PREPARATION_SHARE) * set->evals;
    limit_pilot(&account, set);
    HS_TRY(take_given(&given, m, set, err));
    account.given = given;
    account.given_count = given ? set->chains : 0;
    rc = hs_scheme_init(scheme, m, sampler, &account, err);
    hs_free(given);
    HS_TRY(rc);
    warn_of_pilot(run, scheme, &account);
    if (set->evals > 0.0) /* a pilot that overspent leaves one step, */
        set->evals = fmax(set->evals - hs_pilot_account_spent(&account), 1.0);
    if (set->evals == 1.0 && set->warmup < 0) /* which is a draw */
        set->warmup = 0;
    run->resolved = hs_sampler_print_given(scheme->sampler);
    if (!run->resolved)
        return hs_fail_memory(err);
    run->pilot = scheme->text;
    scheme->text = NULL;
    return HISS_OK;
}

/* Waits for the last checkpoint, whose fault may not have been reported yet. */
static void finish_checkpoint(hs_running *r)
{
    double begun = hs_now();
    hiss_error err = {0};

    if (!r->has_checkpoint)
        return;
    if (hs_checkpoint_wait(&r->checkpoint, &err) != HISS_OK)
        memcpy(r->run->warning, err.message, sizeof r->run->warning);
    r->run->checkpoint_seconds += hs_now() - begun;
}

static void clear(hs_running *r)
{
    int states = hs_is_first_rank(r) ? r->partition.groups : r->partition.count;

    for (int g = 0; r->state && g < states; g++) {
        hs_marginals_clear(&r->state[g].marginals);
        hs_group_destroy(r->state[g].group);
    }
    hs_mirror_destroy(r->mirror);
    hs_free(r->state);
    hs_pool_destroy(r->pool);
    hs_gather_clear(&r->gather);
    hs_partition_clear(&r->partition);
    if (r->has_checkpoint)
        hs_checkpoint_close(&r->checkpoint);
}

/* Does everything after the pilot, for samplers whose chains make steps. */
static hiss_status run_chains(hs_running *r, hs_ranks *ranks,
                              const hs_sampler *sampler, hiss_error *err)
{
    hiss_status rc = prepare(r, ranks, err);

    if (rc == HISS_OK)
        rc = prepare_checkpoint(r, sampler, err);
    if (rc == HISS_OK)
        rc = hs_card_rounds_open(r, err);
    if (rc == HISS_OK)
        rc = hs_rounds_walk(r, err);
    if (rc == HISS_OK && r->run->info.ended != HISS_ENDED_DONE)
        hs_rounds_save(r); /* it may be resumed later */
    if (rc == HISS_OK)
        finish_checkpoint(r);
    r->checkpoint.is_done =
        rc == HISS_OK && r->run->info.ended == HISS_ENDED_DONE;
    if (rc == HISS_OK)
        rc = hs_finish_run(r, err);
    clear(r);
    return rc;
}

static hiss_status run_all(hs_run *run, const hs_model *m, const char *origin,
                           const hs_sampler *sampler, hs_ranks *ranks,
                           const hiss_settings *settings, hiss_error *err)
{
    hiss_settings set = *settings;
    hs_scheme scheme = {0};
    hs_running r = {.model = m,
                    .origin = origin,
                    .set = &set,
                    .run = run,
                    .scheme = &scheme,
                    .started = hs_now(),
                    .checkpoint.draws = -1};
    bool is_population = sampler->type == &hs_kernel_smc;
    hiss_status rc = HISS_OK;

    hs_glance_init(&r.glance);
    if (is_population)
        rc = hs_smc_check(&set, err);
    else if (set.particles)
        rc = hs_fail(err, HISS_EUNSUP,
                     "particles with weights are those of smc, and the sampler "
                     "is %s",
                     sampler->type->name);
    if (rc == HISS_OK)
        rc = resolve(run, m, sampler, &scheme, &set, err);
    rc = hs_ranks_agree(ranks, rc, err);
    if (rc == HISS_OK && !is_same_scheme(ranks, run, &scheme))
        rc = hs_fail(err, HISS_EUNSUP,
                     "the pilots of the ranks found different samplers: their "
                     "machines give the model other bits; name a sampler "
                     "that needs no pilot");
    if (rc == HISS_OK && set.by_level &&
        scheme.sampler->replicas != sampler->replicas)
        rc = hs_fail(err, HISS_EUNSUP,
                     "chains by level: a pilot chose %d levels for %s; give "
                     "their number",
                     scheme.sampler->replicas, run->resolved);
    if (rc == HISS_OK && is_population)
        rc = hs_smc_run(run, m, &scheme, &set, r.started, err);
    else if (rc == HISS_OK)
        rc = run_chains(&r, ranks, sampler, err);
    hs_scheme_clear(&scheme);
    if (rc != HISS_OK)
        hs_run_clear(run);
    return rc;
}

hiss_status hs_run_all(hs_run *run, const hs_model *m, const char *origin,
                       const hs_sampler *sampler, const hiss_settings *settings,
                       hiss_error *err)
{
    hs_ranks *ranks = settings->ranks ? hs_ranks_all() : NULL;
    hs_wide *wide;
    void *before;
    hiss_status rc = hs_wide_create(&wide, m, settings->threads, err);

    memset(run, 0, sizeof *run);
    rc = hs_ranks_agree(ranks, rc, err);
    if (rc == HISS_OK) {
        before = hs_wide_enter(wide);
        rc = run_all(run, m, origin, sampler, ranks, settings, err);
        hs_wide_leave(before);
    }
    hs_wide_destroy(wide);
    return rc;
}

void hs_run_clear(hs_run *run)
{
    hs_tempering_report_clear(&run->tempering);
    hs_smc_report_clear(&run->population);
    hs_flat_report_clear(&run->flat);
    hs_free(run->resolved);
    hs_free(run->device);
    hs_free(run->pilot);
    hs_free(run->doubt);
    hs_free(run->tuning);
    run->device = run->resolved = run->pilot = run->doubt = run->tuning = NULL;
    hs_store_clear(&run->store);
    hs_store_clear(&run->warm);
    hs_store_clear(&run->particles);
    hs_store_clear(&run->at_level);
    hs_free(run->weight);
    run->weight = NULL;
    hs_free(run->by_level);
    hs_free(run->marginal);
    for (int j = 0; j < run->levels; j++)
        hs_free(run->level[j].tuning);
    hs_free(run->level);
    run->by_level = NULL;
    run->marginal = NULL;
    run->level = NULL;
    run->levels = 0;
}
