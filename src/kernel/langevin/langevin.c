/* langevin.c - one step of the discrete Langevin proposal.
 *
 * Works through the coordinates in blocks.  A local model gives the rows of a
 * block where they are needed, so forward pass, evaluation of the proposal and
 * reverse pass read states only and store no gradient. */
#include "kernel/langevin/langevin.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"

#define BLOCK 64

/* Gradient rows of the largest block. */
static size_t buffer_rows(const hs_domain *d)
{
    int most = 0;

    for (int first = 0; first < d->dim; first += BLOCK) {
        int last = d->dim - first < BLOCK ? d->dim : first + BLOCK;
        int rows = d->row[last] - d->row[first];

        most = rows > most ? rows : most;
    }
    return (size_t)most;
}

bool hs_langevin_takes_factors(const hs_model *m)
{
    const hs_regular *g = m->regular;

    return g && g->field == 0.0f && g->low * -2.0f == g->gap;
}

static bool add_odds(hs_langevin *s, const hs_domain *d)
{
    s->odds = hs_alloc_array(1, sizeof *s->odds);
    if (!s->odds)
        return false;
    s->odds->x = hs_alloc_array((size_t)d->dim, sizeof *s->odds->x);
    s->odds->y = hs_alloc_array((size_t)d->dim, sizeof *s->odds->y);
    return s->odds->x && s->odds->y;
}

hiss_status hs_langevin_init(hs_langevin *s, const hs_model *m, hiss_error *err)
{
    const hs_domain *d = &m->domain;

    *s = (hs_langevin){0};
    HS_TRY(hs_point_init(&s->y, m, err));
    s->buffer = hs_alloc_array(buffer_rows(d), sizeof *s->buffer);
    s->scratch = hs_alloc_array(2 * (size_t)d->states_max, sizeof *s->scratch);
    if (m->regular) {
        s->bytes = hs_alloc_array((size_t)d->dim, sizeof *s->bytes);
        s->own = hs_alloc_array((size_t)d->dim, sizeof *s->own);
    }
    if (!s->buffer || !s->scratch || (m->regular && (!s->bytes || !s->own)) ||
        (m->is_quadratic && m->ops->rows && d->is_pair && !add_odds(s, d))) {
        hs_langevin_clear(s);
        return hs_fail_memory(err);
    }
    return HISS_OK;
}

void hs_langevin_clear(hs_langevin *s)
{
    hs_point_clear(&s->y);
    hs_free(s->buffer);
    hs_free(s->scratch);
    hs_free(s->bytes);
    hs_free(s->own);
    s->buffer = s->scratch = NULL;
    s->bytes = s->own = NULL;
    if (s->odds) {
        hs_free(s->odds->x);
        hs_free(s->odds->y);
        hs_free(s->odds);
        s->odds = NULL;
    }
}

void hs_acceptance(const double *log_ratio, float *probability)
{
    float capped[HS_LANES];

    for (int l = 0; l < HS_LANES; l++)
        capped[l] = log_ratio[l] < 0.0    ? (float)log_ratio[l]
                    : isnan(log_ratio[l]) ? -INFINITY
                                          : 0.0f;
    hs_lanes()->exp(capped, probability);
}

void hs_log_ratio(const hs_model *m, const hs_tilt *t, const hs_point *x,
                  const hs_point *y, double *log_ratio)
{
    double phi[HS_LANES];

    hs_tilt_difference(t, &m->domain, (const hs_index_row *)x->x,
                       (const hs_index_row *)y->x, phi);
    for (int l = 0; l < HS_LANES; l++)
        log_ratio[l] = y->u[l] == -HUGE_VAL
                           ? -HUGE_VAL
                           : hs_tempered(t->beta[l], y->u[l]) -
                                 hs_tempered(t->beta[l], x->u[l]) + phi[l];
}

static void propose(hs_langevin *s, const hs_model *m, const hs_dlp *dlp,
                    const hs_point *x, double *forward)
{
    const hs_lane_table *lanes = hs_lanes();
    int dim = m->domain.dim;

    for (int first = 0; first < dim; first += BLOCK) {
        int last = dim - first < BLOCK ? dim : first + BLOCK;
        const hs_float_row *rows =
            hs_model_rows(m, x, first, last, s->buffer, NULL);

        lanes->dlp_propose(dlp, first, last, rows, (const hs_index_row *)x->x,
                           s->y.x, forward);
    }
    s->y.have = 0;
}

