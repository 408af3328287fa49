/* walk.cu - steps of a tree of kernels, for all lanes. */
#include "cuda/compose/walk.h"

#include "cuda/compose/replay.h"
#include "cuda/compose/resident.h"

/* A thread per chain fills a card with so many chains; with fewer, phases share
 * out the sites, which pays where a chain has so many that walking them takes
 * longer than the launches of a step (0.07 us a site, 0.1 ms). */
#define MANY_CHAINS 2048
#define MANY_SITES  1536

static void step(hs_card_walk *w, int n, const hs_card_tilt *tilt);

void hs_card_walk_want(hs_card_walk *w, int want)
{
    int missing = want & ~w->has;

    if (missing)
        hs_card_evaluate(w->group, &w->work, &w->work.at, missing);
    w->has |= want;
}

/* What the node learns after so many steps. */
static void teach(hs_card_group *g, uint64_t made)
{
    const hs_device_lesson *l = g->sampler.lesson;

    for (int n = HS_DEVICE_LESSONS - 1; n >= 0; n--)
        if ((int64_t)made < l[n].until)
            g->lesson = l[n];
    if (g->lesson.balances)
        g->tried = (int)(made % (uint64_t)g->lesson.balances);
}

/* The group as node n sees it. */
static hs_card_group group_of(const hs_card_walk *w, int n,
                              const hs_card_tilt *tilt)
{
    hs_card_group g = *w->group;

    g.sampler = w->node[n];
    g.tilt = *tilt;
    g.lanes.changed += (int64_t)n * g.tiles;
    if (w->is_pilot)
        teach(&g, w->made[n]);
    return g;
}

static int is_flat(const hs_card_tilt *tilt)
{
    return !tilt->phi && !tilt->factor;
}

/* Heat baths and Metropolis: U is made afresh behind them, when it is asked
 * for. */
static void visit(hs_card_walk *w, int n, const hs_card_tilt *tilt)
{
    hs_card_group g = group_of(w, n, tilt);
    hs_card_steps s;

    s.clock = w->clock++;
    s.count = 1;
    s.is_summed = w->is_summed && g.sampler.has_sums && is_flat(tilt);
    w->summed += s.is_summed;
    if (g.sampler.step == HS_DEVICE_METROPOLIS)
        hs_card_metropolis(&g, &s);
    else if (g.sampler.step == HS_DEVICE_GIBBS_VALUES)
        hs_card_gibbs_values(&g, &s);
    else if (is_flat(tilt))
        w->sweep(w->context, &g, &s);
    else
        hs_card_gibbs_pairs(&g, &s);
    w->has = 0;
}

/* Whether node n makes its steps with a bit per site, and many at once. */
static int is_lattice(const hs_card_walk *w, int n)
{
    const hs_device_sampler *s = &w->node[n];

    if (w->lattice.groups == 0)
        return 0;
    if (s->step == HS_DEVICE_LANGEVIN)
        return s->path == HS_DEVICE_REGULAR &&
               (hs_card_lanes(w->group) >= MANY_CHAINS ||
                w->group->model.dim <= MANY_SITES);
    return s->step == HS_DEVICE_HISS && !s->is_palindrome &&
           s->inner == HS_DEVICE_TILT_FACTORS &&
           w->node[n + 1].step == HS_DEVICE_LANGEVIN;
}

static void lattice(hs_card_walk *w, int n, const hs_card_tilt *tilt,
                    int64_t count, int is_summed)
{
    hs_card_group g = group_of(w, n, tilt);
    hs_card_steps s;

    hs_card_walk_want(w, HS_CARD_U);
    s.clock = w->clock;
    s.count = count;
    s.is_summed = is_summed;
    w->clock += (uint64_t)count;
    if (g.sampler.step == HS_DEVICE_LANGEVIN) {
        hs_card_lattice_langevin(&g, &w->lattice, &s, w->made[n]);
    } else {
        hs_card_group inner = group_of(w, n + 1, tilt);
        uint64_t steps =
            (uint64_t)(count * g.sampler.sweeps) * (uint64_t)g.sampler.steps;

        hs_card_lattice_hiss(&g, &inner, &w->lattice, &s);
        w->clock += (uint64_t)(count * (g.sampler.sweeps - 1)) + steps;
        w->made[n + 1] += steps;
    }
    w->made[n] += (uint64_t)count;
}

/* States of a lattice are counted on the way, once a step, as on the processor
 * (kernel/langevin/paths/byte_states.c). */
static void langevin(hs_card_walk *w, int n, const hs_card_tilt *tilt)
{
    hs_card_group g = group_of(w, n, tilt);

    hs_card_walk_want(w, HS_CARD_U | HS_CARD_GRAD);
    w->clock++;
    hs_card_langevin(&g, &w->work, w->clock, w->made[n]);
    if (w->is_summed && w->summed == 0 && g.sampler.has_sums) {
        hs_card_count_states(&g, &w->work);
        w->summed++;
    }
}

static void gwg(hs_card_walk *w, int n, const hs_card_tilt *tilt)
{
    hs_card_group g = group_of(w, n, tilt);

    hs_card_walk_want(w, HS_CARD_U | HS_CARD_GRAD);
    w->clock++;
    hs_card_gwg(&g, &w->work, w->clock);
}

