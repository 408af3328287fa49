/* tour.c - moves of a tour: 2-opt and or-opt, Metropolis.
 *
 * A move replaces two or three edges of the closed tour (base/state/tour.h), so
 * its change of U costs a few additions for any number of cities. A move and
 * its reverse are equally likely, so it is accepted with min(1, e^(beta
 * change)).
 *
 * A closed tour has 2 dim equivalent forms, by start and direction, all with
 * the same U. turn=yes takes a random one of them at the end of a step: that
 * commutes with the moves, so the step stays reversible, and the cities at a
 * position are drawn afresh.
 *
 * A move counts 1 / dim of an evaluation, as a single-site update does. */
#include <stddef.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/state/tour.h"
#include "kernel/gibbs/sweeps/site.h"
#include "kernel/kernel.h"
#include "lanes/lanes.h"

struct tour {
    int updates; /* 0: dim */
    double or_opt;
    bool turns;
    int16_t *scratch; /* owned, [dim] */
};

static hiss_status tour_setup(hs_kernel *k, const hs_model *m, hiss_error *err)
{
    struct tour *s = k->state;

    if (!m->domain.is_tour)
        return hs_fail(err, HISS_EUNSUP,
                       "sampler tour: it moves tours, and model %s has %s "
                       "coordinates; tsp(FILE) has tours",
                       m->name, hs_kind_name(m->domain.kind[0]));
    s->scratch = hs_alloc_array((size_t)m->domain.dim, sizeof *s->scratch);
    return s->scratch ? HISS_OK : hs_fail_memory(err);
}

static void tour_clear(hs_kernel *k)
{
    struct tour *s = k->state;

    hs_free(s->scratch);
}

/* Makes one move in every lane, by the four words of block `position`. */
static void update(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                   hs_tile *x, int64_t position)
{
    struct tour *s = k->state;
    int dim = m->domain.dim;
    uint32_t words[4][HS_LANES];
    float uniform[HS_LANES], log_u[HS_LANES];
    int32_t accept[HS_LANES];

    hs_lanes()->philox(&x->rng, HS_DRAW_PROPOSE, (uint32_t)position, 1, words);
    for (int l = 0; l < HS_LANES; l++)
        uniform[l] = (float)words[3][l] * 0x1p-32f + 0x1p-33f;
    hs_lanes()->log(uniform, log_u);
    for (int l = 0; l < HS_LANES; l++) {
        uint32_t own[3] = {words[0][l], words[1][l], words[2][l]};
        int16_t *tour = &x->at.x[0][l];
        hs_tour_move move;
        double change;

        hs_tour_draw(&move, dim, s->or_opt, own);
        change = hs_tour_change(tour, HS_LANES, dim, m->edge, &move);
        accept[l] = (double)log_u[l] < (double)t->beta[l] * change;
        if (accept[l]) {
            hs_tour_apply(tour, HS_LANES, dim, &move, s->scratch);
            x->at.u[l] += change;
        }
    }
    hs_kernel_count(k, x, accept);
}

/* Chooses a random start and direction for every lane. */
static void turn(struct tour *s, const hs_model *m, hs_tile *x)
{
    uint32_t words[4][HS_LANES];
    int dim = m->domain.dim;

    hs_lanes()->philox(&x->rng, HS_DRAW_SITE, 0, 1, words);
    for (int l = 0; l < HS_LANES; l++)
        hs_tour_turn(&x->at.x[0][l], HS_LANES, dim, hs_below(words[0][l], dim),
                     words[1][l] >> 31, s->scratch);
}

static hiss_status tour_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                             hs_tile *x)
{
    struct tour *s = k->state;
    int64_t moves = s->updates > 0 ? s->updates : m->domain.dim;

    hs_tile_tick(x);
    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U));
    for (int64_t p = 0; p < moves; p++)
        update(k, m, t, x, p);
    if (s->turns)
        turn(s, m, x);
    x->at.have = HS_U;
    hs_tile_count_sites(x, m, (double)moves);
    return hs_site_refresh(m, x, k->steps, moves);
}

static int tour_work(const hs_kernel *k, const hs_model *m, hs_work *part)
{
    const struct tour *s = k->state;

    part[0] = (hs_work){
        .times = s->updates > 0 ? (double)s->updates / m->domain.dim : 1.0};
    return 1;
}

static hs_traits tour_traits(const hs_kernel *k)
{
    (void)k;
    return (hs_traits){
        .exact = true, .reversible = true, .homogeneous = true, .period = 1};
}

#define AT(field) offsetof(struct tour, field)
static const hs_option tour_options[] = {
    {"updates", HS_INTEGER, AT(updates), "0", "[0,1000000000]",
     "moves per step; 0: as many as cities"},
    {"or_opt", HS_REAL, AT(or_opt), "0.5", "[0,1]",
     "share of moves that carry up to 3 cities elsewhere; the others reverse "
     "a part of the tour (2-opt)"},
    {"turn", HS_BOOL, AT(turns), "yes", NULL,
     "end a step with a random start and direction of the same closed tour"},
    {0},
};

const hs_kernel_type hs_kernel_tour = {
    .name = "tour",
    .summary = "2-opt and or-opt moves of a tour, Metropolis",
    .moves_tours = true,
    .size = sizeof(struct tour),
    .options = tour_options,
    .setup = tour_setup,
    .step = tour_step,
    .clear = tour_clear,
    .traits = tour_traits,
    .work = tour_work,
};
