/* plan.h - the work of a GPU, described by numbers; the only functions are the
 * user's.
 *
 * A GPU takes thousands of lanes of any number of tiles at once (device.h).
 * These structs describe the model and the sampler. Models and kernels that a
 * GPU can run fill them; others run on the processor only.  All pointers are
 * borrowed while a group is created. */
#ifndef HS_DEVICE_PLAN_H
#define HS_DEVICE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "lanes/shapes.h"

/* How U, and the gain of a change of a site, are computed. */
typedef enum hs_device_form {
    HS_DEVICE_PAIRS,  /* two values, coupled in pairs */
    HS_DEVICE_LABELS, /* the same number of labels everywhere, in pairs */
    HS_DEVICE_TABLES, /* tables over a few coordinates */
    /* U and gradient as a whole, by matrix products */
    HS_DEVICE_NETWORK, /* a binary network */
    HS_DEVICE_DENSE,   /* every pair is coupled */
    HS_DEVICE_UNITS,   /* hidden units, summed out */
    /* the same, by a function of the user */
    HS_DEVICE_FUNCTION,
    HS_DEVICE_FORMS
} hs_device_form;

static inline bool hs_device_is_whole(hs_device_form form)
{
    return form >= HS_DEVICE_NETWORK;
}

typedef struct hs_device_model {
    hs_device_form gain;   /* form of gains of single-site changes */
    hs_device_form energy; /* form of U: pairs may have theirs from tables */
    int dim;
    int states_max;
    const int *states; /* [dim], of the domain */
    const int *value;  /* [dim + 1]: index of each coordinate's first value */
    hs_domain domain;
    bool is_wide; /* coefficients are too large for floats */
    double offset;
    const int *order; /* [dim]: order of a systematic scan, or NULL for 0, 1, 2
                         ... */
    /* pairs: s = low + gap x, U as in hs_pair_form; labels: h, J of equal
     * couplings; tables with pairs: the quadratic part of the rows */
    hs_sparse j;
    float low, gap, step, scale;
    int degree; /* number of neighbors of every site, if all are coupled alike;
                   else 0 */
    float regular_field;
    const float *diagonal; /* [dim], or NULL: J_ii, only in rows */
    bool is_whole;         /* as in hs_pair_form */
    /* tables: for U, and of every coordinate; number of columns */
    hs_tables once, all;
    int64_t once_columns, all_columns;
    int64_t entries; /* entries of both */
    bool has_pairs;  /* rows start from those of j */
    hs_network_form network;
    hs_dense dense;
    hs_units_form units;
    hs_function_form function; /* called here, by the requesting thread */
} hs_device_model;

/* Kind of a step. */
typedef enum hs_device_step {
    HS_DEVICE_GIBBS_PAIRS,  /* all sites, lanes/gibbs/heat_bath.c */
    HS_DEVICE_GIBBS_VALUES, /* the same, kernel/gibbs/sweeps/site_by_site.c */
    HS_DEVICE_GIBBS_PACKED, /* lanes/gibbs/packed.c */
    HS_DEVICE_METROPOLIS,
    HS_DEVICE_LANGEVIN, /* dmala, dula, acs */
    HS_DEVICE_GWG,
    HS_DEVICE_HISS, /* its one child refines */
    HS_DEVICE_SEQUENCE,
    HS_DEVICE_MIX
} hs_device_step;

/* The way to make a Langevin step: kernel/langevin/paths. */
typedef enum hs_device_path {
    HS_DEVICE_ROWS,
    HS_DEVICE_ODDS,
    HS_DEVICE_REGULAR,
    HS_DEVICE_FACTORS
} hs_device_path;

/* Form of a tilt beside beta (kernel/tilt.h). */
typedef enum hs_device_tilt {
    HS_DEVICE_FLAT,
    HS_DEVICE_PHI,
    HS_DEVICE_SLOPE,
    HS_DEVICE_TILT_FACTORS
} hs_device_tilt;

#define HS_DEVICE_NODES    32
#define HS_DEVICE_CHILDREN 8 /* most children of mix */

/* A quantity that a kernel tunes in a pilot, for a number of steps: either a
 * number by Robbins-Monro (kernel/adapt.h), whose three columns begin at
 * `column`; or, at the tuned number, the balance that is accepted most
 * (kernel/baselines/acs_tune.c), with sums of acceptances from `sums` on and
 * their counts behind them. */
