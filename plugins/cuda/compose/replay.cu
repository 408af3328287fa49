/* replay.cu - steps that were launched once and are launched again. */
#include "cuda/compose/replay.h"

#include <stdlib.h>
#include <string.h>

#include "cuda/next.h"
#include "cuda/whole/whole.h"

#if defined(__CUDACC__)
#  define MANY 16 /* steps of a record, where a step is a few launches */

cudaStream_t hs_next_stream;
const uint64_t *hs_next_base;

struct hs_card_replay {
    cudaStream_t stream; /* that is recorded */
    cudaGraphExec_t record;
    int is_tried;    /* to record: whether there is one does not change */
    uint64_t *clock; /* on the card: before the first step of the record */
    uint64_t ticks;  /* of all its steps */
    uint64_t made[HS_DEVICE_NODES];
    int64_t steps;
};

HS_KERNEL void set_clock(uint64_t *clock, uint64_t to)
{
    *clock = to;
}

HS_KERNEL void move_clock(uint64_t *clock, uint64_t ticks)
{
    HS_WAIT();
    *clock += ticks;
}

/* Whether every step is the same, of launches by next.h alone. */
static int is_same(const hs_card_walk *w)
{
    const hs_device_sampler *s = &w->node[0];
    const hs_card_group *g = w->group;
    const char *launch = getenv("HISS_CUDA_LAUNCH");

    if (w->is_pilot || !g->whole || g->whole->form != HS_DEVICE_NETWORK ||
        !g->whole->network.is_wide || (launch && strcmp(launch, "each") == 0))
        return 0;
    for (int n = 0; n < w->nodes; n++)
        if (w->node[n].has_sums) /* states are counted on the way */
            return 0;
    if (s->step == HS_DEVICE_HISS && s->block >= g->model.dim &&
        !s->is_palindrome)
        s++;
    return s->step == HS_DEVICE_LANGEVIN && s->cycle <= 1;
}

/* Launches go into the record, with clocks from 0 on; what the walk knows is
 * as if the steps had been made, but for the clock. */
static int record(hs_card_walk *w, void (*step)(hs_card_walk *w))
{
    struct hs_card_replay *r = w->replay;
    cudaGraph_t graph = NULL;
    uint64_t clock = w->clock;

    if (cudaStreamBeginCapture(r->stream, cudaStreamCaptureModeRelaxed) !=
        cudaSuccess)
        return 0;
    memcpy(r->made, w->made, sizeof r->made);
    hs_next_stream = r->stream;
    hs_next_base = r->clock;
    w->clock = 0;
    for (int64_t n = 0; n < r->steps; n++)
        step(w);
    r->ticks = w->clock;
    HS_NEXT(move_clock, 1, r->clock, r->ticks);
    hs_next_stream = 0;
    hs_next_base = NULL;
    w->clock = clock;
    for (int n = 0; n < w->nodes; n++) {
        uint64_t before = r->made[n];

        r->made[n] = w->made[n] - before;
        w->made[n] = before;
    }
    if (cudaStreamEndCapture(r->stream, &graph) == cudaSuccess &&
        cudaGraphInstantiate(&r->record, graph, 0) != cudaSuccess)
        r->record = NULL;
    cudaGraphDestroy(graph);
    cudaGetLastError(); /* without a record steps are launched one by one */
    return r->record != NULL;
}

int64_t hs_card_replay(hs_card_walk *w, int64_t count,
                       void (*step)(hs_card_walk *w))
{
    struct hs_card_replay *r = w->replay;
    int64_t made = 0;

    if (!r ||
        (w->has & (HS_CARD_U | HS_CARD_GRAD)) != (HS_CARD_U | HS_CARD_GRAD))
        return 0;
    r->steps = r->is_tried                         ? r->steps
               : w->node[0].step == HS_DEVICE_HISS ? 1
                                                   : MANY;
    if (count < r->steps || (w->is_summed && r->steps > 1))
        return 0;
    if (!r->is_tried)
        record(w, step);
    r->is_tried = 1;
    if (!r->record)
        return 0;
    set_clock<<<1, 1>>>(r->clock, w->clock);
    for (; made + r->steps <= (w->is_summed ? 1 : count); made += r->steps) {
        cudaGraphLaunch(r->record, 0);
        w->clock += r->ticks;
        for (int n = 0; n < w->nodes; n++)
            w->made[n] += r->made[n];
    }
    return made;
}

hiss_status hs_card_replay_build(hs_card_walk *w, hs_card_memory *memory,
                                 hiss_error *err)
{
    struct hs_card_replay *r;

    if (!is_same(w))
        return HISS_OK;
    r = (struct hs_card_replay *)calloc(1, sizeof *r);
    w->replay = r;
    if (!r)
        return hs_card_fail(err, HISS_ENOMEM, "a record of steps",
                            cudaErrorMemoryAllocation);
    TRY(cudaStreamCreateWithFlags(&r->stream, cudaStreamNonBlocking));
    return hs_card_put(memory, &r->clock, NULL, 1, sizeof *r->clock, err);
}

void hs_card_replay_free(hs_card_walk *w)
{
    if (!w->replay)
        return;
    if (w->replay->record)
        cudaGraphExecDestroy(w->replay->record);
    if (w->replay->stream)
        cudaStreamDestroy(w->replay->stream);
    free(w->replay);
    w->replay = NULL;
}
#else
int64_t hs_card_replay(hs_card_walk *w, int64_t count,
                       void (*step)(hs_card_walk *w))
{
    (void)w, (void)count, (void)step;
    return 0;
}

hiss_status hs_card_replay_build(hs_card_walk *w, hs_card_memory *memory,
                                 hiss_error *err)
{
    (void)w, (void)memory, (void)err;
    return HISS_OK;
}

void hs_card_replay_free(hs_card_walk *w)
{
    (void)w;
}
#endif
