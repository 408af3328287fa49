/* function.cu - U and gradient of all lanes by a function of the user.
 *
 * An evaluation is three things behind each other on stream 0:
 *
 *   spread   states of a point, indices [tile][coordinate][16], become numbers
 *            x[lane][row], the layout of most libraries of tensors;
 *   function it is called here, by the thread that asks for steps, with
 *            pointers into the card's memory (hiss_card_states).  It launches
 *            its own kernels on stream 0 and returns before they are done, or
 *            works elsewhere and waits.  U and gradient it writes to our
 *            arrays, or says where its own are;
 *   gather   from there to the point, [tile][row][16].
 *
 * So nothing leaves the card but draws that are kept, and the processor may be
 * ahead of the card by some steps.  Numbers that are none are noted by the card
 * in memory that both see, and found when the card is waited for next.  Lanes
 * that are not in use are evaluated, too, and not looked at. */
#include "cuda/whole/function.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hiss/arrays.h>

#include "cuda/next.h"

#define ROWS    64 /* of a tile, that a block turns */
#define THREADS 256

typedef float cells[ROWS][HS_LANES + 1];

#define PUT(to, from, count)                                                   \
  PASS(hs_card_put(memory, &(to), from, (int64_t)(count), sizeof *(to), err))

/* Where some coordinates have several rows. */
static hiss_status put_owners(hs_card_function *f, hs_card_memory *memory,
                              const hs_domain *d, hiss_error *err)
{
    int *owner;
    hiss_status rc;

    if (d->rows == d->dim)
        return HISS_OK;
    owner = (int *)malloc((size_t)d->rows * sizeof *owner);
    if (!owner)
        return hs_card_fail(err, HISS_ENOMEM, "rows",
                            cudaErrorMemoryAllocation);
    for (int i = 0; i < d->dim; i++)
        for (int r = d->row[i]; r < d->row[i + 1]; r++)
            owner[r] = i;
    rc = hs_card_put(memory, &f->owner, owner, d->rows, sizeof *owner, err);
    free(owner);
    return rc;
}

hiss_status hs_card_function_build(hs_card_function *f, hs_card_memory *memory,
                                   const hs_device_plan *plan,
                                   const hs_domain *domain, int number,
                                   hiss_error *err)
{
    int64_t lanes = (int64_t)plan->tiles * HS_LANES;

    f->form = plan->model.function;
    f->card = HS_NUMBER_OF(number);
    f->tiles = plan->tiles;
    f->domain = *domain;
    PASS(put_owners(f, memory, &plan->model.domain, err));
    PUT(f->used, plan->lanes, plan->tiles);
    PUT(f->x, NULL, lanes * domain->rows);
    PUT(f->u, NULL, lanes);
    PUT(f->gradient, NULL, lanes * domain->rows);
    TRY(cudaEventCreateWithFlags(&f->event, cudaEventDisableTiming));
    return hs_card_pin(memory, &f->state, 1, sizeof *f->state, err);
}

/* What row r of a lane is. */
HS_ON_CARD float number_of(const hs_card_function *f, const int16_t *x,
                           int64_t tile, int r, int lane)
{
    const hs_domain *d = &f->domain;
    int i = f->owner ? f->owner[r] : r;
    int index = x[(tile * d->dim + i) * HS_LANES + lane];

    if (d->is_pair)
        return d->low + d->gap * (float)index;
    if (d->kind[i] == HISS_CATEGORICAL)
        return r - d->row[i] == index ? 1.0f : 0.0f;
    return d->values[d->value[i] + index];
}

/* Blocks of a tile, and the first row of one. */
HS_EITHER int blocks_of(int rows)
{
    return (rows + ROWS - 1) / ROWS;
}

HS_KERNEL void HS_BOUNDS(THREADS) spread(hs_card_function f, const int16_t *x)
{
    HS_OF_BLOCK cells cell;
    int rows = f.domain.rows, per = blocks_of(rows);
    int64_t tile = blockIdx.x / (unsigned)per;
    int first = (int)(blockIdx.x % (unsigned)per) * ROWS;

    HS_WAIT();
    HS_EACH_THREAD(t, THREADS)
    {
        for (int k = t; k < ROWS * HS_LANES; k += THREADS) {
            int r = k / HS_LANES, l = k % HS_LANES;

            if (first + r < rows)
                cell[r][l] = number_of(&f, x, tile, first + r, l);
        }
    }
    HS_SYNC();
    HS_EACH_THREAD(t, THREADS)
    {
        for (int k = t; k < ROWS * HS_LANES; k += THREADS) {
            int l = k / ROWS, r = k % ROWS;

            if (first + r < rows)
                f.x[(tile * HS_LANES + l) * rows + first + r] = cell[r][l];
        }
    }
}

