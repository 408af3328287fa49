/* few_signs.c - few chains where couplings are J or -J (lanes/gibbs/few.c). */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "kernel/gibbs/sweeps/few.h"
#include "kernel/gibbs/sweeps/packed_plan.h"
#include "lanes/lanes.h"

/* For more chains a tile of sixteen lanes is as fast
 * (docs/measurements/speed.md). */
#define CHAINS 10

struct signs {
    hs_packed plan; /* owned */
    size_t stride;  /* stride of words and sums, from chain to chain */
    uint16_t *word; /* owned, [CHAINS * stride]: all ones or 0, by visit */
    float *sum;     /* owned, likewise: marginals, by visit */
    uint64_t clock; /* clock of the tile with these words */
    bool is_open;   /* the tile lacks the words, */
    bool has_sum;   /* and lacks the sums */
};

static bool signs_applies(const hs_model *m)
{
    return !hs_packed_hindrance(m);
}

static hiss_status signs_init(void *state, const hs_model *m, hiss_error *err)
{
    struct signs *s = state;

    HS_TRY(hs_packed_init(&s->plan, m, err));
    s->stride = (size_t)s->plan.dim + 2 * HS_BUNDLE;
    s->word = hs_alloc_array(CHAINS * s->stride, sizeof *s->word);
    s->sum = hs_alloc_array(CHAINS * s->stride, sizeof *s->sum);
    return s->word && s->sum ? HISS_OK : hs_fail_memory(err);
}

static void signs_clear(void *state)
{
    struct signs *s = state;

    hs_packed_clear(&s->plan);
    hs_free(s->word);
    hs_free(s->sum);
}

static void take(struct signs *s, const hs_tile *x)
{
    for (int l = 0; l < x->lanes; l++) {
        uint16_t *word = s->word + (size_t)l * s->stride;

        for (int n = 0; n < s->plan.dim; n++)
            word[n] = x->at.x[s->plan.site[n]][l] ? 0xffff : 0;
    }
}

static void take_sums(struct signs *s, const hs_tile *x)
{
    for (int l = 0; l < x->lanes; l++) {
        float *sum = s->sum + (size_t)l * s->stride;

        for (int n = 0; n < s->plan.dim; n++)
            sum[n] = x->sum[s->plan.site[n]][l];
    }
    s->has_sum = true;
}

static hiss_status signs_walk(void *state, const hs_sweep_job *job)
{
    struct signs *s = state;
    hs_tile *x = job->x;

    if (!(x->at.have & HS_TILE_KEPT) || s->clock + 1 != x->rng.clock)
        take(s, x);
    if (job->is_summed && !s->has_sum)
        take_sums(s, x);
    for (int l = 0; l < x->lanes; l++) {
        hs_few f = {.p = &s->plan,
                    .rng = &x->rng,
                    .lane = l,
                    .steps = job->count,
                    .beta = job->t->beta[l],
                    .weight = x->weight[l],
                    .is_metropolis = job->is_metropolis,
                    .word = s->word + (size_t)l * s->stride,
                    .sum =
                        job->is_summed ? s->sum + (size_t)l * s->stride : NULL,
                    .changed = &job->changed[l]};

        hs_lanes()->few_sweeps(&f);
    }
    s->clock = x->rng.clock + (uint64_t)job->count - 1;
    s->is_open = true;
    x->at.have = HS_TILE_KEPT;
    return HISS_OK;
}

static hiss_status signs_flush(void *state, const hs_model *m, hs_tile *x)
{
    struct signs *s = state;

    if (!s->is_open)
        return HISS_OK;
    for (int l = 0; l < x->lanes; l++) {
        const uint16_t *word = s->word + (size_t)l * s->stride;
        const float *sum = s->sum + (size_t)l * s->stride;

        for (int n = 0; n < s->plan.dim; n++)
            x->at.x[s->plan.site[n]][l] = word[n] & 1;
        for (int n = 0; s->has_sum && n < s->plan.dim; n++)
            x->sum[s->plan.site[n]][l] = sum[n];
    }
    s->is_open = false;
    s->has_sum = false;
    HS_TRY(hs_model_evaluate(m, &x->at, HS_U));
    return hs_tile_check(x, &x->at);
}

const hs_few_way hs_few_way_signs = {
    .base = {.name = "few-signs",
             .size = sizeof(struct signs),
             .init = signs_init,
             .clear = signs_clear},
    .chains = CHAINS,
    .applies = signs_applies,
    .walk = signs_walk,
    .flush = signs_flush,
};
