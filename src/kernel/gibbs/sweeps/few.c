/* few.c - chooses a way to make steps of few chains. */
#include "kernel/gibbs/sweeps/few.h"

#include "base/alloc.h"
#include "base/error.h"

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

hiss_status hs_few_flush(hs_few_ways *f, const hs_model *m, hs_tile *x)
{
    return f->state ? f->way->flush(f->state, m, x) : HISS_OK;
}
