/* lattice_langevin.cu - the steps of regular.cu with a bit per site. */
#include "cuda/langevin/lattice.h"

#define UNCERTAIN 5 /* values of the coin from the threshold on */

/* What a flip needs, by the count of neighbors that are alike. */
typedef struct law {
    hs_card_law of;
    uint32_t threshold[HS_DEGREE_MAX + 1];
    float spread[HS_DEGREE_MAX + 1];
} law;

/* Below it sixteen random bits are a yes (lanes/regular/regular.h). */
HS_ON_CARD uint32_t threshold_of(float part, float whole)
{
    int k = (int)(part / whole * 0x1p16f) - 2;

    return (uint32_t)(k < 0                     ? 0
                      : k > 0x10000 - UNCERTAIN ? 0x10000 - UNCERTAIN
                                                : k);
}

HS_ON_CARD law law_of(const hs_card_group *g, const hs_card_regular *r,
                      int64_t number, uint64_t clock, int position, int degree)
{
    law a;

    a.of = hs_card_law_at(g, number, clock, position);
    HS_UNROLL
    for (int k = 0; k <= degree; k++) {
        float z = hs_card_entry_logit(g, r, &a.of, k);
        float e = vf_exp_negative(-vf_abs(z));

        a.threshold[k] = threshold_of(z < 0.0f ? e : 1.0f, 1.0f + e);
        a.spread[k] = vf_max(z, 0.0f) + vf_log_normal(1.0f + e);
    }
    return a;
}

/* table[k], k given by its bits. */
HS_ON_CARD uint32_t pick(const uint32_t *table, int degree, uint32_t one,
                         uint32_t two, uint32_t four)
{
    uint32_t low = one ? table[1] : table[0];
    uint32_t high = one ? table[degree < 3 ? 0 : 3] : table[degree < 2 ? 0 : 2];
    uint32_t far;

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

/* Where the threshold does not decide. */
HS_ON_CARD int toss(const hs_card_group *g, const hs_card_regular *r,
                    const law *a, const coin *coins, uint32_t half, int i,
                    int k)
{
    float z = hs_card_entry_logit(g, r, &a->of, k);
    float e = vf_exp_negative(-vf_abs(z));

    return coin_decide(coins, (float)half, i, z < 0.0f ? e : 1.0f, 1.0f + e);
}

/* Which sites of group n flip. */
HS_ON_CARD uint32_t flips_of(const hs_card_group *g, const hs_card_regular *r,
                             const law *a, const coin *coins,
                             const hs_lattice_counts *s, int n, int degree)
{
    uint32_t flips = 0, one = s->bit[0], two = s->bit[1], four = s->bit[2];

    HS_UNROLL_NOT
    for (int b = 0; b < HS_LATTICE_SITES; b += 8) {
        int first = n * HS_LATTICE_SITES + b;
        uint32_t words[4], some = 0;

        philox_four(&coins->at, (uint32_t)first / 8, words);
        HS_UNROLL
        for (int j = 0; j < 8; j++) {
            uint32_t half = j % 2 ? words[j / 2] >> 16 : words[j / 2] & 0xffff;
            uint32_t t = pick(a->threshold, degree, one >> j & 1, two >> j & 1,
                              four >> j & 1);
            uint32_t flip = half < t;

            if (half - t < UNCERTAIN)
                flip = (uint32_t)toss(g, r, a, coins, half, first + j,
                                      hs_lattice_at(s, b + j));
            some |= flip << j;
        }
        flips |= some << b;
        one >>= 8;
        two >>= 8;
        four >>= 8;
    }
    return flips & s->valid;
}

HS_ON_CARD double sum_of(const law *a, const int *number, int degree)
{
    double sum = 0.0;

    HS_UNROLL
    for (int k = 0; k <= degree; k++)
        sum += (double)number[k] * (double)a->spread[k];
    return sum;
}

HS_ON_CARD double energy_of(const hs_device_model *m, const hs_card_regular *r,
                            const int *number, int degree)
{
    double sum = 0.0;

    HS_UNROLL
    for (int k = 0; k <= degree; k++)
        sum += (double)number[k] * hs_card_entry_energy(r, k);
    return m->offset + sum / (double)m->scale;
}

HS_ON_CARD void steps(const hs_card_group *g, const hs_card_lattice *a,
                      const hs_card_steps *s, uint64_t position, uint32_t *word,
                      int degree)
{
    const hs_device_sampler *k = &g->sampler;
    hs_card_regular r = hs_card_regular_of(&g->model);
    int plane = hs_lattice_words(a) * (int)blockDim.x, accepted = 0;
    uint32_t *x = word + threadIdx.x, *y = x + plane;
    int is_steady = k->cycle == 0 && k->log_far == HS_MINUS_INFINITY;
    hs_lattice_chain c = {a, g->model.dim, (int)blockDim.x, hs_card_thread()};
    int here[HS_DEGREE_MAX + 1], there[HS_DEGREE_MAX + 1];
    double u;
    law now;

    if (c.number >= hs_card_lanes(g))
        return;
    u = g->lanes.u[0][c.number];
    hs_lattice_load(&c, g, x);
    y[0] = y[plane - (int)blockDim.x] = 0;
    hs_lattice_site_counts(&c, x, degree, here);
    for (int64_t n = 1; n <= s->count; n++) {
        uint64_t clock = s->clock + (uint64_t)n;
        int at = k->cycle > 0 ? (int)((position + (uint64_t)n - 1) /
                                      (uint64_t)k->hold % (uint64_t)k->cycle)
                              : 0;
        coin coins = hs_card_coins(g, c.number, clock, HS_DRAW_PROPOSE);

        if (n == 1 || !is_steady)
            now = law_of(g, &r, c.number, clock, at, degree);
        for (int i = 0; i < a->groups; i++) {
            hs_lattice_counts found = hs_lattice_count(&c, x, i, degree);

            y[(i + 1) * c.stride] =
                found.own ^ flips_of(g, &r, &now, &coins, &found, i, degree);
        }
        hs_lattice_site_counts(&c, y, degree, there);
        if (hs_card_decide(g, c.number, clock,
                           sum_of(&now, here, degree) -
                               sum_of(&now, there, degree))) {
            uint32_t *was = x;

            x = y;
            y = was;
            HS_UNROLL
            for (int i = 0; i <= degree; i++)
                here[i] = there[i];
            u = energy_of(&g->model, &r, here, degree);
            accepted++;
        }
        if (s->is_summed)
            hs_lattice_sum(&c, g, x);
    }
    hs_lattice_store(&c, g, x);
    g->lanes.u[0][c.number] = u;
    g->lanes.changed[0][c.number] += (double)accepted;
}

#define KERNEL(degree)                                                         \
  HS_KERNEL void steps_##degree(hs_card_group g, hs_card_lattice a,            \
                                hs_card_steps s, uint64_t position)            \
  {                                                                            \
    HS_SHARED(word);                                                           \
    steps(&g, &a, &s, position, word, degree);                                 \
  }
#define TRY(number)                                                            \
  if (a->degree == (number))                                                   \
    HS_LAUNCH_SHARED(steps_##number, hs_card_lanes(g), a->threads, bytes, *g,  \
                     *a, *s, position);
#define EACH(MAKE) MAKE(4) MAKE(6) /* hs_card_lattice_plan */

EACH(KERNEL)

void hs_card_lattice_langevin(const hs_card_group *g, const hs_card_lattice *a,
                              const hs_card_steps *s, uint64_t position)
{
    size_t bytes =
        2 * (size_t)hs_lattice_words(a) * (size_t)a->threads * sizeof(uint32_t);

    EACH(TRY)
}
