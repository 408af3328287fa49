/* model.h - the contract of a distribution: U and its gradient, by the tile.
 *
 * A model is immutable and borrowed by any number of chains.  It evaluates a
 * *point*: the states of 16 chains, their U = log unnormalized probability,
 * the gradient of the relaxation, and whatever the model keeps with a point.
 *
 * Two ways to have a gradient:
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
 * scratch is the model's to write to and holds nothing between calls. */
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

#define HS_FREE_LABELS_MAX 256 /* that are interchangeable */

enum {
    HS_U = 1,
    HS_GRAD = 2
};

typedef int16_t hs_index_row[HS_LANES];
typedef float hs_float_row[HS_LANES];

/* Where an evaluation failed, for the message. */
typedef struct hs_fault {
    int code;         /* what a function of the caller returned, 0: nothing */
    bool is_gradient; /* not U, its gradient is no number */
    int lane;         /* where that is */
} hs_fault;

/* States of up to 16 chains. */
typedef struct hs_point {
    hs_index_row *x;    /* owned, [dim] */
    hs_float_row *grad; /* owned, [domain.rows]; NULL when local */
    void *cache;        /* owned, rows of 16 floats; NULL if none */
    void *scratch;      /* owned, the model's scratch_bytes; NULL if none */
    double u[HS_LANES];
    unsigned have;  /* HS_U | HS_GRAD: what is valid for x; other bits are the
                       owner's, and no model sets them */
    int lanes;      /* in use, the first; 0: all.  Others are undefined */
    hs_fault fault; /* after an evaluation that failed */
} hs_point;

typedef struct hs_model hs_model;
typedef struct hs_factors hs_factors; /* factors.h */

/* What a model may say of how U is made.  Each comes as a const pointer to the
 * struct that is named, of lanes/shapes.h or where it says, borrowed from the
 * model. */
typedef enum hs_structure {
    HS_STRUCTURE_PAIRS,   /* hs_pair_form: two-valued sites, coupled in pairs */
    HS_STRUCTURE_REGULAR, /* hs_regular: and every site is coupled alike */
    HS_STRUCTURE_SIGNED,  /* hs_scan: or by J and -J, listed in m->order */
    HS_STRUCTURE_LABELS,  /* hs_label_form: labels, coupled in pairs */
    HS_STRUCTURE_TABLES,  /* hs_table_form: a sum of tables */
    HS_STRUCTURE_DENSE,   /* hs_dense: all pairs are coupled */
    HS_STRUCTURE_DENSE_WIDE, /* hs_dense_wide: the same, of a wide model */
    HS_STRUCTURE_HIDDEN,     /* hs_hidden of model/hidden.h: hidden units */
    HS_STRUCTURE_NETWORK,    /* hs_network_form: a binary network */
    HS_STRUCTURE_UNITS,      /* hs_units_form: a Boltzmann machine */
    HS_STRUCTURE_FUNCTION,   /* hs_function_form: a function on a GPU */
} hs_structure;

/* How much there is to add up in U, for prices of steps (run/price/price.h). */
typedef struct hs_model_work {
    const char *family; /* models that are evaluated in the same way */
    double terms;       /* couplings, weights or entries; of a function of the
                           user the states that a gradient evaluates */
    bool is_by_lane;    /* each lane in use costs its share */
} hs_model_work;

