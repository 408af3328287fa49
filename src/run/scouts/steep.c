/* steep.c - climbing by gradients: many coordinates at once. */
#include "run/scouts/steep.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"
#include "run/scouts/neighbors.h"

/* How far a lane steps, and in which share of the coordinates. */
struct pace {
    double share[HS_LANES];
    int stride[HS_LANES]; /* step size of numbers, in values */
};

#define WORDS  4     /* capacity: numbers of a Philox block */
#define ROUNDS 64    /* capacity: steps of a climb */
#define HAIR   1e-4f /* precision: gains below this are rounding */

hiss_status hs_steep_init(hs_steep *s, const hs_model *m, hiss_error *err)
{
    *s = (hs_steep){.until = HUGE_VAL};
    for (int i = 0; i < m->domain.dim; i++)
        if (hs_neighbours_is_long(&m->domain, i) &&
            m->domain.states[i] > s->longest)
            s->longest = m->domain.states[i];
    HS_TRY(hs_point_init(&s->next, m, err));
    s->row = hs_alloc_array((size_t)m->domain.states_max, sizeof *s->row);
    s->local = hs_alloc_array((size_t)m->domain.states_max, sizeof *s->local);
    if (s->row && s->local)
        return HISS_OK;
    hs_steep_clear(s);
    return hs_fail_memory(err);
}

void hs_steep_clear(hs_steep *s)
{
    hs_point_clear(&s->next);
    hs_free(s->row);
    hs_free(s->local);
    *s = (hs_steep){0};
}

void hs_steep_gains(const hs_steep *s, const hs_model *m, const hs_point *p,
                    int i, hs_float_row *out)
{
    const hs_domain *d = &m->domain;
    const float *value = d->values + d->value[i];
    const hs_float_row *row = hs_model_rows(m, p, i, i + 1, s->local, NULL);
    bool is_label = hs_kind_is_label(d->kind[i]);

    for (int v = 0; v < d->states[i]; v++)
        for (int l = 0; l < HS_LANES; l++) {
            int x = p->x[i][l];

            out[v][l] = is_label ? row[v][l] - row[x][l]
                                 : row[0][l] * (value[v] - value[x]);
        }
}

/* The best value of coordinate i by its gains.  A number moves by `stride`,
 * since a slope gives a direction but no distance. */
static int best_value(const hs_steep *s, const hs_domain *d, int i, int lane,
                      int x, int stride)
{
    bool is_long = hs_neighbours_is_long(d, i);
    int step = is_long ? stride : 1, last = d->states[i] - 1, best = x;
    float gain = HAIR;

    if (is_long) {
        int low = x > step ? x - step : 0, high = x + step;

        high = high < last ? high : last;
        best = s->row[high][lane] > gain && high > x ? high : best;
        return s->row[low][lane] > gain && low < x ? low : best;
    }
    for (int v = 0; v <= last; v++)
        if (s->row[v][lane] > gain) {
            gain = s->row[v][lane];
            best = v;
        }
    return best;
}

/* Accepts the proposals of the lanes whose coin allows it; counts the
 * changes. */
static void step_site(hs_steep *s, const hs_model *m, const hs_tile *t, int i,
                      const uint32_t *word, const struct pace *pace,
                      int *changes)
{
    hs_steep_gains(s, m, &t->at, i, s->row);
    for (int l = 0; l < HS_LANES; l++) {
        int best =
            best_value(s, &m->domain, i, l, t->at.x[i][l], pace->stride[l]);

        if (best != t->at.x[i][l] && hs_uniform(word[l]) < pace->share[l])
            changes[l]++;
        else
            best = t->at.x[i][l];
        s->next.x[i][l] = (int16_t)best;
    }
}

/* Takes steps of numbers back that do not gain.  The gain is estimated from the
 * slopes at both ends, (U'(x) + U'(y)) (y - x) / 2, which is exact for a bell.
 * So long steps are as reliable as short ones, and steps that overshoot are not
 * made. */
static hiss_status take_back(hs_steep *s, const hs_model *m, hs_tile *t,
                             int *changes)
{
    const hs_domain *d = &m->domain;

    HS_TRY(hs_tile_evaluate(t, m, &s->next, HS_U | HS_GRAD));
    for (int i = 0; i < d->dim; i++) {
        const float *value = d->values + d->value[i];
        hs_float_row before;
        const hs_float_row *row;

        if (!hs_neighbours_is_long(d, i))
            continue;
        row = hs_model_rows(m, &t->at, i, i + 1, s->local, NULL);
        memcpy(before, row[0], sizeof before);
        row = hs_model_rows(m, &s->next, i, i + 1, s->local, NULL);
        for (int l = 0; l < HS_LANES; l++) {
            int x = t->at.x[i][l], y = s->next.x[i][l];
            float way = value[y] - value[x];

            if (x == y || 0.5f * (before[l] + row[0][l]) * way > HAIR)
                continue;
            s->next.x[i][l] = (int16_t)x;
            changes[l]--;
        }
    }
    s->next.have = 0;
    return HISS_OK;
}

