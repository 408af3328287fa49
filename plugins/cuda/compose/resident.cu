/* resident.cu - steps of networks that stay on the chip. */
#include "cuda/compose/resident.h"

#include "cuda/compose/resident_phases.h"
#include "cuda/network/tall_tile.h"

#if defined(__CUDACC__)
/* SLICES 0: tall */
#  define SHAPE template <int STEPS, int SLICES, int WARP_GROUPS>
#  define OF    <STEPS, SLICES, WARP_GROUPS>
#else
#  define SHAPE
#  define OF
#endif

HS_ON_CARD resident resident_of(const hs_card_group *outer,
                                const hs_card_group *inner,
                                const hs_card_network *n,
                                const hs_resident *job, uint32_t *shared,
                                int64_t number, int rank)
{
    int share = n->share, chunks = HS_RESIDENT_RANKS * n->warp_groups;
    float *arrays;
    resident a;

    a.outer = outer;
    a.inner = inner;
    a.n = n;
    a.number = number;
    a.tile = number / HS_LANES;
    a.lane = (int)(number % HS_LANES);
    a.rank = rank;
    a.groups = share / 4;
    a.turn = 0;
    a.is_tilted = job->is_hiss;
    a.y = job->y;
    a.shared = shared;
    arrays = (float *)((uint8_t *)shared + hs_warp_groups_bytes(n));
    a.row = arrays;
    a.phi = arrays + share;
    a.part = arrays + 2 * share;
    a.now = (uint32_t *)(a.part + chunks * share);
    a.next = a.now + share / 32;
    /* an even number of words lies before */
    a.numbers = (hs_resident_numbers *)(a.next + 2 * resident_words(&a) +
                                        share / 32 % 2);
#if defined(__CUDACC__)
    a.thread = (int)threadIdx.x;
    a.threads = (int)blockDim.x;
#else
    a.thread = 0;
    a.threads = 1;
#endif
    return a;
}

/* All threads of a team wait for each other. */
HS_ON_CARD void meet(void)
{
    HS_SYNC_WARP();
    hs_team_meet();
}

#if defined(__CUDACC__)
/* The state y of a team. */
struct resident_bits {
    const uint32_t *word;
    __device__ int operator()(int i) const
    {
        return (int)(word[i >> 5] >> (i & 31) & 1);
    }
};

/* Where a warp group's part of the gradient goes: to the block that has the
 * coordinate. */
struct resident_part {
    const resident *a;
    float *own; /* of this warp group */
    __device__ void operator()(int i, float v) const
    {
        int share = a->groups * 4, rank = i >= share;
        float *to = own + (rank ? i - share : i);

        if (rank == a->rank)
            *to = v;
        else
            hs_team_write(a->shared, 0, rank, (int)((uint32_t *)to - a->shared),
                          (uint32_t)__float_as_int(v));
    }
};

/* As edges.cu packs them. */
template <int STEPS>
HS_ON_CARD void resident_weights(const hs_card_network *n, resident_bits state,
                                 struct wide_mine<STEPS> *m)
{
    int hidden = n->form.hidden;

    HS_UNROLL
    for (int k = 0; k < STEPS * 4; k++) {
        int j = m->warp * 16 + m->lane / 4 + k % 2 * 8;
        int first = k / 4 * 32 + m->lane % 4 * 4 + k % 4 / 2 * 16;
        uint32_t word = 0;

        HS_UNROLL
        for (int b = 0; b < 4; b++) {
            int is_there = j < hidden && first + b < n->form.inputs;
            int bit = state(is_there ? (first + b) * hidden + j : 0);

            word |= (is_there ? bit ? 0x01u : 0xffu : 0u) << b * 8;
        }
        m->weight[k / 4][k % 4] = word;
    }
}

/* Bytes of a warp group, and behind its tiles. */
HS_ON_CARD uint8_t *warp_group_bytes(const resident *a, int warp_group)
{
    return (uint8_t *)a->shared + warp_group * hs_warp_group_bytes(a->n);
}

HS_ON_CARD void *warp_group_shared(const resident *a, int warp_group)
{
    return warp_group_bytes(a, warp_group) + 2 * a->n->bytes;
}

/* Of a wide network.  Void rows of two warp groups are not in the same quarter
 * of the multiprocessor. */