typedef struct hs_model_ops {
    /* required, one of the two: evaluate makes a model stored, rows local */
    /* Fills u, cache and, when asked, grad from x in all 16 lanes.  Asked for
     * what p->have lacks; may do more and say so in p->have. */
    hiss_status (*evaluate)(const hs_model *m, hs_point *p, unsigned want);
    /* Local gradient: rows of coordinates first <= i < last to out[0..] (out
     * not NULL), and the part of U that belongs to them, added to u (u not
     * NULL).  Summed over all blocks plus m->offset this is U. */
    void (*rows)(const hs_model *m, const hs_point *p, int first, int last,
                 hs_float_row *out, double *u);

    /* optional */
    /* Frees what the model has beyond struct hs_model; NULL: nothing. */
    void (*destroy)(hs_model *m);
    /* Exact U(x with x_i = v) - U(x) for every index v of coordinate i, to
     * out[v]; NULL: from the rows when `exact_rows`, else by evaluation. */
    void (*differences)(const hs_model *m, const hs_point *p, int i,
                        hs_float_row *out);
    /* The same by a function that may fail, which p->fault is about, at about
     * 1/dim of an evaluation; in place of `differences`. */
    hiss_status (*change)(const hs_model *m, hs_point *p, int i,
                          hs_float_row *out);
    /* Sets x_i to the index to[lane] in every lane, adds the change of U that
     * the caller knows to u, and mends cache and gradient; NULL: x and u are
     * set and HS_GRAD is dropped (fit for models without a cache). */
    void (*move)(const hs_model *m, hs_point *p, int i, const int16_t *to,
                 const float *change);
    /* A possible state in each of the first `lanes` lanes, where random ones
     * are hopeless; lane l uses the random numbers of rng's lane l for
     * HS_DRAW_INIT and no others.  HISS_EINFEASIBLE when none was found; NULL:
     * random states will do. */
    hiss_status (*start)(const hs_model *m, hs_point *p, const hs_rng *rng,
                         int lanes, hiss_error *err);
    /* A state in each lane from which a search for modes may begin: drawn by a
     * structure that single random sites do not see, such as hidden units.
     * Lane l uses the random numbers of rng's lane l for HS_DRAW_SCATTER, and
     * shared ones, at rng->clock; no law is promised, nor that U is finite.
     * Leaves p->have 0.  NULL: uniform states will do. */
    hiss_status (*scatter)(const hs_model *m, hs_point *p, const hs_rng *rng,
                           int lanes);
    /* U as a sum of tables, whatever the coordinates' kinds; NULL: it is not
     * a sum of small ones.  *out is set on success only. */
    hiss_status (*factors)(const hs_model *m, hs_factors *out, hiss_error *err);
    /* How U is made; NULL, returned or the function: not in this way. */
    const void *(*structure)(const hs_model *m, hs_structure kind);
    /* The work of an evaluation; NULL: nothing is known of it, as of a function
     * of the user, and an evaluation is the unit of its prices. */
    hs_model_work (*work)(const hs_model *m);
    /* A new model with factor times this U, of the same structure; NULL: tables
     * or a wrapper will do (factor/scaled.h).  Names and notes are left to the
     * caller. */
    hiss_status (*scaled)(hs_model **out, const hs_model *m, double factor,
                          hiss_error *err);
} hs_model_ops;

struct hs_model {
    const hs_model_ops *ops;
    char *name; /* owned: canonical spec or file name */
    char *note; /* owned, or NULL: a note for the user */
    /* For a model from a file: a summary of the file, in one line with the sign
     * in a formula; owned, or NULL. */
    char *reads_as;
    /* The objective in the terms of the file's field, such as a cut or a tour
     * length: objective = scale * U + shift; NULL: U itself. */
    char *objective; /* owned, or NULL */
    double objective_scale, objective_shift;
    double beta; /* U was multiplied by it (factor/scaled.h); 0: by nothing */
    hs_domain domain;
    double offset;      /* constant part of U of a local model */
    size_t cache_bytes; /* kept with each point: whole rows of 16 floats, so
                           that a lane's part can be selected */
    size_t scratch_bytes;
    bool exact_rows;      /* rows are exact single-site differences: U is linear
                          in each coordinate (multilinear), or given so */
    bool is_quadratic;    /* in the values, with finite rows */
    bool is_dense;        /* most pairs share a table: its tables are for moves
                          that are asked for, and nothing is split by them */
    bool has_free_labels; /* U is the same when the labels of all coordinates
                             are renamed alike */
    bool uses_blas;       /* bits depend on the BLAS build */
    bool is_user;         /* U is a function or a plug-in of the user */
    /* States that a function of the user wants at once; 0: those of a tile. */
    int width;
    /* States at which U is evaluated for a gradient, of a model that has none
     * of its own; 0: a gradient is one evaluation. */
    int64_t gradient_states;
    hs_precision precision; /* decided once, when the model is built */
    /* Of a tour domain, else NULL: U is the sum of edge[a * dim + b] over the
     * steps a to b of the closed tour; symmetric; borrowed from the model, as
     * are the near cities of each (base/state/tour.h). */
    const double *edge;
    const int16_t *near;
    /* owned, or NULL, [dim]: a scan order that lets neighbors overlap (color
     * by color); and, or NULL, [dim / 8]: whether sites 8 k to 8 k + 7 of it
     * are not coupled */
    int *order;
    uint8_t *apart;
    /* Of a softened model (softened.h), else NULL: the one whose
     * impossible states it lets hot chains pass through, borrowed; U is at
     * least `floor` where that one's is finite, and below elsewhere: by
     * `penalty` for every -infinity. */
    const hs_model *hard;
    double floor, penalty;
    /* Of a conditioned model (fixed.h); else NULL, both. */
    int *fixed_at;    /* owned, [dim]: the index that a coordinate was fixed
                           at, -1: it is free */
    int *full_states; /* owned, [dim]: states before that */
};

/* Whether floats are not enough for its coefficients. */
static inline bool hs_model_is_wide(const hs_model *m)
{
    return m->precision.kind == HS_PRECISION_DOUBLE;
}

/* The inverse temperature that a model was given. */
static inline double hs_model_beta(const hs_model *m)
{
    return m->beta > 0.0 ? m->beta : 1.0;
}

/* Whether U has impossible states, which moves of single sites may not be able
 * to pass. */
static inline bool hs_model_has_constraints(const hs_model *m)
{
    return m->ops->start && m->ops->factors;
}

