/* few_labels.c - few chains of labels with equal couplings
 * (lanes/gibbs/labels.c). */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "kernel/gibbs/sweeps/few.h"
#include "kernel/gibbs/sweeps/labels_plan.h"
#include "lanes/lanes.h"

/* For more chains a tile of sixteen lanes is as fast
 * (docs/measurements/speed.md). */
#define CHAINS 10

struct labels {
    hs_labels plan;   /* owned */
    const int *order; /* borrowed, or NULL */
    int rows;         /* rows of sums: labels, or 1 for two labels */
    size_t stride;    /* stride of labels and sums, from row to row */
    uint8_t *label;   /* owned, [CHAINS * stride]: by visit */
    float *sum;       /* owned, [CHAINS * rows * stride]: marginals */
    uint64_t clock;   /* clock of the tile with these labels */
    bool is_open;     /* the tile lacks the labels, */
    bool has_sum;     /* and lacks the sums */
};

static hiss_status labels_init(void *state, const hs_model *m, hiss_error *err)
{
    struct labels *s = state;

    HS_TRY(hs_labels_init(&s->plan, m, true, err));
    s->order = m->order;
    s->rows = s->plan.states == 2 ? 1 : s->plan.states;
    s->stride = (size_t)s->plan.dim + HS_LANES;
    s->label = hs_alloc_array(CHAINS * s->stride, sizeof *s->label);
    s->sum =
        hs_alloc_array(CHAINS * (size_t)s->rows * s->stride, sizeof *s->sum);
    if (!s->label || !s->sum)
        return hs_fail_memory(err);
    memset(s->label, 255, CHAINS * s->stride);
    return HISS_OK;
}

static void labels_clear(void *state)
{
    struct labels *s = state;

    hs_labels_clear(&s->plan);
    hs_free(s->label);
    hs_free(s->sum);
}

static int site_of(const struct labels *s, int n)
{
    return s->order ? s->order[n] : n;
}

static void take(struct labels *s, const hs_tile *x)
{
    for (int l = 0; l < x->lanes; l++)
        for (int n = 0; n < s->plan.dim; n++)
            s->label[(size_t)l * s->stride + (size_t)n] =
                (uint8_t)x->at.x[site_of(s, n)][l];
}

/* The marginals of a label in a chain. */
static float *sums_of(const struct labels *s, int l, int row)
{
    return s->sum + (size_t)(l * s->rows + row) * s->stride;
}

static void take_sums(struct labels *s, const hs_tile *x)
{
    for (int l = 0; l < x->lanes; l++)
        for (int n = 0; n < s->plan.dim; n++)
            for (int v = 0; v < s->rows; v++)
                sums_of(s, l, v)[n] = x->sum[site_of(s, n) * s->rows + v][l];
    s->has_sum = true;
}

static hiss_status labels_walk(void *state, const hs_sweep_job *job)
{
    struct labels *s = state;
    hs_tile *x = job->x;

    if (!(x->at.have & HS_TILE_KEPT) || s->clock + 1 != x->rng.clock) {
        HS_TRY(hs_tile_evaluate(x, job->m, &x->at, HS_U)); /* counts an
                                                              evaluation like
                                                              other sweeps */
        take(s, x);
    }
    if (job->is_summed && !s->has_sum)
        take_sums(s, x);
    for (int l = 0; l < x->lanes; l++) {
        hs_few_labels f = {.g = &s->plan,
                           .rng = &x->rng,
                           .lane = l,
                           .steps = job->count,
                           .beta = job->t->beta[l],
                           .weight = x->weight[l],
                           .label = s->label + (size_t)l * s->stride,
                           .sum = job->is_summed ? sums_of(s, l, 0) : NULL,
                           .stride = (int64_t)s->stride,
                           .is_metropolis = job->is_metropolis,
                           .changed = &job->changed[l]};

        hs_lanes()->few_labels(&f);
    }
    s->clock = x->rng.clock + (uint64_t)job->count - 1;
    s->is_open = true;
    x->at.have = HS_TILE_KEPT;
    return HISS_OK;
}

static hiss_status labels_flush(void *state, const hs_model *m, hs_tile *x)
{
    struct labels *s = state;

    if (!s->is_open)
        return HISS_OK;
    for (int l = 0; l < x->lanes; l++)
        for (int n = 0; n < s->plan.dim; n++) {
            int i = site_of(s, n);

            x->at.x[i][l] = s->label[(size_t)l * s->stride + (size_t)n];
            for (int v = 0; s->has_sum && v < s->rows; v++)
                x->sum[i * s->rows + v][l] = sums_of(s, l, v)[n];
        }
    s->is_open = false;
    s->has_sum = false;
    HS_TRY(hs_model_evaluate(m, &x->at, HS_U));
    return hs_tile_check(x, &x->at);
}

const hs_few_way hs_few_way_labels = {
    .base = {.name = "few-labels",
             .size = sizeof(struct labels),
             .init = labels_init,
             .clear = labels_clear},
    .chains = CHAINS,
    .applies = hs_labels_apply,
    .walk = labels_walk,
    .flush = labels_flush,
};