SHAPE HS_ON_CARD void evaluate_wide(const resident *a, struct wide_places *p)
{
    struct wide_mine<STEPS> m;
    const hs_card_network *n = a->n;
    resident_bits state = {resident_next(a)};
    resident_part part;
    int chunk;
    double loss;
    float base;

    m.warp_group = of_warp(a->thread / HS_WIDE_THREADS);
    m.thread = a->thread % HS_WIDE_THREADS;
    m.lane = a->thread % 32;
    m.warp = of_warp(m.thread / 32) ^ (m.warp_group % 2 * 2);
    chunk = a->rank * WARP_GROUPS + m.warp_group;
    resident_weights<STEPS>(n, state, &m);
    wide_begin<STEPS>(n, state, &m);
    wide_tiles<STEPS, SLICES>(
        n, &m, (wide_shared *)warp_group_shared(a, m.warp_group), p, NULL, 1);
    loss = wide_totals<STEPS>(&m, &base);
    if (m.thread == 0)
        resident_send_double(a, &a->numbers->loss[chunk], loss);
    part.a = a;
    part.own = a->part + chunk * a->groups * 4;
    wide_write<STEPS>(n, &m, part, base);
}

/* Of a tall one. */
SHAPE HS_ON_CARD void evaluate_tall(const resident *a, struct wide_places *p)
{
    tall_mine m;
    const hs_card_network *n = a->n;
    resident_bits state = {resident_next(a)};
    uint8_t *weight = warp_group_bytes(a, WARP_GROUPS);
    resident_part part;
    tall_shared *s;
    int chunk;
    double loss;
    float base;

    m.warp_group = of_warp(a->thread / HS_TALL_THREADS);
    m.thread = a->thread % HS_TALL_THREADS;
    m.lane = a->thread % 32;
    m.warp = of_warp(m.thread / 32);
    s = (tall_shared *)warp_group_shared(a, m.warp_group);
    chunk = a->rank * WARP_GROUPS + m.warp_group;
    tall_weights(n, state, weight, a->thread, a->threads);
    HS_SYNC();
    tall_begin(&m, state(n->dim - 1));
    tall_tiles(n, &m, s, p, weight, NULL);
    loss = tall_totals(&m, s, &base);
    if (m.thread == 0)
        resident_send_double(a, &a->numbers->loss[chunk], loss);
    part.a = a;
    part.own = a->part + chunk * a->groups * 4;
    tall_write(n, &m, s, state, part, base);
}

SHAPE HS_ON_CARD void evaluate(const resident *a, struct wide_places *p)
{
    if constexpr (SLICES == 0)
        evaluate_tall OF(a, p);
    else
        evaluate_wide OF(a, p);
}

static __host__ __device__ constexpr int warp_group_threads(int slices)
{
    return slices ? HS_WIDE_THREADS : HS_TALL_THREADS;
}

SHAPE HS_ON_CARD void begin(const resident *a, struct wide_places *p, int times)
{
    int warp_group = of_warp(a->thread / warp_group_threads(SLICES));
    uint64_t *arrival =
        SLICES ? ((wide_shared *)warp_group_shared(a, warp_group))->arrival
               : ((tall_shared *)warp_group_shared(a, warp_group))->arrival;

    *p = wide_places_of(a->n, a->rank * WARP_GROUPS + warp_group,
                        warp_group_bytes(a, warp_group), arrival, times);
    if (a->thread % warp_group_threads(SLICES) == fetcher(warp_group))
        fetch_first(p);
    HS_SYNC();
}

/* The sum of a number of all threads, to thread 0. */
HS_ON_CARD double block_sum(const resident *a, double own)
{
    double *sum = a->numbers->sum;

    HS_UNROLL
    for (int d = 1; d < 32; d *= 2)
        own = own + __shfl_xor_sync(0xffffffffu, own, d);
    if (a->thread % 32 == 0)
        sum[a->thread / 32] = own;
    HS_SYNC();
    for (int w = 1; a->thread == 0 && w < a->threads / 32; w++)
        own = own + sum[w];
    return own;
}

/* How many bits of y are 1. */
HS_ON_CARD int count_ones(const resident *a)
{
    const uint32_t *next = resident_next(a);
    int ones = 0;

    for (int w = a->thread % 32; w < resident_words(a); w += 32)
        ones += __popc(next[w]);
    return add_whole(ones);
}
#else
static void evaluate(const resident *a, struct wide_places *p)
{
    const uint32_t *next = resident_next(a);

    (void)p;
    for (int i = 0; i < a->n->dim; i++)
        a->y[(a->tile * a->n->dim + i) * HS_LANES + a->lane] =
            (int16_t)(next[i / 32] >> i % 32 & 1);
    a->numbers->loss[0] = hs_plain_lane(a->n, a->y, a->number, a->part);
}

static void begin(const resident *a, struct wide_places *p, int times)
{
    (void)a, (void)p, (void)times;
}

static double block_sum(const resident *a, double own)
{
    (void)a;
    return own;
}