/* Evaluates y and sums ln q(x|y); for a local model both in one pass. */
static hiss_status arrive(hs_langevin *s, const hs_model *m, const hs_dlp *dlp,
                          hs_tile *t, double *reverse)
{
    const hs_lane_table *lanes = hs_lanes();
    hs_point *y = &s->y;
    int dim = m->domain.dim;
    bool is_local = m->ops->rows != NULL;
    double u[HS_LANES];

    for (int l = 0; l < HS_LANES; l++)
        u[l] = m->offset;
    if (!is_local)
        HS_TRY(hs_tile_evaluate(t, m, y, HS_U | HS_GRAD));
    for (int first = 0; first < dim; first += BLOCK) {
        int last = dim - first < BLOCK ? dim : first + BLOCK;
        const hs_float_row *rows =
            hs_model_rows(m, y, first, last, s->buffer, u);

        lanes->dlp_log_q(dlp, first, last, rows, (const hs_index_row *)y->x,
                         (const hs_index_row *)t->at.x, reverse);
    }
    if (!is_local)
        return HISS_OK;
    memcpy(y->u, u, sizeof u);
    y->have = HS_U | HS_GRAD;
    hs_tile_count(t, HS_U | HS_GRAD);
    return hs_tile_check(t, y);
}

/* --- quadratic U on pairs ------------------------------------------------- */

/* Never by what lanes have tuned: one would decide how others draw. */
static bool has_odds(const hs_langevin *s, const hs_tilt *t)
{
    return s->odds && s->is_half && !t->slope;
}

/* Odds and their spread at p; U too, where u is not NULL. */
static void find_odds(hs_langevin *s, const hs_model *m, const hs_dlp *dlp,
                      const hs_point *p, hs_float_row *odds, double *spread,
                      double *u)
{
    int dim = m->domain.dim;
    double unused[HS_LANES] = {0};

    memset(spread, 0, HS_LANES * sizeof *spread);
    if (m->regular && m->regular->field == 0.0f && dlp->phi) {
        hs_lanes()->regular_odds(m->regular, dlp, 0, dim,
                                 (const hs_index_row *)p->x, odds, spread,
                                 u ? u : unused);
        return;
    }
    for (int first = 0; first < dim; first += BLOCK) {
        int last = dim - first < BLOCK ? dim : first + BLOCK;
        const hs_float_row *rows =
            hs_model_rows(m, p, first, last, s->buffer, u);

        hs_lanes()->dlp_odds(dlp, first, last, rows, (const hs_index_row *)p->x,
                             odds, spread);
    }
}

/* Whether nothing happened since the odds were left by the last step. */
static bool are_known(const hs_langevin *s, const hs_tilt *t, const hs_tile *x)
{
    const hs_odds *o = s->odds;

    return o->is_known && x->at.have & HS_ODDS && o->clock == x->rng.clock &&
           memcmp(o->beta, t->beta, sizeof o->beta) == 0 &&
           memcmp(o->stiffness, s->stiffness, sizeof o->stiffness) == 0;
}

/* What is left at x is known to the next step. */
static void keep_odds(hs_langevin *s, const hs_tilt *t, hs_tile *x)
{
    hs_odds *o = s->odds;

    for (int l = 0; l < HS_LANES; l++)
        if (s->accept[l])
            o->spread_x[l] = o->spread_y[l];
    memcpy(o->beta, t->beta, sizeof o->beta);
    memcpy(o->stiffness, s->stiffness, sizeof o->stiffness);
    o->clock = x->rng.clock;
    o->is_known = true;
    x->at.have |= HS_ODDS;
}

/* The same under a tilt of factors. */
static void propose_by_factors(hs_langevin *s, const hs_model *m,
                               const hs_dlp *dlp, const hs_point *x,
                               bool is_known)
{
    const hs_lane_table *lanes = hs_lanes();
    hs_odds *o = s->odds;

    if (!is_known) {
        lanes->narrow_index(m->domain.dim, (const hs_index_row *)x->x, s->own);
        memset(o->spread_x, 0, sizeof o->spread_x);
    }
    lanes->regular_tilt_propose(m->regular, dlp, (const hs_byte_row *)s->own,
                                s->bytes, is_known ? NULL : o->spread_x);
    memset(o->spread_y, 0, sizeof o->spread_y);
    lanes->regular_tilt_spread(m->regular, dlp, (const hs_byte_row *)s->bytes,
                               o->spread_y, s->y.u);
}

/* Proposes y from x with U and both spreads; a bit for each lane in which it
 * may differ. */
