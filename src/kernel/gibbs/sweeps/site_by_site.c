/* site_by_site.c - uses differences and moves of the model (site.h): any
 * model. */
#include "kernel/gibbs/sweeps/site.h"
#include "base/error.h"
#include "kernel/gibbs/sweeps/sweeps.h"
#include "lanes/lanes.h"

static bool site_by_site_applies(const hs_model *m, hs_tilt_form form,
                                 bool is_ordered)
{
    (void)m;
    (void)is_ordered;
    return form != HS_TILT_FACTORS;
}

static hiss_status site_by_site_init(void *state, const hs_model *m,
                                     hiss_error *err)
{
    return hs_site_init(state, m, err);
}

static void site_by_site_clear(void *state)
{
    hs_site_clear(state);
}

/* Uses the weights that draw_value has left. */
static void add_many(const hs_site *s, const hs_domain *d, hs_tile *x, int i)
{
    const hs_float_row *weight = (const hs_float_row *)s->scratch;
    double total[HS_LANES] = {0};

    for (int v = 0; v < d->states[i]; v++)
        for (int l = 0; l < HS_LANES; l++)
            total[l] += (double)weight[v][l];
    for (int v = 0; v < d->states[i]; v++)
        for (int l = 0; l < HS_LANES; l++)
            x->sum[d->value[i] + v][l] +=
                x->weight[l] * (float)((double)weight[v][l] / total[l]);
}

/* Uses the partial sums that draw_value has left, the last being the total. */
static void add_conditional(const hs_site *s, const hs_domain *d, hs_tile *x,
                            int i)
{
    const hs_float_row *upto = (const hs_float_row *)s->scratch;
    int states = d->states[i];
    bool has_two = d->states_max == 2 && d->value_count == 2 * d->dim;

    if (states > HS_FEW) {
        add_many(s, d, x, i);
        return;
    }
    for (int v = has_two ? 1 : 0; v < states; v++) {
        float *sum = x->sum[has_two ? i : d->value[i] + v];

        for (int l = 0; l < HS_LANES; l++)
            sum[l] += x->weight[l] *
                      (upto[v][l] - (v > 0 ? upto[v - 1][l] : 0.0f)) /
                      upto[states - 1][l];
    }
}

/* Adds the weight of the present values. */
static void add_value(const hs_domain *d, hs_tile *x, int i)
{
    bool has_two = d->states_max == 2 && d->value_count == 2 * d->dim;

    for (int l = 0; l < HS_LANES; l++) {
        int v = x->at.x[i][l];

        if (v > 0 || !has_two)
            x->sum[has_two ? i : d->value[i] + v][l] += x->weight[l];
    }
}

/* Draws new values by Metropolis. */
static void propose(hs_site *s, const hs_sweep_job *job, int i,
                    int64_t position, const uint32_t *words, int16_t *to)
{
    hs_tile *x = job->x;
    const uint32_t *decide;

    hs_site_words(x, HS_DRAW_ACCEPT, position, s->more, &decide);
    hs_lanes()->metropolis_value((const hs_float_row *)s->logits,
                                 job->m->domain.states[i], x->at.x[i], words,
                                 decide, (const uint32_t(*)[HS_LANES])s->tie,
                                 job->is_random ? 1.0f : HS_METROPOLIS, to);
}

static hiss_status update(hs_site *s, const hs_sweep_job *job, int64_t position)
{
    const hs_model *m = job->m;
    hs_tile *x = job->x;
    int i = hs_sweep_site(job, position);
    const uint32_t *words;
    int16_t to[HS_LANES];
    int32_t changed[HS_LANES];

    HS_TRY(hs_site_logits(s, m, job->t, x, i));
    hs_site_words(x, HS_DRAW_PROPOSE, position, s->words, &words);
    hs_site_ties(s, x, m, i, position);
    if (job->is_metropolis)
        propose(s, job, i, position, words, to);
    else
        hs_lanes()->draw_value((const hs_float_row *)s->logits,
                               m->domain.states[i], words, s->tie[0],
                               s->scratch, to);
    if (job->is_summed && !job->is_metropolis)
        add_conditional(s, &m->domain, x, i);
    for (int l = 0; l < HS_LANES; l++)
        changed[l] = to[l] != x->at.x[i][l];
    for (int l = 0; l < HS_LANES; l++) /* separate loops, so that both become
                                          vector code */
        job->changed[l] += (double)changed[l];
    hs_site_move(s, m, x, i, to);
    if (job->is_summed && job->is_metropolis)
        add_value(&m->domain, x, i);
    return HISS_OK;
}

static hiss_status site_by_site_sweep(void *state, const hs_sweep_job *job)
{
    HS_TRY(hs_tile_evaluate(job->x, job->m, &job->x->at, HS_U));
    for (int64_t n = 0; n < job->visits; n++) {
        HS_TRY(update(state, job, n));
        HS_TRY(hs_site_mend(job->m, job->x, job->steps, job->visits, n));
    }
    return hs_site_refresh(job->m, job->x, job->steps, job->visits);
}

const hs_sweep hs_sweep_site_by_site = {
    .base = {.name = "site-by-site",
             .size = sizeof(hs_site),
             .init = site_by_site_init,
             .clear = site_by_site_clear},
    .applies = site_by_site_applies,
    .sweep = site_by_site_sweep,
};
