/* shapes.h - the arguments of lane primitives: plain borrowed arrays. */
#ifndef HS_LANES_SHAPES_H
#define HS_LANES_SHAPES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/lane.h"
#include "base/random/rng.h"
#include "base/state/domain.h"

/* Indices or counts below 256, a byte per lane. */
typedef uint8_t hs_byte_row[HS_LANES];

/* Networks are evaluated for this many chains together
 * (lanes/rows/network.c). */
#define HS_CHAINS 4

/* A coordinate with at most this many values is drawn with sums and a uniform
 * in single precision.  The probability of each value is then off by at most
 * 2e-7 (half a unit of the sum, of the uniform and of their product), and all
 * together by HS_FEW times that.  With more values, light ones would be lost
 * behind a heavy one.  So sums are in double, with a uniform of 52 bits. */
#define HS_FEW 32

/* Shape of the noise that couples x with its auxiliary copy a. */
typedef enum hs_noise_shape {
    HS_LOGISTIC,
    HS_GAUSSIAN
} hs_noise_shape;

/* a = x + eta * noise; y is drawn from the softmax of phi alone; phi is
 * stored.
 *
 * phi: a pair domain stores phi_i(high) - phi_i(low), one row per coordinate;
 * other domains store phi_i(v), one row per value.
 *
 * slope (may be NULL): for the linearized tilt, two rows per row of values: the
 * derivative of phi at a numeric value (first row), or of one-hot entry c at 0
 * and at 1 (both).
 *
 * factor (may be NULL): instead of phi, for logistic noise on all coordinates
 * of a pair domain.  With r = gap / eta, c = e^-r and the noise's uniform p,
 * e^((phi(other) - phi(x)) / 2) = sqrt(c) / d, d = c + p (1 - c).  A row is d,
 * root is sqrt(c), and `was` is the former x. */
typedef struct hs_noise {
    const hs_domain *domain;
    const hs_rng *rng;
    const float *eta;      /* [HS_LANES] */
    const uint8_t *chosen; /* [dim], or NULL if every coordinate gets noise */
    const int16_t (*x)[HS_LANES];
    int16_t (*y)[HS_LANES];
    float (*phi)[HS_LANES];
    float (*slope)[HS_LANES];
    float (*factor)[HS_LANES];
    hs_byte_row *was;           /* [dim], with factor */
    float *root;                /* [HS_LANES], with factor */
    float (*scratch)[HS_LANES]; /* [states_max]; general domains */
    hs_noise_shape shape;
} hs_noise;

/* Balancing functions: g(t) = t g(1/t) [Zanella 2020]. */
typedef enum hs_balance {
    HS_BALANCE_SQRT,   /* sqrt(t) */
    HS_BALANCE_BARKER, /* t / (1 + t) */
    HS_BALANCE_MIN,    /* min(1, t) */
    HS_BALANCE_MAX,    /* max(1, t) */
} hs_balance;

/* The discrete Langevin proposal under a tilt:
 * logit(v) = balance [beta g(v) + phi(v) - phi(x)] - |v - x|^2 stiffness. */
typedef struct hs_dlp {
    const hs_domain *domain;
    const hs_rng *rng;
    const float *beta;               /* [HS_LANES] */
    const float *balance;            /* [HS_LANES], 1/2 for DMALA */
    const float *stiffness;          /* [HS_LANES], 1 / (2 alpha) */
    const float (*phi)[HS_LANES];    /* or NULL: no phi */
    const float (*slope)[HS_LANES];  /* or NULL: exact differences */
    const float (*factor)[HS_LANES]; /* or NULL; then phi is NULL (hs_noise) */
    const hs_byte_row *was;          /* [dim], with factor */
    const float *root;               /* [HS_LANES], with factor */
    float (*scratch)[HS_LANES];      /* [2 * states_max]; general domains */
    /* For jumps at rates (lanes/langevin/rates.h): ln of their time; NULL for
     * Langevin proposals. */
    const float *log_time; /* [HS_LANES] */
    hs_balance rate;
    bool is_euler;
} hs_dlp;

