/* finish.c - the result of a run, on rank 0: draws, marginals, counts. */
#include "base/alloc.h"
#include "base/error.h"
#include "run/atlas/mode_check.h"
#include "run/comm/ranks.h"
#include "run/sampling/running.h"

/* Loads the statistics, but not the states, of groups that other ranks
 * advanced. */
static hiss_status take_numbers(hs_running *r, hs_blob *gathered,
                                hiss_error *err)
{
    for (int g = 0; g < r->partition.groups; g++) {
        hs_blob piece = hs_gather_next(gathered);

        if (g < r->partition.count)
            continue;
        if (piece.is_broken)
            return hs_fail_memory(err);
        HS_TRY(hs_run_build(r, g, err));
        hs_group_state_load_numbers(&r->state[g], &piece);
    }
    return HISS_OK;
}

/* Gathers the numbers of all ranks that the result needs. */
static hiss_status gather(hs_running *r, hiss_error *err)
{
    hs_blob gathered = {0};
    hiss_status rc = HISS_OK;

    if (hs_ranks_size(r->partition.ranks) == 1)
        return HISS_OK;
    for (int s = 0; s < HS_STORES; s++)
        if (r->store[s])
            hs_gather_draws(&r->gather, r->store[s], s);
    hs_gather_states(&r->gather, false, &gathered);
    if (hs_is_first_rank(r))
        rc = gathered.is_broken ? hs_fail_memory(err)
                                : take_numbers(r, &gathered, err);
    hs_blob_clear(&gathered);
    return hs_ranks_agree(r->partition.ranks, rc, err);
}

/* Draws per chain: as many as the slowest group has, limited to the final
 * number.  Groups differ by at most a round when stopped; if a group ahead has
 * already thinned, the others follow. */
static int64_t finish_store(hs_running *r, int which, int64_t *thin)
{
    hs_store *store = r->store[which];
    bool is_warm = which == HS_WARM;
    int64_t samples = 0, room = store->capacity;

    *thin = 1;
    for (int g = 0; g < r->partition.groups; g++) {
        const hs_group_state *w = &r->state[g];
        int64_t own = is_warm ? w->warm_thin : w->thin;

        *thin = own > *thin ? own : *thin;
    }
    for (int g = 0; g < r->partition.groups; g++) {
        hs_group_state *w = &r->state[g];
        int64_t own = is_warm ? w->warm_thin : w->thin;
        int64_t kept = is_warm ? w->warm_kept : w->kept;

        for (; own < *thin; own *= 2, kept /= 2)
            for (int c = 0; c < w->group->chains; c++)
                hs_store_thin(store, w->first_chain + c, kept, 2);
        if (g == 0 || kept < samples)
            samples = kept;
    }
    if (!is_warm && samples > r->most) {
        int64_t every = (samples + r->most - 1) / r->most;

        for (int c = 0; c < store->chains; c++)
            hs_store_thin(store, c, samples, every);
        samples /= every;
        *thin *= every;
    }
    hs_store_shrink(store, samples);
    hs_store_give_back(store, room);
    store->domain = NULL; /* the result outlives the model */
    return samples;
}

/* Combines the marginals of all groups; omitted if memory or steps are
 * missing. */
static void finish_marginals(hs_running *r)
{
    int values = r->model->domain.value_count;
    double *sum, count = 0.0;
    bool is_whole;

    if (!r->set->marginals)
        return;
    sum = hs_alloc_array((size_t)values, sizeof *sum);
    is_whole = hs_gather_sums(&r->gather, sum, &count);
    for (int v = 0; sum && v < values; v++)
        sum[v] /= count;
    if (is_whole && count > 0.0)
        r->run->marginal = sum;
    else
        hs_free(sum);
}

