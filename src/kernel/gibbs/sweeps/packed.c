/* packed.c - couplings J and -J, with a bit per chain.
 *
 * It has its own random numbers, so it is not a row of sweeps.def.  Many steps
 * at a time are fastest: bits become states, and U is computed, only when other
 * code reads them.  States after each step are counted as bits. */
#include "kernel/gibbs/sweeps/packed.h"

#include "base/alloc.h"
#include "base/assert.h"
#include "base/error.h"
#include "kernel/gibbs/sweeps/packed_plan.h"
#include "lanes/lanes.h"

struct packed {
    hs_packed plan;  /* owned */
    uint16_t *word;  /* owned, [dim + 2 HS_BUNDLE] */
    uint16_t *tally; /* owned: how often bits were set after a step */
    int64_t counted; /* steps in the tally */
    uint64_t clock;  /* clock of the tile with these words */
    bool is_open;    /* the tile lacks the words */
    float beta;      /* beta of the thresholds, if there are any: */
    bool has_laws;
};

static bool packed_applies(const hs_model *m, hs_tilt_form form,
                           bool is_ordered)
{
    (void)is_ordered;
    return form == HS_TILT_FLAT && !hs_packed_hindrance(m);
}

static hiss_status packed_init(void *state, const hs_model *m, hiss_error *err)
{
    struct packed *s = state;
    const char *why = hs_packed_hindrance(m);

    if (why)
        return hs_fail(err, HISS_EUNSUP,
                       "gibbs(packed=yes) wants couplings J or -J, equal "
                       "fields, and at most %d couplings of a site; this model "
                       "%s: use gibbs",
                       HS_PACKED_DEGREE, why);
    HS_TRY(hs_packed_init(&s->plan, m, err));
    s->word =
        hs_alloc_array((size_t)s->plan.dim + 2 * HS_BUNDLE, sizeof *s->word);
    s->tally = hs_alloc_array((size_t)s->plan.dim + HS_BUNDLE,
                              HS_TALLY_ROWS * sizeof *s->tally);
    return s->word && s->tally ? HISS_OK : hs_fail_memory(err);
}

static void packed_clear(void *state)
{
    struct packed *s = state;

    hs_packed_clear(&s->plan);
    hs_free(s->word);
    hs_free(s->tally);
}

/* All chains of a word have one temperature (traits.packs). */
static void set_beta(struct packed *s, float beta)
{
    if (s->has_laws && s->beta == beta)
        return;
    s->beta = beta;
    s->has_laws = true;
    hs_packed_set_beta(&s->plan, beta);
}

const hs_packed *hs_sweep_packed_plan(void *state)
{
    struct packed *s = state;

    set_beta(s, 1.0f);
    return &s->plan;
}

/* Whether the words are those of the tile, which nothing has moved since. */
static bool is_taken(const struct packed *s, const hs_tile *x)
{
    return x->at.have & HS_TILE_KEPT && s->clock + 1 == x->rng.clock;
}

static hiss_status packed_sweep(void *state, const hs_sweep_job *job)
{
    struct packed *s = state;
    hs_tile *x = job->x;
    bool counts = x->count && x->summed == 0;

    HS_ASSERT(!counts || s->counted + job->count <= HS_TALLY_STEPS);
    set_beta(s, job->t->beta[0]);
    if (!is_taken(s, x))
        hs_lanes()->packed_take(&s->plan, (const hs_index_row *)x->at.x,
                                s->word);
    hs_lanes()->packed_sweeps(&s->plan, &x->rng, job->count, s->word,
                              job->changed, s->counted,
                              counts ? s->tally : NULL);
    if (counts) {
        s->counted += job->count;
        x->summed = (int)job->count;
    }
    s->clock = x->rng.clock + (uint64_t)job->count - 1;
    s->is_open = true;
    x->at.have = HS_TILE_KEPT;
    return HISS_OK;
}

hiss_status hs_sweep_packed_flush(void *state, const hs_model *m, hs_tile *x)
{
    struct packed *s = state;

    if (!s->is_open)
        return HISS_OK;
    hs_lanes()->packed_give(&s->plan, s->word, x->at.x);
    if (s->counted > 0)
        hs_lanes()->packed_count(&s->plan, s->tally, s->counted, x->weight,
                                 x->count);
    s->counted = 0;
    s->is_open = false;
    HS_TRY(hs_model_evaluate(m, &x->at, HS_U));
    return hs_tile_check(x, &x->at);
}

const hs_sweep hs_sweep_packed = {
    .base = {.name = "packed",
             .size = sizeof(struct packed),
             .init = packed_init,
             .clear = packed_clear},
    .applies = packed_applies,
    .sweep = packed_sweep,
};
