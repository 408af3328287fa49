/* noise_mix.c - jumps of hiss by a mixture of scales and blocks. */
#include "kernel/compose/noise_mix.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "kernel/adapt.h"
#include "kernel/compose/noise_block.h"
#include "lanes/lanes.h"
#include "model/factors.h"

#define WHOLE  10 /* probes of all coordinates: LOW 2^(n/2) gaps */
#define PARTS  3  /* scales of every block: PART 2^(3n/2) gaps */
#define LOW    0.1
#define PART   0.28
#define ROOT_2 0.34657359027997264 /* ln 2 / 2 */
#define ROUNDS 16  /* jumps of one sweep: a sweep costs a few gibbs steps */
#define SPREAD 0.2 /* fraction of the weights, that all probes share */
#define TRIES  2   /* jumps of a sweep of the pilot */
#define RARE   0.2 /* jumps per inner step at least: five of six evaluations */
#define USUAL  0.5 /* before anything is known: the paper's L is 2 */
#define WORTH  0.5 /* of the squared distance of an inner step: one jump each */

static const int BLOCKS[] = {2, 3, 4, 8, HS_MIX_BLOCK};

_Static_assert(WHOLE + PARTS * (int)(sizeof BLOCKS / sizeof *BLOCKS) ==
                   HS_MIX_PROBES,
               "a row per probe");

/* ln of a probe's scale, in units of the gap. */
static double log_scale(const hs_noise_mix *s, int probe)
{
    return probe < WHOLE
               ? log(LOW) + ROOT_2 * probe + s->log_unit
               : log(PART) + 3.0 * ROOT_2 * ((probe - WHOLE) % PARTS) +
                     s->log_unit;
}

/* Sites that it noises; dim: all. */
static int sites_of(const hs_noise_mix *s, int probe, int dim)
{
    int block = probe < WHOLE ? dim : BLOCKS[(probe - WHOLE) / PARTS];

    if (s->block > 0)
        block = s->block;
    return block < dim ? block : dim;
}

/* Returns true if a probe differs from others of its scale.  They are the same
 * if a block has all coordinates, or if the block is fixed. */
static bool is_apart(const hs_noise_mix *s, int probe, int dim)
{
    return probe < WHOLE || (s->block == 0 && sites_of(s, probe, dim) < dim);
}

/* Returns true if sums of single-site differences of U give the whole
 * difference: no intermediate state is impossible. */
static hiss_status is_finite(const hs_model *m, bool *out, hiss_error *err)
{
    hs_factors f;

    *out = m->is_quadratic;
    if (*out || !m->ops->factors || m->is_dense)
        return HISS_OK;
    HS_TRY(m->ops->factors(m, &f, err));
    *out = !hs_factors_have_zeros(&f);
    hs_factors_clear(&f);
    return HISS_OK;
}

/* Every probe that is apart has the same weight. */
static void weigh_evenly(const hs_noise_mix *s, int dim,
                         double (*column)[HS_LANES])
{
    double all = 0.0, below = 0.0;

    for (int n = 0; n < HS_MIX_PROBES; n++)
        all += is_apart(s, n, dim);
    for (int n = 0; n < HS_MIX_PROBES; n++) {
        below += is_apart(s, n, dim);
        for (int l = 0; l < HS_LANES; l++)
            column[HS_MIX_BELOW + n][l] = below / all;
    }
}

hiss_status hs_noise_mix_init(hs_noise_mix *s, const hs_model *m, int block,
                              double (*column)[HS_LANES], hiss_error *err)
{
    const hs_domain *d = &m->domain;

    s->block = block;
    s->log_unit = log(hs_domain_gap(d));
    s->log_far = log(hs_domain_far_gap(d));
    if (hs_model_has_cheap_sites(m) && !m->ops->change)
        HS_TRY(is_finite(m, &s->is_local, err));
    if (s->is_local)
        HS_TRY(hs_site_init(&s->site, m, err));
    HS_TRY(hs_point_init(&s->y, m, err));
    s->phi = hs_alloc_array((size_t)d->value_count, sizeof *s->phi);
    s->scratch = hs_alloc_array((size_t)d->states_max, sizeof *s->scratch);
    s->before = hs_alloc_array((size_t)d->dim, sizeof *s->before);
    if (!s->phi || !s->scratch || !s->before)
        return hs_fail_memory(err);
    for (int l = 0; l < HS_LANES; l++)
        column[HS_MIX_RATE][l] = USUAL;
    weigh_evenly(s, d->dim, column);
    return HISS_OK;
}

