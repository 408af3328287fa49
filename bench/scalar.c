/* scalar.c - one chain on a 24 x 24 torus in plain C, as fast as it goes
 * without vectors: what single chains of the library are held against.
 *
 * Everything that the model allows is used.  Spins are bytes with a frame of
 * neighbors around them.  The field of a spin has five values, so conditionals
 * and flips come from tables of 32-bit thresholds.  A state of xoshiro256++
 * [Blackman & Vigna 2021] gives two uniforms.  Gibbs goes color by color.
 *
 * DMALA: U is quadratic, so with z_i the logit of flip i all but
 *     prod_i (1 + e^z_i(x)) / (1 + e^z_i(y))
 * cancels from the acceptance, and z_i = -beta s_i h_i - 2 / alpha takes five
 * values.  HiSS: with p uniform and c = e^(-2 / eta) a half-tilt
 *     e^((phi(other) - phi(x)) / 2) = sqrt(c) / (c + p (1 - c))
 * multiplies e^z_i, and its square is the odds of the denoising flip.  No
 * exponential is left in any loop, and one logarithm for every row. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "speed.h"

enum {
    SIDE = 24,
    WIDE = SIDE + 2,
    STEPS = 2 /* of DMALA in a sweep of HiSS */
};
static const double ALPHA = 0.6, ETA = 0.5;

typedef int8_t grid[WIDE][WIDE];

struct chain {
    uint64_t random[4];
    grid *x, *y;                    /* borrowed, of `board` */
    float (*ex)[SIDE], (*ey)[SIDE]; /* e^z at x and at y, of `odds` */
    uint32_t heat[9];               /* P(+1) by the field + 4 */
    uint32_t flip[9];               /* P(flip) by s h + 4 */
    double spread[9];               /* ln(1 + e^z) */
    float plain[9];                 /* e^z */
    double sum;                     /* of the spreads at x */
    double beta;
    grid board[2];
    float odds[2][SIDE][SIDE];
    float up[SIDE][SIDE], down[SIDE][SIDE]; /* half-tilts of -1 and of +1 */
};

