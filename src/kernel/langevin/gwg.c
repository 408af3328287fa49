/* gwg.c - Gibbs with gradients: one coordinate, chosen by what its change
 * would gain [Grathwohl et al. 2021].
 *
 * (i, v) ~ softmax of half the first-order gain of every single-site change;
 * accept with min(1, p(y) q(x|y) / p(x) q(y|x)).  One evaluation, of y. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/logarithm.h"
#include "kernel/kernel.h"
#include "kernel/langevin/langevin.h"
#include "lanes/lanes.h"

#define BLOCK 64

/* Rows up to which 32 random bits do: each row's probability is off by 2^-32
 * at most, and all together by 1e-6. */
#define FEW_ROWS 4096

struct gwg {
    hs_point y;           /* owned: the proposal */
    hs_float_row *logits; /* owned, [rows]: of the point last scored */
    hs_float_row *buffer; /* owned: rows of a local gradient */
    int *owner;           /* owned, [rows]: the coordinate of each row */
    int rows;
};

/* Normaliser of one point's proposal. */
struct total {
    float max[HS_LANES];
    double sum[HS_LANES];
};

static hiss_status gwg_setup(hs_kernel *k, const hs_model *m, hiss_error *err)
{
    struct gwg *s = k->state;
    const hs_domain *d = &m->domain;
    size_t rows;

    s->rows = hs_tilt_rows(d);
    rows = (size_t)s->rows;
    HS_TRY(hs_point_init(&s->y, m, err));
    s->logits = hs_alloc_array(rows, sizeof *s->logits);
    s->owner = hs_alloc_array(rows, sizeof *s->owner);
    s->buffer = hs_alloc_array((size_t)BLOCK * (size_t)d->states_max,
                               sizeof *s->buffer);
    if (!s->logits || !s->owner || !s->buffer)
        return hs_fail_memory(err);
    for (int i = 0; i < d->dim; i++) {
        int first = d->is_pair ? i : d->value[i];
        int count = d->is_pair ? 1 : d->states[i];

        for (int r = first; r < first + count; r++)
            s->owner[r] = i;
    }
    return HISS_OK;
}

static void gwg_clear(hs_kernel *k)
{
    struct gwg *s = k->state;

    hs_point_clear(&s->y);
    hs_free(s->logits);
    hs_free(s->owner);
    hs_free(s->buffer);
}

/* Logits of all single-site changes from p, and their normaliser. */
static void score(struct gwg *s, const hs_model *m, const hs_tilt *t,
                  const hs_point *p, struct total *total)
{
    float half[HS_LANES];
    hs_dlp d = {.domain = &m->domain,
                .beta = t->beta,
                .balance = half,
                .phi = (const hs_float_row *)t->phi,
                .slope = (const hs_float_row *)t->slope};
    int dim = m->domain.dim;

    for (int l = 0; l < HS_LANES; l++)
        half[l] = 0.5f;
    for (int first = 0; first < dim; first += BLOCK) {
        int last = dim - first < BLOCK ? dim : first + BLOCK;

        hs_lanes()->informed_logits(
            &d, first, last, hs_model_rows(m, p, first, last, s->buffer, NULL),
            (const hs_index_row *)p->x, s->logits);
    }
    hs_lanes()->softmax_sum((const hs_float_row *)s->logits, s->rows,
                            total->max, total->sum);
}

static void uniforms(const struct gwg *s, const hs_tile *x, double *out)
{
    uint32_t words[4][HS_LANES];

    hs_lanes()->philox(&x->rng, HS_DRAW_PROPOSE, 0, 1, words);
    for (int l = 0; l < HS_LANES; l++)
        out[l] = s->rows > FEW_ROWS ? hs_uniform_long(words[0][l], words[1][l])
                                    : hs_uniform(words[0][l]);
}

/* ln q of a row with this logit: logit - max - ln sum; the sum of many rows
 * would have a logarithm of few digits in single precision. */
