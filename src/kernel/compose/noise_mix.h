/* noise_mix.h - jumps of hiss by a mixture of scales and blocks.
 *
 * A probe is a scale eta of the noise and a number b of coordinates that are
 * noised: all, or 2, 3, 4, 8, 16.  Every sweep draws a probe by frozen weights
 * and makes jumps with it:
 *     noise    a_i = x_i + eta * logistic, i in a random block of b sites
 *     denoise  x'_i ~ softmax of phi_i, i in the block; x' = x elsewhere
 *     jump     accept x' with min(1, p(x') / p(x)): noise and denoise cancel
 * Each such jump is symmetric but for p, whatever eta and the block are, so it
 * is reversible; so is a sequence of jumps with independent blocks, and a
 * mixture of such sequences whose weights do not depend on the state.
 *
 * Weights.  A pilot tries the probes in turn.  It values a jump by how much
 * farther it goes than a step of the inner kernel,
 *     E[min(1, p(x') / p(x)) max(0, |x' - x| - D)^2],   |.| by Hamming,
 * D being the mean distance of such a step: what the inner kernel does by
 * itself is no reason to jump.  The weights are the squares of these numbers,
 * beside SPREAD that all probes share, so that no scale is ever lost.
 *
 * A sweep has jumps with a probability q, and steps of the inner kernel: q = 1
 * where the jumps go far, E above summed up over the weights being WORTH times
 * the squared distance of an inner step or more, and less in proportion
 * elsewhere, so that the inner kernel keeps five of six evaluations where
 * jumping leads nowhere.
 *
 * Where single sites are cheap (model.h) and U is finite, the change of U is
 * summed up site by site, so that a jump of b sites costs b / dim of an
 * evaluation: a sweep makes ROUNDS of them, as far as one evaluation pays.
 *
 * The columns of all lanes are the same, so that all chains of a step share the
 * probe and the block: the choice of both does not depend on the states.
 *
 * Not here: what refines between the jumps (hiss.c). */
#ifndef HS_KERNEL_COMPOSE_NOISE_MIX_H
#define HS_KERNEL_COMPOSE_NOISE_MIX_H

#include "kernel/gibbs/sweeps/site.h"
#include "kernel/kernel.h"

#define HS_MIX_PROBES 25
#define HS_MIX_BLOCK  16 /* most sites of a block, unless it has all */

/* Columns, from the first of the mixture on. */
enum {
    HS_MIX_COUNT,  /* probes tried */
    HS_MIX_WEIGHT, /* sum of the weights of these distances: */
    HS_MIX_NEAR,   /* sums of distances of the inner kernel, and of squares */
    HS_MIX_NEAR_2,
    HS_MIX_RATE,                                 /* jumps per inner step */
    HS_MIX_WORTH,                                /* a row per probe */
    HS_MIX_BELOW = HS_MIX_WORTH + HS_MIX_PROBES, /* and the cumulative
                                                    weights */
    HS_MIX_COLUMNS = HS_MIX_BELOW + HS_MIX_PROBES
};

typedef struct hs_noise_mix {
    bool is_local;         /* U changes by sums over sites */
    int block;             /* the fixed block size, or 0: drawn from the
                              mixture */
    double log_unit;       /* ln of the gap of values */
    double log_far;        /* ln of a scale that reaches far values, or
                              -infinity */
    hs_site site;          /* owned, if local */
    hs_point y;            /* owned: x' */
    hs_float_row *phi;     /* owned: written by the noise, not read */
    hs_float_row *scratch; /* owned, [states_max] */
    hs_index_row *before;  /* owned, [dim]: where a refinement began */
} hs_noise_mix;

/* block as in hs_noise_mix.  Call clear also on failure. */
hiss_status hs_noise_mix_init(hs_noise_mix *s, const hs_model *m, int block,
                              double (*column)[HS_LANES], hiss_error *err);
void hs_noise_mix_clear(hs_noise_mix *s);

/* Makes the jumps of one sweep, with probability `rate`.  wants: what the inner
 * kernel needs at x'. */
hiss_status hs_noise_mix_jump(hs_noise_mix *s, hs_kernel *k, const hs_model *m,
                              const hs_tilt *t, hs_tile *x, unsigned wants,
                              double rate, double (*column)[HS_LANES]);

/* Called before and after a step of the inner kernel while a pilot tunes. */
void hs_noise_mix_leave(hs_noise_mix *s, const hs_model *m, const hs_tile *x);
void hs_noise_mix_arrive(hs_noise_mix *s, const hs_model *m, const hs_tile *x,
                         double (*column)[HS_LANES]);

/* Computes weights, and jumps per inner step, from the results of the pilot. */
void hs_noise_mix_freeze(const hs_noise_mix *s, int dim,
                         double (*column)[HS_LANES]);

/* "jumps=9:1.13*62%+2:0.8*20%,rate=1": the heaviest probes, as coordinates,
 * scale and weight. */
int hs_noise_mix_describe(const hs_noise_mix *s, int dim,
                          const double (*column)[HS_LANES], int lane,
                          char *text, size_t size);

#endif
