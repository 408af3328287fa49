/* jumps.c - the locally balanced Markov jump process [Zanella 2020; Power &
 * Goldman 2019]: rejection-free, with holding times in place of weights.
 *
 *     r(x,y) = g(p(y) / p(x)),   g(t) = t g(1/t),
 * for all y with one coordinate changed, for a time T (process.h). */
#include "kernel/baselines/process.h"
#include "lanes/lanes.h"

struct jumps {
    hs_process process;
    int balance; /* hs_balance */
};

static void weigh(const void *context, hs_float_row *row)
{
    const struct jumps *s = context;

    hs_lanes()->balance_logits((hs_balance)s->balance, 1, row);
}

static hiss_status jumps_setup(hs_kernel *k, const hs_model *m, hiss_error *err)
{
    struct jumps *s = k->state;

    return hs_process_setup(k, &s->process, m, weigh, err);
}

static void jumps_clear(hs_kernel *k)
{
    struct jumps *s = k->state;

    hs_process_clear(&s->process);
}

static void jumps_rates(void *state, const hs_model *m)
{
    struct jumps *s = state;
    hs_changes *c = &s->process.changes;

    (void)m;
    hs_lanes()->balance_logits((hs_balance)s->balance, c->rows, c->logits);
    hs_lanes()->softmax_sum((const hs_float_row *)c->logits, c->rows, c->max,
                            c->sum);
}

static hiss_status jumps_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                              hs_tile *x)
{
    struct jumps *s = k->state;

    return hs_process_step(k, &s->process, m, t, x, jumps_rates, NULL, NULL);
}

static hiss_status jumps_flush(hs_kernel *k, const hs_model *m, hs_tile *x)
{
    struct jumps *s = k->state;

    (void)m;
    hs_flip_tree_flush(&s->process.flips, x);
    return HISS_OK;
}

static hs_traits jumps_traits(const hs_kernel *k)
{
    (void)k;
    return hs_process_traits();
}

static int jumps_describe(const hs_kernel *k, int lane, char *text, size_t size)
{
    const struct jumps *s = k->state;

    return hs_process_describe(k, s->process.time, lane, text, size);
}

static const hs_option jumps_options[] = {
    {"time", HS_AUTO, offsetof(struct jumps, process.time), "auto", "(0,1e6]",
     HS_PROCESS_TIME_HELP},
    {"balance", HS_CHOICE, offsetof(struct jumps, balance), "sqrt", HS_BALANCES,
     "g(t) of the rates: sqrt(t), t/(1+t), min(1,t), max(1,t)"},
    {0},
};

const hs_kernel_type hs_kernel_jumps = {
    .name = "jumps",
    .summary = "jump process by locally balanced rates, at fixed times",
    .is_baseline = true,
    .size = sizeof(struct jumps),
    .options = jumps_options,
    .columns = HS_PROCESS_COLUMNS,
    .setup = jumps_setup,
    .step = jumps_step,
    .flush = jumps_flush,
    .clear = jumps_clear,
    .traits = jumps_traits,
    .freeze = hs_process_freeze,
    .describe = jumps_describe,
    .work = hs_process_work,
};
