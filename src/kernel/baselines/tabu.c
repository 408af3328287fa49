/* tabu.c - the Tabu sampler [Power & Goldman 2019]: a jump process that does
 * not undo its changes.
 *
 * Changes of one coordinate are involutions: number c of coordinate i, which
 * has n values, takes index v to c - v modulo n; of two values it is the flip.
 * Each has a sign s_c, drawn anew at the start of a step, and with
 *     r_c(x) = g(p(c x) / p(x)),  R+(x), R-(x) = their sums over signs + and -,
 * the process makes change c at the rate r_c if s_c is +, which turns s_c to -;
 * and it turns all signs at the rate max(0, R-(x) - R+(x)).
 *
 * It keeps p with uniform signs. The flow into (x, s) by jumps comes from the c
 * with s_c = -, p(c x) r_c(c x) = p(x) r_c(x), together p(x) R-(x). The flow
 * out is p(x) R+(x), and turning the signs makes up for the difference.  Run
 * backwards it is the same with all signs turned, so that a step, which begins
 * with random signs and forgets them, is reversible. */
#include "kernel/baselines/process.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"

struct tabu {
    hs_process process;
    int balance; /* hs_balance */

    hs_float_row *sign;    /* owned, [rows]: s_c, 1 or -1 */
    hs_float_row *weight;  /* owned, [rows]: rates, in units of e^max */
    double open[HS_LANES]; /* R+ in these units */
    double rate[HS_LANES]; /* max(R+, R-) */
};

static hiss_status tabu_setup(hs_kernel *k, const hs_model *m, hiss_error *err)
{
    struct tabu *s = k->state;
    size_t rows;

    HS_TRY(hs_process_setup(k, &s->process, m, NULL, err));
    rows = (size_t)s->process.changes.rows;
    s->sign = hs_alloc_array(rows, sizeof *s->sign);
    s->weight = hs_alloc_array(rows, sizeof *s->weight);
    return s->sign && s->weight ? HISS_OK : hs_fail_memory(err);
}

static void tabu_clear(hs_kernel *k)
{
    struct tabu *s = k->state;

    hs_process_clear(&s->process);
    hs_free(s->sign);
    hs_free(s->weight);
}

/* The number of the change of a row, at y. */
static int involution(const struct tabu *s, const hs_domain *d, int row, int l)
{
    int i = s->process.changes.owner[row], at;

    if (d->is_pair)
        return i;
    at = row - d->value[i] + s->process.y.x[i][l];
    return d->value[i] + (at < d->states[i] ? at : at - d->states[i]);
}

/* Draws one bit for each, four words of a block after the other. */
static void draw_signs(struct tabu *s, const hs_rng *rng)
{
    uint32_t words[4][HS_LANES];
    int rows = s->process.changes.rows;

    for (int r = 0; r < rows; r++) {
        if (r % 128 == 0)
            hs_lanes()->philox(rng, HS_DRAW_DENOISE, (uint32_t)(r / 128), 1,
                               words);
        for (int l = 0; l < HS_LANES; l++)
            s->sign[r][l] = words[r / 32 % 4][l] >> r % 32 & 1 ? 1.0f : -1.0f;
    }
}

static bool is_open(const struct tabu *s, const hs_domain *d, int row, int l)
{
    return s->sign[involution(s, d, row, l)][l] > 0.0f;
}

/* Sums R+ and R-, in units of e^max. */
static void add_up(struct tabu *s, const hs_domain *d, double *open,
                   double *closed)
{
    int rows = s->process.changes.rows;

    for (int r = 0; r < rows; r++) {
        hs_float_row weight, part; /* copies, so that the loops become vector
                                      code */

        memcpy(weight, s->weight[r], sizeof weight);
        memcpy(part, s->sign[r], sizeof part);
        for (int l = 0; !d->is_pair && l < HS_LANES; l++)
            part[l] = is_open(s, d, r, l) ? 1.0f : -1.0f;
        for (int l = 0; l < HS_LANES; l++)
            part[l] = part[l] > 0.0f ? weight[l] : 0.0f;
        for (int l = 0; l < HS_LANES; l++) {
            open[l] += (double)part[l];
            closed[l] += (double)(weight[l] - part[l]);
        }
    }
}

static void tabu_rates(void *state, const hs_model *m)
{
    struct tabu *s = state;
    hs_changes *c = &s->process.changes;
    double closed[HS_LANES] = {0}, unused[HS_LANES];

    hs_lanes()->balance_logits((hs_balance)s->balance, c->rows, c->logits);
    hs_lanes()->softmax_sum((const hs_float_row *)c->logits, c->rows, c->max,
                            c->sum);
    hs_lanes()->softmax_weights((const hs_float_row *)c->logits, c->rows,
                                c->max, s->weight, unused);
    memset(s->open, 0, sizeof s->open);
    add_up(s, &m->domain, s->open, closed);
    for (int l = 0; l < HS_LANES; l++)
        s->rate[l] = s->open[l] > closed[l] ? s->open[l] : closed[l];
}

/* Finds the row at `left` of R+. */
static int pick(const struct tabu *s, const hs_domain *d, int l, double left)
{
    int rows = s->process.changes.rows, last = 0;

    for (int r = 0; r < rows; r++) {
        double w = (double)s->weight[r][l];

        if (!(w > 0.0) || !is_open(s, d, r, l))
            continue;
        last = r;
        if (left < w)
            break;
        left -= w;
    }
    return last;
}

static int tabu_event(void *state, const hs_model *m, int lane, double u,
                      double v)
{
    struct tabu *s = state;

    if (u * s->rate[lane] < s->open[lane]) {
        int row = pick(s, &m->domain, lane, v * s->open[lane]);

        s->sign[involution(s, &m->domain, row, lane)][lane] = -1.0f;
        return row;
    }
    for (int r = 0; r < s->process.changes.rows; r++)
        s->sign[r][lane] = -s->sign[r][lane];
    return -1;
}

static hiss_status tabu_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                             hs_tile *x)
{
    struct tabu *s = k->state;
    hs_rng rng = x->rng;

    rng.clock++; /* the clock of this step, which has not ticked yet */
    draw_signs(s, &rng);
    return hs_process_step(k, &s->process, m, t, x, tabu_rates, tabu_event,
                           s->rate);
}

static hs_traits tabu_traits(const hs_kernel *k)
{
    (void)k;
    return hs_process_traits();
}

static int tabu_describe(const hs_kernel *k, int lane, char *text, size_t size)
{
    const struct tabu *s = k->state;

    return hs_process_describe(k, s->process.time, lane, text, size);
}

static const hs_option tabu_options[] = {
    {"time", HS_AUTO, offsetof(struct tabu, process.time), "auto", "(0,1e6]",
     HS_PROCESS_TIME_HELP},
    {"balance", HS_CHOICE, offsetof(struct tabu, balance), "sqrt", HS_BALANCES,
     "g(t) of the rates: sqrt(t), t/(1+t), min(1,t), max(1,t)"},
    {0},
};

const hs_kernel_type hs_kernel_tabu = {
    .name = "tabu",
    .summary = "jump process that does not undo what it has done",
    .is_baseline = true,
    .size = sizeof(struct tabu),
    .options = tabu_options,
    .columns = HS_PROCESS_COLUMNS,
    .setup = tabu_setup,
    .step = tabu_step,
    .clear = tabu_clear,
    .traits = tabu_traits,
    .freeze = hs_process_freeze,
    .describe = tabu_describe,
    .work = hs_process_work,
};
