/* model.h - the interface of a distribution: U and its gradient for a tile.
 *
 * A model is immutable and borrowed by any number of chains.  It evaluates a
 * *point*: the states of 16 chains, their U = log unnormalized probability, the
 * gradient of the relaxation, and the model's cache.
 *
 * There are two kinds of gradient:
 *   stored  `evaluate` fills p->grad (dense, networks, callbacks);
 *   local   the model has `rows`: any block of rows is computed from the
 *           states in O(degree), p->grad is NULL, and nothing is stored.
 * Numeric coordinates: row = dU/dx_i in units of the coordinate's values.
 * Categorical: one row per label, of which only differences matter.  Factor
 * graphs and tables give exact single-site differences as their gradient.
 *
 * U = -infinity is legal; NaN and +infinity are faults.  Gradients need be
 * finite only where U is, except -+infinity towards an impossible value.
 *
 * The cache of a point is rows of sixteen 32-bit words, one lane per chain, so
 * that two points can be mixed lane by lane; it is valid when HS_U is.  The
 * model may overwrite the scratch at any call. */
#ifndef HS_MODEL_MODEL_H
#define HS_MODEL_MODEL_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <hiss/status.h>
#include <hiss/trust.h>

#include "base/lane.h"
#include "base/random/rng.h"
#include "base/spec/option.h"
#include "base/state/domain.h"
#include "lanes/shapes.h"
#include "model/precision.h"

#define HS_FREE_LABELS_MAX 256 /* largest number of interchangeable labels */

enum {
    HS_U = 1,
    HS_GRAD = 2
};

typedef int16_t hs_index_row[HS_LANES];
typedef float hs_float_row[HS_LANES];

/* Place of a failed evaluation, for the message. */
typedef struct hs_fault {
    int code;         /* return code of the caller's function, or 0 */
    bool is_gradient; /* the gradient, not U, is not a number */
    int lane;         /* where that is */
} hs_fault;

/* States of up to 16 chains. */
typedef struct hs_point {
    hs_index_row *x;    /* owned, [dim] */
    hs_float_row *grad; /* owned, [domain.rows]; NULL when local */
    void *cache;        /* owned, rows of 16 floats; NULL if none */
    void *scratch;      /* owned, the model's scratch_bytes; NULL if none */
    double u[HS_LANES];
    unsigned have;  /* HS_U | HS_GRAD: what is valid for x; the owner may use
                       other bits, no model sets them */
    int lanes;      /* number of lanes in use, from the first; 0 means all.
                       Others are undefined */
    hs_fault fault; /* set by a failed evaluation */
} hs_point;

typedef struct hs_model hs_model;
typedef struct hs_factors hs_factors; /* factors.h */

/* Structures of U that a model may report.  Each is a const pointer to the
 * named struct, from lanes/shapes.h or the given header, borrowed from the
 * model. */
typedef enum hs_structure {
    HS_STRUCTURE_PAIRS,   /* hs_pair_form: two-valued sites, coupled in pairs */
    HS_STRUCTURE_REGULAR, /* hs_regular: pairs, all sites coupled alike */
    HS_STRUCTURE_SIGNED,  /* hs_scan: couplings J and -J, listed in m->order */
    HS_STRUCTURE_LABELS,  /* hs_label_form: labels, coupled in pairs */
    HS_STRUCTURE_TABLES,  /* hs_table_form: a sum of tables */
    HS_STRUCTURE_DENSE,   /* hs_dense: all pairs are coupled */
    HS_STRUCTURE_DENSE_WHOLE, /* hs_dense_whole: the same */
    HS_STRUCTURE_DENSE_WIDE,  /* hs_dense_wide: the same, of a wide model */
    HS_STRUCTURE_HIDDEN,      /* hs_hidden of model/hidden.h: hidden units */
    HS_STRUCTURE_NETWORK,     /* hs_network_form: a binary network */
    HS_STRUCTURE_UNITS,       /* hs_units_form: a Boltzmann machine */
    HS_STRUCTURE_FUNCTION,    /* hs_function_form: a function on a GPU */
} hs_structure;

