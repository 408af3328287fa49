/* tgs.c - tempered Gibbs [Zanella & Roberts 2019], with holding times in place
 * of weights.
 *
 * With f the conditional of coordinate i given the others and f_a its power,
 * f^a / sum f^a, tempered Gibbs chooses i with probability proportional to
 * f_a(x_i) / f(x_i), draws x_i from f_a, and gives the state the weight
 *     w(x) = 1 / sum_i f_a(x_i) / f(x_i).
 * Coordinates whose present value has a small conditional are chosen most.  As
 * a process it goes from x to x with x_i = v at the rate
 *     r = f_a(x_i) f_a(v) / f(x_i),
 * which is reversible: p(x) r is f_a(x_i) f_a(v) times a factor independent of
 * x_i.  The mean time at x is in proportion to w(x), so the states after a time
 * T have the distribution p without weights (process.h).  a = 1 is Gibbs with a
 * random scan, a = 0 draws uniformly from what is possible; of two values, the
 * rates are (1 + t) t^a / (1 + t^a)^2, a balancing function. */
#include "kernel/baselines/process.h"
#include "lanes/lanes.h"

struct tgs {
    hs_process process;
    double power;
};

static void weigh(const void *context, hs_float_row *row)
{
    static const hs_domain flip = {.dim = 1, .is_pair = true};
    const struct tgs *s = context;

    hs_lanes()->tempered_logits(&flip, (float)s->power, row);
}

static hiss_status tgs_setup(hs_kernel *k, const hs_model *m, hiss_error *err)
{
    struct tgs *s = k->state;

    return hs_process_setup(k, &s->process, m, weigh, err);
}

static void tgs_clear(hs_kernel *k)
{
    struct tgs *s = k->state;

    hs_process_clear(&s->process);
}

static void tgs_rates(void *state, const hs_model *m)
{
    struct tgs *s = state;
    hs_changes *c = &s->process.changes;

    hs_lanes()->tempered_logits(&m->domain, (float)s->power, c->logits);
    hs_lanes()->softmax_sum((const hs_float_row *)c->logits, c->rows, c->max,
                            c->sum);
}

static hiss_status tgs_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                            hs_tile *x)
{
    struct tgs *s = k->state;

    return hs_process_step(k, &s->process, m, t, x, tgs_rates, NULL, NULL);
}

static hiss_status tgs_flush(hs_kernel *k, const hs_model *m, hs_tile *x)
{
    struct tgs *s = k->state;

    (void)m;
    hs_flip_tree_flush(&s->process.flips, x);
    return HISS_OK;
}

static hs_traits tgs_traits(const hs_kernel *k)
{
    (void)k;
    return hs_process_traits();
}

static int tgs_describe(const hs_kernel *k, int lane, char *text, size_t size)
{
    const struct tgs *s = k->state;

    return hs_process_describe(k, s->process.time, lane, text, size);
}

static const hs_option tgs_options[] = {
    {"time", HS_AUTO, offsetof(struct tgs, process.time), "auto", "(0,1e6]",
     HS_PROCESS_TIME_HELP},
    {"power", HS_REAL, offsetof(struct tgs, power), "0.5", "[0,1]",
     "of the tempered conditional; 0: uniform, 1: Gibbs"},
    {0},
};

const hs_kernel_type hs_kernel_tgs = {
    .name = "tgs",
    .summary = "tempered Gibbs, with holding times in place of weights",
    .is_baseline = true,
    .size = sizeof(struct tgs),
    .options = tgs_options,
    .columns = HS_PROCESS_COLUMNS,
    .setup = tgs_setup,
    .step = tgs_step,
    .flush = tgs_flush,
    .clear = tgs_clear,
    .traits = tgs_traits,
    .freeze = hs_process_freeze,
    .describe = tgs_describe,
    .work = hs_process_work,
};
