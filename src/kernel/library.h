/* library.h - the library of known modes, frozen.
 *
 * A mode k has a weight w_k and a distribution of every coordinate, so Q(x) =
 * sum_k w_k q_k(x), q_k(x) = prod_i p_ki(x_i) can be drawn from and computed.
 * The values of a coordinate divide [0, 1) into intervals (intervals.h), and
 * carrying a position from one mode to another couples the two distributions.
 * If coordinates depend on each other inside a mode, q_k may be a tree instead
 * (mode_trees.h). The product of its marginals then still classifies states.
 *
 * A few coordinates S, those that distinguish the modes best, suffice to
 * classify a state, which costs modes * |S| instead of modes * dim. The library
 * may be wrong: a kernel that uses it corrects for it. */
#ifndef HS_KERNEL_LIBRARY_H
#define HS_KERNEL_LIBRARY_H

#include <stdint.h>

#include <hiss/status.h>

#include "base/random/intervals.h"
#include "kernel/mode_trees.h"
#include "kernel/pieces.h"
#include "model/model.h"

#define HS_LIBRARY_MAX   4096 /* modes */
#define HS_LIBRARY_SITES 64   /* coordinates of S */

typedef struct hs_library hs_library;

struct hs_library {
    int modes;
    int dim;
    int values;        /* domain.value_count */
    int *value;        /* owned, [dim + 1]: that of the domain */
    int16_t *top;      /* owned, [modes][dim]: a typical state of the mode */
    double *weight;    /* owned, [modes]: positive, with sum 1 */
    double *below;     /* owned, [modes]: sum of the weights before */
    double *log_mass;  /* owned, [modes]: ln of its share of all masses */
    double *log_error; /* owned, [modes]: standard error of ln of its mass;
                          infinite if unknown */
    double *held;      /* owned, [modes]: probability under its distribution of
                          the region where its own chains ended; 1 if unknown */
    double *typical;   /* owned, [modes]: mean of ln of the product over the
                          mode */
    double *spread;    /* owned, [modes]: and its standard deviation */
    double *share;     /* owned, [modes][values]: p_ki(v) > 0 */
    float *log_share;  /* owned, [modes][values] */
    double *start;     /* owned, [modes][values]: of the interval of v */
    int sites;         /* |S|; 0 before the modes are weighed */
    int site[HS_LIBRARY_SITES]; /* S, the best first */
    hs_pieces pieces;           /* owned: pieces of differences of tops */
    hs_mode_trees *trees;       /* owned; NULL if the q_k are products */
};

/* Most modes of a library of this domain, limited by memory. */
int hs_library_most(const hs_domain *d);

/* Allocates for this many modes, all 0. */
hiss_status hs_library_create(hs_library **out, const hs_domain *d, int modes,
                              hiss_error *err);
void hs_library_destroy(hs_library *b);

/* Sets weights in proportion to exp(log_mass), NULL: equal; none below a small
 * floor.  Errors become unknown.  Chooses S, so distributions must be set
 * before. */
void hs_library_weigh(hs_library *b, const double *log_mass);

/* Learns the distributions of a mode from the counts of its values ([values],
 * not negative), each raised by `smooth` over the values of its coordinate; the
 * most frequent state becomes its top. */
void hs_library_learn(hs_library *b, const hs_domain *d, int mode,
                      const double *count, double smooth);

/* Learns the same from one state, as if drawn ten times. */
hiss_status hs_library_state(hs_library *b, const hs_domain *d, int mode,
                             const int16_t *state, hiss_error *err);

/* Finds the pieces into which differences of the modes' tops decompose. */
hiss_status hs_library_cut(hs_library *b, const hs_model *m, hiss_error *err);

/* Computes ln q_k(x) of the mode k = of[lane]. */
void hs_library_log(const hs_library *b, const hs_domain *d,
                    const hs_index_row *x, const int *of, double *out);

/* Computes ln prod p_ki(x_i) over the first `sites` of S, of every mode and
 * lane, in single precision. */
void hs_library_log_sites(const hs_library *b, const hs_domain *d,
                          const hs_index_row *x, int sites, hs_float_row *out);

/* Whether this ln q_k (hs_library_log) is not far below its typical value in
 * mode k. */
bool hs_library_is_typical(const hs_library *b, int mode, double log_q);

/* The most likely mode of a state by product distributions, without weights; -1
 * if it fits none: ln q_k is far below its typical value for every k. */
int hs_library_mode(const hs_library *b, const hs_domain *d,
                    const int16_t *state);

/* The probabilities of all modes for a state, w_k q_k / sum_j w_j q_j by
 * product distributions, [modes]; false if it fits none. */
bool hs_library_shares(const hs_library *b, const hs_domain *d,
                       const int16_t *state, double *share);

/* Draws a mode by weight, from a uniform number in (0, 1). */
int hs_library_draw(const hs_library *b, double uniform);

/* Draws from q_k into every lane of p, k = of[lane]. */
void hs_library_draw_states(const hs_library *b, const hs_domain *d,
                            const hs_rng *rng, const int *of, hs_point *p);

/* The value of coordinate i whose interval in the product distribution of a
 * mode contains this position. */
static inline int hs_library_value(const hs_library *b, const hs_domain *d,
                                   int mode, int i, double position)
{
    size_t at = (size_t)mode * (size_t)b->values + (size_t)d->value[i];

    return hs_intervals_find(b->start + at, b->share + at, d->states[i],
                             position);
}

#endif
