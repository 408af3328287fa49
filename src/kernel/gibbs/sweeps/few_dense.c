/* few_dense.c - few chains where all sites are coupled
 * (lanes/gibbs/few_dense.c). */
#include "base/alloc.h"
#include "base/error.h"
#include "kernel/gibbs/sweeps/few.h"
#include "lanes/lanes.h"

/* Above, a tile of sixteen lanes is as fast (docs/measurements/speed.md). */
#define CHAINS 8

struct dense {
    const hs_dense_whole *all; /* borrowed */
    size_t stride;             /* from chain to chain */
    int32_t *pull;             /* owned, [CHAINS * stride] */
    uint8_t *x;                /* owned, likewise */
    float *sum;                /* owned, likewise: marginals */
    uint64_t clock;            /* at which x was that of the tile */
    bool is_open;              /* the tile's states are behind, */
    bool has_sum;              /* and its marginals */
};

static bool dense_applies(const hs_model *m)
{
    return hs_model_structure(m, HS_STRUCTURE_DENSE_WHOLE) != NULL;
}

static hiss_status dense_init(void *state, const hs_model *m, hiss_error *err)
{
    struct dense *s = state;

    s->all = hs_model_structure(m, HS_STRUCTURE_DENSE_WHOLE);
    s->stride = (size_t)s->all->dim + HS_LANES;
    s->pull = hs_alloc_array(CHAINS * s->stride, sizeof *s->pull);
    s->x = hs_alloc_array(CHAINS * s->stride, sizeof *s->x);
    s->sum = hs_alloc_array(CHAINS * s->stride, sizeof *s->sum);
    return s->pull && s->x && s->sum ? HISS_OK : hs_fail_memory(err);
}

static void dense_clear(void *state)
{
    struct dense *s = state;

    hs_free(s->pull);
    hs_free(s->x);
    hs_free(s->sum);
}

static hs_few_dense chain_of(struct dense *s, hs_tile *x, int l)
{
    size_t at = (size_t)l * s->stride;

    return (hs_few_dense){.m = s->all,
                          .rng = &x->rng,
                          .lane = l,
                          .weight = x->weight[l],
                          .pull = s->pull + at,
                          .x = s->x + at,
                          .gain = &x->at.u[l]};
}

static void take(struct dense *s, hs_tile *x)
{
    for (int l = 0; l < x->lanes; l++) {
        hs_few_dense f = chain_of(s, x, l);

        for (int i = 0; i < s->all->dim; i++)
            f.x[i] = (uint8_t)x->at.x[i][l];
        hs_lanes()->few_dense_pulls(&f);
    }
}

static void take_sums(struct dense *s, const hs_tile *x)
{
    for (int l = 0; l < x->lanes; l++)
        for (int i = 0; i < s->all->dim; i++)
            s->sum[(size_t)l * s->stride + (size_t)i] = x->sum[i][l];
    s->has_sum = true;
}

static void give(struct dense *s, hs_tile *x)
{
    for (int l = 0; l < x->lanes; l++)
        for (int i = 0; i < s->all->dim; i++) {
            size_t at = (size_t)l * s->stride + (size_t)i;

            x->at.x[i][l] = s->x[at];
            if (s->has_sum)
                x->sum[i][l] = s->sum[at];
        }
    s->is_open = false;
    s->has_sum = false;
}

static hiss_status dense_walk(void *state, const hs_sweep_job *job)
{
    struct dense *s = state;
    hs_tile *x = job->x;
    uint64_t clock = x->rng.clock;
    bool has_u = x->at.have & HS_U;

    if (!(x->at.have & HS_TILE_KEPT) || s->clock + 1 != clock)
        take(s, x);
    if (job->is_summed && !s->has_sum)
        take_sums(s, x);
    for (int64_t n = 0; n < job->count; n++) {
        for (int l = 0; l < x->lanes; l++) {
            hs_few_dense f = chain_of(s, x, l);

            f.beta = job->t->beta[l];
            f.is_metropolis = job->is_metropolis;
            f.changed = &job->changed[l];
            f.sum = job->is_summed ? s->sum + (size_t)l * s->stride : NULL;
            hs_lanes()->few_dense(&f);
        }
        s->is_open = true;
        if (!has_u) { /* as sweeps of a tile make it, after the first step */
            give(s, x);
            s->has_sum = job->is_summed;
            s->is_open = job->is_summed;
            x->at.have = 0;
            HS_TRY(hs_model_evaluate(job->m, &x->at, HS_U));
            has_u = true;
        }
        x->rng.clock++;
    }
    x->rng.clock = clock;
    s->clock = clock + (uint64_t)job->count - 1;
    x->at.have = HS_U | HS_TILE_KEPT;
    return hs_tile_check(x, &x->at);
}

static hiss_status dense_flush(void *state, const hs_model *m, hs_tile *x)
{
    struct dense *s = state;

    (void)m;
    if (s->is_open)
        give(s, x);
    return HISS_OK;
}

const hs_few_way hs_few_way_dense = {
    .base = {.name = "few-dense",
             .size = sizeof(struct dense),
             .init = dense_init,
             .clear = dense_clear},
    .chains = CHAINS,
    .applies = dense_applies,
    .walk = dense_walk,
    .flush = dense_flush,
};