static unsigned propose_by_odds(hs_langevin *s, const hs_model *m,
                                const hs_dlp *dlp, const hs_point *x,
                                bool is_known)
{
    const unsigned all = (1u << HS_LANES) - 1;
    hs_odds *o = s->odds;
    hs_point *y = &s->y;
    unsigned flipped;

    for (int l = 0; l < HS_LANES; l++)
        y->u[l] = m->offset;
    if (dlp->factor) {
        propose_by_factors(s, m, dlp, x, is_known);
        return all;
    }
    if (m->regular && !dlp->phi) {
        if (!is_known)
            hs_regular_spread(s, m, dlp, x);
        hs_regular_propose(s, m, dlp);
        return all;
    }
    if (!is_known)
        find_odds(s, m, dlp, x, o->x, o->spread_x, NULL);
    flipped =
        hs_lanes()->dlp_flip(dlp, 0, m->domain.dim, (const hs_float_row *)o->x,
                             (const hs_index_row *)x->x, y->x);
    if (flipped)
        find_odds(s, m, dlp, y, o->y, o->spread_y, y->u);
    return flipped;
}

/* Takes y in the lanes that accept; one that did not move keeps its U, too, so
 * that nothing depends on what the others did. */
static void move_by_odds(hs_langevin *s, const hs_model *m, const hs_tilt *t,
                         hs_tile *x, unsigned flipped)
{
    const hs_odds *o = s->odds;
    int32_t moved[HS_LANES];

    if (m->regular && !t->phi) {
        hs_regular_move(s, m, x, t == &x->tilt);
        return;
    }
    for (int l = 0; l < HS_LANES; l++)
        moved[l] = s->accept[l] && flipped >> l & 1;
    hs_tile_move(x, m, &s->y, moved);
    if (flipped)
        hs_lanes()->select_float(moved, m->domain.dim,
                                 (const hs_float_row *)o->y, o->x);
}

/* All but the normalisers cancels (lanes/langevin/odds.c). */
static hiss_status step_by_odds(hs_langevin *s, const hs_model *m,
                                const hs_tilt *t, const hs_dlp *dlp, hs_tile *x,
                                bool adjust, bool is_known)
{
    hs_odds *o = s->odds;
    unsigned flipped = propose_by_odds(s, m, dlp, &x->at, is_known);

    s->y.have = HS_U | HS_GRAD;
    hs_tile_count(x, HS_U | HS_GRAD);
    if (!flipped)
        memcpy(o->spread_y, o->spread_x, sizeof o->spread_y);
    else
        HS_TRY(hs_tile_check(x, &s->y));
    for (int l = 0; l < HS_LANES; l++) {
        s->log_ratio[l] = o->spread_x[l] - o->spread_y[l];
        s->accept[l] = 1;
    }
    if (adjust && flipped) /* a ratio of 0 is accepted */
        hs_tile_decide(x, s->log_ratio, s->accept);
    move_by_odds(s, m, t, x, flipped);
    keep_odds(s, t, x);
    return HISS_OK;
}

hiss_status hs_langevin_step(hs_langevin *s, const hs_model *m,
                             const hs_tilt *t, hs_tile *x, bool adjust)
{
    double forward[HS_LANES] = {0}, reverse[HS_LANES] = {0};
    hs_dlp dlp = {.domain = &m->domain,
                  .rng = &x->rng,
                  .beta = t->beta,
                  .balance = s->balance,
                  .stiffness = s->stiffness,
                  .phi = (const hs_float_row *)t->phi,
                  .slope = (const hs_float_row *)t->slope,
                  .factor = (const hs_float_row *)t->factor,
                  .was = (const hs_byte_row *)t->was,
                  .root = t->root,
                  .scratch = s->scratch};

    bool is_known = s->odds && are_known(s, t, x);

    hs_tile_tick(x);
    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U | HS_GRAD));
    if (has_odds(s, t))
        return step_by_odds(s, m, t, &dlp, x, adjust, is_known);
    propose(s, m, &dlp, &x->at, forward);
    HS_TRY(arrive(s, m, &dlp, x, reverse));
    hs_log_ratio(m, t, &x->at, &s->y, s->log_ratio);
    for (int l = 0; l < HS_LANES; l++) {
        if (s->log_ratio[l] != -HUGE_VAL)
            s->log_ratio[l] += reverse[l] - forward[l];
        s->accept[l] = s->log_ratio[l] != -HUGE_VAL;
    }
    if (adjust)
        hs_tile_decide(x, s->log_ratio, s->accept);
    hs_tile_move(x, m, &s->y, s->accept);
    return HISS_OK;
}
