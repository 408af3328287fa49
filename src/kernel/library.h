/* library.h - modes that were found beforehand, frozen.
 *
 * A mode k has a weight w_k and a law of its own for every coordinate, so
 * that
 *     Q(x) = sum_k w_k q_k(x),   q_k(x) = prod_i p_ki(x_i)
 * is a law that can be drawn from and computed.  The values of a coordinate
 * divide [0, 1) into intervals (intervals.h), and carrying a position from one
 * mode to another couples the two laws.
 *
 * Where coordinates depend on each other inside a mode, q_k may be a tree
 * instead (mode_trees.h); the product is of its marginals then, and still says
 * which mode a state is in.
 *
 * A few coordinates S, those that tell the modes apart best, are enough to say
 * which mode a state is in: that costs modes * |S|, not modes * dim.
 *
 * Nothing here has to be true: a kernel that uses it corrects for it. */
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
    int16_t *top;      /* owned, [modes][dim]: a state of the mode */
    double *weight;    /* owned, [modes]: positive, their sum is 1 */
    double *below;     /* owned, [modes]: sum of the weights before */
    double *log_mass;  /* owned, [modes]: ln of its share of all masses */
    double *log_error; /* owned, [modes]: standard error of ln of its mass;
                          infinite where it is not known */
    double *held;      /* owned, [modes]: share that its law has of the states
                          where its own chains stood last; 1: not known */
    double *typical;   /* owned, [modes]: mean of ln of the product over it */
    double *spread;    /* owned, [modes]: and its standard deviation */
    double *share;     /* owned, [modes][values]: p_ki(v) > 0 */
    float *log_share;  /* owned, [modes][values] */
    double *start;     /* owned, [modes][values]: of the interval of v */
    int sites;         /* |S|; 0: not weighed yet */
    int site[HS_LIBRARY_SITES]; /* S, the best first */
    hs_pieces pieces;           /* owned: of differences of tops */
    hs_mode_trees *trees;       /* owned, NULL: q_k are products */
};

/* Modes that a library of this domain may have: its memory is bounded. */
int hs_library_most(const hs_domain *d);

/* Memory for so many modes, all 0. */
hiss_status hs_library_create(hs_library **out, const hs_domain *d, int modes,
                              hiss_error *err);
void hs_library_destroy(hs_library *b);

/* Weights in proportion to exp(log_mass), NULL: equal; none below a small
 * floor.  Errors are unknown then.  Chooses S, so that laws come first. */
void hs_library_weigh(hs_library *b, const double *log_mass);

/* Laws of a mode from the counts of its values ([values], not negative), each
 * raised by `smooth` over the values of its coordinate, and the most frequent
 * state as its top. */
void hs_library_learn(hs_library *b, const hs_domain *d, int mode,
                      const double *count, double smooth);

/* The same from one state: ten draws of it. */
hiss_status hs_library_state(hs_library *b, const hs_domain *d, int mode,
                             const int16_t *state, hiss_error *err);

/* Finds the pieces that differences of the modes' tops fall apart into. */
hiss_status hs_library_cut(hs_library *b, const hs_model *m, hiss_error *err);

/* ln q_k(x) of the mode k = of[lane]. */
void hs_library_log(const hs_library *b, const hs_domain *d,
                    const hs_index_row *x, const int *of, double *out);

/* ln prod p_ki(x_i) over the first `sites` of S, of every mode and lane, in
 * single precision. */
void hs_library_log_sites(const hs_library *b, const hs_domain *d,
                          const hs_index_row *x, int sites, hs_float_row *out);

/* Whether this ln q_k (hs_library_log) is not far below what is typical of mode
 * k. */
bool hs_library_is_typical(const hs_library *b, int mode, double log_q);

/* The mode that a state is most likely of by product laws, weights left out; -1
 * if it is unlike any: ln q_k far below what is typical, for every k. */
int hs_library_mode(const hs_library *b, const hs_domain *d,
                    const int16_t *state);

/* The parts of all modes in a state, w_k q_k / sum_j w_j q_j by product laws,
 * [modes]; false if it is unlike any. */
bool hs_library_shares(const hs_library *b, const hs_domain *d,
                       const int16_t *state, double *share);

/* A mode by weight, from a uniform number in (0, 1). */
int hs_library_draw(const hs_library *b, double uniform);

/* A draw of q_k into every lane of p, k = of[lane]. */
void hs_library_draw_states(const hs_library *b, const hs_domain *d,
                            const hs_rng *rng, const int *of, hs_point *p);

/* The value of coordinate i whose interval in the product law of a mode holds
 * this position. */
static inline int hs_library_value(const hs_library *b, const hs_domain *d,
                                   int mode, int i, double position)
{
    size_t at = (size_t)mode * (size_t)b->values + (size_t)d->value[i];

    return hs_intervals_find(b->start + at, b->share + at, d->states[i],
                             position);
}

#endif