static inline uint64_t turn(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

static inline uint64_t next(uint64_t s[4])
{
    uint64_t out = turn(s[0] + s[3], 23) + s[0], t = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = turn(s[3], 45);
    return out;
}

static inline double uniform(struct chain *c)
{
    return ((double)(next(c->random) >> 11) + 0.5) * 0x1p-53;
}

/* The frame is the other side of the torus. */
static void wrap(grid *x)
{
    for (int r = 1; r <= SIDE; r++) {
        (*x)[r][0] = (*x)[r][SIDE];
        (*x)[r][SIDE + 1] = (*x)[r][1];
    }
    memcpy((*x)[0], (*x)[SIDE], WIDE);
    memcpy((*x)[SIDE + 1], (*x)[1], WIDE);
}

static inline int field(const grid *x, int r, int k)
{
    return (*x)[r - 1][k] + (*x)[r + 1][k] + (*x)[r][k - 1] + (*x)[r][k + 1];
}

static void gibbs(struct chain *c)
{
    for (int color = 0; color < 2; color++) {
        for (int r = 1; r <= SIDE; r++) {
            int first = 1 + (r + color) % 2;

            for (int k = first; k <= SIDE; k += 4) {
                uint64_t w = next(c->random);
                int a = field(c->x, r, k), b = field(c->x, r, k + 2);

                (*c->x)[r][k] =
                    (int8_t)(2 * ((uint32_t)w < c->heat[a + 4]) - 1);
                (*c->x)[r][k + 2] =
                    (int8_t)(2 * ((uint32_t)(w >> 32) < c->heat[b + 4]) - 1);
            }
        }
        wrap(c->x);
    }
}

static double spread_of(const struct chain *c, const grid *x)
{
    int count[9] = {0};
    double sum = 0.0;

    for (int r = 1; r <= SIDE; r++)
        for (int k = 1; k <= SIDE; k++)
            count[(*x)[r][k] * field(x, r, k) + 4]++;
    for (int i = 0; i < 9; i++)
        sum += count[i] * c->spread[i];
    return sum;
}

static void take(struct chain *c)
{
    grid *x = c->x;
    float(*e)[SIDE] = c->ex;

    c->x = c->y;
    c->y = x;
    c->ex = c->ey;
    c->ey = e;
}

static void dmala(struct chain *c)
{
    double sum;

    for (int r = 1; r <= SIDE; r++)
        for (int k = 1; k <= SIDE; k += 2) {
            uint64_t w = next(c->random);
            int8_t s = (*c->x)[r][k], t = (*c->x)[r][k + 1];
            uint32_t p = c->flip[s * field(c->x, r, k) + 4];
            uint32_t q = c->flip[t * field(c->x, r, k + 1) + 4];

            (*c->y)[r][k] = (int8_t)((uint32_t)w < p ? -s : s);
            (*c->y)[r][k + 1] = (int8_t)((uint32_t)(w >> 32) < q ? -t : t);
        }
    wrap(c->y);
    sum = spread_of(c, c->y);
    if (sum <= c->sum || uniform(c) < exp(c->sum - sum)) {
        c->sum = sum;
        take(c);
    }
}

/* e^z of every flip at x, and the sum of ln(1 + e^z). */
static double tilted(const struct chain *c, const grid *x, float (*e)[SIDE])
{
    double sum = 0.0;

    for (int r = 1; r <= SIDE; r++) {
        double product = 1.0;

        for (int k = 1; k <= SIDE; k++) {
            int8_t s = (*x)[r][k];
            float half = s < 0 ? c->up[r - 1][k - 1] : c->down[r - 1][k - 1];

            e[r - 1][k - 1] = c->plain[s * field(x, r, k) + 4] * half;
            product *= (double)(1.0f + e[r - 1][k - 1]);
        }
        sum += log(product);
    }
    return sum;
}

static inline int8_t toss(uint32_t word, float odds, int8_t s)
{
    float u = ((float)word + 0.5f) * 0x1p-32f;

    return (int8_t)(u * (1.0f + odds) < odds ? -s : s);
}

static int bonds(const grid *x)
{
    int sum = 0;

    for (int r = 1; r <= SIDE; r++)
        for (int k = 1; k <= SIDE; k++)
            sum += (*x)[r][k] * ((*x)[r + 1][k] + (*x)[r][k + 1]);
    return sum;
}

/* Noise, and y drawn back from it; accepted by U alone. */
static void jump(struct chain *c)
{
    float small = (float)exp(-2.0 / ETA), root = (float)exp(-1.0 / ETA);
    double change;

    for (int r = 1; r <= SIDE; r++)
        for (int k = 1; k <= SIDE; k++) {
            uint64_t w = next(c->random);
            float p = ((float)(uint32_t)w + 0.5f) * 0x1p-32f;
            float over = small + p * (1.0f - small);
            float there = root / over, back = over / root;
            int8_t s = (*c->x)[r][k];

            c->up[r - 1][k - 1] = s < 0 ? there : back;
            c->down[r - 1][k - 1] = s < 0 ? back : there;
            (*c->y)[r][k] = toss((uint32_t)(w >> 32), there * there, s);
        }
    wrap(c->y);
    change = c->beta * (bonds(c->y) - bonds(c->x));
    if (change >= 0.0 || uniform(c) < exp(change))
        take(c);
}

static void hiss(struct chain *c)
{
    double here;

    jump(c);
    here = tilted(c, (const grid *)c->x, c->ex);
    for (int n = 0; n < STEPS; n++) {
        double there;

        for (int r = 1; r <= SIDE; r++)
            for (int k = 1; k <= SIDE; k += 2) {
                uint64_t w = next(c->random);

                (*c->y)[r][k] =
                    toss((uint32_t)w, c->ex[r - 1][k - 1], (*c->x)[r][k]);
                (*c->y)[r][k + 1] = toss((uint32_t)(w >> 32), c->ex[r - 1][k],
                                         (*c->x)[r][k + 1]);
            }
        wrap(c->y);
        there = tilted(c, (const grid *)c->y, c->ey);
        if (there <= here || uniform(c) < exp(here - there)) {
            here = there;
            take(c);
        }
    }
}

static uint32_t threshold(double p)
{
    return (uint32_t)fmin(p * 0x1p32, 0x1p32 - 1.0);
}

static void begin(struct chain *c, double beta)
{
    uint64_t seed = 1;

    *c = (struct chain){.beta = beta, .x = &c->board[0], .y = &c->board[1]};
    c->ex = c->odds[0];
    c->ey = c->odds[1];
    for (int i = 0; i < 4; i++)
        c->random[i] = (uint64_t)bench_draw(&seed) << 32 | bench_draw(&seed);
    for (int h = -4; h <= 4; h++) {
        double z = -beta * h - 2.0 / ALPHA;

        c->heat[h + 4] = threshold(1.0 / (1.0 + exp(-2.0 * beta * h)));
        c->flip[h + 4] = threshold(1.0 / (1.0 + exp(-z)));
        c->spread[h + 4] = log1p(exp(z));
        c->plain[h + 4] = (float)exp(z);
    }
    for (int r = 1; r <= SIDE; r++)
        for (int k = 1; k <= SIDE; k++)
            (*c->x)[r][k] = (int8_t)(2 * (next(c->random) >> 63) - 1);
    wrap(c->x);
    c->sum = spread_of(c, (const grid *)c->x);
}

hiss_status bench_scalar(char *const *word, hiss_error *err)
{
    static struct chain c;
    void (*step)(struct chain *) = strcmp(word[0], "gibbs") == 0   ? gibbs
                                   : strcmp(word[0], "dmala") == 0 ? dmala
                                   : strcmp(word[0], "hiss") == 0  ? hiss
                                                                   : NULL;
    long sweeps = bench_number(word[2]);
    double start, seconds = 0.0, sum = 0.0;

    if (!step || !sweeps)
        return bench_fail(err, "unknown kernel or number of sweeps:", word[0]);
    begin(&c, strtod(word[1], NULL));
    for (long n = 0; n < sweeps; n += 10) {
        start = bench_cpu();
        for (int i = 0; i < 10; i++)
            step(&c);
        seconds += bench_cpu() - start;
        if (n >= sweeps / 10)
            sum += bonds((const grid *)c.x);
    }
    printf("%.9g %.6f\n", seconds,
           -sum / (double)((sweeps - sweeps / 10 + 9) / 10 * SIDE * SIDE));
    return HISS_OK;
}
