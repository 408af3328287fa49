/* chromatic.c - block Gibbs by colors [Gonzalez, Low, Gretton & Guestrin 2011]:
 * all coordinates of a color at once, from their joint conditional.
 *
 * No two coordinates of a color share a table, so p(x_C | rest) = prod over i
 * in C of p(x_i | rest). They are drawn in any order, several at a time, by the
 * sweeps of Gibbs (sweeps/sweeps.h).
 *
 * A step draws every color once, in order; a random scan draws `updates`
 * colors, each uniformly from all of them and the same for all chains; every
 * color keeps the distribution. Colors are computed, or read from a file and
 * checked, because a conflict would change the distribution. */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "kernel/gibbs/coloring.h"
#include "kernel/gibbs/sweeps/site.h"
#include "kernel/gibbs/sweeps/sweeps.h"
#include "kernel/kernel.h"

#define GROUP 8         /* visits per flag of hs_visits.apart */
#define MOST  (1 << 28) /* most visits of a step */

enum {
    SYSTEMATIC,
    RANDOM
};

struct chromatic {
    char *colors; /* NULL: computed */
    int scan;
    int updates; /* 0: the number of colors */

    hs_coloring coloring; /* owned */
    int *order;           /* owned: the visits of this step */
    uint8_t *apart;       /* owned: per GROUP visits, as in hs_visits */
    int64_t visits;
    hs_paths sweeps; /* owned */
};

static int drawn_colors(const struct chromatic *s)
{
    return s->scan == RANDOM && s->updates > 0 ? s->updates
                                               : s->coloring.colors;
}

/* Marks the groups within this run of a color as uncoupled. */
static void add_color(struct chromatic *s, int c)
{
    const hs_coloring *all = &s->coloring;
    int64_t first = s->visits;

    for (int n = all->start[c]; n < all->start[c + 1]; n++)
        s->order[s->visits++] = all->order[n];
    for (int64_t k = (first + GROUP - 1) / GROUP; (k + 1) * GROUP <= s->visits;
         k++)
        s->apart[k] = 1;
}

static hiss_status make_room(struct chromatic *s, int dim, hiss_error *err)
{
    int64_t most = s->scan == RANDOM
                       ? (int64_t)drawn_colors(s) * s->coloring.largest
                       : dim;

    if (most > MOST)
        return hs_fail(err, HISS_EARG,
                       "sampler chromatic: %d colors of up to %d coordinates "
                       "are too many for one step; fewer updates, and more "
                       "steps",
                       drawn_colors(s), s->coloring.largest);
    s->order = hs_alloc_array((size_t)most, sizeof *s->order);
    s->apart = hs_alloc_array((size_t)(most / GROUP + 1), 1);
    return s->order && s->apart ? HISS_OK : hs_fail_memory(err);
}

static hiss_status chromatic_setup(hs_kernel *k, const hs_model *m,
                                   hiss_error *err)
{
    struct chromatic *s = k->state;

    HS_TRY(hs_coloring_init(&s->coloring, m, s->colors, err));
    HS_TRY(make_room(s, m->domain.dim, err));
    for (int c = 0; s->scan == SYSTEMATIC && c < s->coloring.colors; c++)
        add_color(s, c);
    for (int f = 0; f < HS_TILT_FORMS; f++)
        s->sweeps.path[f] = hs_sweep_choose(m, (hs_tilt_form)f, false);
    return hs_paths_init(&s->sweeps, m, err);
}

static void chromatic_clear(hs_kernel *k)
{
    struct chromatic *s = k->state;

    hs_coloring_clear(&s->coloring);
    hs_free(s->order);
    hs_free(s->apart);
    hs_paths_clear(&s->sweeps);
}

static const char *chromatic_path(const hs_kernel *k, hs_tilt_form form)
{
    const struct chromatic *s = k->state;

    return hs_paths_name(&s->sweeps, form);
}

static void draw_colors(struct chromatic *s, const hs_tile *x)
{
    int count = drawn_colors(s), colors = s->coloring.colors;

    memset(s->apart, 0, (size_t)(s->visits / GROUP + 1));
    s->visits = 0;
    for (int n = 0; n < count; n++)
        add_color(s,
                  hs_below(hs_rng_shared(&x->rng, HS_DRAW_BLOCK, (uint32_t)n),
                           colors));
}

static hiss_status chromatic_step(hs_kernel *k, const hs_model *m,
                                  const hs_tilt *t, hs_tile *x)
{
    struct chromatic *s = k->state;
    hs_tilt_form form = hs_tilt_form_of(t);
    const hs_sweep *way = (const hs_sweep *)s->sweeps.path[form];
    double changed[HS_LANES] = {0};
    hs_sweep_job job = {.m = m,
                        .t = t,
                        .x = x,
                        .steps = k->steps,
                        .count = 1,
                        .order = s->order,
                        .apart = s->apart,
                        .is_summed =
                            x->sum && t == &x->tilt && s->scan == SYSTEMATIC,
                        .changed = changed};

    hs_tile_tick(x);
    if (s->scan == RANDOM)
        draw_colors(s, x);
    job.visits = s->visits;
    hs_site_count(x, m, job.visits);
    x->summed += job.is_summed;
    HS_TRY(way->sweep(s->sweeps.state[form], &job));
    for (int l = 0; l < x->lanes; l++) {
        k->lane[HS_PROPOSED][l] += (double)job.visits;
        k->lane[HS_ACCEPTED][l] += changed[l];
    }
    return HISS_OK;
}

static int chromatic_work(const hs_kernel *k, const hs_model *m, hs_work *part)
{
    const struct chromatic *s = k->state;

    (void)m;
    part[0] = (hs_work){.times = (double)drawn_colors(s) /
                                 (double)s->coloring.colors};
    return 1;
}

static hs_traits chromatic_traits(const hs_kernel *k)
{
    const struct chromatic *s = k->state;

    return (hs_traits){.exact = true,
                       .reversible =
                           s->scan == RANDOM || s->coloring.colors == 1,
                       .homogeneous = true,
                       .shares = s->scan == RANDOM,
                       .period = 1};
}

static const hs_option chromatic_options[] = {
    {"colors", HS_FILE, offsetof(struct chromatic, colors), "", NULL,
     "file with a number per coordinate, checked; found if omitted"},
    {"scan", HS_CHOICE, offsetof(struct chromatic, scan), "systematic",
     "systematic|random", "every color once, or drawn at random"},
    {"updates", HS_INTEGER, offsetof(struct chromatic, updates), "0",
     "[0,1000000]", "colors per step of a random scan; 0: as many as exist"},
    {0},
};

const hs_kernel_type hs_kernel_chromatic = {
    .name = "chromatic",
    .summary = "heat bath, all coordinates of a color at once",
    .size = sizeof(struct chromatic),
    .options = chromatic_options,
    .setup = chromatic_setup,
    .step = chromatic_step,
    .clear = chromatic_clear,
    .traits = chromatic_traits,
    .path = chromatic_path,
    .work = chromatic_work,
};
