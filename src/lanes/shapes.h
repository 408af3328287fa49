/* shapes.h - what is handed to a lane primitive: plain borrowed arrays. */
#ifndef HS_LANES_SHAPES_H
#define HS_LANES_SHAPES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/lane.h"
#include "base/random/rng.h"
#include "base/state/domain.h"

/* Indices or counts below 256, a byte per lane. */
typedef uint8_t hs_byte_row[HS_LANES];

/* Networks of so many chains are evaluated together (lanes/rows/network.c). */
#define HS_CHAINS 4

/* A coordinate of so many values is drawn with sums and a uniform in single
 * precision: each value's probability is then off by 2e-7 at most (half a unit
 * of the sum, of the uniform and of their product), and all together by
 * HS_FEW times that.  Where there are more values, behind a heavy one they
 * would be lost: sums are in double, with a uniform of 52 bits. */
#define HS_FEW 32

/* Shape of the noise that couples x with its auxiliary copy a. */
typedef enum hs_noise_shape {
    HS_LOGISTIC,
    HS_GAUSSIAN
} hs_noise_shape;

/* a = x + eta * noise; y drawn from the softmax of phi alone; phi kept.
 * phi: a pair domain keeps phi_i(high) - phi_i(low), one row per coordinate;
 * other domains keep phi_i(v), one row per value.  slope (may be NULL): for
 * the linearised tilt, two rows per row of values: the derivative of phi at a
 * numeric value (first row), or of one-hot entry c at 0 and at 1 (both).
 *
 * factor (may be NULL): instead of phi, for logistic noise on all coordinates
 * of a pair domain.  With r = gap / eta, c = e^-r and the noise's uniform p,
 *     e^((phi(other) - phi(x)) / 2) = sqrt(c) / d,   d = c + p (1 - c);
 * a row is d, root is sqrt(c), and `was` is x as it was. */
typedef struct hs_noise {
    const hs_domain *domain;
    const hs_rng *rng;
    const float *eta;      /* [HS_LANES] */
    const uint8_t *chosen; /* [dim], or NULL: every coordinate is noised */
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
    const float (*phi)[HS_LANES];    /* or NULL: flat */
    const float (*slope)[HS_LANES];  /* or NULL: exact differences */
    const float (*factor)[HS_LANES]; /* or NULL; then phi is NULL (hs_noise) */
    const hs_byte_row *was;          /* [dim], with factor */
    const float *root;               /* [HS_LANES], with factor */
    float (*scratch)[HS_LANES];      /* [2 * states_max]; general domains */
    /* Not Langevin but jumps at rates (lanes/langevin/rates.h): ln of their
     * time; NULL: not so. */
    const float *log_time; /* [HS_LANES] */
    hs_balance rate;
    bool is_euler;
} hs_dlp;

/* Symmetric couplings in compressed rows, and fields. */
typedef struct hs_sparse {
    int dim;
    int64_t *start; /* owned, [dim + 1] */
    int *column;    /* owned, [start[dim]], ascending in a row */
    float *value;   /* owned, [start[dim]], or NULL: all are `uniform` */
    float *field;   /* owned, [dim], or [dim * states] for labels, or NULL */
    float uniform;  /* the value of every coupling, or 0 if they differ */
    /* What value and field were rounded from; owned, or NULL: they were not,
     * or all couplings are rounded from `given`, which else is 0.
     * Wide (model/precision.h): both are there, and are what counts. */
    double *exact, *exact_field;
    double given;
    bool is_wide;
} hs_sparse;

/* The coupling of entry `at`. */
static inline float hs_sparse_coupling(const hs_sparse *j, int64_t at)
{
    return j->value ? j->value[at] : j->uniform;
}

/* Two-valued sites of which pairs are coupled; with s = low + gap x,
 *     U = constant + sum_i s_i (h_i + 1/2 sum_j J_ij s_j) / scale. */
typedef struct hs_pair_form {
    const hs_sparse *j; /* borrowed: J and h */
    float low, gap;
    float step; /* between the values, in the rows' units */
    float scale;
    /* Couplings are J or -J, without fields, and U is the constant and J / 2
     * times a whole number: sums in double have it without rounding. */
    bool is_whole;
    const float *diagonal; /* borrowed, or NULL: J_ii, in the rows alone */
} hs_pair_form;

/* A network of one hidden layer whose weights are -1 or 1
 * (model/network/network.h): what is fitted. */
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

/* Couplings that are all equal on a graph of one degree, with the same field
 * everywhere: of its neighbors a site sees only how many are high. */