void hs_noise_mix_clear(hs_noise_mix *s)
{
    hs_site_clear(&s->site);
    hs_point_clear(&s->y);
    hs_free(s->phi);
    hs_free(s->scratch);
    hs_free(s->before);
}

/* --- what a sweep does ---------------------------------------------------- */

/* Jumps of one probe, the same in all lanes, whose columns are equal
 * (noise_mix.h). */
struct jumps {
    hs_kernel *k;
    const hs_model *m;
    const hs_tilt *t;
    hs_tile *x;
    unsigned wants;
    int probe;
    int sites; /* sites of a block */
    float eta[HS_LANES];
    float far[HS_LANES];   /* |x' - x| of the last jump */
    float worth[HS_LANES]; /* its acceptance probability */
};

/* Draws a probe by the weights; the choice does not depend on the states. */
static int draw_probe(const struct jumps *j, const double (*column)[HS_LANES])
{
    double u = hs_uniform(hs_rng_shared(&j->x->rng, HS_DRAW_COMPONENT, 0));
    int n = 0;

    while (n + 1 < HS_MIX_PROBES && u >= column[HS_MIX_BELOW + n][0])
        n++;
    return n;
}

/* The scale and the block of a probe. */
static void set_probe(const hs_noise_mix *s, struct jumps *j, int probe)
{
    double logs[HS_LANES];
    hs_adapt a = {logs, NULL, NULL};

    j->probe = probe;
    j->sites = sites_of(s, probe, j->m->domain.dim);
    for (int l = 0; l < HS_LANES; l++)
        logs[l] = log_scale(s, probe);
    hs_adapt_values(a, j->eta);
    if (s->log_far > -HUGE_VAL)
        hs_adapt_reach(a, &j->x->rng, s->log_far, j->eta);
}

/* Draws a random set of n sites (Floyd), the same in all lanes.  Every set
 * keeps the distribution. */
static void draw_sites(const hs_tile *x, int dim, int n, int *site)
{
    for (int i = 0; i < n; i++) {
        int last = dim - n + i;
        int pick = hs_below(hs_rng_shared(&x->rng, HS_DRAW_BLOCK, (uint32_t)i),
                            last + 1);

        for (int e = 0; e < i; e++)
            if (site[e] == pick) {
                pick = last;
                break;
            }
        site[i] = pick;
    }
}

/* Noise and denoising of a domain's coordinates: rows of x to rows of y. */
static void redraw(hs_noise_mix *s, const struct jumps *j, const hs_domain *d,
                   const hs_index_row *x, hs_index_row *y)
{
    hs_noise noise = {.domain = d,
                      .rng = &j->x->rng,
                      .eta = j->eta,
                      .x = x,
                      .y = y,
                      .phi = s->phi,
                      .scratch = s->scratch,
                      .shape = HS_LOGISTIC};

    hs_lanes()->noise(&noise);
}

/* The proposal of a block: its rows in x and in x'. */
struct block {
    int site[HS_MIX_BLOCK];
    hs_index_row x[HS_MIX_BLOCK], y[HS_MIX_BLOCK];
};

