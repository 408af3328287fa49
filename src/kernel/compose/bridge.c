/* bridge.c - jumps between modes that were found beforehand.
 *
 * The library (library.h) gives every mode a product law q_k and a weight
 * w_k, and Q = sum_k w_k q_k.  A jump draws the mode a that x belongs to,
 * with probability w_a q_a(x) / Q(x), another mode b with w_b / (1 - w_a), and
 * carries every coordinate over: x_i has an interval in [0, 1) that belongs to
 * it in mode a; y_i is the value that a uniform position in it has in mode b.
 * The chance to go back from y along (b, a) is known, everything about single
 * coordinates cancels, and y is accepted with
 *     min(1, p(y) Q(x) (1 - w_a) / (p(x) Q(y) (1 - w_b))).
 * Where the modes are product laws this is nearly 1 at any dimension; where
 * they are not, but look alike, x's fluctuations come along.
 *
 * swap: with this probability the jump instead exchanges, in every coordinate,
 * the values that two random modes have at their tops; an involution, so that
 * p(y) / p(x) decides.  It goes beyond the library: x + b - a.
 *
 * The library is learnt by a pilot (run/survey/mode_laws.h) and attached;
 * without one, or with a single mode, nothing moves.  Exact whatever the
 * library says. */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "kernel/kernel.h"
#include "kernel/library.h"
#include "lanes/lanes.h"

struct bridge {
    double swap;
    char *modes;
    bool learn;
    const hs_library *library; /* borrowed, or NULL */
    hs_point y;                /* owned */
    double (*log_q)[HS_LANES]; /* owned, [HS_LIBRARY_MAX] */
    double (*term)[HS_LANES];  /* owned, [HS_LIBRARY_MAX] */
    double from[HS_LANES];     /* ln Q(x) */
    int a[HS_LANES], b[HS_LANES];
    bool is_swap[HS_LANES];
};

static hiss_status bridge_setup(hs_kernel *k, const hs_model *m,
                                hiss_error *err)
{
    struct bridge *s = k->state;

    HS_TRY(hs_point_init(&s->y, m, err));
    s->log_q = hs_alloc_array(HS_LIBRARY_MAX, sizeof *s->log_q);
    s->term = hs_alloc_array(HS_LIBRARY_MAX, sizeof *s->term);
    return s->log_q && s->term ? HISS_OK : hs_fail_memory(err);
}

static void bridge_clear(hs_kernel *k)
{
    struct bridge *s = k->state;

    hs_point_clear(&s->y);
    hs_free(s->log_q);
    hs_free(s->term);
}

static void bridge_attach(hs_kernel *k, const hs_library *library)
{
    struct bridge *s = k->state;

    s->library = library;
}

/* ln Q = ln sum_k w_k q_k of every lane, and its terms relative to the largest
 * q_k (term may be NULL). */
static void log_mixture(struct bridge *s, double *out, double (*term)[HS_LANES])
{
    const hs_library *b = s->library;
    float sum[HS_LANES] = {0}, fall[HS_LANES], root[HS_LANES];

    for (int l = 0; l < HS_LANES; l++)
        out[l] = s->log_q[0][l];
    for (int k = 1; k < b->modes; k++)
        for (int l = 0; l < HS_LANES; l++)
            out[l] = fmax(out[l], s->log_q[k][l]);
    for (int k = 0; k < b->modes; k++) {
        for (int l = 0; l < HS_LANES; l++)
            fall[l] = (float)(s->log_q[k][l] - out[l]);
        hs_lanes()->exp(fall, fall);
        for (int l = 0; l < HS_LANES; l++) {
            sum[l] += (float)b->weight[k] * fall[l];
            if (term)
                term[k][l] = b->weight[k] * (double)fall[l];
        }
    }
    hs_lanes()->log(sum, root);
    for (int l = 0; l < HS_LANES; l++)
        out[l] += (double)root[l];
}

/* A mode with probability proportional to weight[k * stride], one left out. */
static int pick(const double *weight, int stride, int modes, int left_out,
                uint32_t word)
{
    double all = 0.0, target;
    int at = left_out == 0 ? 1 : 0;

    for (int k = 0; k < modes; k++)
        all += k == left_out ? 0.0 : weight[k * stride];
    target = all * hs_uniform(word);
    for (int k = 0; k < modes; k++) {
        if (k == left_out || !(weight[k * stride] > 0.0))
            continue;
        at = k;
        if (target < weight[k * stride])
            break;
        target -= weight[k * stride];
    }
    return at;
}