#define HS_DEGREE_MAX 7
typedef struct hs_regular {
    int dim, degree;       /* degree <= HS_DEGREE_MAX */
    const int *column;     /* borrowed, [dim * degree] */
    float low, gap;        /* s = low + gap x, whole numbers */
    float coupling, field; /* row_i = field + coupling sum_j s_j */
    float step;            /* between the values, in the rows' units */
    float scale;           /* sum_i s_i (field + coupling n_i / 2) is scale U */
    /* Sites in blocks of HS_REGULAR_BLOCK, by the last block in which one of
     * them has a neighbor: work on one block after the other can be followed, a
     * few blocks behind, by work that reads neighbors. */
    int blocks;
    const int *block; /* borrowed, [blocks]: numbers of blocks */
    const int *after; /* borrowed, [blocks]: the last that block[n] sees */
    /* borrowed, [dim / 4]: whether neighbor k of site 4 n + b is b sites after
     * that of site 4 n, for all of them (away from the edges of a lattice) */
    const uint8_t *level;
} hs_regular;

#define HS_REGULAR_BLOCK 512

/* Couplings that are equal but for their sign on any graph of degrees below
 * 256, with the neighbors in the order in which sites are visited: first those
 * that are bound by `coupling`, then those by -coupling.  Both lists are filled
 * up with site `dim`, which counts nothing, to HS_SCAN_STEP at a time. */
#define HS_SCAN_STEP 4
typedef struct hs_scan {
    int dim;
    int64_t *start;  /* owned, [dim + 1]: by visit */
    int64_t *middle; /* owned, [dim]: where the second list begins; or NULL:
                           there is none */
    int *column;     /* owned, [start[dim]] */
    float *base;     /* owned, [dim]: low times the bonds, those of the second
                           list less, by visit */
    const float *field; /* borrowed, [dim], or NULL */
    float gap;          /* s = low + gap x, whole numbers */
    float coupling;     /* row_i = field_i + coupling sum_j +-s_j */
    float step;         /* between the values, in the rows' units */
} hs_scan;

/* How many sites of a lane are in each state of themselves and the
 * neighbors, as an index of regular.h. */
typedef int32_t hs_site_counts[2 * (HS_DEGREE_MAX + 1)][HS_LANES];

/* Couplings of all pairs, 0 on the diagonal, and fields. */
typedef struct hs_dense {
    int dim;
    const float *j; /* borrowed, [dim * dim] */
    const float *h; /* borrowed, [dim] */
    float low, gap; /* s = low + gap x */
} hs_dense;

/* The same in double. */
typedef struct hs_dense_wide {
    int dim;
    const double *j; /* borrowed, [dim * dim] */
    const double *h; /* borrowed, [dim] */
    float low, gap;  /* s = low + gap x */
    float step;      /* between the values, in the rows' units */
    float scale;     /* as in hs_pair_form */
} hs_dense_wide;

/* A table seen from a coordinate. */
typedef struct hs_incidence {
    int64_t table; /* its first entry */
    int64_t other; /* first of its other coordinates */
    int others;
    int own; /* entries between two values of the coordinate */
} hs_incidence;

/* Tables by coordinate; other coordinates with their strides. */
typedef struct hs_tables {
    double *entry;           /* borrowed */
    int64_t *start;          /* owned, [dim + 1] */
    hs_incidence *incidence; /* owned, [start[dim]] */
    int *column, *stride;    /* owned */
    /* Clauses are tables with one entry that is not 0. */
    double *clause;    /* owned, [dim]: this entry where all tables of a
                          coordinate are clauses with the same one, which sums
                          exactly: -infinity or a power of two; else 0 */
    int16_t *violated; /* owned, as `column`: the value in that entry, */
    int16_t *own;      /* owned, [start[dim]]: and that of the coordinate */
} hs_tables;

/* Sites that all have the same labels, coupled in pairs:
 *     U = constant + sum_i h_i(x_i) + 1/2 sum_j J_ij [x_i = x_j]. */
typedef struct hs_label_form {
    const hs_sparse *j; /* borrowed */
    int states;
} hs_label_form;

/* Up to sixteen sites of a scan, one after the other, that are not coupled. */
typedef struct hs_label_group {
    int first, count; /* visits */
    unsigned runs;    /* bit k: neighbors k of all are one after the other */
    int64_t place;    /* positions of their neighbors, HS_LANES of each */
} hs_label_group;

/* Labels with equal couplings, up to HS_FEW of them, and up to HS_DEGREE_MAX
 * neighbors: a site that has fewer is given site `dim`, which has no label. */
typedef struct hs_labels {
    const hs_sparse *j; /* borrowed */
    int dim, states, degree;
    int *place; /* owned, [dim * degree]: neighbors of a site */
    /* of a scan, or 0: in groups, with positions in place of sites */
    int groups;
    hs_label_group *group; /* owned, as is: */
    int *group_place;
} hs_labels;

/* Sweeps of one chain, with sixteen visits as the lanes of vectors. */
typedef struct hs_few_labels {
    const hs_labels *g; /* borrowed, as all */
    const hs_rng *rng;  /* the clock is that of the first sweep */
    int lane;
    int64_t steps;
    float beta, weight;
    uint8_t *label; /* [dim + HS_LANES] by position; 255 from `dim` on */
    float *sum;     /* or NULL: [states][stride], + weight * probability; of two
                       states that of index 1 alone */
    int64_t stride;
    double *changed; /* of the lane: visits that changed a value are added */
} hs_few_labels;