/* Symmetric couplings in compressed rows, and fields. */
typedef struct hs_sparse {
    int dim;
    int64_t *start; /* owned, [dim + 1] */
    int *column;    /* owned, [start[dim]], ascending in a row */
    float *value;   /* owned, [start[dim]], or NULL if all are `uniform` */
    float *field;   /* owned, [dim], or [dim * states] for labels, or NULL */
    float uniform;  /* the value of every coupling, or 0 if they differ */
    /* Values before rounding, owned.  NULL if nothing was rounded, or if all
     * couplings are `given`, rounded; otherwise `given` is 0.  Wide models
     * (model/precision.h) have both and use them. */
    double *exact, *exact_field;
    double given;
    bool is_wide;
} hs_sparse;

/* The coupling of entry `at`. */
static inline float hs_sparse_coupling(const hs_sparse *j, int64_t at)
{
    return j->value ? j->value[at] : j->uniform;
}

/* Two-valued sites with coupled pairs; with s = low + gap x, U = constant +
 * sum_i s_i (h_i + 1/2 sum_j J_ij s_j) / scale. */
typedef struct hs_pair_form {
    const hs_sparse *j; /* borrowed: J and h */
    float low, gap;
    float step; /* distance of the values in the units of the rows */
    float scale;
    /* Couplings are J or -J, there are no fields, and U is the constant plus J
     * / 2 times a whole number: sums in double are exact. */
    bool is_whole;
    const float *diagonal; /* borrowed, or NULL: J_ii, used in the rows only */
} hs_pair_form;

/* The data that a network of one hidden layer fits; its weights are -1 or 1
 * (model/network/network.h). */
typedef struct hs_network_form {
    int cases, inputs, hidden;
    const float *input;  /* borrowed, [cases][inputs + 1], the last is 1 */
    const float *target; /* borrowed, [cases] */
    double scale, lambda;
} hs_network_form;

/* A restricted Boltzmann machine (model/network/boltzmann.c). */
typedef struct hs_units_form {
    int visible, hidden;
    const float *weight; /* borrowed, [visible][hidden] */
    const float *b, *c;  /* borrowed, [visible], [hidden] */
} hs_units_form;

/* Equal couplings on a graph of one degree, with the same field everywhere.  A
 * site depends only on the number of its high neighbors. */
#define HS_DEGREE_MAX 7
typedef struct hs_regular {
    int dim, degree;       /* degree <= HS_DEGREE_MAX */
    const int *column;     /* borrowed, [dim * degree] */
    float low, gap;        /* s = low + gap x, whole numbers */
    float coupling, field; /* row_i = field + coupling sum_j s_j */
    float step;            /* distance of the values in the units of the rows */
    float scale;           /* sum_i s_i (field + coupling n_i / 2) equals scale
                              U */
    /* Sites in blocks of HS_REGULAR_BLOCK, ordered by the last block in which
     * one of them has a neighbor.  So work that reads neighbors can follow a
     * few blocks behind work that writes them. */
    int blocks;
    const int *block; /* borrowed, [blocks]: numbers of blocks */
    const int *after; /* borrowed, [blocks]: the last block that block[n]
                         reads */
    /* borrowed, [dim / 4]: whether neighbor k of site 4 n + b is b sites after
     * that of site 4 n, for all b, as it is away from the edges of a lattice */
    const uint8_t *level;
} hs_regular;

#define HS_REGULAR_BLOCK 512

/* Couplings J or -J on any graph of degrees below 256.  Neighbors are in the
 * order in which sites are visited: first those with `coupling`, then those
 * with -coupling.  Both lists are padded with site `dim`, which counts as 0, to
 * a multiple of HS_SCAN_STEP. */
