/* few.c - chooses a way to make steps of few chains. */
#include "kernel/gibbs/sweeps/few.h"

#include "base/alloc.h"
#include "base/error.h"
#include "kernel/gibbs/sweeps/site.h"

#define HS_FEW_WAY(name) extern const hs_few_way hs_few_way_##name;
#include "kernel/gibbs/sweeps/few.def"
#undef HS_FEW_WAY

static const hs_few_way *const ways[] = {
#define HS_FEW_WAY(name) &hs_few_way_##name,
#include "kernel/gibbs/sweeps/few.def"
#undef HS_FEW_WAY
    NULL,
};

void hs_few_choose(hs_few_ways *f, const hs_model *m)
{
    for (const hs_few_way *const *w = ways; *w && !f->way; w++)
        if ((*w)->applies(m))
            f->way = *w;
}

void hs_few_clear(hs_few_ways *f)
{
    if (f->state && f->way->base.clear)
        f->way->base.clear(f->state);
    hs_free(f->state);
    *f = (hs_few_ways){0};
}

bool hs_few_applies(const hs_few_ways *f, const hs_tile *x)
{
    return f->way && x->lanes <= f->way->chains;
}

/* Allocates only when a run has few chains: pilots and nested kernels make no
 * steps this way. */
static hiss_status make_state(hs_few_ways *f, const hs_model *m)
{
    hiss_status rc;

    if (f->state)
        return HISS_OK;
    f->state = hs_alloc_array(1, f->way->base.size);
    if (!f->state)
        return HISS_ENOMEM;
    rc = f->way->base.init(f->state, m, NULL);
    if (rc != HISS_OK) {
        f->way->base.clear(f->state);
        hs_free(f->state);
        f->state = NULL;
    }
    return rc;
}

hiss_status hs_few_walk(hs_few_ways *f, const hs_sweep_job *job)
{
    HS_TRY(make_state(f, job->m));
    return f->way->walk(f->state, job);
}

hiss_status hs_few_make(hs_few_ways *f, const hs_paths *sweeps, hs_kernel *k,
                        hs_sweep_job *job, bool is_few)
{
    hs_tilt_form form = hs_tilt_form_of(job->t);
    const hs_sweep *way = (const hs_sweep *)sweeps->path[form];
    hs_tile *x = job->x;
    double changed[HS_LANES] = {0};

    job->changed = changed;
    hs_tile_tick(x);
    hs_site_count(x, job->m, job->visits * job->count);
    x->summed += job->is_summed ? (int)job->count : 0;
    if (is_few)
        HS_TRY(hs_few_walk(f, job));
    else
        HS_TRY(way->sweep(sweeps->state[form], job));
    x->rng.clock += (uint64_t)job->count - 1;
    for (int l = 0; l < x->lanes; l++) {
        k->lane[HS_PROPOSED][l] += (double)job->visits * (double)job->count;
        k->lane[HS_ACCEPTED][l] += changed[l];
    }
    return HISS_OK;
}

hiss_status hs_few_flush(hs_few_ways *f, const hs_model *m, hs_tile *x)
{
    return f->state ? f->way->flush(f->state, m, x) : HISS_OK;
}
