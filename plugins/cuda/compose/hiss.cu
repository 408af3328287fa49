/* hiss.cu - noise, denoise and jump of hiss, for all lanes: what
 * kernel/compose/hiss.c and lanes/langevin/noise.c do for one. */
#include "cuda/compose/noise.h"
#include "cuda/langevin/learn.h"
#include "cuda/next.h"

/* The largest block that is tuned: kernel/compose/hiss.c. */
#define RANKED 16

/* Where the noise of a place is drawn, and where it goes. */
typedef struct noising {
    const hs_card_group *g;
    const hs_card_tilt *to;
    hs_card_place at;
    philox_at noise;
    coin denoise;
    float eta;
} noising;

/* Coordinates with a rank below this have noise; w->rank is NULL: all. */
HS_ON_CARD int block_of(const hs_card_group *g, int64_t number)
{
    int dim = g->model.dim;
    double own;

    if (g->sampler.block >= 0)
        return g->sampler.block;
    own = hs_card_column(g, number, 3);
    return own < dim ? (int)own : dim;
}

HS_ON_CARD int is_noised(const hs_card_group *g, const hs_card_work *w, int i,
                         int block)
{
    return block >= g->model.dim || w->rank[i] < block;
}

HS_ON_CARD void put_slope(const noising *n, int row, float low, float high)
{
    HS_CARD_ROW(n->to->slope, n->at.tile, 2 * n->to->rows, 2 * row,
                n->at.lane) = low;
    HS_CARD_ROW(n->to->slope, n->at.tile, 2 * n->to->rows, 2 * row + 1,
                n->at.lane) = high;
}

/* Coordinate i of a pair domain, at x; the new one is returned. */
HS_ON_CARD int pair_coordinate(const noising *n, const hs_card_unit *a, int i,
                               int x, uint32_t word, const uint32_t *words)
{
    hs_noise_shape shape = n->g->sampler.shape;
    const hs_card_tilt *to = n->to;
    int64_t tile = n->at.tile;
    int lane = n->at.lane, up = !x;
    hs_card_level at = hs_card_level_of(word);
    float depth = hs_card_depth(a, x, word);
    float change = 0.0f, here, there;

    if (!to->factor || shape == HS_GAUSSIAN)
        change = hs_card_phi_change(shape, a, at, up);
    if (to->factor) {
        HS_CARD_ROW(to->factor, tile, n->g->model.dim, i, lane) = depth;
        HS_CARD_ROW(to->was, tile, n->g->model.dim, i, lane) = (uint8_t)x;
    } else {
        HS_CARD_ROW(to->phi, tile, to->rows, i, lane) = vf_negate_if(x, change);
    }
    if (to->slope) {
        here = hs_card_slope_here(shape, at) / n->eta;
        there = hs_card_slope_there(shape, a, at, up) / n->eta;
        put_slope(n, i, up ? here : there, up ? there : here);
    }
    return x ^
           hs_card_draw_other(shape, a, change, depth, &n->denoise, words, i);
}

HS_ON_CARD void flatten(const noising *n, int i)
{
    const hs_domain *d = &n->g->model.domain;
    int first = d->is_pair ? i : d->value[i];
    int last = d->is_pair ? i + 1 : d->value[i + 1];

    for (int r = first; r < last; r++) {
        HS_CARD_ROW(n->to->phi, n->at.tile, n->to->rows, r, n->at.lane) = 0.0f;
        if (n->to->slope)
            put_slope(n, r, 0.0f, 0.0f);
    }
}

HS_ON_CARD void noise_pairs(const noising *n, const hs_card_work *w, int block)
{
    const hs_device_model *m = &n->g->model;
    hs_card_unit a = hs_card_unit_of(m->domain.gap, n->eta);
    uint32_t word[4] = {0, 0, 0, 0}, words[4] = {0, 0, 0, 0};

    if (n->to->factor && n->at.block == 0)
        n->to->root[n->at.tile][n->at.lane] = vf_exp_negative(-0.5f * a.r);
    for (int i = n->at.first; i < n->at.last; i++) {
        int x = HS_CARD_ROW(w->at.x, n->at.tile, m->dim, i, n->at.lane), y = x;

        if (i % 4 == 0)
            philox_four(&n->noise, (uint32_t)i / 4, word);
        if (i % 8 == 0)
            philox_four(&n->denoise.at, (uint32_t)i / 8, words);
        if (is_noised(n->g, w, i, block))
            y = pair_coordinate(n, &a, i, x, word[i % 4], words);
        else
            flatten(n, i);
        HS_CARD_ROW(w->y.x, n->at.tile, m->dim, i, n->at.lane) = (int16_t)y;
    }
}