/* Makes a proposal in all lanes, with the random numbers of this round. */
static hiss_status propose(hs_steep *s, const hs_model *m, hs_tile *t,
                           const struct pace *pace, int *changes)
{
    uint32_t words[WORDS][HS_LANES];

    HS_TRY(hs_tile_evaluate(t, m, &t->at, HS_U | HS_GRAD));
    hs_tile_tick(t);
    for (int i = 0; i < m->domain.dim; i++) {
        if (i % WORDS == 0)
            hs_lanes()->philox(&t->rng, HS_DRAW_PROBE, (uint32_t)i / WORDS, 1,
                               words);
        step_site(s, m, t, i, words[i % WORDS], pace, changes);
    }
    s->next.have = 0;
    if (s->longest > 0)
        HS_TRY(take_back(s, m, t, changes));
    return hs_tile_evaluate(t, m, &s->next,
                            s->longest > 0 ? HS_U : HS_U | HS_GRAD);
}

/* Adapts a lane.  Its steps become shorter.  If U did not rise, it tries half
 * as many coordinates, else all of them or, in a gentle climb, twice as many. A
 * gentle climb does that too if by chance no coordinate was tried. */
static bool adjust(struct pace *pace, int lane, bool is_higher, int changes,
                   const hs_steep *s, int dim)
{
    bool was_long = pace->stride[lane] > 1;
    double more = s->is_gentle ? fmin(2.0 * pace->share[lane], 1.0) : 1.0;
    bool was_idle = s->is_gentle && changes == 0 && pace->share[lane] < 1.0;

    pace->stride[lane] = was_long ? pace->stride[lane] / 2 : 1;
    if (was_long)
        return true;
    pace->share[lane] = is_higher || was_idle ? more : 0.5 * pace->share[lane];
    return was_idle || (pace->share[lane] * dim > 0.5 &&
                        (changes > 0 || pace->share[lane] < 0.5));
}

double hs_steep_round(const hs_steep *s, const hs_model *m)
{
    double gradient = m->gradient_states > 0 ? (double)m->gradient_states : 1.0;

    return (s->longest > 0 ? 2.0 : 1.0) * (1.0 + gradient) + 1.0;
}

static bool may_go_on(const hs_steep *s, const hs_model *m, const hs_tile *t)
{
    return t->energy_evals + t->gradient_evals + hs_steep_round(s, m) <=
           s->until;
}

/* Decides whether this climb is gentle. */
static hiss_status look(hs_steep *s, const hs_model *m, hs_tile *t)
{
    if (s->is_careful && s->longest == 0) {
        HS_TRY(hs_tile_evaluate(t, m, &t->at, HS_U));
        for (int l = 0; l < HS_LANES; l++)
            s->has_gaps |= !hs_model_is_possible(m, t->at.u[l]);
    }
    s->is_gentle = s->is_careful && s->has_gaps;
    return HISS_OK;
}

hiss_status hs_steep_climb(hs_steep *s, const hs_model *m, hs_tile *t)
{
    struct pace pace;
    bool is_open = true;

    HS_TRY(look(s, m, t));
    for (int l = 0; l < HS_LANES; l++) {
        pace.share[l] = s->is_gentle ? fmin(2.0 / m->domain.dim, 1.0) : 1.0;
        pace.stride[l] = 1;
        while (4 * pace.stride[l] <= s->longest)
            pace.stride[l] *= 2;
    }
    for (int round = 0; round < ROUNDS && is_open && may_go_on(s, m, t);
         round++) {
        int changes[HS_LANES] = {0};
        int32_t accept[HS_LANES];

        HS_TRY(propose(s, m, t, &pace, changes));
        is_open = false;
        for (int l = 0; l < HS_LANES; l++) {
            accept[l] = s->next.u[l] > t->at.u[l];
            is_open |=
                adjust(&pace, l, accept[l], changes[l], s, m->domain.dim) &&
                l < t->lanes;
        }
        hs_tile_move(t, m, &s->next, accept);
    }
    return HISS_OK;
}