/* Whether a single-site update costs about 1/dim of an evaluation; elsewhere
 * it costs one for each other value of the site. */
static inline bool hs_model_has_cheap_sites(const hs_model *m)
{
    return m->ops->differences || m->ops->change ||
           (m->exact_rows && (m->ops->rows || m->ops->move));
}

/* Whether a state with this U is possible at the target itself. */
static inline bool hs_model_is_possible(const hs_model *m, double u)
{
    return m->hard ? u >= m->floor : u > -HUGE_VAL;
}

/* The work of an evaluation of any model. */
static inline hs_model_work hs_model_work_of(const hs_model *m)
{
    if (m->ops->work)
        return m->ops->work(m);
    return (hs_model_work){
        .family = m->ops->change ? "changes" : "function",
        .terms = m->gradient_states > 0 ? (double)m->gradient_states : 1.0,
        .is_by_lane = true};
}

/* What the model says of its structure; NULL: it is not of this kind.  Asked by
 * the tables of paths in src/kernel when a kernel is set up. */
static inline const void *hs_model_structure(const hs_model *m,
                                             hs_structure kind)
{
    return m->ops->structure ? m->ops->structure(m, kind) : NULL;
}

/* A built-in model: what `hiss list models` shows and a spec creates. */
typedef struct hs_model_type {
    const char *name;
    const char *summary;
    size_t size; /* of the options struct */
    const hs_option *options;
    hiss_status (*create)(hs_model **out, const void *options, hiss_error *err);
    /* optional: what a spec from a file may not ask for, beside files that it
     * may not open */
    hiss_status (*check_foreign)(const void *options, hiss_error *err);
} hs_model_type;

extern const hs_model_type *const hs_model_types[]; /* NULL-terminated */

/* From a spec text such as `ising(side=6,beta=0.5)`; the name is suggested if
 * it is nearly right. */
hiss_status hs_model_create(hs_model **out, const char *spec, hiss_error *err);
/* The same from a file's words; trust is NULL for the user's own. */
hiss_status hs_model_create_from(hs_model **out, const char *spec,
                                 const hiss_trust *trust, hiss_error *err);
void hs_model_destroy(hs_model *m);

/* Memory of one point, in one block. */
hiss_status hs_point_init(hs_point *p, const hs_model *m, hiss_error *err);
void hs_point_clear(hs_point *p);
size_t hs_point_bytes(const hs_model *m);

/* Uniform states in all lanes, coordinate i by word i of a purpose at the
 * clock of rng; p->have is 0 then. */
void hs_point_uniform(hs_point *p, const hs_model *m, const hs_rng *rng,
                      hs_purpose purpose);

/* Makes `want` valid at p; does nothing for what is there already.  Code that
 * changes p->x clears p->have.  That u is a number, the caller must see to. */
hiss_status hs_model_evaluate(const hs_model *m, hs_point *p, unsigned want);

/* The message of an evaluation that failed with rc, U itself being no number
 * unless the fault says otherwise; where is "in chain 3", or empty. */
hiss_status hs_fail_model(hiss_error *err, hiss_status rc, const hs_model *m,
                          const hs_fault *fault, const char *where);

/* Rows of coordinates first..last-1: stored ones, or computed into buffer.
 * u as in ops->rows, ignored by stored models, whose p must have HS_GRAD. */
const hs_float_row *hs_model_rows(const hs_model *m, const hs_point *p,
                                  int first, int last, hs_float_row *buffer,
                                  double *u);

/* Exact single-site differences, whatever the model offers; spare is a point
 * of the same model that may be overwritten.  0 between impossible states.
 * hs_model_difference_evals: at how many states it evaluates U; 0: cheap. */
int64_t hs_model_difference_evals(const hs_model *m, const hs_point *p, int i);
hiss_status hs_model_differences(const hs_model *m, hs_point *p, int i,
                                 hs_float_row *out, hs_point *spare);

/* The same as if U were linear in coordinate i, from the gradient at p, which
 * has it where it is stored: (v - x_i) dU/dx_i, or that of two labels. */
void hs_model_linear(const hs_model *m, const hs_point *p, int i,
                     hs_float_row *out);

/* Sets coordinate i and keeps p valid as far as the model can. */
void hs_model_move(const hs_model *m, hs_point *p, int i, const int16_t *to,
                   const float *change);

/* A state in each of the first `lanes` lanes from which a search may begin, as
 * ops->scatter says; by default uniform ones, or what ops->start gives for a
 * tour.  Clears p->have. */
hiss_status hs_model_scatter(const hs_model *m, hs_point *p, const hs_rng *rng,
                             int lanes);

/* Renames the labels of a state by their first coordinate, where the model has
 * free labels: two states are one partition if they are equal then. */
void hs_model_canonical(const hs_model *m, int16_t *state);

/* U of one state given as indices; slow, for tools and tests. */
hiss_status hs_model_energy(const hs_model *m, const int16_t *state, double *u,
                            hiss_error *err);

#endif
