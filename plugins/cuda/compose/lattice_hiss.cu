/* lattice_hiss.cu - sweeps of hiss with Langevin steps inside, with a bit per
 * site: hiss.cu and cuda/langevin/factors.cu in one kernel.
 *
 * The factor d of a site's noise is not kept: its random word has an address,
 * and is made again where it is needed. */
#include "cuda/compose/noise.h"
#include "cuda/langevin/lattice.h"
#include "cuda/langevin/tilted.h"

/* The noise of a sweep. */
typedef struct noise {
    philox_at at;
    hs_card_unit unit;
    float root;
} noise;

/* What a flip needs, by the count of neighbors that are alike. */
typedef struct law {
    float t[HS_DEGREE_MAX + 1], rise[HS_DEGREE_MAX + 1];
    int rises; /* some of them */
} law;

/* A chain while it walks: planes, and what is known of x. */
typedef struct walker {
    hs_lattice_chain c;
    uint32_t *x, *y, *was;
    double u, spread;
    int has_spread;
    int jumps, moves; /* taken */
} walker;

HS_ON_CARD law law_of(const hs_card_group *g, int64_t number, uint64_t clock,
                      int degree)
{
    hs_card_regular r = hs_card_regular_of(&g->model);
    hs_card_law of = hs_card_law_at(g, number, clock, 0);
    law a;

    a.rises = 0;
    HS_UNROLL
    for (int k = 0; k <= degree; k++) {
        float z = hs_card_entry_logit(g, &r, &of, k);

        a.t[k] = vf_exp_negative(-vf_abs(z));
        a.rise[k] = vf_max(z, 0.0f);
        a.rises |= a.rise[k] > 0.0f;
    }
    return a;
}

/* table[k], k given by its bits. */
HS_ON_CARD float pick(const float *table, int degree, uint32_t one,
                      uint32_t two, uint32_t four)
{
    float low = one ? table[1] : table[0];
    float high = one ? table[degree < 3 ? 0 : 3] : table[degree < 2 ? 0 : 2];
    float far;

    low = two ? high : low;
    if (degree < 4)
        return low;
    far = one && degree > 4 ? table[degree < 5 ? 0 : 5] : table[4];
    if (degree > 5) {
        high = one && degree > 6 ? table[degree < 7 ? 0 : 7]
                                 : table[degree < 6 ? 0 : 6];
        far = two ? high : far;
    }
    return four ? far : low;
}

/* x' of group i; 8 sites share a block of coins, 4 one of noise. */
HS_ON_CARD uint32_t denoise(const noise *e, const coin *coins, uint32_t own,
                            int i)
{
    uint32_t flips = 0;

    HS_UNROLL_NOT
    for (int b = 0; b < HS_LATTICE_SITES; b += 8) {
        int first = i * HS_LATTICE_SITES + b;
        uint32_t word[8], words[4];

        philox_four(&e->at, (uint32_t)first / 4, word);
        philox_four(&e->at, (uint32_t)first / 4 + 1, word + 4);
        philox_four(&coins->at, (uint32_t)first / 8, words);
        HS_UNROLL
        for (int j = 0; j < 8; j++) {
            float d = hs_card_depth(&e->unit, own >> (b + j) & 1, word[j]);
            uint32_t flip = (uint32_t)coin_decide(
                coins, coin_half(words[j / 2], j), first + j, e->unit.c,
                vf_fma(d, d, e->unit.c));

            flips |= flip << (b + j);
        }
    }
    return flips;
}

/* Four sites from bit b of group i on: their part of the products, and which
 * of them flip, if there are coins; words: two bytes each. */