/* Modes of the jump, lane by lane. */
static void choose(struct bridge *s, const hs_model *m, const hs_tile *x)
{
    const hs_library *b = s->library;
    uint32_t words[4][HS_LANES];

    hs_lanes()->philox(&x->rng, HS_DRAW_COMPONENT, 0, 1, words);
    hs_library_log(b, &m->domain, (const hs_index_row *)x->at.x, s->log_q);
    log_mixture(s, s->from, s->term);
    for (int l = 0; l < HS_LANES; l++) {
        s->is_swap[l] = hs_uniform(words[2][l]) < s->swap;
        s->a[l] = s->is_swap[l] ? hs_below(words[0][l], b->modes)
                                : pick(&s->term[0][l], HS_LANES, b->modes, -1,
                                       words[0][l]);
        if (s->is_swap[l]) { /* uniform among the others */
            int other = hs_below(words[1][l], b->modes - 1);

            s->b[l] = other < s->a[l] ? other : other + 1;
        } else {
            s->b[l] = pick(b->weight, 1, b->modes, s->a[l], words[1][l]);
        }
    }
}

static int carried(const struct bridge *s, const hs_model *m, int i, int x,
                   int lane, double uniform)
{
    const hs_library *b = s->library;
    size_t own = (size_t)s->a[lane] * (size_t)b->values +
                 (size_t)(m->domain.value[i] + x);
    size_t dim = (size_t)b->dim, at = (size_t)i;

    if (s->is_swap[lane]) {
        int p = b->top[(size_t)s->a[lane] * dim + at];
        int q = b->top[(size_t)s->b[lane] * dim + at];

        return x == p ? q : x == q ? p : x;
    }
    return hs_library_value(b, &m->domain, s->b[lane], i,
                            b->start[own] + uniform * b->share[own]);
}

static void propose(struct bridge *s, const hs_model *m, const hs_tile *x)
{
    uint32_t words[4][HS_LANES], more[4][HS_LANES];

    for (int i = 0; i < m->domain.dim; i++) {
        bool is_many = m->domain.states[i] > HS_FEW;

        if (i % 4 == 0)
            hs_lanes()->philox(&x->rng, HS_DRAW_PROPOSE, (uint32_t)i / 4, 1,
                               words);
        if (is_many)
            hs_lanes()->philox(&x->rng, HS_DRAW_TIE, (uint32_t)i, 1, more);
        for (int l = 0; l < HS_LANES; l++) {
            uint32_t word = words[i % 4][l];
            double u =
                is_many ? hs_uniform_long(word, more[0][l]) : hs_uniform(word);

            s->y.x[i][l] = (int16_t)carried(s, m, i, x->at.x[i][l], l, u);
        }
    }
    s->y.have = 0;
}

static hiss_status bridge_step(hs_kernel *k, const hs_model *m,
                               const hs_tilt *t, hs_tile *x)
{
    struct bridge *s = k->state;
    const hs_library *b = s->library;
    double ratio[HS_LANES], to[HS_LANES];
    int32_t accept[HS_LANES];

    hs_tile_tick(x);
    if (!b || b->modes < 2)
        return HISS_OK;
    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U));
    choose(s, m, x);
    propose(s, m, x);
    HS_TRY(hs_tile_evaluate(x, m, &s->y, HS_U));
    hs_tile_log_ratio(m, t, &x->at, &s->y, ratio);
    hs_library_log(b, &m->domain, (const hs_index_row *)s->y.x, s->log_q);
    log_mixture(s, to, NULL);
    for (int l = 0; l < HS_LANES; l++)
        if (ratio[l] != -HUGE_VAL && !s->is_swap[l])
            ratio[l] += s->from[l] - to[l] + b->log_rest[s->a[l]] -
                        b->log_rest[s->b[l]];
    hs_tile_decide(x, ratio, accept);
    hs_tile_move(x, m, &s->y, accept);
    hs_kernel_count(k, x, accept);
    return HISS_OK;
}

static hs_traits bridge_traits(const hs_kernel *k)
{
    (void)k;
    return (hs_traits){
        .exact = true, .reversible = true, .homogeneous = true, .period = 1};
}

static const hs_option bridge_options[] = {
    {"swap", HS_REAL, offsetof(struct bridge, swap), "0", "[0,1]",
     "probability to exchange two modes' values instead of carrying over"},
    {"modes", HS_FILE, offsetof(struct bridge, modes), "", NULL,
     "file with a state of each mode per line; without it a pilot finds them"},
    {"learn", HS_BOOL, offsetof(struct bridge, learn), "yes", NULL,
     "no: the states of the file are taken as they are"},
    {0},
};

const hs_kernel_type hs_kernel_bridge = {
    .name = "bridge",
    .summary = "jumps between modes that a pilot has found",
    .size = sizeof(struct bridge),
    .options = bridge_options,
    .setup = bridge_setup,
    .step = bridge_step,
    .clear = bridge_clear,
    .traits = bridge_traits,
    .attach = bridge_attach,
};