#define HS_SCAN_STEP 4
typedef struct hs_scan {
    int dim;
    int64_t *start;  /* owned, [dim + 1]: by visit */
    int64_t *middle; /* owned, [dim]: start of the second list; NULL if there is
                        none */
    int *column;     /* owned, [start[dim]] */
    float *base;     /* owned, [dim]: by visit, low times the difference of the
                        list lengths */
    const float *field; /* borrowed, [dim], or NULL */
    float gap;          /* s = low + gap x, whole numbers */
    float coupling;     /* row_i = field_i + coupling sum_j +-s_j */
    float step;         /* distance of the values in the units of the rows */
} hs_scan;

/* The number of sites of a lane in each state of a site and its neighbors, by
 * the index of regular.h. */
typedef int32_t hs_site_counts[2 * (HS_DEGREE_MAX + 1)][HS_LANES];

/* Couplings of all pairs, 0 on the diagonal, and fields. */
typedef struct hs_dense {
    int dim;
    const float *j; /* borrowed, [dim * dim] */
    const float *h; /* borrowed, [dim] */
    float low, gap; /* s = low + gap x */
} hs_dense;

/* The same in whole numbers of a unit, for sums without rounding: with A the
 * sum of the couplings to sites of index 1, a row is base + half (2 A - total),
 * and nothing overflows. */
typedef struct hs_dense_whole {
    int dim;
    int32_t *j;     /* owned, [dim * dim], symmetric */
    int32_t *total; /* owned, [dim + HS_LANES]: sums of rows */
    float *base;    /* owned, likewise: h and what the middle of s pulls */
    float half;     /* gap / 2 units */
    float gap;      /* between the values of s */
} hs_dense_whole;

/* The same in double. */
typedef struct hs_dense_wide {
    int dim;
    const double *j; /* borrowed, [dim * dim] */
    const double *h; /* borrowed, [dim] */
    float low, gap;  /* s = low + gap x */
    float step;      /* distance of the values in the units of the rows */
    float scale;     /* as in hs_pair_form */
} hs_dense_wide;

/* A table seen from a coordinate. */
typedef struct hs_incidence {
    int64_t table; /* index of its first entry */
    int64_t other; /* index of its first other coordinate */
    int others;
    int own; /* distance of entries between two values of the coordinate */
} hs_incidence;

/* Tables by coordinate, and other coordinates with their strides. */
typedef struct hs_tables {
    double *entry;           /* borrowed */
    int64_t *start;          /* owned, [dim + 1] */
    hs_incidence *incidence; /* owned, [start[dim]] */
    int *column, *stride;    /* owned */
    /* Clauses are tables with one nonzero entry. */
    double *clause;    /* owned, [dim]: the nonzero entry if all tables of a
                          coordinate are clauses with the same one, which sums
                          exactly (-infinity or a power of two); else 0 */
    int16_t *violated; /* owned, as `column`: the value in the nonzero entry, */
    int16_t *own;      /* owned, [start[dim]]: and the value of the coordinate
                          there */
} hs_tables;

/* Sites with the same labels, coupled in pairs: U = constant + sum_i h_i(x_i) +
 * 1/2 sum_j J_ij [x_i = x_j]. */
typedef struct hs_label_form {
    const hs_sparse *j; /* borrowed */
    int states;
} hs_label_form;

/* Up to sixteen consecutive, uncoupled sites of a scan. */
typedef struct hs_label_group {
    int first, count; /* visits */
    unsigned runs;    /* bit k: neighbors k of all sites are consecutive */
    int64_t place;    /* index of the positions of their neighbors, HS_LANES
                         each */
} hs_label_group;

/* Labels with equal couplings: up to HS_FEW labels and up to HS_DEGREE_MAX
 * neighbors.  Sites with fewer neighbors are padded with site `dim`, which has
 * no label. */
