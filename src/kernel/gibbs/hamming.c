/* hamming.c - the Hamming ball sampler [Titsias & Yau 2017]: several
 * coordinates at once, from all states near a state near the present one.
 *
 * H(x) are the states that differ from x in at most `radius` coordinates of a
 * block.  Two draws, without rejection:
 *     u  uniformly from H(x)
 *     x' from p restricted to H(u)
 * They are Gibbs steps of p(x) [u in H(x)] / |H|, whose marginal is p, because
 * |H| is the same everywhere; x is in H(u), so the second set is never empty.
 * The two draws move up to 2 radius coordinates at the price of one ball.
 *
 * A block is `block` neighboring coordinates, from a random one on, the same
 * for all chains; every block keeps the distribution. U over a ball is computed
 * by single-site differences, from each state to those with one more
 * difference. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "kernel/gibbs/ball.h"
#include "kernel/gibbs/sweeps/site.h"
#include "kernel/kernel.h"
#include "lanes/lanes.h"

/* Differences of U are floats, precise to 1e-6 up to this size; for larger
 * gains U is evaluated. */
#define CHANGE_MAX 32.0f

struct hamming {
    int block, radius;
    int updates; /* 0: enough for all coordinates */

    hs_ball ball;
    hs_point spare; /* owned */
    int states_max;
    hs_float_row *change;      /* owned, [radius][states_max]: of U */
    hs_float_row *phi;         /* owned, the same of phi */
    double (*log_p)[HS_LANES]; /* owned: log p of the states of the ball */
    hs_float_row *logits;      /* owned: the same minus their maximum */
    hs_index_row *target;      /* owned, [block] */
    hs_index_row *before;      /* owned, [block] */
};

static hiss_status hamming_setup(hs_kernel *k, const hs_model *m,
                                 hiss_error *err)
{
    struct hamming *s = k->state;
    size_t states, count;

    s->states_max = m->domain.states_max;
    HS_TRY(hs_ball_init(&s->ball, &m->domain, s->block, s->radius, err));
    HS_TRY(hs_point_init(&s->spare, m, err));
    count = (size_t)s->ball.capacity;
    states = (size_t)s->states_max * (size_t)s->ball.radius;
    s->change = hs_alloc_array(states, sizeof *s->change);
    s->phi = hs_alloc_array(states, sizeof *s->phi);
    s->log_p = hs_alloc_array(count, sizeof *s->log_p);
    s->logits = hs_alloc_array(count, sizeof *s->logits);
    s->target = hs_alloc_array((size_t)s->ball.size, sizeof *s->target);
    s->before = hs_alloc_array((size_t)s->ball.size, sizeof *s->before);
    return s->change && s->phi && s->log_p && s->logits && s->target &&
                   s->before
               ? HISS_OK
               : hs_fail_memory(err);
}

static void hamming_clear(hs_kernel *k)
{
    struct hamming *s = k->state;

    hs_ball_clear(&s->ball);
    hs_point_clear(&s->spare);
    hs_free(s->change);
    hs_free(s->phi);
    hs_free(s->log_p);
    hs_free(s->logits);
    hs_free(s->target);
    hs_free(s->before);
}

/* Computes U(x with x_i = v) - U(x) for all v, at the tile's own point. */
static hiss_status differences(struct hamming *s, const hs_model *m, hs_tile *x,
                               int i, hs_float_row *out)
{
    hiss_status rc;

    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U));
    x->energy_evals += (double)hs_model_difference_evals(m, &x->at, i);
    rc = hs_model_differences(m, &x->at, i, out, &s->spare);
    if (rc != HISS_OK)
        x->fault = x->at.fault;
    if (hs_model_has_cheap_sites(m))
        hs_tile_count_sites(x, m, 1.0);
    return rc;
}

/* Sets coordinate i, which gains this much, and makes U valid. */
static hiss_status set_site(const hs_model *m, hs_tile *x, int i,
                            const int16_t *to, const float *gain)
{
    hs_model_move(m, &x->at, i, to, gain);
    for (int l = 0; l < x->lanes; l++)
        if (!(fabsf(gain[l]) <= CHANGE_MAX))
            x->at.have = 0;
    return hs_tile_evaluate(x, m, &x->at, HS_U);
}

/* Moves the block to s->target.  Ignores unused lanes, whose U is unknown. */
static hiss_status go_to_target(struct hamming *s, const hs_model *m,
                                hs_tile *x)
{
    size_t used = (size_t)x->lanes * sizeof(int16_t);
    float gain[HS_LANES];

    for (int j = 0; j < s->ball.size; j++) {
        int i = s->ball.site[j];

        if (memcmp(s->target[j], x->at.x[i], used) == 0)
            continue;
        HS_TRY(differences(s, m, x, i, s->change));
        for (int l = 0; l < HS_LANES; l++) {
            int to = s->target[j][l];

            gain[l] = to == x->at.x[i][l] ? 0.0f : s->change[to][l];
        }
        HS_TRY(set_site(m, x, i, s->target[j], gain));
    }
    return HISS_OK;
}