/* The block's coordinates as a domain of their own. */
static void propose(hs_noise_mix *s, struct jumps *j, struct block *b)
{
    const hs_domain *d = &j->m->domain;
    hiss_kind kind[HS_MIX_BLOCK];
    int states[HS_MIX_BLOCK], value[HS_MIX_BLOCK];
    hs_domain part = *d;

    draw_sites(j->x, d->dim, j->sites, b->site);
    for (int i = 0; i < j->sites; i++) {
        int site = b->site[i];

        memcpy(b->x[i], j->x->at.x[site], sizeof *b->x);
        kind[i] = d->kind[site];
        states[i] = d->states[site];
        value[i] = d->value[site]; /* rows of phi: those of the whole domain */
    }
    part.dim = j->sites;
    part.kind = kind;
    part.states = states;
    part.value = value;
    redraw(s, j, &part, (const hs_index_row *)b->x, b->y);
    hs_blocks_differ(j->sites, (const hs_index_row *)b->x,
                     (const hs_index_row *)b->y, j->far);
}

/* Sets a site to a row of values, by changes of U that are known. */
static void set_site(const struct jumps *j, int i, const int16_t *to,
                     const float *change)
{
    bool any = false;

    for (int l = 0; l < HS_LANES; l++)
        any |= to[l] != j->x->at.x[i][l];
    if (any)
        hs_model_move(j->m, &j->x->at, i, to, change);
}

/* phi of the distribution itself, x' relative to x. */
static double outer(const struct jumps *j, const struct block *b, int i, int l)
{
    const hs_domain *d = &j->m->domain;
    int site = b->site[i], x = b->x[i][l], y = b->y[i][l];

    if (!j->t->phi || x == y)
        return 0.0;
    if (d->is_pair)
        return (double)j->t->phi[site][l] * (y - x);
    return (double)j->t->phi[d->value[site] + y][l] -
           (double)j->t->phi[d->value[site] + x][l];
}

/* Back to x where x' was refused. */
static void restore(const struct jumps *j, const struct block *b,
                    const float (*change)[HS_LANES], const int32_t *accept,
                    const double *u)
{
    for (int i = j->sites - 1; i >= 0; i--) {
        int16_t to[HS_LANES];
        float back[HS_LANES];

        for (int l = 0; l < HS_LANES; l++) {
            to[l] = accept[l] ? b->y[i][l] : b->x[i][l];
            back[l] = accept[l] ? 0.0f : -change[i][l];
        }
        set_site(j, b->site[i], to, back);
    }
    for (int l = 0; l < HS_LANES; l++)
        if (!accept[l])
            j->x->at.u[l] = u[l];
}

/* A jump of a block by sums over its sites, in place. */
static hiss_status jump_local(hs_noise_mix *s, struct jumps *j)
{
    hs_tile *x = j->x;
    double ratio[HS_LANES] = {0}, u[HS_LANES];
    float change[HS_MIX_BLOCK][HS_LANES];
    int32_t accept[HS_LANES];
    struct block b;

    HS_TRY(hs_tile_evaluate(x, j->m, &x->at, HS_U));
    propose(s, j, &b);
    memcpy(u, x->at.u, sizeof u);
    for (int i = 0; i < j->sites; i++) {
        HS_TRY(hs_model_differences(j->m, &x->at, b.site[i], s->site.change,
                                    &s->site.spare));
        for (int l = 0; l < HS_LANES; l++) {
            int to = b.y[i][l];

            change[i][l] = to == b.x[i][l] ? 0.0f : s->site.change[to][l];
            ratio[l] += (double)j->t->beta[l] * (double)change[i][l] +
                        outer(j, &b, i, l);
        }
        set_site(j, b.site[i], b.y[i], change[i]);
    }
    hs_tile_decide(x, ratio, accept);
    restore(j, &b, (const float(*)[HS_LANES])change, accept, u);
    hs_tile_acceptance(ratio, j->worth);
    hs_kernel_count(j->k, x, accept);
    return HISS_OK;
}