HS_ON_CARD uint32_t four_sites(const walker *w, const noise *e, const law *a,
                               const coin *coins, const hs_lattice_counts *n,
                               uint32_t was, int i, int b, int degree,
                               int rises, uint32_t *words, hs_card_products *s)
{
    int first = i * HS_LATTICE_SITES + b;
    uint32_t word[4], flips = 0;

    philox_four(&e->at, (uint32_t)first / 4, word);
    HS_UNROLL
    for (int j = 0; j < 4; j++) {
        int p = b + j, old = (int)(was >> p & 1);
        uint32_t one = n->bit[0] >> p & 1, two = n->bit[1] >> p & 1;
        uint32_t four = n->bit[2] >> p & 1;
        float d = hs_card_depth(&e->unit, old, word[j]);
        hs_card_odds o = hs_card_tilted_odds(
            pick(a->t, degree, one, two, four),
            rises ? pick(a->rise, degree, one, two, four) : 0.0f, e->root, d,
            (int)((n->own >> p & 1) ^ (uint32_t)old));

        if (first + j < w->c.dim)
            hs_card_products_add(s, &o);
        if (coins)
            flips |= (uint32_t)coin_decide(coins, coin_half(words[j / 2], j),
                                           first + j, o.part, o.whole)
                     << p;
    }
    return flips;
}

/* One pass over the sites of plane x: y, if coins are given, and the products
 * that make its spread, which is returned; alike: neighbors that are. */
HS_ON_CARD double pass(const walker *w, const noise *e, const law *a,
                       const coin *coins, const uint32_t *x, int degree,
                       int rises, int *alike)
{
    int groups = w->c.a->groups, dim = w->c.dim;
    hs_card_products s;
    double sum = 0.0;

    *alike = 0;
    hs_card_products_begin(&s);
    for (int i = 0; i < groups; i++) {
        hs_lattice_counts n = hs_lattice_count(&w->c, x, i, degree);
        uint32_t was = w->was[(i + 1) * w->c.stride], flips = 0;
        uint32_t words[4] = {0, 0, 0, 0};

        *alike += hs_lattice_alike(&n);
        HS_UNROLL_NOT
        for (int b = 0; b < HS_LATTICE_SITES; b += 8) {
            int first = i * HS_LATTICE_SITES + b;

            if (first >= dim)
                break;
            if (coins)
                philox_four(&coins->at, (uint32_t)first / 8, words);
            flips |= four_sites(w, e, a, coins, &n, was, i, b, degree, rises,
                                words, &s);
            flips |= four_sites(w, e, a, coins, &n, was, i, b + 4, degree,
                                rises, words + 2, &s);
            if (b % HS_CARD_TILT_GROUP == 8 || first + 8 >= dim)
                hs_card_products_tidy(&s);
        }
        if (coins)
            w->y[(i + 1) * w->c.stride] = n.own ^ (flips & n.valid);
        if ((i + 1) % (HS_CARD_TILT_CHUNK / HS_LATTICE_SITES) == 0 ||
            i + 1 == groups) {
            sum = hs_card_products_end(&s, sum);
            hs_card_products_begin(&s);
        }
    }
    return sum;
}

HS_ON_CARD double pass_as(const walker *w, const noise *e, const law *a,
                          const coin *coins, const uint32_t *x, int degree,
                          int *alike)
{
    return a->rises ? pass(w, e, a, coins, x, degree, 1, alike)
                    : pass(w, e, a, coins, x, degree, 0, alike);
}

HS_ON_CARD void go(walker *w)
{
    uint32_t *x = w->x;

    w->x = w->y;
    w->y = x;
}

HS_ON_CARD void refine(walker *w, const hs_card_group *g, const noise *e,
                       uint64_t clock, int degree)
{
    law a = law_of(g, w->c.number, clock, degree);
    coin coins = hs_card_coins(g, w->c.number, clock, HS_DRAW_PROPOSE);
    double here, there;
    int alike;

    here = pass_as(w, e, &a, &coins, w->x, degree, &alike);
    if (!w->has_spread)
        w->spread = here;
    there = pass_as(w, e, &a, NULL, w->y, degree, &alike);
    if (hs_card_decide(g, w->c.number, clock, w->spread - there)) {
        go(w);
        w->u = hs_card_alike_energy(&g->model, degree, (double)alike);
        w->spread = there;
        w->moves++;
    }
    w->has_spread = g->sampler.log_far == HS_MINUS_INFINITY;
}