static void log_q(const struct gwg *s, const float *logit,
                  const struct total *total, double *out)
{
    float sum[HS_LANES], log_sum[HS_LANES];

    for (int l = 0; s->rows > FEW_ROWS && l < HS_LANES; l++)
        out[l] = (double)logit[l] - (double)total->max[l] -
                 hs_logarithm(total->sum[l]);
    if (s->rows > FEW_ROWS)
        return;
    for (int l = 0; l < HS_LANES; l++)
        sum[l] = (float)total->sum[l];
    hs_lanes()->log(sum, log_sum);
    for (int l = 0; l < HS_LANES; l++)
        out[l] = (double)logit[l] - (double)total->max[l] - (double)log_sum[l];
}

/* Makes y from x and the drawn rows; gives the rows that lead back. */
static void propose(struct gwg *s, const hs_model *m, const hs_point *x,
                    const int32_t *row, int32_t *back)
{
    const hs_domain *d = &m->domain;

    memcpy(s->y.x, x->x, sizeof *x->x * (size_t)d->dim);
    for (int l = 0; l < HS_LANES; l++) {
        int i = s->owner[row[l]], now = x->x[i][l];

        s->y.x[i][l] = (int16_t)(d->is_pair ? 1 - now : row[l] - d->value[i]);
        back[l] = d->is_pair ? i : d->value[i] + now;
    }
    s->y.have = 0;
}

static hiss_status gwg_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                            hs_tile *x)
{
    struct gwg *s = k->state;
    struct total here, there;
    int32_t row[HS_LANES], back[HS_LANES], accept[HS_LANES];
    float logit[HS_LANES];
    double u[HS_LANES], forward[HS_LANES], reverse[HS_LANES], ratio[HS_LANES];

    hs_tile_tick(x);
    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U | HS_GRAD));
    score(s, m, t, &x->at, &here);
    uniforms(s, x, u);
    hs_lanes()->softmax_pick((const hs_float_row *)s->logits, s->rows, here.max,
                             here.sum, u, row, logit);
    log_q(s, logit, &here, forward);
    propose(s, m, &x->at, row, back);
    HS_TRY(hs_tile_evaluate(x, m, &s->y, HS_U | HS_GRAD));
    score(s, m, t, &s->y, &there);
    for (int l = 0; l < HS_LANES; l++)
        logit[l] = s->logits[back[l]][l];
    log_q(s, logit, &there, reverse);
    hs_tile_log_ratio(m, t, &x->at, &s->y, ratio);
    for (int l = 0; l < HS_LANES; l++)
        if (ratio[l] != -HUGE_VAL)
            ratio[l] += reverse[l] - forward[l];
    hs_tile_decide(x, ratio, accept);
    for (int l = 0; l < HS_LANES; l++)
        accept[l] = accept[l] && here.sum[l] > 0.0; /* no way out at all */
    hs_tile_move(x, m, &s->y, accept);
    hs_kernel_count(k, x, accept);
    return HISS_OK;
}

static bool gwg_plan(const hs_kernel *k, const hs_model *m, hs_tilt_form form,
                     hs_device_sampler *out)
{
    (void)k;
    (void)m;
    out->step = HS_DEVICE_GWG;
    return form != HS_TILT_FACTORS;
}

static void gwg_made(hs_kernel *k, const hs_model *m, hs_tile *x,
                     hs_tilt_form form, int64_t steps)
{
    (void)m;
    (void)form;
    hs_langevin_made(k, x, false, steps);
}

static hs_traits gwg_traits(const hs_kernel *k)
{
    (void)k;
    return (hs_traits){.exact = true,
                       .reversible = true,
                       .homogeneous = true,
                       .gradient = true,
                       .period = 1};
}

static const hs_option gwg_options[] = {{0}};

const hs_kernel_type hs_kernel_gwg = {
    .name = "gwg",
    .summary = "Gibbs with gradients: one coordinate per step, informed",
    .size = sizeof(struct gwg),
    .options = gwg_options,
    .setup = gwg_setup,
    .step = gwg_step,
    .clear = gwg_clear,
    .traits = gwg_traits,
    .plan = gwg_plan,
    .made = gwg_made,
};
