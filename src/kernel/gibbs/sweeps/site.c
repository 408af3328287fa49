/* site.c - updates of one coordinate at a time. */
#include "kernel/gibbs/sweeps/site.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"

#define REFRESH 64

hiss_status hs_site_init(hs_site *s, const hs_model *m, hiss_error *err)
{
    size_t states = (size_t)m->domain.states_max;

    *s = (hs_site){0};
    HS_TRY(hs_point_init(&s->spare, m, err));
    s->change = hs_alloc_array(states, sizeof *s->change);
    s->logits = hs_alloc_array(states, sizeof *s->logits);
    s->scratch = hs_alloc_array(states, sizeof *s->scratch);
    s->words = hs_alloc_array(4, sizeof *s->words);
    s->more = hs_alloc_array(4, sizeof *s->more);
    s->tie = hs_alloc_array(4, sizeof *s->tie);
    if (!s->change || !s->logits || !s->scratch || !s->words || !s->more ||
        !s->tie) {
        hs_site_clear(s);
        return hs_fail_memory(err);
    }
    return HISS_OK;
}

void hs_site_clear(hs_site *s)
{
    hs_point_clear(&s->spare);
    hs_free(s->change);
    hs_free(s->logits);
    hs_free(s->scratch);
    hs_free(s->words);
    hs_free(s->more);
    hs_free(s->tie);
    *s = (hs_site){0};
}

hiss_status hs_site_logits(hs_site *s, const hs_model *m, const hs_tilt *t,
                           hs_tile *x, int i)
{
    int states = m->domain.states[i];

    x->energy_evals += (double)hs_model_difference_evals(m, &x->at, i);
    HS_TRY(hs_model_differences(m, &x->at, i, s->change, &s->spare));
    for (int v = 0; v < states; v++)
        for (int l = 0; l < HS_LANES; l++) {
            float change = s->change[v][l];

            /* an impossible value stays impossible at beta = 0 */
            s->logits[v][l] =
                change == -INFINITY ? change : t->beta[l] * change;
        }
    hs_tilt_add_values(t, &m->domain, i, x->at.x[i], s->logits);
    return HISS_OK;
}

void hs_site_count(hs_tile *x, const hs_model *m, int64_t visits)
{
    if (hs_model_has_cheap_sites(m))
        hs_tile_count_sites(x, m, (double)visits);
}

void hs_site_presume(hs_tile *x, const hs_model *m, int64_t visits)
{
    hs_site_count(x, m, visits);
    hs_tile_presume(x, HS_U);
    if (!m->ops->change && !m->ops->differences && m->exact_rows)
        x->at.have |= HS_GRAD;
}

void hs_site_move(hs_site *s, const hs_model *m, hs_tile *x, int i,
                  const int16_t *to)
{
    float change[HS_LANES];

    for (int l = 0; l < HS_LANES; l++)
        change[l] = to[l] == x->at.x[i][l] ? 0.0f : s->change[to[l]][l];
    hs_model_move(m, &x->at, i, to, change);
}

void hs_site_words(hs_tile *x, hs_purpose purpose, int64_t position,
                   uint32_t (*block)[HS_LANES], const uint32_t **words)
{
    if (position % 4 == 0)
        hs_lanes()->philox(&x->rng, purpose, (uint32_t)(position / 4), 1,
                           block);
    *words = block[position % 4];
}

void hs_site_ties(hs_site *s, const hs_tile *x, const hs_model *m, int i,
                  int64_t position)
{
    if (m->domain.states[i] > HS_FEW)
        hs_lanes()->philox(&x->rng, HS_DRAW_TIE, (uint32_t)position, 1, s->tie);
}

int hs_site_random(const hs_tile *x, const hs_model *m, int64_t position)
{
    return hs_below(hs_rng_shared(&x->rng, HS_DRAW_SITE, (uint32_t)position),
                    m->domain.dim);
}

static hiss_status make_afresh(const hs_model *m, hs_tile *x)
{
    unsigned had = x->at.have;

    x->at.have = 0;
    HS_TRY(hs_model_evaluate(m, &x->at, HS_U | (had & HS_GRAD)));
    return hs_tile_check(x, &x->at);
}

/* Number of visits between two refreshments. */
static uint64_t interval(const hs_model *m, int64_t visits)
{
    int64_t sweep = m->domain.dim;

    return REFRESH * (uint64_t)(visits < sweep ? visits : sweep);
}

/* Of all visits before this step, those since the last refreshment.  The
 * product fits for up to 2^26 coordinates.  Past that it wraps, which only
 * moves the refreshments. */
static uint64_t visits_since(uint64_t every, uint64_t steps, int64_t visits)
{
    return (steps % every) * ((uint64_t)visits % every) % every;
}

hiss_status hs_site_mend(const hs_model *m, hs_tile *x, uint64_t steps,
                         int64_t visits, int64_t position)
{
    uint64_t every, done;

    if (m->ops->rows || visits <= m->domain.dim || position + 1 == visits)
        return HISS_OK;
    every = interval(m, visits);
    done = visits_since(every, steps, visits) + (uint64_t)position + 1;
    return done % every == 0 ? make_afresh(m, x) : HISS_OK;
}

hiss_status hs_site_refresh(const hs_model *m, hs_tile *x, uint64_t steps,
                            int64_t visits)
{
    uint64_t every = interval(m, visits);

    if (!m->ops->rows &&
        visits_since(every, steps, visits) + (uint64_t)visits < every)
        return HISS_OK;
    return make_afresh(m, x);
}