typedef struct hs_labels {
    const hs_sparse *j; /* borrowed */
    int dim, states, degree;
    int *place; /* owned, [dim * degree]: neighbors of a site */
    /* of a scan, or 0; groups have positions instead of sites */
    int groups;
    hs_label_group *group; /* owned, as is: */
    int *group_place;
} hs_labels;

/* Sweeps of one chain, with sixteen visits in the lanes of vectors. */
typedef struct hs_few_labels {
    const hs_labels *g; /* borrowed, as all */
    const hs_rng *rng;  /* the clock is that of the first sweep */
    int lane;
    int64_t steps;
    float beta, weight;
    uint8_t *label; /* [dim + HS_LANES] by position; 255 past the end */
    float *sum;     /* [states][stride], adds weight * probability; for two
                       states only index 1; or NULL */
    int64_t stride;
    bool is_metropolis;
    double *changed; /* per lane: adds visits that changed a value */
} hs_few_labels;

/* U as a sum of tables, listed once each and by the coordinates they touch.
 * Quadratic terms of two-valued coordinates that are all `gap` apart are rows
 * of `pairs` instead (model/factor/factor_graph.c). */
typedef struct hs_table_form {
    const hs_tables *once, *all; /* borrowed, as is: */
    const hs_sparse *pairs;      /* or NULL */
    float gap;
    int64_t entries; /* entries of all tables */
} hs_table_form;

/* U and gradient by a function of the user, on a GPU (hiss/arrays.h). */
struct hiss_card_states;
typedef struct hs_function_form {
    int (*evaluate)(const void *context, struct hiss_card_states *states);
    const void *context; /* borrowed, as is: */
    const char *name;
} hs_function_form;

/* Factor of the probability with which a systematic scan of Metropolis changes
 * a site of two values: with 1, sites whose changes cost nothing would change
 * at every visit, and the chain had period two. */
#define HS_METROPOLIS 0.9375f

/* Single-site updates in a given order: visit n goes to site[n] (or to n) and
 * uses the random word of position first + n. */
typedef struct hs_visits {
    const hs_rng *rng;
    const int *site; /* or NULL: in order */
    int first;       /* a multiple of 8 */
    int count;
    const uint8_t *apart; /* [count / 8]: whether visits 8 k to 8 k + 7 are to
                             uncoupled sites; or NULL */
    const float *beta;    /* [HS_LANES] */
    const float (*phi)[HS_LANES]; /* or NULL: flat */
    double *changed;              /* [HS_LANES]: visits that changed a value */
    float (*sum)[HS_LANES]; /* or NULL; row of a site: weight * P(index 1) */
    const float *weight;    /* [HS_LANES] */
    bool is_metropolis;     /* else heat bath */
} hs_visits;

/* Sites with couplings J or -J and equal fields.  The sixteen chains of a tile
 * are the bits of a word (lanes/gibbs/packed.c).  Words are in the order of
 * visits.  Visits come in bundles of this many uncoupled ones, the first at an
 * even position. */
#define HS_BUNDLE        32
#define HS_PACKED_DEGREE 15

/* One neighbor of every visit of a bundle, relative to the start of the bundle.
 * Large lattices have few distinct shapes, which stay in the cache. */
typedef struct hs_packed_shape {
    uint16_t index[HS_BUNDLE]; /* within a window */
    uint16_t flip[HS_BUNDLE];  /* all ones if coupled by -J */
    uint16_t there[HS_BUNDLE]; /* all ones if the neighbor exists */
} hs_packed_shape;

typedef struct hs_packed_plane {
    int shape;
    int window;    /* index of 2 HS_BUNDLE words that hold all neighbors, or
                      -1; */
    int64_t place; /* then index of their HS_BUNDLE positions */
} hs_packed_plane;

/* Visits of a bundle that share one distribution. */
typedef struct hs_packed_part {
    int law;
    uint16_t in[HS_BUNDLE]; /* all ones for these visits */
} hs_packed_part;