/* The number of terms in U, for prices of steps (run/price/price.h). */
typedef struct hs_model_work {
    const char *family; /* models that are evaluated in the same way */
    double terms;       /* couplings, weights or entries; for a function of the
                           user, states evaluated per gradient */
    bool is_by_lane;    /* cost is proportional to the lanes in use */
} hs_model_work;

typedef struct hs_model_ops {
    /* required, one of the two: evaluate makes a model stored, rows local */
    /* Fills u, cache and, on request, grad from x in all 16 lanes.  `want`
     * lists what p->have lacks.  It may do more and set p->have accordingly. */
    hiss_status (*evaluate)(const hs_model *m, hs_point *p, unsigned want);
    /* Local gradient: writes the rows of coordinates first <= i < last to
     * out[0..] (if not NULL) and adds their part of U to u (if not NULL).  The
     * sum over all blocks plus m->offset is U. */
    void (*rows)(const hs_model *m, const hs_point *p, int first, int last,
                 hs_float_row *out, double *u);

    /* optional */
    /* Frees what the model owns beyond struct hs_model; may be NULL. */
    void (*destroy)(hs_model *m);
    /* Writes the exact U(x with x_i = v) - U(x) for every index v of coordinate
     * i to out[v].  NULL: use the rows if `exact_rows`, else evaluations. */
    void (*differences)(const hs_model *m, const hs_point *p, int i,
                        hs_float_row *out);
    /* The same by a function that may fail and then sets p->fault, at about
     * 1/dim of an evaluation; replaces `differences`. */
    hiss_status (*change)(const hs_model *m, hs_point *p, int i,
                          hs_float_row *out);
    /* Sets x_i to the index to[lane] in every lane, adds the known change of U
     * to u, and updates cache and gradient.  NULL: x and u are set and HS_GRAD
     * is dropped (for models without a cache). */
    void (*move)(const hs_model *m, hs_point *p, int i, const int16_t *to,
                 const float *change);
    /* Finds a possible state in each of the first `lanes` lanes, for models
     * where random states are unlikely to be possible.  Lane l uses only the
     * random numbers of rng's lane l for HS_DRAW_INIT.  HISS_EINFEASIBLE if
     * none was found; NULL if random states suffice. */
    hiss_status (*start)(const hs_model *m, hs_point *p, const hs_rng *rng,
                         int lanes, hiss_error *err);
    /* Draws a state in each lane to start a search for modes, by a structure
     * that random single sites do not reveal, such as hidden units.  Lane l
     * uses the random numbers of rng's lane l for HS_DRAW_SCATTER, and shared
     * ones, at rng->clock.  The distribution is arbitrary and U may be
     * infinite.  Leaves p->have 0.  NULL if uniform states suffice. */
    hiss_status (*scatter)(const hs_model *m, hs_point *p, const hs_rng *rng,
                           int lanes);
    /* Writes U as a sum of tables, for coordinates of any kind; NULL if U is
     * not a sum of small tables.  Sets *out on success only. */
    hiss_status (*factors)(const hs_model *m, hs_factors *out, hiss_error *err);
    /* Returns a structure of U; returns NULL, or is NULL, if U does not have
     * it. */
    const void *(*structure)(const hs_model *m, hs_structure kind);
    /* The work of an evaluation.  NULL if unknown, as for a function of the
     * user, whose prices count evaluations. */
    hs_model_work (*work)(const hs_model *m);
    /* Makes a new model with factor times this U and the same structure; NULL
     * if tables or a wrapper suffice (factor/scaled.h).  The caller sets names
     * and notes. */
    hiss_status (*scaled)(hs_model **out, const hs_model *m, double factor,
                          hiss_error *err);
} hs_model_ops;

