/* sweeps.c - the table of Gibbs sweeps, the choice among them, and code shared
 * by those that are lane primitives. */
#include "kernel/gibbs/sweeps/sweeps.h"

#include "base/error.h"
#include "kernel/gibbs/sweeps/site.h"
#include "lanes/lanes.h"

#define CHUNK  1024 /* visits at once, unless in order */
#define BLOCKS 16   /* blocks of shared random words, made at once */

#define HS_SWEEP(name) extern const hs_sweep hs_sweep_##name;
#include "kernel/gibbs/sweeps/sweeps.def"
#undef HS_SWEEP

const hs_sweep *const hs_sweeps[] = {
#define HS_SWEEP(name) &hs_sweep_##name,
#include "kernel/gibbs/sweeps/sweeps.def"
#undef HS_SWEEP
    NULL,
};

const hs_path *hs_sweep_choose(const hs_model *m, hs_tilt_form form,
                               bool is_ordered)
{
    for (const hs_sweep *const *s = hs_sweeps; *s; s++)
        if ((*s)->applies(m, form, is_ordered))
            return &(*s)->base;
    return NULL;
}

int hs_sweep_site(const hs_sweep_job *job, int64_t position)
{
    if (job->is_random)
        return hs_site_random(job->x, job->m, position);
    return job->order ? job->order[position] : (int)position;
}

/* Draws the sites of positions `first` on, a multiple of 4, like hs_site_random
 * but many at a time. */
static void draw_sites(const hs_sweep_job *job, int64_t first, int count,
                       int *site)
{
    hs_rng rng = {
        .seed = job->x->rng.seed, .clock = job->x->rng.clock, .lanes = 1};
    uint32_t words[4 * BLOCKS][HS_LANES];

    for (int l = 0; l < HS_LANES; l++)
        rng.chain[l] = HS_SHARED_CHAIN;
    for (int n = 0; n < count; n++) {
        if (n % (4 * BLOCKS) == 0)
            hs_lanes()->philox(&rng, HS_DRAW_SITE, (uint32_t)(first + n) / 4,
                               BLOCKS, words);
        site[n] = hs_below(words[n % (4 * BLOCKS)][0], job->m->domain.dim);
    }
}

void hs_sweep_visit(const hs_sweep_job *job, hs_sweep_draw *draw, void *state)
{
    hs_tile *x = job->x;
    int64_t chunk = job->order ? job->visits : CHUNK;
    int site[CHUNK];

    for (int64_t first = 0; first < job->visits; first += chunk) {
        int64_t left = job->visits - first;
        int count = (int)(left < chunk ? left : chunk);
        hs_visits v = {.rng = &x->rng,
                       .site = job->order ? job->order : site,
                       .first = (int)first,
                       .count = count,
                       .apart = job->apart,
                       .beta = job->t->beta,
                       .phi = (const hs_float_row *)job->t->phi,
                       .changed = job->changed,
                       .sum = job->is_summed ? x->sum : NULL,
                       .weight = x->weight,
                       .is_metropolis = job->is_metropolis && !job->is_random};

        if (job->is_random)
            draw_sites(job, first, count, site);
        for (int n = 0; !job->order && !job->is_random && n < count; n++)
            site[n] = (int)(first + n);
        draw(state, &x->at, &v);
    }
}

void hs_sweep_gain(hs_point *p, float scale, const double *gain)
{
    for (int l = 0; gain && l < HS_LANES; l++)
        p->u[l] += gain[l] / (double)scale;
    p->have = gain ? HS_U : 0;
}

hiss_status hs_sweep_finish(const hs_sweep_job *job)
{
    HS_TRY(hs_model_evaluate(job->m, &job->x->at, HS_U));
    return hs_tile_check(job->x, &job->x->at);
}