/* phi relative to the present value of a numeric coordinate, to phi[v]. */
HS_ON_CARD void numeric_rows(const noising *n, int i, int x, float *phi)
{
    const hs_domain *d = &n->g->model.domain;
    hs_noise_shape shape = n->g->sampler.shape;
    int first = d->value[i];
    const float *values = d->values + first;
    uint32_t word[4];
    hs_card_level at;

    philox_four(&n->noise, (uint32_t)first / 4, word);
    at = hs_card_level_of(word[first % 4]);
    for (int v = 0; v < d->states[i]; v++) {
        float step = values[v] - values[x];
        int up = 0.0f < step;
        hs_card_unit a = hs_card_unit_of(vf_abs(step), n->eta);

        phi[v] = v == x ? 0.0f : hs_card_phi_change(shape, &a, at, up);
        if (n->to->slope)
            put_slope(n, first + v,
                      (v == x ? hs_card_slope_here(shape, at)
                              : hs_card_slope_there(shape, &a, at, up)) /
                          n->eta,
                      0.0f);
    }
}

/* Of a categorical one: entries of the one-hot vector are noised. */
HS_ON_CARD void label_rows(const noising *n, int i, int x, float *phi)
{
    const hs_domain *d = &n->g->model.domain;
    hs_noise_shape shape = n->g->sampler.shape;
    hs_card_unit a = hs_card_unit_of(1.0f, n->eta);
    uint32_t word[4] = {0, 0, 0, 0}, filled = UINT32_MAX;

    for (int c = 0; c < d->states[i]; c++) {
        int r = d->value[i] + c, hot = x == c;
        hs_card_level at;

        if (filled != (uint32_t)r / 4) {
            filled = (uint32_t)r / 4;
            philox_four(&n->noise, filled, word);
        }
        at = hs_card_level_of(word[r % 4]);
        phi[c] = vf_negate_if(hot, hs_card_phi_change(shape, &a, at, !hot));
        if (n->to->slope) {
            float here = hs_card_slope_here(shape, at) / n->eta;
            float there = hs_card_slope_there(shape, &a, at, !hot) / n->eta;

            put_slope(n, r, hot ? there : here, hot ? here : there);
        }
    }
}

/* The value that u draws from the softmax of phi (lanes/vec/softmax.h). */
HS_ON_CARD int draw_value(const float *phi, int states, float u)
{
    float upto[HS_FEW], max = phi[0], sum = 0.0f, target;
    int index = 0;

    for (int v = 1; v < states; v++)
        max = vf_max(max, phi[v]);
    for (int v = 0; v < states; v++) {
        sum = sum + vf_exp(phi[v] - max);
        upto[v] = sum;
    }
    target = vf_min(u, 0x1.fffffep-1f) * sum;
    for (int v = 0; v < states - 1; v++)
        index += upto[v] <= target;
    return index;
}

HS_ON_CARD void noise_values(const noising *n, const hs_card_work *w, int block)
{
    const hs_domain *d = &n->g->model.domain;
    uint32_t words[4] = {0, 0, 0, 0};

    for (int i = n->at.first; i < n->at.last; i++) {
        int x = HS_CARD_ROW(w->at.x, n->at.tile, d->dim, i, n->at.lane), y = x;
        float phi[HS_FEW];

        if (i % 4 == 0)
            philox_four(&n->denoise.at, (uint32_t)i / 4, words);
        if (!is_noised(n->g, w, i, block)) {
            flatten(n, i);
        } else {
            if (d->kind[i] == HISS_CATEGORICAL)
                label_rows(n, i, x, phi);
            else
                numeric_rows(n, i, x, phi);
            y = draw_value(phi, d->states[i], vf_uniform(words[i % 4]));
            for (int v = 0; v < d->states[i]; v++)
                HS_CARD_ROW(n->to->phi, n->at.tile, n->to->rows,
                            d->value[i] + v, n->at.lane) = phi[v];
        }
        HS_CARD_ROW(w->y.x, n->at.tile, d->dim, i, n->at.lane) = (int16_t)y;
    }
}

HS_KERNEL void noise(hs_card_group g, hs_card_work w, hs_card_tilt to,
                     hs_clock of)
{
    uint64_t clock;
    noising n;
    int block;

    HS_WAIT();
    clock = hs_clock_now(&of);
    if (hs_card_thread() >= hs_card_places(&g, &w))
        return;
    n.g = &g;
    n.to = &to;
    n.at = hs_card_place_at(&g, hs_card_thread());
    n.noise = philox_begin(g.seed, clock, g.lanes.chain[0][n.at.number],
                           g.lanes.replica[0][n.at.number], HS_DRAW_NOISE);
    n.denoise = hs_card_coins(&g, n.at.number, clock, HS_DRAW_DENOISE);
    n.eta = hs_card_scale(&g, n.at.number, clock - 1);
    block = block_of(&g, n.at.number);
    if (g.model.domain.is_pair)
        noise_pairs(&n, &w, block);
    else
        noise_values(&n, &w, block);
}

HS_ON_CARD uint32_t shared_word(const philox_at *at, int i)
{
    uint32_t word[4];

    philox_four(at, (uint32_t)i / 4, word);
    return word[i % 4];
}