/* Pointers that the tilt of this node has. */
static hs_card_tilt tilt_of(const hs_card_walk *w, int n)
{
    hs_card_tilt t = w->tilt;
    hs_device_tilt form = w->node[n].inner;

    if (form == HS_DEVICE_TILT_FACTORS)
        t.phi = t.slope = NULL;
    else
        t.factor = NULL;
    if (form != HS_DEVICE_SLOPE)
        t.slope = NULL;
    return t;
}

/* y, which inner steps would overwrite: aside, and back. */
static void set_aside(const hs_card_walk *w, int is_back)
{
    const hs_card_work *k = &w->work;
    size_t bytes =
        (size_t)w->group->tiles * (size_t)w->group->model.dim * sizeof *k->kept;

    cudaMemcpyAsync(is_back ? k->y.x : k->kept, is_back ? k->kept : k->y.x,
                    bytes, cudaMemcpyDeviceToDevice, 0);
}

static void refine(hs_card_walk *w, int n, const hs_card_tilt *tilt)
{
    for (int i = 0; i < w->node[n].steps; i++)
        step(w, n + 1, tilt);
}

static void sweep_hiss(hs_card_walk *w, int n, const hs_card_tilt *flat)
{
    hs_card_group g = group_of(w, n, flat);
    hs_card_tilt tilt = tilt_of(w, n);
    int want = HS_CARD_U | HS_CARD_GRAD;

    w->clock++;
    hs_card_noise(&g, &w->work, &tilt, w->clock);
    if (g.sampler.is_palindrome) {
        set_aside(w, 0);
        refine(w, n, &tilt);
        w->clock++;
        set_aside(w, 1);
        hs_card_follow(&g, &w->work);
    }
    hs_card_walk_want(w, HS_CARD_U);
    hs_card_evaluate(&g, &w->work, &w->work.y, want);
    hs_card_jump(&g, &w->work, w->clock);
    w->has &= want;
    refine(w, n, &tilt);
}

/* One for all lanes (kernel/compose/mix.c). */
static int pick_component(hs_card_walk *w, int n)
{
    const hs_device_sampler *s = &w->node[n];
    philox_at at;
    uint32_t word[4];
    double target = 0.0;
    int pick = 0, child = n + 1;

    w->clock++;
    at = philox_begin(w->group->seed, w->clock, HS_SHARED_CHAIN, 0,
                      HS_DRAW_COMPONENT);
    philox_four(&at, 0, word);
    for (int i = 0; i < s->children; i++)
        target += s->weights[i];
    target *= ((double)word[0] + 0.5) * 0x1p-32;
    for (; pick < s->children - 1 && target >= s->weights[pick]; pick++) {
        target -= s->weights[pick];
        child = w->node[child].next;
    }
    return child;
}

static void step(hs_card_walk *w, int n, const hs_card_tilt *tilt)
{
    const hs_device_sampler *s = &w->node[n];

    if (is_lattice(w, n)) {
        int is_summed = w->is_summed && w->summed == 0 && s->has_sums;

        lattice(w, n, tilt, 1, is_summed);
        w->summed += is_summed;
        return;
    }
    switch (s->step) {
    case HS_DEVICE_GIBBS_PAIRS:
    case HS_DEVICE_GIBBS_VALUES:
    case HS_DEVICE_GIBBS_PACKED: /* alone, and not here */
    case HS_DEVICE_METROPOLIS:
        visit(w, n, tilt);
        break;
    case HS_DEVICE_LANGEVIN:
        langevin(w, n, tilt);
        break;
    case HS_DEVICE_GWG:
        gwg(w, n, tilt);
        break;
    case HS_DEVICE_HISS:
        for (int i = 0; i < s->sweeps; i++)
            sweep_hiss(w, n, tilt);
        break;
    case HS_DEVICE_SEQUENCE:
        for (int i = 0, child = n + 1; i < s->children; i++) {
            step(w, child, tilt);
            child = w->node[child].next;
        }
        break;
    case HS_DEVICE_MIX:
        step(w, pick_component(w, n), tilt);
        break;
    }
    w->made[n]++;
}

static const hs_card_tilt flat = {NULL, NULL, NULL, NULL, NULL, 0};

static void step_root(hs_card_walk *w)
{
    step(w, 0, &flat);
}

static int has_failed(const hs_card_walk *w)
{
    return w->group->whole && hs_whole_has_failed(w->group->whole);
}

void hs_card_walk_steps(hs_card_walk *w, const hs_card_steps *s)
{
    w->clock = s->clock;
    w->is_summed = s->is_summed;
    if (is_lattice(w, 0)) {
        w->summed = s->is_summed && (w->node[0].has_sums || !w->couples);
        lattice(w, 0, &flat, s->count, w->summed);
        return;
    }
    for (int64_t i = 0; i < s->count && !has_failed(w);) {
        int64_t made = hs_card_resident(w, s->count - i);

        if (made == 0)
            made = hs_card_replay(w, s->count - i, step_root);
        w->summed = 0;
        if (made == 0)
            step_root(w);
        i += made ? made : 1;
        if (w->is_summed && w->summed == 0 && !w->couples)
            hs_card_count_states(w->group, &w->work);
    }
}