HS_ON_CARD noise begin_noise(const hs_card_group *g, walker *w, uint64_t clock)
{
    coin coins = hs_card_coins(g, w->c.number, clock, HS_DRAW_DENOISE);
    noise e;

    e.at = philox_begin(g->seed, clock, g->lanes.chain[0][w->c.number],
                        g->lanes.replica[0][w->c.number], HS_DRAW_NOISE);
    e.unit = hs_card_unit_of(g->model.domain.gap,
                             hs_card_scale(g, w->c.number, clock - 1));
    e.root = vf_exp_negative(-0.5f * e.unit.r);
    for (int i = 0; i < w->c.a->groups; i++) {
        int at = (i + 1) * w->c.stride, left = w->c.dim - i * HS_LATTICE_SITES;
        uint32_t own = w->x[at], flips = denoise(&e, &coins, own, i);

        if (left < HS_LATTICE_SITES)
            flips &= (1u << left) - 1;
        w->was[at] = own;
        w->y[at] = own ^ flips;
    }
    return e;
}

HS_ON_CARD void jump(walker *w, const hs_card_group *g, uint64_t clock,
                     int degree)
{
    float beta = g->lanes.beta[0][w->c.number];
    int alike = 0;
    double u;

    for (int i = 0; i < w->c.a->groups; i++) {
        hs_lattice_counts n = hs_lattice_count(&w->c, w->y, i, degree);

        alike += hs_lattice_alike(&n);
    }
    u = hs_card_alike_energy(&g->model, degree, (double)alike);
    if (hs_card_decide(g, w->c.number, clock,
                       hs_card_tempered(beta, u) -
                           hs_card_tempered(beta, w->u))) {
        go(w);
        w->u = u;
        w->jumps++;
    }
    w->has_spread = 0;
}

HS_ON_CARD void steps(const hs_card_group *g, const hs_card_group *inner,
                      const hs_card_lattice *a, const hs_card_steps *s,
                      uint32_t *word, int degree)
{
    int plane = hs_lattice_words(a) * (int)blockDim.x;
    uint64_t clock = s->clock;
    walker w = {{a, g->model.dim, (int)blockDim.x, hs_card_thread()},
                word + threadIdx.x,
                word + threadIdx.x + plane,
                word + threadIdx.x + 2 * plane,
                0.0,
                0.0,
                0,
                0,
                0};

    if (w.c.number >= hs_card_lanes(g))
        return;
    w.u = g->lanes.u[0][w.c.number];
    hs_lattice_load(&w.c, g, w.x);
    w.y[0] = w.y[plane - (int)blockDim.x] = 0;
    for (int64_t n = 0; n < s->count; n++) {
        for (int i = 0; i < g->sampler.sweeps; i++) {
            noise e = begin_noise(g, &w, ++clock);

            jump(&w, g, clock, degree);
            for (int k = 0; k < g->sampler.steps; k++)
                refine(&w, inner, &e, ++clock, degree);
        }
        if (s->is_summed)
            hs_lattice_sum(&w.c, g, w.x);
    }
    hs_lattice_store(&w.c, g, w.x);
    g->lanes.u[0][w.c.number] = w.u;
    g->lanes.changed[0][w.c.number] += (double)w.jumps;
    inner->lanes.changed[0][w.c.number] += (double)w.moves;
}

#define KERNEL(degree)                                                         \
  HS_KERNEL void steps_##degree(hs_card_group g, hs_card_group inner,          \
                                hs_card_lattice a, hs_card_steps s)            \
  {                                                                            \
    HS_SHARED(word);                                                           \
    steps(&g, &inner, &a, &s, word, degree);                                   \
  }
#define TRY(number)                                                            \
  if (a->degree == (number))                                                   \
    HS_LAUNCH_SHARED(steps_##number, hs_card_lanes(g), a->threads, bytes, *g,  \
                     *inner, *a, *s);
#define EACH(MAKE) MAKE(4) MAKE(6) /* hs_card_lattice_plan */

EACH(KERNEL)

void hs_card_lattice_hiss(const hs_card_group *g, const hs_card_group *inner,
                          const hs_card_lattice *a, const hs_card_steps *s)
{
    size_t bytes =
        3 * (size_t)hs_lattice_words(a) * (size_t)a->threads * sizeof(uint32_t);

    EACH(TRY)
}