struct hs_model {
    const hs_model_ops *ops;
    char *name; /* owned: canonical spec or file name */
    char *note; /* owned, or NULL: a note for the user */
    /* For a model from a file: one line that summarizes the file, with the sign
     * in a formula; owned, or NULL. */
    char *reads_as;
    /* The objective in the terms of the file's field, such as a cut or a tour
     * length: objective = scale * U + shift; NULL means U itself. */
    char *objective; /* owned, or NULL */
    double objective_scale, objective_shift;
    double beta; /* factor already applied to U (factor/scaled.h); 0 for none */
    hs_domain domain;
    double offset;      /* constant part of U of a local model */
    size_t cache_bytes; /* of a point's cache: whole rows of 16 floats, so that
                           lanes can be selected */
    size_t scratch_bytes;
    bool exact_rows;      /* rows are exact single-site differences: U is linear
                             in each coordinate (multilinear), or the rows are
                             defined so */
    bool is_quadratic;    /* U is quadratic in the values, with finite rows */
    bool is_dense;        /* most pairs share a table: its tables serve moves
                             that ask for them, and nothing is split by them */
    bool has_free_labels; /* U does not change if the labels of all coordinates
                             are renamed alike */
    bool uses_blas;       /* bits depend on the BLAS build */
    bool is_user;         /* U is a function or a plug-in of the user */
    /* Number of states that a function of the user wants at once; 0 for those
     * of a tile. */
    int width;
    /* Number of states at which U is evaluated for a gradient, if the model has
     * no gradient of its own; 0 if a gradient is one evaluation. */
    int64_t gradient_states;
    hs_precision precision; /* decided once, when the model is built */
    /* For a tour domain, else NULL: U is the sum of edge[a * dim + b] over the
     * steps a to b of the closed tour.  It is symmetric and borrowed from the
     * model, as are the near cities of each city (base/state/tour.h). */
    const double *edge;
    const int16_t *near;
    /* owned, or NULL, [dim]: a scan order in which neighbors can overlap (color
     * by color); and, or NULL, [dim / 8]: whether its sites 8 k to 8 k + 7 are
     * uncoupled */
    int *order;
    uint8_t *apart;
    /* For a softened model (softened.h), else NULL: the original model,
     * borrowed, whose impossible states hot chains may pass.  U is at least
     * `floor` if the original U is finite.  Each -infinity lowers it by
     * `penalty`, below the floor. */
    const hs_model *hard;
    double floor, penalty;
    /* For a conditioned model (fixed.h); else both NULL. */
    int *fixed_at;    /* owned, [dim]: the index at which a coordinate is fixed,
                         -1 if free */
    int *full_states; /* owned, [dim]: number of states before conditioning */
};

/* Whether the coefficients need more than floats. */
static inline bool hs_model_is_wide(const hs_model *m)
{
    return m->precision.kind == HS_PRECISION_DOUBLE;
}

/* The inverse temperature by which U was scaled. */
static inline double hs_model_beta(const hs_model *m)
{
    return m->beta > 0.0 ? m->beta : 1.0;
}

/* Whether U has impossible states, which single-site moves may not be able to
 * cross. */
static inline bool hs_model_has_constraints(const hs_model *m)
{
    return m->ops->start && m->ops->factors;
}

/* Whether a single-site update costs about 1/dim of an evaluation.  Otherwise
 * it costs one evaluation for each other value of the site. */
static inline bool hs_model_has_cheap_sites(const hs_model *m)
{
    return m->ops->differences || m->ops->change ||
           (m->exact_rows && (m->ops->rows || m->ops->move));
}

/* Whether a state with this U is possible under the target. */
static inline bool hs_model_is_possible(const hs_model *m, double u)
{
    return m->hard ? u >= m->floor : u > -HUGE_VAL;
}

/* The work of an evaluation, for any model. */
static inline hs_model_work hs_model_work_of(const hs_model *m)
{
    if (m->ops->work)
        return m->ops->work(m);
    return (hs_model_work){
        .family = m->ops->change ? "changes" : "function",
        .terms = m->gradient_states > 0 ? (double)m->gradient_states : 1.0,
        .is_by_lane = true};
}

/* Returns a structure of the model, or NULL if it does not have it.  The path
 * tables in src/kernel use it when a kernel is set up. */
static inline const void *hs_model_structure(const hs_model *m,
                                             hs_structure kind)
{
    return m->ops->structure ? m->ops->structure(m, kind) : NULL;
}

