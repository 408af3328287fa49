/* packed.c - couplings J and -J, or clauses, with a bit per chain.
 *
 * It has its own random numbers, so it is not a row of sweeps.def.  Many steps
 * at a time are fastest: bits become states, and U is computed, only when other
 * code reads them.  States after each step are counted as bits. */
#include "kernel/gibbs/sweeps/packed.h"

#include <math.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/error.h"
#include "kernel/gibbs/sweeps/packed_plan.h"
#include "lanes/lanes.h"

struct packed {
    hs_packed plan;            /* owned; for clauses only dim and site */
    hs_packed_clauses clauses; /* owned; no visits: couplings */
    uint16_t *is_false;        /* owned: scratch of clauses */
    bool is_possible;          /* all states of the tile are solutions */
    uint16_t *word;            /* owned, [dim + 2 HS_BUNDLE] */
    uint16_t *tally;           /* owned: how often bits were set after a step */
    int64_t counted;           /* steps in the tally */
    uint64_t clock;            /* clock of the tile with these words */
    bool is_open;              /* the tile lacks the words */
    float beta;                /* beta of the thresholds, if there are any: */
    bool has_laws;
};

static bool packed_applies(const hs_model *m, hs_tilt_form form,
                           bool is_ordered)
{
    (void)is_ordered;
    return form == HS_TILT_FLAT &&
           (!hs_packed_hindrance(m) || hs_packed_clauses_apply(m));
}

/* Clauses share the tally and the words of couplings. */
static hiss_status init_clauses(struct packed *s, const hs_model *m,
                                hiss_error *err)
{
    size_t dim = (size_t)m->domain.dim;

    HS_TRY(hs_packed_clauses_init(&s->clauses, m, err));
    s->plan.dim = m->domain.dim;
    s->plan.site = hs_alloc_array(dim, sizeof *s->plan.site);
    s->is_false = hs_alloc_array(2 * dim + 1, sizeof *s->is_false);
    if (!s->plan.site || !s->is_false)
        return hs_fail_memory(err);
    for (int i = 0; i < m->domain.dim; i++)
        s->plan.site[i] = i;
    return HISS_OK;
}

static hiss_status packed_init(void *state, const hs_model *m, hiss_error *err)
{
    struct packed *s = state;
    const char *why = hs_packed_hindrance(m);
    bool has_clauses = why && hs_packed_clauses_apply(m);

    if (why && !has_clauses)
        return hs_fail(err, HISS_EUNSUP,
                       "gibbs(packed=yes) wants couplings J or -J, equal "
                       "fields, and at most %d couplings of a site, or binary "
                       "clauses without weights; this model %s: use gibbs",
                       HS_PACKED_DEGREE, why);
    HS_TRY(has_clauses ? init_clauses(s, m, err)
                       : hs_packed_init(&s->plan, m, err));
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
    hs_packed_clauses_clear(&s->clauses);
    hs_free(s->is_false);
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

    if (s->clauses.visits > 0)
        return NULL;
    set_beta(s, 1.0f);
    return &s->plan;
}

/* Whether the words are those of the tile, which nothing has moved since. */
static bool is_taken(const struct packed *s, const hs_tile *x)
{
    return x->at.have & HS_TILE_KEPT && s->clock + 1 == x->rng.clock;
}

/* Solutions stay solutions, which all have the same U. */
static bool are_possible(const hs_tile *x)
{
    bool all = x->at.have & HS_U;

    for (int l = 0; l < x->lanes; l++)
        all = all && x->at.u[l] > -HUGE_VAL;
    return all;
}

static hiss_status packed_sweep(void *state, const hs_sweep_job *job)
{
    struct packed *s = state;
    hs_tile *x = job->x;
    bool counts = x->count && x->summed == 0;

    HS_ASSERT(!counts || s->counted + job->count <= HS_TALLY_STEPS);
    if (s->clauses.visits == 0)
        set_beta(s, job->t->beta[0]);
    if (!is_taken(s, x)) {
        s->is_possible = s->clauses.visits > 0 && are_possible(x);
        hs_lanes()->packed_take(&s->plan, (const hs_index_row *)x->at.x,
                                s->word);
    }
    if (s->clauses.visits > 0)
        hs_lanes()->clause_sweeps(&s->clauses, &x->rng, job->count, s->word,
                                  s->is_false, job->changed, s->counted,
                                  counts ? s->tally : NULL);
    else
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
    if (s->is_possible) {
        x->at.have |= HS_U;
        return HISS_OK;
    }
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
