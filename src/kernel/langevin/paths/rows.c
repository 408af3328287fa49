/* rows.c - the proposal from rows of the gradient: any model, any balance.
 *
 * It works through the coordinates in blocks.  A local model computes the rows
 * of a block on demand, so the forward pass, the evaluation of the proposal and
 * the reverse pass read only states and store no gradient. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "kernel/langevin/paths/paths.h"
#include "lanes/lanes.h"

struct rows {
    hs_float_row *buffer;     /* owned: of a block */
    hs_float_row *scratch;    /* owned: logits of a general domain */
    double forward[HS_LANES]; /* ln q(y|x) */
};

static bool rows_applies(const hs_model *m, hs_tilt_form form, bool is_half)
{
    (void)m;
    (void)is_half;
    return form != HS_TILT_FACTORS;
}

static hiss_status rows_init(void *state, const hs_model *m, hiss_error *err)
{
    struct rows *s = state;
    size_t states = (size_t)m->domain.states_max;

    s->buffer = hs_path_buffer(&m->domain);
    s->scratch = hs_alloc_array(2 * states, sizeof *s->scratch);
    return s->buffer && s->scratch ? HISS_OK : hs_fail_memory(err);
}

static void rows_clear(void *state)
{
    struct rows *s = state;

    hs_free(s->buffer);
    hs_free(s->scratch);
}

static void rows_propose(void *state, hs_proposal *p)
{
    struct rows *s = state;
    const hs_point *x = &p->x->at;
    int dim = p->m->domain.dim;

    p->dlp.scratch = s->scratch;
    memset(s->forward, 0, sizeof s->forward);
    for (int first = 0; first < dim; first += HS_PATH_BLOCK) {
        int last = dim - first < HS_PATH_BLOCK ? dim : first + HS_PATH_BLOCK;
        const hs_float_row *rows =
            hs_model_rows(p->m, x, first, last, s->buffer, NULL);

        hs_lanes()->dlp_propose(&p->dlp, first, last, rows,
                                (const hs_index_row *)x->x, p->y->x,
                                s->forward);
    }
}

/* Computes ln q(x|y), and in the same pass U of a local model. */
static void go_back(struct rows *s, hs_proposal *p, double *reverse)
{
    hs_point *y = p->y;
    int dim = p->m->domain.dim;

    for (int first = 0; first < dim; first += HS_PATH_BLOCK) {
        int last = dim - first < HS_PATH_BLOCK ? dim : first + HS_PATH_BLOCK;
        const hs_float_row *rows =
            hs_model_rows(p->m, y, first, last, s->buffer, y->u);

        hs_lanes()->dlp_log_q(&p->dlp, first, last, rows,
                              (const hs_index_row *)y->x,
                              (const hs_index_row *)p->x->at.x, reverse);
    }
}

static hiss_status rows_arrive(void *state, hs_proposal *p)
{
    struct rows *s = state;
    bool is_local = p->m->ops->rows != NULL;
    double reverse[HS_LANES] = {0};

    if (!is_local)
        HS_TRY(hs_tile_evaluate(p->x, p->m, p->y, HS_U | HS_GRAD));
    go_back(s, p, reverse);
    if (is_local)
        HS_TRY(hs_proposal_arrive(p));
    hs_tile_log_ratio(p->m, p->t, &p->x->at, p->y, p->log_ratio);
    for (int l = 0; l < HS_LANES; l++)
        if (p->log_ratio[l] != -HUGE_VAL)
            p->log_ratio[l] += reverse[l] - s->forward[l];
    return HISS_OK;
}

const hs_langevin_path hs_langevin_path_rows = {
    .base = {.name = "rows",
             .size = sizeof(struct rows),
             .init = rows_init,
             .clear = rows_clear},
    .applies = rows_applies,
    .propose = rows_propose,
    .arrive = rows_arrive,
};