/* Draws u, to s->target. */
static void draw_centre(struct hamming *s, const hs_tile *x)
{
    const hs_ball *b = &s->ball;
    int left[HS_LANES];

    for (int l = 0; l < HS_LANES; l++)
        left[l] = b->radius;
    for (int j = 0; j < b->size; j++) {
        uint32_t words[4][HS_LANES];

        hs_lanes()->philox(&x->rng, HS_DRAW_NOISE, (uint32_t)j, 1, words);
        for (int l = 0; l < HS_LANES; l++) {
            double u = hs_uniform_long(words[0][l], words[1][l]);

            s->target[j][l] = (int16_t)hs_ball_value(
                x->at.x[b->site[j]][l], hs_ball_draw(b, j, &left[l], u),
                b->states[j]);
        }
    }
}

/* U of the state with another value of coordinate i: u plus a gain, but
 * evaluated in lanes where the present state is impossible or the gain is too
 * large. */
static hiss_status value_energy(struct hamming *s, const hs_model *m,
                                hs_tile *x, int i, const int16_t *to,
                                const float *gain, double *u)
{
    bool is_unknown[HS_LANES], any = false;

    for (int l = 0; l < HS_LANES; l++) {
        is_unknown[l] = x->at.u[l] == -HUGE_VAL || gain[l] > CHANGE_MAX;
        any |= is_unknown[l] && l < x->lanes;
        u[l] = x->at.u[l] + (double)gain[l];
    }
    if (!any)
        return HISS_OK;
    memcpy(s->spare.x, x->at.x, (size_t)m->domain.dim * sizeof *s->spare.x);
    memcpy(s->spare.x[i], to, sizeof *s->spare.x);
    s->spare.have = 0;
    HS_TRY(hs_tile_evaluate(x, m, &s->spare, HS_U));
    for (int l = 0; l < HS_LANES; l++)
        if (is_unknown[l])
            u[l] = s->spare.u[l];
    return HISS_OK;
}

/* A state of the list: the state in the tile, its number, its number of
 * differences, and sum phi minus that of u. */
struct node {
    int number, level, first;
    double phi[HS_LANES];
};

static hiss_status list_from(struct hamming *s, const hs_model *m,
                             const hs_tilt *t, hs_tile *x,
                             const struct node *from);

static void set_log_p(struct hamming *s, const hs_tilt *t,
                      const struct node *at, const double *u)
{
    for (int l = 0; l < HS_LANES; l++)
        s->log_p[at->number][l] =
            u[l] == -HUGE_VAL ? u[l]
                              : hs_tempered(t->beta[l], u[l]) + at->phi[l];
}

/* Lists the state that differs from `from` at position j by a shift, and those
 * that differ at later positions too. */
static hiss_status list_value(struct hamming *s, const hs_model *m,
                              const hs_tilt *t, hs_tile *x,
                              const struct node *from, int j, int shift)
{
    const hs_ball *b = &s->ball;
    int i = b->site[j], base = from->level * s->states_max;
    struct node next = {.level = from->level + 1, .first = j + 1};
    hs_index_row to, back;
    float gain[HS_LANES];
    double u[HS_LANES];

    memcpy(back, x->at.x[i], sizeof back);
    for (int l = 0; l < HS_LANES; l++) {
        to[l] = (int16_t)hs_ball_value(back[l], shift, b->states[j]);
        gain[l] = s->change[base + to[l]][l];
        next.phi[l] = from->phi[l] + (double)s->phi[base + to[l]][l];
    }
    HS_TRY(value_energy(s, m, x, i, to, gain, u));
    next.number = hs_ball_add(&s->ball, from->number, j, shift);
    set_log_p(s, t, &next, u);
    if (next.level == b->radius || next.first == b->size)
        return HISS_OK;
    HS_TRY(set_site(m, x, i, to, gain));
    HS_TRY(list_from(s, m, t, x, &next));
    for (int l = 0; l < HS_LANES; l++)
        gain[l] = -gain[l];
    return set_site(m, x, i, back, gain);
}

static hiss_status list_from(struct hamming *s, const hs_model *m,
                             const hs_tilt *t, hs_tile *x,
                             const struct node *from)
{
    int base = from->level * s->states_max;

    for (int j = from->first; j < s->ball.size; j++) {
        int states = s->ball.states[j], i = s->ball.site[j];

        if (states == 1)
            continue;
        HS_TRY(differences(s, m, x, i, s->change + base));
        memset(s->phi + base, 0, (size_t)states * sizeof *s->phi);
        hs_tilt_add_values(t, &m->domain, i, x->at.x[i], s->phi + base);
        for (int shift = 1; shift < states; shift++)
            HS_TRY(list_value(s, m, t, x, from, j, shift));
    }
    return HISS_OK;
}

