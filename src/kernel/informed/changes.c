/* changes.c - weighs every change of one coordinate. */
#include "kernel/informed/changes.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/logarithm.h"
#include "lanes/lanes.h"

#define BLOCK 64

/* Most rows for which 32 random bits suffice: the probability of each is off by
 * at most 2^-32, and all together by 1e-6. */
#define FEW_ROWS 4096

static bool is_by_sites(const hs_model *m, hs_gain gain)
{
    if (gain == HS_GAIN_GRADIENT || m->exact_rows)
        return false;
    return gain == HS_GAIN_EXACT || m->ops->differences || m->ops->change;
}

static hiss_status init_sites(hs_changes *c, const hs_model *m, hiss_error *err)
{
    size_t values = (size_t)m->domain.value_count;

    HS_TRY(hs_point_init(&c->spare, m, err));
    c->here = hs_alloc_array(values, sizeof *c->here);
    c->there = hs_alloc_array(values, sizeof *c->there);
    c->value = hs_alloc_array((size_t)m->domain.states_max, sizeof *c->value);
    return c->here && c->there && c->value ? HISS_OK : hs_fail_memory(err);
}

hiss_status hs_changes_init(hs_changes *c, const hs_model *m,
                            hs_balance balance, hs_gain gain, double *clock,
                            hiss_error *err)
{
    const hs_domain *d = &m->domain;
    size_t rows = (size_t)hs_tilt_rows(d);

    *c = (hs_changes){.balance = balance, .rows = (int)rows, .clock = clock};
    if (is_by_sites(m, gain))
        HS_TRY(init_sites(c, m, err));
    c->logits = hs_alloc_array(rows, sizeof *c->logits);
    c->owner = hs_alloc_array(rows, sizeof *c->owner);
    c->buffer = hs_alloc_array((size_t)BLOCK * (size_t)d->states_max,
                               sizeof *c->buffer);
    if (!c->logits || !c->owner || !c->buffer)
        return hs_fail_memory(err);
    for (int i = 0; i < d->dim; i++) {
        int first = d->is_pair ? i : d->value[i];
        int count = d->is_pair ? 1 : d->states[i];

        for (int r = first; r < first + count; r++)
            c->owner[r] = i;
    }
    return HISS_OK;
}

void hs_changes_clear(hs_changes *c)
{
    hs_point_clear(&c->spare);
    hs_free(c->here);
    hs_free(c->there);
    hs_free(c->value);
    hs_free(c->logits);
    hs_free(c->owner);
    hs_free(c->buffer);
}

unsigned hs_changes_want(const hs_changes *c)
{
    return c->here ? HS_U : HS_U | HS_GRAD;
}

/* Computes gains by gradient; those of sqrt are halved at once. */
static void score_rows(hs_changes *c, const hs_model *m, const hs_tilt *t,
                       const hs_point *p)
{
    float factor[HS_LANES];
    hs_dlp d = {.domain = &m->domain,
                .beta = t->beta,
                .balance = factor,
                .phi = (const hs_float_row *)t->phi,
                .slope = (const hs_float_row *)t->slope};
    int dim = m->domain.dim;
    bool is_halved = c->balance == HS_BALANCE_SQRT && !c->is_plain;

    for (int l = 0; l < HS_LANES; l++)
        factor[l] = is_halved ? 0.5f : 1.0f;
    for (int first = 0; first < dim; first += BLOCK) {
        int last = dim - first < BLOCK ? dim : first + BLOCK;

        hs_lanes()->informed_logits(
            &d, first, last, hs_model_rows(m, p, first, last, c->buffer, NULL),
            (const hs_index_row *)p->x, c->logits);
    }
    if (!is_halved && !c->is_plain)
        hs_lanes()->balance_logits(c->balance, c->rows, c->logits);
}

static hiss_status find_differences(hs_changes *c, const hs_model *m,
                                    hs_tile *x, hs_point *p, bool is_counted,
                                    hs_float_row *out)
{
    const hs_domain *d = &m->domain;
    double evals = 0.0;

    for (int i = 0; i < d->dim; i++) {
        hiss_status rc;

        evals += (double)hs_model_difference_evals(m, p, i);
        rc = hs_model_differences(m, p, i, out + d->value[i], &c->spare);
        if (rc != HISS_OK) {
            x->fault = p->fault;
            return rc;
        }
    }
    if (is_counted)
        x->energy_evals += hs_model_has_cheap_sites(m) ? 1.0 : evals;
    return HISS_OK;
}