/* U as a sum of tables: each once, and those that a change of one coordinate
 * touches; but what of these is quadratic in two-valued coordinates, all `gap`
 * apart, is in the rows of `pairs` (model/factor/factor_graph.c). */
typedef struct hs_table_form {
    const hs_tables *once, *all; /* borrowed, as is: */
    const hs_sparse *pairs;      /* or NULL */
    float gap;
    int64_t entries; /* of all tables */
} hs_table_form;

/* U and gradient by a function of the user, on a GPU (hiss/arrays.h). */
struct hiss_card_states;
typedef struct hs_function_form {
    int (*evaluate)(const void *context, struct hiss_card_states *states);
    const void *context; /* borrowed, as is: */
    const char *name;
} hs_function_form;

/* Single-site updates in a given order: visit n goes to site[n] (or to n) and
 * uses the random word of position first + n. */
typedef struct hs_visits {
    const hs_rng *rng;
    const int *site; /* or NULL: in order */
    int first;       /* a multiple of 8 */
    int count;
    const uint8_t *apart; /* or NULL; [count / 8]: whether visits 8 k to 8 k + 7
                             are of sites that are not coupled */
    const float *beta;    /* [HS_LANES] */
    const float (*phi)[HS_LANES]; /* or NULL: flat */
    double *changed;              /* [HS_LANES]: visits that changed a value */
    float (*sum)[HS_LANES]; /* or NULL; row of a site: weight * P(index 1) */
    const float *weight;    /* [HS_LANES] */
} hs_visits;

/* Sites of which all couplings are J or -J, and all fields equal, with the
 * sixteen chains of a tile as the bits of a word (lanes/gibbs/packed.c).  Words
 * are in the order of visits; visits come in bundles of so many, none of which
 * are coupled, the first at an even position. */
#define HS_BUNDLE        32
#define HS_PACKED_DEGREE 15

/* One neighbor of every visit of a bundle, relative to where it begins: large
 * lattices have few of them, which stay in a near cache. */
typedef struct hs_packed_shape {
    uint16_t index[HS_BUNDLE]; /* within a window */
    uint16_t flip[HS_BUNDLE];  /* all ones where bound by -J */
    uint16_t there[HS_BUNDLE]; /* all ones where there is such a neighbor */
} hs_packed_shape;

typedef struct hs_packed_plane {
    int shape;
    int window;    /* 2 HS_BUNDLE words from here on have all neighbors; -1: */
    int64_t place; /* their positions are HS_BUNDLE entries from here on */
} hs_packed_plane;

/* Those visits of a bundle that have one law. */
typedef struct hs_packed_part {
    int law;
    uint16_t in[HS_BUNDLE]; /* all ones where it is */
} hs_packed_part;

typedef struct hs_bundle {
    int first;  /* position of slot 0: even */
    int from;   /* that of the first visit: this or the next one */
    int degree; /* planes */
    int parts;
    bool is_plain;       /* one part, and no neighbor is missing */
    bool has_flips;      /* some are bound by -J */
    bool is_coupled;     /* to a bundle since the last that was so */
    int64_t plane, part; /* the first ones */
} hs_bundle;

/* P(high) of a site by its number k of neighbors that pull it up: the first 32
 * bits of P are `threshold`.  Without a field P(k) = 1 - P(degree - k): of two
 * such k the lower is looked up, and what is drawn is turned over (is_even). */
typedef struct hs_packed_law {
    int degree, negative; /* couplings, and those that are -J */
    bool is_even;
    uint32_t threshold[HS_PACKED_DEGREE + 1];
    /* bit 31 - q of threshold k as all ones or 0 */
    uint32_t bit[HS_PACKED_DEGREE + 1][32];
} hs_packed_law;

/* Counts of up to HS_TALLY_STEPS sweeps have so many words per visit. */
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

/* Sweeps of one chain over a model in bundles, with visits as the lanes of
 * vectors: a word for each position, all ones or 0. */
typedef struct hs_few {
    const hs_packed *p; /* borrowed, as all; its thresholds are not read */
    const hs_rng *rng;  /* the clock is that of the first sweep */
    int lane;
    int64_t steps;
    float beta, weight;
    bool is_metropolis;
    uint16_t *word; /* [dim + 2 HS_BUNDLE] */
    float *sum;     /* [dim + 2 HS_BUNDLE], or NULL: + weight * P(high) */
    /* or NULL: how often words were set, as of packed_sweeps */
    uint16_t *tally;
    int64_t before;  /* sweeps that the tally has */
    double *changed; /* of the lane: visits that changed a value are added */
} hs_few;

/* Position of the neighbor that slot s has in a plane. */
static inline int hs_packed_place(const hs_packed *p, const hs_packed_plane *f,
                                  int s)
{
    return f->window < 0 ? p->place[f->place + s]
                         : f->window + p->shape[f->shape].index[s];
}

#endif