static int count_ones(const resident *a)
{
    int ones = 0;

    for (int w = 0; w < resident_words(a); w++)
        ones += HS_POPULATION(resident_next(a)[w]);
    return ones;
}
#endif

/* U of y. */
HS_ON_CARD double energy(const resident *a)
{
    const hs_card_network *n = a->n;
    double loss = 0.0, on = 0.0;

    if (n->form.lambda != 0.0)
        on = (double)count_ones(a);
    for (int c = 0; c < HS_RESIDENT_RANKS * n->warp_groups; c++)
        loss = loss + a->numbers->loss[c];
    return -n->form.scale * loss - n->form.lambda * on;
}

/* While others propose; it is seen when the team has met. */
HS_ON_CARD void draw_decision(const resident *a, const hs_card_group *g,
                              uint64_t clock)
{
    if (a->thread == a->threads - 1)
        a->numbers->log_uniform[a->turn % 2] =
            hs_card_log_uniform(g, a->number, clock);
}

/* As hs_card_decide; every thread of a team for itself, by the same numbers. */
HS_ON_CARD void decide(resident *a, const hs_card_group *g, double terms,
                       int node)
{
    float beta = g->lanes.beta[0][a->number];
    double u = energy(a), ratio = HS_MINUS_INFINITY;
    int accept;

    if (u != HS_MINUS_INFINITY)
        ratio =
            hs_card_tempered(beta, u) - hs_card_tempered(beta, a->u) + terms;
    accept = g->sampler.is_adjusted
                 ? ratio >= 0.0 || a->numbers->log_uniform[a->turn % 2] < ratio
                 : ratio != HS_MINUS_INFINITY;
    a->changed[node] += (double)accept;
    if (accept) {
        a->u = u;
        resident_move(a);
    }
    HS_SYNC_WARP();
    a->turn++;
}

SHAPE HS_ON_CARD void langevin(resident *a, struct wide_places *p,
                               uint64_t clock, uint64_t made)
{
    const hs_device_sampler *s = &a->inner->sampler;
    int position =
        s->cycle > 0 ? (int)(made / (uint64_t)s->hold % (uint64_t)s->cycle) : 0;
    hs_card_law law = hs_card_law_at(a->inner, a->number, clock, position);
    double *log_q = a->numbers->log_q;
    double sum, terms = 0.0;

    draw_decision(a, a->inner, clock);
    sum = resident_propose(a, &law, clock);
    meet();
    evaluate OF(a, p);
    meet();
    sum = block_sum(a, sum + resident_go_back(a, &law));
    if (a->thread == 0)
        resident_send_double(a, &log_q[a->rank], sum);
    meet();
    for (int r = 0; r < HS_RESIDENT_RANKS; r++)
        terms = terms + log_q[r];
    decide(a, a->inner, terms, 1);
}

SHAPE HS_ON_CARD void jump(resident *a, struct wide_places *p, uint64_t clock)
{
    draw_decision(a, a->outer, clock);
    resident_noise(a, clock);
    meet();
    evaluate OF(a, p);
    meet();
    resident_go_back(a, NULL);
    decide(a, a->outer, 0.0, 0);
}

SHAPE HS_ON_CARD void walk_steps(resident *a, struct wide_places *p,
                                 const hs_resident *job)
{
    uint64_t clock = job->clock, made = job->made;

    HS_UNROLL_NOT
    for (int n = 0; n < job->count * job->sweeps; n++) {
        if (job->is_hiss)
            jump OF(a, p, ++clock);
        HS_UNROLL_NOT
        for (int k = 0; k < job->each; k++)
            langevin OF(a, p, ++clock, made++);
    }
}

SHAPE HS_ON_CARD void stay(const hs_card_group *outer,
                           const hs_card_group *inner, const hs_card_network *n,
                           const hs_resident *job, uint32_t *shared)
{
    int64_t number = n->lane[hs_team_number(HS_RESIDENT_RANKS)];

    HS_EACH_RANK(rank, HS_RESIDENT_RANKS)
    {
        resident a = resident_of(outer, inner, n, job, shared, number, rank);
        struct wide_places p;

        begin OF(&a, &p, job->count * job->sweeps * (job->each + job->is_hiss));
        resident_load(&a, job);
        a.u = inner->lanes.u[0][number];
        a.changed[0] = a.changed[1] = 0.0;
        meet(); /* all blocks are there, and can be written to */
        walk_steps OF(&a, &p, job);
        resident_store(&a, job);
        if (a.thread == 0 && rank == 0) {
            inner->lanes.u[0][number] = a.u;
            outer->lanes.changed[0][number] += a.changed[0];
            inner->lanes.changed[0][number] += a.changed[1];
        }
    }
}