static void finish_info(hs_running *r)
{
    hiss_run_info *info = &r->run->info;
    const hs_group_state *last = &r->state[r->partition.groups - 1];
    int64_t thin;

    info->samples = finish_store(r, HS_KEPT, &info->thin);
    if (r->set->level_draws)
        hs_store_shrink(&r->run->at_level, info->samples);
    if (r->store[HS_WARM])
        info->warmup_samples = finish_store(r, HS_WARM, &thin);
    info->warmup = last->warmup < 0 ? last->step : last->warmup;
    info->seconds = r->before + hs_now() - r->started;
    for (int g = 0; g < r->partition.groups; g++) {
        double energy, gradient;
        int chains = r->state[g].group->chains;

        hs_group_evals(r->state[g].group, &energy, &gradient);
        info->energy_evals += energy * chains;
        info->gradient_evals += gradient * chains;
    }
    info->energy_evals += r->scheme->energy_evals;
    info->gradient_evals += r->scheme->gradient_evals;
    if (info->ended == HISS_ENDED_DONE && !r->is_enough &&
        r->set->evals > 0.0 &&
        (r->set->samples == 0 || info->samples < r->set->samples))
        info->ended = HISS_ENDED_EVALS;
}

static void report(hs_running *r)
{
    int groups = r->partition.groups;
    hs_group **group = hs_alloc_array((size_t)groups, sizeof(hs_group *));

    if (!group)
        return; /* omits rates, not draws */
    for (int g = 0; g < groups; g++)
        group[g] = r->state[g].group;
    hs_run_report(r->run, group, groups);
    if (hs_tempering_report_gather(&r->run->tempering, group, groups, NULL) !=
        HISS_OK)
        r->run->tempering = (hs_tempering_report){0};
    if (hs_flat_report_gather(&r->run->flat, group, groups, NULL) != HISS_OK)
        r->run->flat = (hs_flat_report){0};
    hs_free(group);
}

/* Stores the final states of all levels of every chain. */
static hiss_status finish_levels(hs_running *r, hiss_error *err)
{
    size_t dim = (size_t)r->model->domain.dim;
    size_t replicas = (size_t)r->partition.replicas;
    int16_t *to;

    if (!r->set->by_level)
        return HISS_OK;
    to = hs_alloc_array((size_t)r->set->chains * replicas, dim * sizeof *to);
    if (!to)
        return hs_fail_memory(err);
    r->run->by_level = to;
    for (int g = 0; g < r->partition.groups; g++) {
        const hs_group *group = r->state[g].group;

        for (int c = 0; c < group->chains; c++)
            for (int level = 0; level < group->replicas; level++) {
                int lane;
                const hs_tile *t = hs_group_at_level(group, c, level, &lane);

                for (size_t i = 0; i < dim; i++)
                    *to++ = t->at.x[i][lane];
            }
    }
    return HISS_OK;
}

/* Exchanges of pieces and temperatures lead to modes unknown to the pilot.  So
 * do clusters and blocks, which know no modes, if a trial has shown that they
 * mix. */
static hs_mode_claim claim_of(const hs_scheme *scheme)
{
    const hs_sampler *s = scheme->sampler;
    const hs_sampler *bridge = hs_sampler_find(s, &hs_kernel_bridge);
    bool has_pieces = bridge && hs_sampler_number(bridge, "components") > 0.0;
    bool is_tempered = hs_sampler_find(s, &hs_kernel_pt) != NULL;

    return (hs_mode_claim){.knows_all = scheme->knows_all,
                           .jumps_only = bridge && !has_pieces && !is_tempered,
                           .reaches_more =
                               has_pieces ||
                               (!bridge && !is_tempered && scheme->each > 0.0)};
}

/* The reason why the draws should not be trusted, or NULL. */
static char *doubt(const hs_running *r)
{
    const hs_scheme *scheme = r->scheme;
    const hiss_run_info *info = &r->run->info;
    char *found = NULL;

    if (info->warmup == 0 && r->set->warmup < 0 && info->samples > 0)
        return hs_strdup("there was no time for a warm-up: the draws are still "
                         "where the chains began");
    if (scheme->library) {
        hs_mode_claim claim = claim_of(scheme);

        found = hs_mode_check(&r->run->store, info->samples, r->model,
                              scheme->library, &claim);
    }
    return found;
}

hiss_status hs_finish_run(hs_running *r, hiss_error *err)
{
    HS_TRY(gather(r, err));
    finish_marginals(r);
    if (!hs_is_first_rank(r))
        return HISS_OK;
    finish_info(r);
    report(r);
    r->run->doubt = doubt(r);
    return finish_levels(r, err);
}
