/* independent.c - every step is a fresh draw, by elimination or by counting.
 *
 * The tables of exact/descent.h, or its count, are made once for all chains.  A
 * draw then costs about as much as a sweep of single sites.  It ignores the
 * present state, so there is neither warm-up nor correlation.
 *
 * The tables belong to the target.  Draws at another temperature or under phi
 * are impossible, so this kernel cannot be nested. */
#include "base/alloc.h"
#include "base/error.h"
#include "kernel/gibbs/fresh.h"
#include "kernel/kernel.h"

static hiss_status independent_setup(hs_kernel *k, const hs_model *m,
                                     hiss_error *err)
{
    const hs_descent_request alone = {.threads = 1};
    hs_fresh *s = k->state;
    size_t states = (size_t)m->domain.states_max;

    HS_TRY(hs_descent_hold(&s->descent, m, &alone, err));
    if (s->descent->counted)
        return hs_count_walk_init(&s->walk, s->descent->counted, err);
    s->weight = hs_alloc_array(states, sizeof *s->weight);
    s->logits = hs_alloc_array(2 * states, sizeof *s->logits);
    return s->weight && s->logits ? HISS_OK : hs_fail_memory(err);
}

static void independent_clear(hs_kernel *k)
{
    hs_fresh *s = k->state;

    hs_descent_release(s->descent);
    hs_count_walk_clear(&s->walk);
    hs_free(s->weight);
    hs_free(s->logits);
}

static hiss_status independent_step(hs_kernel *k, const hs_model *m,
                                    const hs_tilt *t, hs_tile *x)
{
    hs_fresh *s = k->state;

    (void)t;
    hs_tile_tick(x);
    hs_fresh_draw(s, &m->domain, x);
    for (int l = 0; l < x->lanes; l++) {
        k->lane[HS_PROPOSED][l] += 1.0;
        k->lane[HS_ACCEPTED][l] += 1.0;
    }
    hs_tile_count_sites(x, m, s->descent->cost * m->domain.dim);
    x->at.have = 0;
    HS_TRY(hs_model_evaluate(m, &x->at, HS_U));
    return hs_tile_check(x, &x->at);
}

/* The number of entries that a draw sums. */
static int independent_work(const hs_kernel *k, const hs_model *m,
                            hs_work *part)
{
    const hs_descent *d = ((const hs_fresh *)k->state)->descent;
    double entries = 0.0;

    (void)m;
    for (int n = 0; n < d->count; n++)
        entries += (double)d->stop[n].parts * d->stop[n].states;
    part[0] = (hs_work){.times = 1.0, .amount = entries, .is_by_lane = true};
    return 1;
}

static hs_traits independent_traits(const hs_kernel *k)
{
    (void)k;
    return (hs_traits){
        .exact = true, .reversible = true, .homogeneous = true, .period = 1};
}

static const hs_option independent_options[] = {{0}};

const hs_kernel_type hs_kernel_independent = {
    .name = "independent",
    .summary =
        "independent draws by elimination or counting, where memory is enough",
    .is_outermost = true,
    .size = sizeof(hs_fresh),
    .options = independent_options,
    .setup = independent_setup,
    .step = independent_step,
    .clear = independent_clear,
    .traits = independent_traits,
    .work = independent_work,
};