#if defined(__CUDACC__)
SHAPE static __global__ void __launch_bounds__(
    WARP_GROUPS *warp_group_threads(SLICES), 1)
    steps_on_chip(hs_card_group outer, hs_card_group inner, hs_card_network n,
                  hs_resident job)
{
    extern __shared__ __align__(128) uint8_t bytes[];
#  if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    stay OF(&outer, &inner, &n, &job, (uint32_t *)bytes);
#  endif
}

#  define LAUNCH(steps_, slices_, warp_groups_, is_it)                         \
    if (n->warp_groups == (warp_groups_) && (is_it))                           \
      HS_LAUNCH_TEAMS((steps_on_chip<steps_, slices_, warp_groups_>), n->used, \
                      HS_RESIDENT_RANKS,                                       \
                      warp_groups_ *warp_group_threads(slices_),               \
                      (size_t)hs_resident_bytes(n), *outer, *inner, *n, *job);
#  define WIDE(steps_, slices_, warp_groups)                                   \
    LAUNCH(steps_, slices_, warp_groups,                                       \
           !n->is_tall && n->steps == (steps_) && n->slices == (slices_))
#  define EACH(steps, warp_groups)                                             \
    WIDE(steps, 1, warp_groups)                                                \
    WIDE(steps, 3, warp_groups)

/* All shapes that have warp groups (network/inputs.cu). */
static void launch(const hs_card_group *outer, const hs_card_group *inner,
                   const hs_card_network *n, const hs_resident *job)
{
    LAUNCH(1, 0, 3, n->is_tall);
    EACH(1, 2);
    EACH(2, 2);
    EACH(3, 1);
    EACH(4, 1);
    EACH(5, 1);
}
#else
HS_KERNEL void steps_on_chip(const hs_card_group *outer,
                             const hs_card_group *inner,
                             const hs_card_network *n, const hs_resident *job)
{
    HS_SHARED(shared);
    stay(outer, inner, n, job, shared);
}

static void launch(const hs_card_group *outer, const hs_card_group *inner,
                   const hs_card_network *n, const hs_resident *job)
{
    HS_LAUNCH_TEAMS(steps_on_chip, n->used, HS_RESIDENT_RANKS, 1,
                    (size_t)hs_resident_bytes(n), outer, inner, n, job);
}
#endif

/* Langevin steps, alone or inside hiss on all coordinates. */
static int is_for(const hs_card_walk *w)
{
    const hs_device_sampler *s = &w->node[0];
    const hs_card_group *g = w->group;

    if (w->is_pilot || !g->whole || g->whole->form != HS_DEVICE_NETWORK ||
        !g->whole->network.warp_groups)
        return 0;
    for (int n = 0; n < w->nodes; n++)
        if (w->node[n].has_sums) /* states are counted on the way */
            return 0;
    if (w->nodes == 2 && s->step == HS_DEVICE_HISS &&
        s->block >= g->model.dim && !s->is_palindrome &&
        s->inner == HS_DEVICE_PHI)
        return s[1].step == HS_DEVICE_LANGEVIN;
    return w->nodes == 1 && s->step == HS_DEVICE_LANGEVIN;
}

#define MOST 4096 /* evaluations in a launch, about */

int64_t hs_card_resident(hs_card_walk *w, int64_t count)
{
    const hs_device_sampler *s = &w->node[0];
    int last = w->nodes - 1;
    hs_card_group outer, inner;
    hs_resident job;
    int64_t most;

    if (!is_for(w))
        return 0;
    hs_card_walk_want(w, HS_CARD_U | HS_CARD_GRAD);
    job.is_hiss = s->step == HS_DEVICE_HISS;
    job.sweeps = job.is_hiss ? s->sweeps : 1;
    job.each = job.is_hiss ? s->steps : 1;
    job.clock = w->clock;
    job.made = w->made[last];
    job.grad = &w->work.at.grad[0][0];
    job.y = &w->work.y.x[0][0];
    most = MOST / ((int64_t)job.sweeps * (job.each + job.is_hiss)) + 1;
    count = w->is_summed ? 1 : count < most ? count : most;
    job.count = (int)count;
    outer = inner = *w->group;
    outer.sampler = w->node[0];
    inner.sampler = w->node[last];
    inner.lanes.changed += (int64_t)last * inner.tiles;
    launch(&outer, &inner, &w->group->whole->network, &job);
    w->clock += (uint64_t)count * (uint64_t)job.sweeps *
                (uint64_t)(job.each + job.is_hiss);
    w->made[0] += (uint64_t)count;
    if (job.is_hiss)
        w->made[1] +=
            (uint64_t)count * (uint64_t)job.sweeps * (uint64_t)job.each;
    return count;
}
