/* put_bits.cu - which sweeps have a bit per chain, and their memory. */
#include <stdlib.h>
#include <string.h>

#include "cuda/entry/own_group.h"

#define WARPS 32 /* of a multiprocessor that hide each other's waiting */

static int number_in(const char *name)
{
    const char *text = getenv(name);

    return text ? atoi(text) : 0;
}

/* Whether a test wants this sweep, or leaves the choice. */
static int may_be(const char *name)
{
    const char *sweep = getenv("HISS_CUDA_SWEEP");

    return !sweep || strcmp(sweep, name) == 0;
}

/* How a bit per chain is to be used.  HISS_CUDA_SWEEP (lanes: not at all,
 * block, grid, team) and the numbers are for tests. */
static void choose_sweep(struct hs_device_group *g, const hs_device_plan *plan,
                         const cudaDeviceProp *p)
{
    int64_t lanes =
        plan->tiles == 1 ? plan->lanes_most : hs_card_lanes(&g->card);
    int64_t all = (hs_card_lanes(&g->card) + HS_WARP - 1) / HS_WARP;
    hs_card_bits *b = &g->bits;
    int has_block =
        may_be("block") &&
        hs_card_bits_words(b, &plan->model, hs_card_lanes(&g->card),
                           p->multiProcessorCount, p->sharedMemPerBlockOptin,
                           number_in("HISS_CUDA_WORDS"),
                           number_in("HISS_CUDA_RANKS"));

    b->stride = (int)all;
    if (may_be("team") && !has_block &&
        hs_card_team_plan(&g->team, b, &plan->model, lanes,
                          p->multiProcessorCount, p->sharedMemPerBlockOptin,
                          number_in("HISS_CUDA_TEAM_CHAINS"),
                          number_in("HISS_CUDA_TEAM_RANKS")))
        return;
    g->is_grid = !has_block;
    if (g->is_grid)
        b->words = number_in("HISS_CUDA_WORDS") ? number_in("HISS_CUDA_WORDS")
                   : all > 1                    ? 2
                                                : 1;
    b->stride = (int)((all + b->words - 1) / b->words) * b->words;
    b->warps_most = (int64_t)p->multiProcessorCount * WARPS;
}

static hiss_status put_team(struct hs_device_group *g, const hs_card_bits *from,
                            const hs_device_model *m, hiss_error *err)
{
    uint32_t *lists = hs_card_team_lists(&g->team, from, m);
    hiss_status rc;

    if (!lists)
        return hs_card_fail(err, HISS_ENOMEM, "a team",
                            cudaErrorMemoryAllocation);
    rc =
        hs_card_put(&g->memory, &g->team.list, lists,
                    (int64_t)g->team.ranks * g->team.words, sizeof *lists, err);
    free(lists);
    return rc;
}

/* Whether some node sweeps over pairs, in order and under a flat tilt. */
static int has_sweeps(const hs_device_plan *plan)
{
    for (int n = 0; n < plan->nodes; n++)
        if (plan->node[n].step == HS_DEVICE_GIBBS_PAIRS &&
            plan->node[n].tilt == HS_DEVICE_FLAT && !plan->node[n].is_random)
            return 1;
    return 0;
}

static hiss_status put_terms(struct hs_device_group *g,
                             const hs_device_model *m, const cudaDeviceProp *p,
                             hiss_error *err)
{
    int64_t sites = hs_card_term_sites(m);
    hs_card_bits *b = &g->bits;

    hs_card_byte_energies_plan(b, m, hs_card_lanes(&g->card),
                               p->multiProcessorCount,
                               p->sharedMemPerBlockOptin);
    if (!b->term_words)
        return HISS_OK;
    b->is_tempered =
        !g->is_grid && !g->team.ranks && may_be("tempered") &&
        hs_card_tempered_fits(b, m, &g->card.ladder, p->sharedMemPerBlockOptin);
    PASS(hs_card_put(&g->memory, &b->term_visit, NULL, sites,
                     sizeof *b->term_visit, err));
    PASS(hs_card_put(&g->memory, &b->term_pair, NULL, sites * b->row,
                     sizeof *b->term_pair, err));
    hs_card_terms_fill(&g->card, b);
    TRY(cudaGetLastError());
    return HISS_OK;
}

hiss_status hs_card_put_bits(hs_device_group *g, const hs_device_plan *plan,
                             hiss_error *err)
{
    const hs_device_model *m = &plan->model;
    hs_card_bits from, *to = &g->bits;
    cudaDeviceProp p;

    if (!has_sweeps(plan) ||
        !(may_be("team") || may_be("block") || may_be("grid")))
        return HISS_OK;
    TRY(cudaGetDeviceProperties(&p, g->number));
    hs_card_bits_plan(&from, m);
    if (!from.stage)
        return HISS_OK;
    *to = from;
    g->visits = from.stage;
    g->stage = from.stage;
    choose_sweep(g, plan, &p);
    PASS(hs_card_put(&g->memory, &to->all, NULL, (int64_t)m->dim * to->stride,
                     sizeof *to->all, err));
    PASS(hs_card_put(&g->memory, &to->whole, NULL, hs_card_lanes(&g->card),
                     sizeof *to->whole, err));
    PASS(put_terms(g, m, &p, err));
    if (g->team.ranks)
        return put_team(g, &from, m, err);
    PASS(hs_card_put(&g->memory, &to->stage, from.stage, from.stages + 1,
                     sizeof(int), err));
    PASS(hs_card_put(&g->memory, &to->visit, NULL, (int64_t)8 * to->eights,
                     sizeof *to->visit, err));
    PASS(hs_card_put(&g->memory, &to->pair, NULL,
                     (int64_t)8 * to->eights * to->row, sizeof *to->pair, err));
    hs_card_bits_fill(&g->card, to, g->is_grid ? 1 : hs_card_site_bytes(to));
    TRY(cudaGetLastError());
    return HISS_OK;
}
