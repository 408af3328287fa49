/* single.c - sweeps of single sites under w.
 *
 * Site i gets a new value by gibbs or metropolis under exp(beta U), which is
 * reversible, and the change is made with probability min(1, h(U') / h(U)):
 * that is reversible under exp(beta U) h(U), for every site.  So any order of
 * sites is correct, and chains may share it. */
#include "kernel/multicanonical/single.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"

/* Equal positive couplings of labels without fields have a lane primitive. */
static const hs_label_form *find_labels(const hs_single *s, const hs_model *m)
{
    const hs_label_form *f = hs_model_structure(m, HS_STRUCTURE_LABELS);
    const hs_sparse *j = f ? f->j : NULL;

    if (!j || s->is_random || s->is_metropolis || !(j->uniform > 0.0f) ||
        j->field || j->is_wide || f->states > HS_FEW)
        return NULL;
    for (int i = 0; i < j->dim; i++)
        if (j->start[i + 1] - j->start[i] > HS_WEIGHTED_DEGREE)
            return NULL;
    return f;
}

hiss_status hs_single_init(hs_single *s, const hs_model *m,
                           const hs_sampler *base, hiss_error *err)
{
    double updates = hs_sampler_number(base, "updates");

    s->is_metropolis = base->type == &hs_kernel_metropolis;
    s->is_random = hs_sampler_number(base, "scan") != 0.0 ||
                   (s->is_metropolis && updates > 0.0);
    s->updates = s->is_random && updates > 0.0 ? (int)updates : m->domain.dim;
    s->labels = find_labels(s, m);
    s->correct = hs_alloc_array(4, sizeof *s->correct);
    if (!s->correct)
        return hs_fail_memory(err);
    return hs_site_init(&s->site, m, err);
}

void hs_single_clear(hs_single *s)
{
    hs_site_clear(&s->site);
    hs_free(s->correct);
    *s = (hs_single){0};
}

/* Proposes the new value by the base, under exp(beta U). */
static hiss_status propose(hs_single *s, const hs_model *m, hs_tile *x, int i,
                           int64_t position, int16_t *to)
{
    const hs_float_row *logits = (const hs_float_row *)s->site.logits;
    const uint32_t *words, *decide;
    int states = m->domain.states[i];

    HS_TRY(hs_site_logits(&s->site, m, &s->tilt, x, i));
    hs_site_words(x, HS_DRAW_PROPOSE, position, s->site.words, &words);
    hs_site_ties(&s->site, x, m, i, position);
    if (s->is_metropolis) {
        hs_site_words(x, HS_DRAW_ACCEPT, position, s->site.more, &decide);
        hs_lanes()->metropolis_value(logits, states, x->at.x[i], words, decide,
                                     (const uint32_t(*)[HS_LANES])s->site.tie,
                                     s->is_random ? 1.0f : HS_METROPOLIS, to);
    } else {
        hs_lanes()->draw_value(logits, states, words, s->site.tie[0],
                               s->site.scratch, to);
    }
    return HISS_OK;
}

/* Takes back changes that h rejects. */
static void correct(hs_single *s, const hs_windows *windows, hs_tile *x, int i,
                    int64_t position, int16_t *to)
{
    const uint32_t *words;
    float log_u[HS_LANES];

    hs_site_words(x, HS_DRAW_SCALE, position, s->correct, &words);
    for (int l = 0; l < HS_LANES; l++)
        log_u[l] = (float)words[l] * 0x1p-32f + 0x1p-33f;
    hs_lanes()->log(log_u, log_u);
    for (int l = 0; l < HS_LANES; l++) {
        int16_t from = x->at.x[i][l];
        double u = x->at.u[l], ratio;

        if (to[l] == from)
            continue;
        ratio =
            hs_windows_log(windows, l, u + (double)s->site.change[to[l]][l]) -
            hs_windows_log(windows, l, u);
        if (!(ratio >= 0.0 || (double)log_u[l] < ratio))
            to[l] = from;
        else
            s->changed[l] += 1.0;
    }
}

static hiss_status visit(hs_single *s, const hs_model *m,
                         const hs_windows *windows, hs_tile *x, int i,
                         int64_t position)
{
    int16_t to[HS_LANES];

    HS_TRY(propose(s, m, x, i, position, to));
    correct(s, windows, x, i, position, to);
    hs_site_move(&s->site, m, x, i, to);
    return HISS_OK;
}

/* Makes all visits at once. */
static void sweep_labels(hs_single *s, const hs_model *m,
                         const hs_windows *windows, hs_tile *x)
{
    hs_weighted w = {.rng = &x->rng,
                     .site = m->order,
                     .visits = m->domain.dim,
                     .beta = windows->beta,
                     .from = windows->low,
                     .to = windows->high,
                     .is_target = windows->is_target};

    if (windows->w) {
        w.cells = windows->w->cells;
        w.low = windows->w->low;
        w.width = windows->w->width;
        w.at = windows->w->at;
        w.slope = windows->w->slope;
    }
    hs_lanes()->weighted_potts(s->labels->j, s->labels->states, &w, x->at.x,
                               x->at.u, s->changed);
    x->at.have = HS_U;
    hs_site_count(x, m, m->domain.dim);
}

hiss_status hs_single_sweep(hs_single *s, const hs_model *m,
                            const hs_windows *windows, hs_tile *x,
                            uint64_t steps)
{
    int64_t visits = s->updates;

    memcpy(s->tilt.beta, windows->beta, sizeof s->tilt.beta);
    memset(s->changed, 0, sizeof s->changed);
    if (s->labels) {
        sweep_labels(s, m, windows, x);
        return HISS_OK;
    }
    for (int64_t n = 0; n < visits; n++) {
        int i = s->is_random ? hs_site_random(x, m, n)
                : m->order   ? m->order[n]
                             : (int)n;

        HS_TRY(visit(s, m, windows, x, i, n));
        HS_TRY(hs_site_mend(m, x, steps, visits, n));
    }
    hs_site_count(x, m, visits);
    return hs_site_refresh(m, x, steps, visits);
}