/* As hs_below. */
HS_ON_CARD int below(uint32_t word, int count)
{
    return (int)((uint64_t)word * (uint32_t)count >> 32);
}

HS_KERNEL void clear_ranks(int *rank, int dim, int to)
{
    if (hs_card_thread() < dim)
        rank[hs_card_thread()] = to;
}

/* One thread: rank 0 for a uniformly random set of coordinates (Floyd). */
HS_KERNEL void choose_block(hs_card_group g, int *rank, uint64_t clock)
{
    philox_at at =
        philox_begin(g.seed, clock, HS_SHARED_CHAIN, 0, HS_DRAW_BLOCK);
    int dim = g.model.dim;

    for (int j = dim - g.sampler.block; j < dim; j++) {
        int pick = below(shared_word(&at, j), j + 1);

        rank[rank[pick] == 0 ? j : pick] = 0;
    }
}

/* One thread: the ranks of the first RANKED coordinates of a random order; a
 * deck in which few cards have moved is known by these. */
HS_KERNEL void rank_coordinates(hs_card_group g, int *rank, uint64_t clock)
{
    philox_at at =
        philox_begin(g.seed, clock, HS_SHARED_CHAIN, 0, HS_DRAW_BLOCK);
    int dim = g.model.dim, known = dim < RANKED ? dim : RANKED;
    int place[2 * RANKED], card[2 * RANKED], moved = 0;

    for (int j = 0; j < known; j++) {
        int pick = j + below(shared_word(&at, j), dim - j);
        int taken = pick, first = j, at_pick = -1, at_first = -1;

        for (int n = 0; n < moved; n++) {
            if (place[n] == pick) {
                taken = card[n];
                at_pick = n;
            }
            if (place[n] == j) {
                first = card[n];
                at_first = n;
            }
        }
        if (at_pick < 0) {
            at_pick = moved++;
            place[at_pick] = pick;
        }
        if (at_first < 0 && pick != j) {
            at_first = moved++;
            place[at_first] = j;
        }
        card[at_pick] = first;
        if (at_first >= 0)
            card[at_first] = taken;
        rank[taken] = j;
    }
}

void hs_card_noise(const hs_card_group *g, const hs_card_work *w,
                   const hs_card_tilt *to, uint64_t clock)
{
    int dim = g->model.dim, block = g->sampler.block;
    int known = dim < RANKED ? dim : RANKED;

    if (block < dim) {
        HS_LAUNCH(clear_ranks, dim, w->rank, dim, block >= 0 ? dim : known);
        if (block >= 0)
            HS_LAUNCH(choose_block, 1, *g, w->rank, clock);
        else
            HS_LAUNCH(rank_coordinates, 1, *g, w->rank, clock);
    }
    HS_NEXT(noise, hs_card_places(g, w), *g, *w, *to, hs_clock_of(clock));
}

/* y is x where a lane has no noise. */
HS_KERNEL void follow(hs_card_group g, hs_card_work w)
{
    int dim = g.model.dim, block;
    hs_card_place at;

    if (hs_card_thread() >= hs_card_places(&g, &w))
        return;
    at = hs_card_place_at(&g, hs_card_thread());
    block = block_of(&g, at.number);
    for (int i = at.first; i < at.last; i++)
        if (!is_noised(&g, &w, i, block))
            HS_CARD_ROW(w.y.x, at.tile, dim, i, at.lane) =
                HS_CARD_ROW(w.at.x, at.tile, dim, i, at.lane);
}

void hs_card_follow(const hs_card_group *g, const hs_card_work *w)
{
    if (g->sampler.block < g->model.dim)
        HS_LAUNCH(follow, hs_card_places(g, w), *g, *w);
}

HS_KERNEL void jump(hs_card_group g, hs_card_work w, hs_clock of)
{
    int64_t number = hs_card_thread(), tile = number / HS_LANES;
    int lane = (int)(number % HS_LANES), accept;
    float beta;
    double u, ratio = HS_MINUS_INFINITY;

    HS_WAIT();
    if (number >= hs_card_lanes(&g))
        return;
    beta = g.lanes.beta[tile][lane];
    u = w.y.u[tile][lane];
    if (u != HS_MINUS_INFINITY)
        ratio = hs_card_tempered(beta, u) -
                hs_card_tempered(beta, w.at.u[tile][lane]);
    accept = hs_card_decide(&g, number, hs_clock_now(&of), ratio);
    g.lanes.changed[tile][lane] += (double)accept;
    w.accept[tile][lane] = (uint8_t)accept;
    hs_card_learn(&g, number, ratio);
    if (accept)
        w.at.u[tile][lane] = u;
}

void hs_card_jump(const hs_card_group *g, const hs_card_work *w, uint64_t clock)
{
    HS_NEXT(jump, hs_card_lanes(g), *g, *w, hs_clock_of(clock));
    hs_card_move(g, w);
}