/* Computes gains of coordinate i from its differences of U. */
static void score_site(hs_changes *c, const hs_domain *d, const hs_tilt *t,
                       const hs_point *p, int i, const hs_float_row *change)
{
    hs_float_row *out = d->is_pair ? c->value : c->logits + d->value[i];
    const int16_t *x = p->x[i];

    for (int v = 0; v < d->states[i]; v++)
        for (int l = 0; l < HS_LANES; l++)
            out[v][l] = change[v][l] == -INFINITY ? -INFINITY
                                                  : t->beta[l] * change[v][l];
    hs_tilt_add_values(t, d, i, x, out);
    for (int l = 0; l < HS_LANES; l++)
        if (d->is_pair)
            c->logits[i][l] = out[1 - x[l]][l];
        else
            out[x[l]][l] = -INFINITY;
}

static hiss_status score_sites(hs_changes *c, const hs_model *m,
                               const hs_tilt *t, hs_tile *x, hs_point *p)
{
    const hs_domain *d = &m->domain;
    bool is_here = p == &x->at;
    hs_float_row *change = is_here ? c->here : c->there;
    /* only this step's tick since, so nothing has moved it */
    bool is_paid = is_here && x->at.have & HS_TILE_KEPT &&
                   c->clock[0] + 1.0 == (double)x->rng.clock;

    if (!is_paid || !c->is_kept)
        HS_TRY(find_differences(c, m, x, p, !is_paid, change));
    for (int i = 0; i < d->dim; i++)
        score_site(c, d, t, p, i, (const hs_float_row *)change + d->value[i]);
    if (!c->is_plain)
        hs_lanes()->balance_logits(c->balance, c->rows, c->logits);
    return HISS_OK;
}

hiss_status hs_changes_score(hs_changes *c, const hs_model *m, const hs_tilt *t,
                             hs_tile *x, hs_point *p)
{
    if (c->here)
        HS_TRY(score_sites(c, m, t, x, p));
    else
        score_rows(c, m, t, p);
    if (!c->is_plain)
        hs_lanes()->softmax_sum((const hs_float_row *)c->logits, c->rows,
                                c->max, c->sum);
    return HISS_OK;
}

void hs_changes_uniforms(const hs_changes *c, const hs_tile *x, uint32_t block,
                         double *u)
{
    uint32_t words[4][HS_LANES];

    hs_lanes()->philox(&x->rng, HS_DRAW_PROPOSE, block, 1, words);
    for (int l = 0; l < HS_LANES; l++)
        u[l] = c->rows > FEW_ROWS ? hs_uniform_long(words[0][l], words[1][l])
                                  : hs_uniform(words[0][l]);
}

void hs_changes_pick(const hs_changes *c, const hs_tile *x, uint32_t block,
                     int32_t *row, float *logit)
{
    double u[HS_LANES];

    hs_changes_uniforms(c, x, block, u);
    hs_lanes()->softmax_pick((const hs_float_row *)c->logits, c->rows, c->max,
                             c->sum, u, row, logit);
}

/* logit - max - ln sum.  In single precision the logarithm of a sum over many
 * rows would lose digits. */
void hs_changes_log_q(const hs_changes *c, const float *logit, double *out)
{
    float sum[HS_LANES], log_sum[HS_LANES];

    for (int l = 0; c->rows > FEW_ROWS && l < HS_LANES; l++)
        out[l] = (double)logit[l] - (double)c->max[l] - hs_logarithm(c->sum[l]);
    if (c->rows > FEW_ROWS)
        return;
    for (int l = 0; l < HS_LANES; l++)
        sum[l] = (float)c->sum[l];
    hs_lanes()->log(sum, log_sum);
    for (int l = 0; l < HS_LANES; l++)
        out[l] = (double)logit[l] - (double)c->max[l] - (double)log_sum[l];
}

void hs_changes_make(const hs_changes *c, const hs_domain *d,
                     const int32_t *row, hs_point *y, int32_t *back)
{
    for (int l = 0; l < HS_LANES; l++) {
        int i = c->owner[row[l]], now = y->x[i][l];

        y->x[i][l] = (int16_t)(d->is_pair ? 1 - now : row[l] - d->value[i]);
        back[l] = d->is_pair ? i : d->value[i] + now;
    }
    y->have = 0;
}

void hs_changes_keep(hs_changes *c, const hs_model *m, hs_tile *x,
                     const int32_t *accept)
{
    if (!c->here)
        return;
    hs_lanes()->select_float(accept, m->domain.value_count,
                             (const hs_float_row *)c->there, c->here);
    for (int l = 0; l < HS_LANES; l++)
        c->clock[l] = (double)x->rng.clock;
    c->is_kept = true;
    x->at.have |= HS_TILE_KEPT;
}