HS_KERNEL void HS_BOUNDS(THREADS)
    gather(hs_card_function f, hs_function_answer a, double *to_u,
           float *to_gradient)
{
    HS_OF_BLOCK cells cell;
    int rows = f.domain.rows, per = a.gradient ? blocks_of(rows) : 1;
    int64_t tile = blockIdx.x / (unsigned)per;
    int first = (int)(blockIdx.x % (unsigned)per) * ROWS;

    HS_WAIT();
    HS_EACH_THREAD(t, THREADS)
    {
        if (t < HS_LANES && first == 0) {
            int64_t lane = tile * HS_LANES + t;

            to_u[lane] = hs_answer_energy(&a, lane);
            hs_answer_check(&f, lane, to_u[lane]);
        }
        for (int k = t; a.gradient && k < ROWS * HS_LANES; k += THREADS) {
            int l = k / ROWS, r = k % ROWS;

            if (first + r < rows)
                cell[r][l] =
                    a.gradient[(tile * HS_LANES + l) * rows + first + r];
        }
    }
    HS_SYNC();
    HS_EACH_THREAD(t, THREADS)
    {
        for (int k = t; a.gradient && k < ROWS * HS_LANES; k += THREADS) {
            int r = k / HS_LANES, l = k % HS_LANES;

            if (first + r >= rows)
                continue;
            to_gradient[(tile * rows + first + r) * HS_LANES + l] = cell[r][l];
            hs_answer_check_gradient(&f, &a, tile * HS_LANES + l, cell[r][l]);
        }
    }
}

static void wait_for_card(void)
{
    cudaStreamSynchronize(0);
}

/* Of the call that is under way in this thread. */
static __thread cudaEvent_t spread_event;

static void join_stream(void *stream)
{
    cudaEventRecord(spread_event, 0);
    cudaStreamWaitEvent((cudaStream_t)(intptr_t)stream, spread_event, 0);
}

int hs_card_function_call(const hs_card_function *f, int has_gradient,
                          hs_function_answer *a)
{
    hiss_card_states s;

    memset(&s, 0, sizeof s);
    s.size = sizeof s;
    s.card = f->card;
    s.count = f->tiles * HS_LANES;
    s.rows = f->domain.rows;
    s.x = f->x;
    s.u = f->u;
    s.gradient = has_gradient ? f->gradient : NULL;
    s.wait = wait_for_card;
    s.join = join_stream;
    spread_event = f->event;
    f->state->code = f->form.evaluate(f->form.context, &s);
    if (f->state->code)
        return 0;
    cudaSetDevice(f->card); /* the function may have left another */
    a->u = s.own_u ? s.own_u : s.own_u_float ? NULL : s.u;
    a->u_float = s.own_u_float;
    a->gradient = has_gradient && s.own_gradient ? s.own_gradient : s.gradient;
    return 1;
}

void hs_card_function_evaluate(const hs_card_function *f, const int16_t *x,
                               double *u, float *gradient)
{
    int64_t blocks = (int64_t)f->tiles * blocks_of(f->domain.rows);
    hs_function_answer a;

    if (f->state->code)
        return;
    HS_NEXT_BLOCKS(spread, blocks, THREADS, 0, *f, x);
    if (hs_card_function_call(f, gradient != NULL, &a))
        HS_NEXT_BLOCKS(gather, gradient ? blocks : f->tiles, THREADS, 0, *f, a,
                       u, gradient);
}

hiss_status hs_card_function_check(const hs_card_function *f,
                                   const uint32_t *chain, hiss_error *err)
{
    int odd = f->state->odd, code = f->state->code;
    hiss_status rc = code ? HISS_EPLUGIN : odd ? HISS_ENUMERIC : HISS_OK;
    unsigned of = odd ? chain[(odd - 1) / 2] : 0;

    if (rc == HISS_OK || !err)
        return rc;
    err->status = rc;
    if (code)
        snprintf(err->message, sizeof err->message,
                 "device cuda: model %s: its function failed with code %d",
                 f->form.name, code);
    else if ((odd - 1) % 2)
        snprintf(err->message, sizeof err->message,
                 "device cuda: model %s: the gradient is NaN or infinite of "
                 "chain %u; where U is finite, so must it be",
                 f->form.name, of);
    else
        snprintf(err->message, sizeof err->message,
                 "device cuda: model %s: U is NaN or +infinity of chain %u; it "
                 "must be finite or -infinity",
                 f->form.name, of);
    return rc;
}