/* Makes a jump and evaluates U at its end. */
static hiss_status jump_whole(hs_noise_mix *s, struct jumps *j)
{
    hs_tile *x = j->x;
    const hs_domain *d = &j->m->domain;
    double ratio[HS_LANES];
    int32_t accept[HS_LANES];
    struct block b;

    if (j->sites == d->dim) {
        redraw(s, j, d, (const hs_index_row *)x->at.x, s->y.x);
        hs_blocks_differ(d->dim, (const hs_index_row *)x->at.x,
                         (const hs_index_row *)s->y.x, j->far);
    } else {
        propose(s, j, &b);
        memcpy(s->y.x, x->at.x, (size_t)d->dim * sizeof *s->y.x);
        for (int i = 0; i < j->sites; i++)
            memcpy(s->y.x[b.site[i]], b.y[i], sizeof *b.y);
    }
    s->y.have = 0;
    HS_TRY(hs_tile_evaluate(x, j->m, &x->at, HS_U));
    HS_TRY(hs_tile_evaluate(x, j->m, &s->y, j->wants));
    hs_tile_log_ratio(j->m, j->t, &x->at, &s->y, ratio);
    hs_tile_decide(x, ratio, accept);
    hs_tile_move(x, j->m, &s->y, accept);
    hs_tile_acceptance(ratio, j->worth);
    hs_kernel_count(j->k, x, accept);
    return HISS_OK;
}

/* --- a pilot -------------------------------------------------------------- */

/* Later probes weigh more, by the cube of their round: on the way to the bulk
 * of the distribution, other jumps are the best. */
static double weight_of(double count)
{
    double round = floor(count / HS_MIX_PROBES) + 1.0;

    return round * round * round;
}

static void note(const struct jumps *j, double (*column)[HS_LANES])
{
    for (int l = 0; l < HS_LANES; l++) {
        double near = column[HS_MIX_WEIGHT][l] > 0.0
                          ? column[HS_MIX_NEAR][l] / column[HS_MIX_WEIGHT][l]
                          : 0.0;
        double far = fmax((double)j->far[l] - near, 0.0);

        column[HS_MIX_WORTH + j->probe][l] +=
            weight_of(column[HS_MIX_COUNT][l]) * (double)j->worth[l] * far *
            far;
    }
}

/* Jumps of one probe, until they have cost an evaluation. */
static hiss_status make_jumps(hs_noise_mix *s, struct jumps *j,
                              double (*column)[HS_LANES])
{
    int dim = j->m->domain.dim, rounds = dim / j->sites;

    if (!s->is_local || j->sites == dim || j->sites > HS_MIX_BLOCK) {
        HS_TRY(jump_whole(s, j));
        if (j->x->is_tuning)
            note(j, column);
        return HISS_OK;
    }
    rounds = rounds < ROUNDS ? rounds : ROUNDS;
    for (int r = 0; r < rounds; r++) {
        if (r > 0)
            hs_tile_tick(j->x);
        HS_TRY(jump_local(s, j));
        if (j->x->is_tuning)
            note(j, column);
    }
    hs_tile_count_sites(j->x, j->m, (double)rounds * j->sites);
    return hs_site_refresh(j->m, j->x, j->k->steps, dim);
}

hiss_status hs_noise_mix_jump(hs_noise_mix *s, hs_kernel *k, const hs_model *m,
                              const hs_tilt *t, hs_tile *x, unsigned wants,
                              double rate, double (*column)[HS_LANES])
{
    struct jumps j = {.k = k, .m = m, .t = t, .x = x, .wants = wants};

    hs_tile_tick(x);
    if (!x->is_tuning) {
        if (rate < 1.0 &&
            hs_uniform(hs_rng_shared(&x->rng, HS_DRAW_COMPONENT, 1)) >= rate)
            return HISS_OK;
        set_probe(s, &j, draw_probe(&j, (const double(*)[HS_LANES])column));
        return make_jumps(s, &j, column);
    }
    for (int n = 0; n < TRIES; n++) {
        if (n > 0)
            hs_tile_tick(x);
        set_probe(s, &j, (int)fmod(column[HS_MIX_COUNT][0], HS_MIX_PROBES));
        HS_TRY(make_jumps(s, &j, column));
        for (int l = 0; l < HS_LANES; l++)
            column[HS_MIX_COUNT][l] += 1.0;
    }
    return HISS_OK;
}

void hs_noise_mix_leave(hs_noise_mix *s, const hs_model *m, const hs_tile *x)
{
    memcpy(s->before, x->at.x, (size_t)m->domain.dim * sizeof *s->before);
}