typedef struct hs_bundle {
    int first;  /* position of slot 0: even */
    int from;   /* position of the first visit: `first` or the next */
    int degree; /* planes */
    int parts;
    bool is_plain;       /* one part, and no neighbor is missing */
    bool has_flips;      /* some couplings are -J */
    bool is_coupled;     /* to a bundle since the last coupled one */
    int64_t plane, part; /* the first ones */
} hs_bundle;

/* P(high) of a site by the number k of neighbors that pull it up: `threshold`
 * is the first 32 bits of P.  Without a field P(k) = 1 - P(degree - k), so the
 * lower of two such k is looked up and the outcome inverted (is_even). */
typedef struct hs_packed_law {
    int degree, negative; /* number of couplings, and of those that are -J */
    bool is_even;
    uint32_t threshold[HS_PACKED_DEGREE + 1];
    /* bit 31 - q of threshold k as all ones or 0 */
    uint32_t bit[HS_PACKED_DEGREE + 1][32];
} hs_packed_law;

/* Words per visit for counts of up to HS_TALLY_STEPS sweeps. */
#define HS_TALLY_STEPS 255
#define HS_TALLY_ROWS  16

typedef struct hs_packed {
    int dim;
    int bundles, laws;
    int *site; /* owned, as all: [dim], of a position */
    hs_bundle *bundle;
    hs_packed_plane *plane;
    hs_packed_shape *shape;
    int *place;
    hs_packed_part *part;
    hs_packed_law *law;
    float low, gap, coupling, field, step; /* as in hs_regular */
} hs_packed;

/* Clauses over binary coordinates, seen from each visit.  A literal is 2 v for
 * visit v at index 1, 2 v + 1 at index 0; 2 visits is never true.  List 2 v has
 * the clauses with literal 2 v, list 2 v + 1 those with its negation. */
typedef struct hs_packed_clauses {
    int visits;
    int64_t *pair_at; /* owned, as all: [2 visits + 1] */
    int *pair;        /* two other literals for each clause of up to three */
    int64_t *long_at; /* [2 visits + 1]: lists in `rest` */
    int *rest;        /* of longer clauses: other literals, each list ends
                          with -1 */
} hs_packed_clauses;

/* Sweeps of one chain over a model in bundles, with visits in the lanes of
 * vectors: one word for each position, all ones or 0. */
typedef struct hs_few {
    const hs_packed *p; /* borrowed, as all; its thresholds are not read */
    const hs_rng *rng;  /* the clock is that of the first sweep */
    int lane;
    int64_t steps;
    float beta, weight;
    bool is_metropolis;
    uint16_t *word; /* [dim + 2 HS_BUNDLE] */
    float *sum;     /* [dim + 2 HS_BUNDLE], or NULL: adds weight * P(high) */
    /* how often words were set, as in packed_sweeps; or NULL */
    uint16_t *tally;
    int64_t before;  /* sweeps already in the tally */
    double *changed; /* per lane: adds visits that changed a value */
} hs_few;

/* A sweep of one chain over all sites of a dense model, in order. */
typedef struct hs_few_dense {
    const hs_dense_whole *m; /* borrowed, as all */
    const hs_rng *rng;
    int lane;
    float beta, weight;
    bool is_metropolis;
    int32_t *pull;   /* [dim + HS_LANES]: A of hs_dense_whole */
    uint8_t *x;      /* [dim + HS_LANES] */
    float *sum;      /* [dim + HS_LANES], or NULL: + weight * P(index 1) */
    double *gain;    /* what U gains is added, with rounding */
    double *changed; /* visits that changed a value are added */
} hs_few_dense;

/* Position of the neighbor that slot s has in a plane. */
static inline int hs_packed_place(const hs_packed *p, const hs_packed_plane *f,
                                  int s)
{
    return f->window < 0 ? p->place[f->place + s]
                         : f->window + p->shape[f->shape].index[s];
}

#endif