/* Computes ln p of all states of the ball around the tile's point. */
static hiss_status list_ball(struct hamming *s, const hs_model *m,
                             const hs_tilt *t, hs_tile *x)
{
    struct node centre = {0};

    hs_ball_begin(&s->ball);
    set_log_p(s, t, &centre, x->at.u);
    return list_from(s, m, t, x, &centre);
}

/* Draws a state of the ball, to s->target: u with its shifts. */
static void draw_state(struct hamming *s, const hs_tile *x)
{
    const hs_ball *b = &s->ball;
    uint32_t words[4][HS_LANES];
    int32_t number[HS_LANES];
    float max[HS_LANES], logit[HS_LANES];
    double sum[HS_LANES], u[HS_LANES];

    hs_lanes()->philox(&x->rng, HS_DRAW_PROPOSE, 0, 1, words);
    for (int l = 0; l < HS_LANES; l++) {
        double most = -HUGE_VAL;

        for (int n = 0; n < b->count; n++)
            most = s->log_p[n][l] > most ? s->log_p[n][l] : most;
        for (int n = 0; n < b->count; n++)
            s->logits[n][l] = (float)(s->log_p[n][l] - most);
        u[l] = hs_uniform_long(words[0][l], words[1][l]);
    }
    hs_lanes()->softmax_sum((const hs_float_row *)s->logits, b->count, max,
                            sum);
    hs_lanes()->softmax_pick((const hs_float_row *)s->logits, b->count, max,
                             sum, u, number, logit);
    for (int j = 0; j < b->size; j++)
        memcpy(s->target[j], x->at.x[b->site[j]], sizeof *s->target);
    for (int l = 0; l < HS_LANES; l++)
        for (int n = number[l]; n > 0; n = b->state[n].parent) {
            int j = b->state[n].position;

            s->target[j][l] = (int16_t)hs_ball_value(
                s->target[j][l], b->state[n].shift, b->states[j]);
        }
}

static hiss_status update(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                          hs_tile *x)
{
    struct hamming *s = k->state;
    const hs_ball *b = &s->ball;
    int32_t moved[HS_LANES] = {0};

    hs_tile_tick(x);
    hs_ball_place(
        &s->ball, &m->domain,
        hs_below(hs_rng_shared(&x->rng, HS_DRAW_BLOCK, 0), m->domain.dim));
    for (int j = 0; j < b->size; j++)
        memcpy(s->before[j], x->at.x[b->site[j]], sizeof *s->before);
    draw_centre(s, x);
    HS_TRY(go_to_target(s, m, x));
    HS_TRY(list_ball(s, m, t, x));
    draw_state(s, x);
    HS_TRY(go_to_target(s, m, x));
    for (int j = 0; j < b->size; j++)
        for (int l = 0; l < HS_LANES; l++)
            moved[l] |= s->before[j][l] != x->at.x[b->site[j]][l];
    hs_kernel_count(k, x, moved);
    return HISS_OK;
}

static int64_t updates_of(const struct hamming *s, const hs_model *m)
{
    int size = s->ball.size;

    return s->updates > 0 ? s->updates : (m->domain.dim + size - 1) / size;
}

static hiss_status hamming_step(hs_kernel *k, const hs_model *m,
                                const hs_tilt *t, hs_tile *x)
{
    const struct hamming *s = k->state;
    int64_t updates = updates_of(s, m);

    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U));
    for (int64_t n = 0; n < updates; n++)
        HS_TRY(update(k, m, t, x));
    return hs_site_refresh(m, x, k->steps, 4 * updates * s->ball.size);
}

/* Every state of a ball costs about one update of a site. */
static int hamming_work(const hs_kernel *k, const hs_model *m, hs_work *part)
{
    const struct hamming *s = k->state;

    part[0] = (hs_work){.times = (double)updates_of(s, m) * s->ball.capacity /
                                 m->domain.dim};
    return 1;
}

static hs_traits hamming_traits(const hs_kernel *k)
{
    (void)k;
    return (hs_traits){.exact = true,
                       .reversible = true,
                       .homogeneous = true,
                       .shares = true,
                       .period = 1};
}

static const hs_option hamming_options[] = {
    {"block", HS_INTEGER, offsetof(struct hamming, block), "8", "[1,1000]",
     "neighboring coordinates of a block, from a random one on"},
    {"radius", HS_INTEGER, offsetof(struct hamming, radius), "2", "[1,8]",
     "coordinates of the block that a ball may differ in"},
    {"updates", HS_INTEGER, offsetof(struct hamming, updates), "0",
     "[0,1000000]", "blocks per step; 0: as many as cover all coordinates"},
    {0},
};

const hs_kernel_type hs_kernel_hamming = {
    .name = "hamming",
    .summary = "Hamming ball: blocks, from all states a few changes away",
    .size = sizeof(struct hamming),
    .options = hamming_options,
    .setup = hamming_setup,
    .step = hamming_step,
    .clear = hamming_clear,
    .traits = hamming_traits,
    .work = hamming_work,
};