void hs_noise_mix_arrive(hs_noise_mix *s, const hs_model *m, const hs_tile *x,
                         double (*column)[HS_LANES])
{
    float near[HS_LANES];

    hs_blocks_differ(m->domain.dim, (const hs_index_row *)s->before,
                     (const hs_index_row *)x->at.x, near);
    for (int l = 0; l < HS_LANES; l++) {
        double weight = weight_of(column[HS_MIX_COUNT][l]);
        double distance = (double)near[l];

        column[HS_MIX_WEIGHT][l] += weight;
        column[HS_MIX_NEAR][l] += weight * distance;
        column[HS_MIX_NEAR_2][l] += weight * distance * distance;
    }
}

/* --- what it found -------------------------------------------------------- */

/* The weights that a probe was tried with, in all. */
static double tried(double count, int probe)
{
    int rounds = (int)((count + HS_MIX_PROBES - 1 - probe) / HS_MIX_PROBES);
    double all = 0.0;

    for (int r = 1; r <= rounds; r++)
        all += (double)r * r * r;
    return all;
}

static void freeze(const hs_noise_mix *s, int dim, double (*column)[HS_LANES],
                   int l)
{
    double worth[HS_MIX_PROBES], squares = 0.0, apart = 0.0, below = 0.0;
    double gain = 0.0, count = column[HS_MIX_COUNT][l];
    double near = column[HS_MIX_NEAR_2][l] / column[HS_MIX_WEIGHT][l];

    for (int n = 0; n < HS_MIX_PROBES; n++) {
        double weight = tried(count, n);

        worth[n] = is_apart(s, n, dim) && weight > 0.0
                       ? column[HS_MIX_WORTH + n][l] / weight
                       : 0.0;
        apart += is_apart(s, n, dim);
        squares += worth[n] * worth[n];
    }
    for (int n = 0; n < HS_MIX_PROBES; n++) {
        double own = SPREAD * is_apart(s, n, dim) / apart;

        if (squares > 0.0)
            own += (1.0 - SPREAD) * worth[n] * worth[n] / squares;
        else
            own /= SPREAD;
        gain += own * worth[n];
        below += own;
        column[HS_MIX_BELOW + n][l] = below;
    }
    column[HS_MIX_RATE][l] =
        gain < WORTH * near ? fmax(gain / (WORTH * near), RARE) : 1.0;
}

void hs_noise_mix_freeze(const hs_noise_mix *s, int dim,
                         double (*column)[HS_LANES])
{
    for (int l = 0; l < HS_LANES; l++)
        if (column[HS_MIX_COUNT][l] > 0.0 && column[HS_MIX_WEIGHT][l] > 0.0)
            freeze(s, dim, column, l);
}

/* The weight of a probe. */
static double share(const double (*column)[HS_LANES], int probe, int lane)
{
    return column[HS_MIX_BELOW + probe][lane] -
           (probe > 0 ? column[HS_MIX_BELOW + probe - 1][lane] : 0.0);
}

int hs_noise_mix_describe(const hs_noise_mix *s, int dim,
                          const double (*column)[HS_LANES], int lane,
                          char *text, size_t size)
{
    char list[160] = "";
    double limit = 2.0;

    for (int place = 0; place < 3; place++) {
        size_t at = strlen(list);
        int best = -1;

        for (int n = 0; n < HS_MIX_PROBES; n++)
            if (share(column, n, lane) < limit &&
                (best < 0 ||
                 share(column, n, lane) > share(column, best, lane)))
                best = n;
        if (best < 0 || (place > 0 && share(column, best, lane) < 0.1))
            break;
        limit = share(column, best, lane);
        hs_snprintf(list + at, sizeof list - at, "%s%d:%.3g*%.0f%%",
                    place > 0 ? "+" : "", sites_of(s, best, dim),
                    exp(log_scale(s, best)), 100.0 * limit);
    }
    return hs_snprintf(text, size, "jumps=%s,rate=%.2g", list,
                       column[HS_MIX_RATE][lane]);
}
