/* replicate.c - makes exact draws and moves each by a sampler. */
#include "run/verify/replicate.h"

#include <stdbool.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/random/streams.h"

hiss_status hs_replicator_init(hs_replicator *r, const hs_replication *shared,
                               const hs_model *m, const hs_sampler *sampler,
                               uint32_t first_chain, hiss_error *err)
{
    *r = (hs_replicator){0};
    r->state = hs_alloc_array((size_t)m->domain.dim, sizeof *r->state);
    r->drawn = hs_alloc_array((size_t)shared->chains * (size_t)shared->levels,
                              sizeof *r->drawn);
    r->from = hs_alloc_array((size_t)shared->chains * (size_t)shared->levels,
                             sizeof *r->from);
    if (!r->state || !r->drawn || !r->from)
        return hs_fail_memory(err);
    return hs_group_create(&r->group, m, sampler, shared->seed, first_chain,
                           shared->chains, err);
}

void hs_replicator_clear(hs_replicator *r)
{
    hs_group_destroy(r->group);
    hs_free(r->state);
    hs_free(r->drawn);
    hs_free(r->from);
    *r = (hs_replicator){0};
}

/* Draws the states of the batch that begins with this replicate. */
static void draw_states(hs_replicator *r, const hs_replication *shared,
                        uint32_t first)
{
    for (int c = 0; c < shared->chains; c++)
        for (int j = 0; j < shared->levels; j++) {
            int64_t n = hs_law_draw(&shared->law[j], shared->seed,
                                    first + (uint32_t)c, (uint32_t)j);

            r->drawn[c * shared->levels + j] = (uint32_t)n;
            hs_exact_state(shared->exact, n, r->state);
            hs_group_set(r->group, c, j, r->state);
        }
}

/* Sets chain numbers of a batch, its clock, and its position in the sampler's
 * cycle. */
static void set_steps(hs_kernel *k, uint64_t steps)
{
    k->steps = steps;
    for (int i = 0; i < k->children; i++)
        set_steps(k->child[i], steps);
}

static int64_t clocks(const hs_replication *shared)
{
    return shared->per_clock > 0 ? shared->batches / shared->per_clock
                                 : shared->batches;
}

static int64_t clock_of(const hs_replication *shared, int64_t b)
{
    return shared->per_clock > 0 ? b / shared->per_clock : b;
}

static int64_t phase(const hs_replication *shared, int64_t b)
{
    int64_t clock = clock_of(shared, b), all = clocks(shared);

    /* a cycle longer than the clocks is sampled at equal distances */
    if (shared->period > all)
        return (int64_t)((double)clock / (double)all * (double)shared->period);
    return clock % shared->period;
}

int64_t hs_replication_part(const hs_replication *shared, int64_t b)
{
    return shared->per_clock > 0 ? clock_of(shared, b) : phase(shared, b);
}

int64_t hs_replication_parts(const hs_replication *shared)
{
    return shared->per_clock > 0 ? clocks(shared) : shared->period;
}

static void address(hs_group *g, uint32_t first, uint64_t clock, uint64_t steps)
{
    for (int i = 0; i < g->tiles; i++) {
        hs_tile *t = &g->tile[i];

        for (int l = 0; l < HS_LANES; l++) {
            int lane = i * HS_LANES + (l < t->lanes ? l : 0);

            t->rng.chain[l] = first + (uint32_t)(lane / g->replicas);
        }
        t->rng.clock = clock;
        set_steps(g->kernel[i], steps);
    }
}

static uint32_t number_of(const hs_exact *e, const hs_tile *t, int lane)
{
    int64_t n = 0;

    for (int i = 0; i < e->dim; i++)
        n = n * e->radix[i] + t->at.x[i][lane];
    return (uint32_t)n;
}

/* Exchanges levels and tuning of two lanes. */
static void exchange(hs_group *g, hs_tile *p, int a, hs_tile *q, int b)
{
    int level = p->level[a];
    float beta = p->tilt.beta[a];

    p->level[a] = q->level[b];
    q->level[b] = level;
    p->tilt.beta[a] = q->tilt.beta[b];
    q->tilt.beta[b] = beta;
    hs_kernel_exchange(g->kernel[p - g->tile], a, g->kernel[q - g->tile], b);
}

void hs_replicate_send_home(hs_group *g)
{
    for (int c = 0; c < g->chains; c++)
        for (int r = 0; r < g->replicas; r++) {
            int here, there;
            hs_tile *p = hs_group_tile(g, c, r, &here), *q;

            if (p->level[here] == r)
                continue;
            q = hs_group_at_level(g, c, r, &there);
            exchange(g, p, here, q, there);
        }
}

/* Reads the final states of the levels of a replicate, and their origins:
 * replica r began at level r. */
static void read_states(hs_replicator *r, const hs_replication *shared,
                        int chain, uint32_t *to)
{
    const hs_group *g = r->group;
    int first = chain * shared->levels;

    for (int replica = 0; replica < shared->levels; replica++) {
        int lane;
        const hs_tile *t = hs_group_tile(g, chain, replica, &lane);
        int level = t->level[lane];

        to[first + level] = number_of(shared->exact, t, lane);
        r->from[first + level] =
            r->drawn[first + (g->laws > 1 ? level : replica)];
    }
}

int64_t hs_replication_together(const hs_replication *shared, int64_t b)
{
    return shared->per_clock > 0 ? shared->per_clock - b % shared->per_clock
                                 : 1;
}

/* Number of the first chain of a batch with its own clock. */
static uint32_t first_of(const hs_replication *shared, int64_t b)
{
    return (uint32_t)(b * shared->chains);
}

void hs_replicator_begin(hs_replicator *r, const hs_replication *shared,
                         int64_t b)
{
    uint32_t first = first_of(shared, b);
    uint64_t clock = first * HS_REPLICATE_CLOCK;

    if (shared->per_clock > 0) {
        first += hs_stream(HS_STREAM_ROWS, 0);
        clock = HS_ROW_CLOCK + (uint64_t)clock_of(shared, b) * HS_ROW_TICKS;
    }
    draw_states(r, shared, first);
    address(r->group, first, clock, (uint64_t)phase(shared, b));
}

hiss_status hs_replicator_end(hs_replicator *r, const hs_replication *shared,
                              int64_t b, uint32_t *from, uint32_t *to,
                              hiss_error *err)
{
    hs_group *g = r->group;

    /* shared choices are those of the clock, for any chain */
    if (shared->per_clock == 0 && shared->is_shared &&
        g->tile[0].rng.clock >=
            (first_of(shared, b) + UINT64_C(1)) * HS_REPLICATE_CLOCK)
        return hs_fail(err, HISS_ELIMIT,
                       "one step of this sampler has more than %d elementary "
                       "transitions: take fewer sweeps or steps to verify it",
                       (int)HS_REPLICATE_CLOCK - 1);
    for (int c = 0; c < shared->chains; c++) {
        read_states(r, shared, c, to);
        from[c] = r->from[c * shared->levels];
    }
    hs_replicate_send_home(g);
    return HISS_OK;
}

hiss_status hs_replicator_run(hs_replicator *r, const hs_replication *shared,
                              int64_t b, uint32_t *from, uint32_t *to,
                              hiss_error *err)
{
    hs_replicator_begin(r, shared, b);
    for (int64_t n = 0; n < shared->steps; n++)
        HS_TRY(hs_group_step(r->group, err));
    return hs_replicator_end(r, shared, b, from, to, err);
}