typedef struct hs_device_lesson {
    int64_t until; /* 0 if there is none */
    int column;
    double target, log_unit;
    double log_least, log_most; /* bounds of the number */
    int balances;               /* number of balances tried in turn, or 0 for
                                   1/2 */
    double balance_most;        /* largest balance; the smallest is 1/2 */
    int sums;
} hs_device_lesson;

#define HS_DEVICE_LESSONS 3

/* A node of the tree of a sampler.  Nodes are listed parents first, as
 * hs_kernel_node numbers them; the first child follows its parent. */
typedef struct hs_device_sampler {
    hs_device_step step;
    int children;
    int next;            /* next child of the same parent, or 0 */
    hs_device_tilt tilt; /* that it sees */
    double weights[HS_DEVICE_CHILDREN]; /* mix */
    /* gibbs, metropolis: visits of a step */
    int visits;     /* visits of a step */
    bool is_random; /* sites are drawn anew, else in the model's order */
    bool has_sums;  /* marginals from conditionals, else from states */
    const hs_packed *packed; /* for HS_DEVICE_GIBBS_PACKED, borrowed */
    /* Step size or scale of the noise: given or, if that is 0, e^ of the first
     * column of the lane.  A quarter of the steps reach farther if that column
     * is not -infinity (kernel/adapt.h). */
    float given;
    double log_far;
    /* Columns of a kernel's lanes that the GPU has: the first here, how many,
     * and the first row in a tile there. */
    int first, columns, column;
    hs_device_lesson lesson[HS_DEVICE_LESSONS]; /* tuned one after the other */
    bool is_tuned_here; /* tuned in a way that a GPU does not support */
    /* langevin; cycle > 0: step sizes and balances are in columns from
     * `schedule` on */
    hs_device_path path;
    bool is_adjusted; /* hiss, too */
    int cycle, hold, schedule;
    /* hiss */
    int sweeps, steps;
    hs_noise_shape shape;
    int block; /* number of coordinates with noise; -1: the number is in the
                  fourth column */
    bool is_palindrome;
    hs_device_tilt inner; /* form of the child's tilt */
} hs_device_sampler;

/* Number of coordinates whose part of U is summed separately
 * (kernel/langevin/paths). */
#define HS_DEVICE_BLOCK 64

/* Statistics of a level (kernel/tempering.h), one row each. */
enum {
    HS_LADDER_PROPOSED, /* exchanges with the next hotter level, */
    HS_LADDER_ACCEPTED,
    HS_LADDER_CHANCE,
    HS_LADDER_COLD_GAP,
    HS_LADDER_HOT_GAP,
    HS_LADDER_COUNT,
    HS_LADDER_ENERGY,
    HS_LADDER_SQUARE,
    HS_LADDER_COLD_MAX,
    HS_LADDER_COLD_SUM,
    HS_LADDER_HOT_MAX,
    HS_LADDER_HOT_SUM,
    HS_LADDER_ROWS
};

/* Levels exchanged after steps (kernel/compose/pt.c).  Lane number c * levels +
 * r of a group of chains is replica r of its chain c. */
typedef struct hs_device_ladder {
    int levels;       /* levels of a chain; 1 without exchanges */
    int every;        /* steps between exchanges; 0 without exchanges */
    int chains;       /* in all, */
    int group_chains; /* number of chains of a full group, */
    int group_tiles;  /* and its tiles */
    bool is_hard;     /* some states are impossible at the target, */
    double floor;     /* namely those with a lower U */
} hs_device_ladder;

typedef struct hs_device_plan {
    hs_device_model model;
    hs_device_sampler sampler; /* the first node */
    hs_device_sampler node[HS_DEVICE_NODES];
    int nodes;
    int columns; /* columns of all nodes */
    hs_device_ladder ladder;
    uint64_t seed;
    int tiles;
    const int *lanes; /* [tiles]: lanes in use of each */
    int lanes_most;   /* lanes of the fullest tile */
    bool has_best;    /* stores the best state of every lane on request */
    bool is_pilot;    /* kernels tune, and chains share the tuned values */
    /* Rows of marginal sums of a tile, or 0 if not requested; counted: rows of
     * the sums alone if all have two values, with bytes for counts behind them
     * (run/chain/marginals.h), else 0; rows of totals. */
    int sums, counted, totals;
} hs_device_plan;

#endif