/* A built-in model, listed by `hiss list models` and created by a spec. */
typedef struct hs_model_type {
    const char *name;
    const char *summary;
    size_t size; /* size of the options struct */
    const hs_option *options;
    hiss_status (*create)(hs_model **out, const void *options, hiss_error *err);
    /* optional: restrictions for a spec from a file, besides those on files */
    hiss_status (*check_foreign)(const void *options, hiss_error *err);
} hs_model_type;

extern const hs_model_type *const hs_model_types[]; /* NULL-terminated */

/* Makes a model from a spec text such as `ising(side=6,beta=0.5)`; the message
 * suggests a similar name. */
hiss_status hs_model_create(hs_model **out, const char *spec, hiss_error *err);
/* The same for a spec inside a file; trust is NULL for the user's own specs. */
hiss_status hs_model_create_from(hs_model **out, const char *spec,
                                 const hiss_trust *trust, hiss_error *err);
void hs_model_destroy(hs_model *m);

/* Allocates one point, in one block. */
hiss_status hs_point_init(hs_point *p, const hs_model *m, hiss_error *err);
void hs_point_clear(hs_point *p);
size_t hs_point_bytes(const hs_model *m);

/* Copies the state of a lane; gives it one, so that nothing is valid. */
static inline void hs_point_read(const hs_point *p, int dim, int lane,
                                 int16_t *state)
{
    for (int i = 0; i < dim; i++)
        state[i] = p->x[i][lane];
}

static inline void hs_point_write(hs_point *p, int dim, int lane,
                                  const int16_t *state)
{
    for (int i = 0; i < dim; i++)
        p->x[i][lane] = state[i];
    p->have = 0;
}

/* Draws uniform states in all lanes, coordinate i by word i of a purpose at the
 * clock of rng; p->have becomes 0. */
void hs_point_uniform(hs_point *p, const hs_model *m, const hs_rng *rng,
                      hs_purpose purpose);

/* Makes `want` valid at p; valid parts are not recomputed.  Code that changes
 * p->x must clear p->have.  The caller checks that u is a number. */
hiss_status hs_model_evaluate(const hs_model *m, hs_point *p, unsigned want);

/* Writes the message of an evaluation that failed with rc.  U is not a number
 * unless the fault says otherwise; where is "in chain 3", or empty. */
hiss_status hs_fail_model(hiss_error *err, hiss_status rc, const hs_model *m,
                          const hs_fault *fault, const char *where);

/* Returns rows of coordinates first..last-1: stored ones, or computed into
 * buffer.  u is as in ops->rows; stored models ignore it, and their p must have
 * HS_GRAD. */
const hs_float_row *hs_model_rows(const hs_model *m, const hs_point *p,
                                  int first, int last, hs_float_row *buffer,
                                  double *u);

/* Computes exact single-site differences for any model.  spare is a point of
 * the same model that may be overwritten.  Differences between impossible
 * states are 0.  hs_model_difference_evals: the number of states at which U is
 * evaluated, 0 if cheap. */
int64_t hs_model_difference_evals(const hs_model *m, const hs_point *p, int i);
hiss_status hs_model_differences(const hs_model *m, hs_point *p, int i,
                                 hs_float_row *out, hs_point *spare);

/* Computes the same as if U were linear in coordinate i, from the gradient at
 * p, which must have it if it is stored: (v - x_i) dU/dx_i, or the difference
 * for two labels. */
void hs_model_linear(const hs_model *m, const hs_point *p, int i,
                     hs_float_row *out);

/* Sets coordinate i and keeps p as valid as the model can. */
void hs_model_move(const hs_model *m, hs_point *p, int i, const int16_t *to,
                   const float *change);

/* Draws a state in each of the first `lanes` lanes to start a search from, by
 * ops->scatter.  The default are uniform states, or ops->start for a tour.
 * Clears p->have. */
hiss_status hs_model_scatter(const hs_model *m, hs_point *p, const hs_rng *rng,
                             int lanes);

/* Renames the labels of a state in order of first use, if the model has free
 * labels: two states are the same partition if they are then equal. */
void hs_model_canonical(const hs_model *m, int16_t *state);

/* Computes U of one state given as indices; slow, for tools and tests. */
hiss_status hs_model_energy(const hs_model *m, const int16_t *state, double *u,
                            hiss_error *err);

#endif
