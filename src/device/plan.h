/* plan.h - what a GPU is asked to do: numbers alone, without functions but the
 * user's own.
 *
 * A GPU takes thousands of lanes of any number of tiles at once (device.h).
 * It is given the model and the sampler in these structs, which the models and
 * kernels fill that a GPU can run; a model or kernel that does not is run on
 * the processor only.  All pointers are borrowed while a group is created. */
#ifndef HS_DEVICE_PLAN_H
#define HS_DEVICE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "lanes/shapes.h"

/* How U is made, and how what a change of a site gains. */
typedef enum hs_device_form {
    HS_DEVICE_PAIRS,  /* two values, coupled in pairs */
    HS_DEVICE_LABELS, /* the same number of labels everywhere, in pairs */
    HS_DEVICE_TABLES, /* tables over a few coordinates */
    /* U and gradient as a whole, by matrix products */
    HS_DEVICE_NETWORK, /* a binary network */
    HS_DEVICE_DENSE,   /* every pair is coupled */
    HS_DEVICE_UNITS,   /* hidden units, summed out */
    /* the same by a function of the user's */
    HS_DEVICE_FUNCTION,
    HS_DEVICE_FORMS
} hs_device_form;

static inline bool hs_device_is_whole(hs_device_form form)
{
    return form >= HS_DEVICE_NETWORK;
}

typedef struct hs_device_model {
    hs_device_form gain;   /* of single-site changes */
    hs_device_form energy; /* of U: pairs may have theirs from tables */
    int dim;
    int states_max;
    const int *states; /* [dim], of domain */
    const int *value;  /* [dim + 1]: the first row of each, of all values */
    hs_domain domain;
    bool is_wide; /* coefficients are too large for floats */
    double offset;
    const int *order; /* [dim]: of a systematic scan, or NULL: 0, 1, 2 ... */
    /* pairs: s = low + gap x, U as in hs_pair_form; labels: h, J of equal
     * ones; tables with pairs: the quadratic part of the rows */
    hs_sparse j;
    float low, gap, step, scale;
    int degree; /* of every site, where all are coupled alike; else 0 */
    float regular_field;
    const float *diagonal; /* [dim], or NULL: J_ii, in rows alone */
    bool is_whole;         /* as in hs_pair_form */
    /* tables: for U, and of every coordinate; these have so many columns */
    hs_tables once, all;
    int64_t once_columns, all_columns;
    int64_t entries; /* of both */
    bool has_pairs;  /* rows begin with those of j */
    hs_network_form network;
    hs_dense dense;
    hs_units_form units;
    hs_function_form function; /* called here, by the thread that asks */
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

/* How a Langevin step is made: kernel/langevin/paths. */
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
#define HS_DEVICE_CHILDREN 8 /* of mix, at most */

/* What a kernel learns in a pilot, until it has made so many steps: a number by
 * Robbins-Monro (kernel/adapt.h), whose three columns are there from `column`
 * on; or, at the number that they have, which of some balances is accepted most
 * (kernel/baselines/acs_tune.c): acceptances are added up from `sums` on, and
 * counted behind them. */
typedef struct hs_device_lesson {
    int64_t until; /* 0: there is none */
    int column;
    double target, log_unit;
    double log_least, log_most; /* between which it stays */
    int balances;               /* that are tried in turn, or 0: 1/2 */
    double balance_most;        /* from 1/2 to this */
    int sums;
} hs_device_lesson;

#define HS_DEVICE_LESSONS 3

/* A node of the tree of a sampler.  Nodes are listed parents first, as
 * hs_kernel_node numbers them; the first child follows its parent. */
typedef struct hs_device_sampler {
    hs_device_step step;
    int children;
    int next;            /* the next child of the same parent, or 0 */
    hs_device_tilt tilt; /* that it sees */
    double weights[HS_DEVICE_CHILDREN]; /* mix */
    /* gibbs, metropolis */
    int visits;     /* of a step */
    bool is_random; /* sites are drawn anew, else in the model's order */
    bool has_sums;  /* marginals from conditionals, else from states */
    const hs_packed *packed; /* of HS_DEVICE_GIBBS_PACKED, borrowed */
    /* Step size or scale of the noise: given, or, if that is 0, e^ of the first
     * column of the lane; a quarter of the steps reach farther where it is not
     * -infinity (kernel/adapt.h). */
    float given;
    double log_far;
    /* Columns of a kernel's lanes that the GPU has: the first here, how many,
     * and the first row of a tile's there. */
    int first, columns, column;
    hs_device_lesson lesson[HS_DEVICE_LESSONS]; /* one after the other */
    bool is_tuned_here; /* in a way that a GPU does not know */
    /* langevin; cycle > 0: step sizes and balances are in columns from
     * `schedule` on */
    hs_device_path path;
    bool is_adjusted; /* hiss, too */
    int cycle, hold, schedule;
    /* hiss */
    int sweeps, steps;
    hs_noise_shape shape;
    int block; /* coordinates that are noised; -1: the number is in the fourth
                  column */
    bool is_palindrome;
    hs_device_tilt inner; /* that its child sees */
} hs_device_sampler;

/* Coordinates whose part of U is added up by itself (kernel/langevin/paths). */
#define HS_DEVICE_BLOCK 64

/* What is noted of a level (kernel/tempering.h), a row each. */
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

/* Levels that are exchanged after steps (kernel/compose/pt.c).  Lane number
 * c * levels + r of a group of chains is replica r of its chain c. */
typedef struct hs_device_ladder {
    int levels;       /* of a chain: 1 if there are none to exchange */
    int every;        /* steps between exchanges; 0: there are none */
    int chains;       /* in all, */
    int group_chains; /* of a full group, */
    int group_tiles;  /* and its tiles */
    bool is_hard;     /* some states are impossible at the target, */
    double floor;     /* those with a lower U */
} hs_device_ladder;

typedef struct hs_device_plan {
    hs_device_model model;
    hs_device_sampler sampler; /* the first node */
    hs_device_sampler node[HS_DEVICE_NODES];
    int nodes;
    int columns; /* of all nodes */
    hs_device_ladder ladder;
    uint64_t seed;
    int tiles;
    const int *lanes; /* [tiles]: in use, of each */
    int lanes_most;   /* of the tile that has most */
    bool has_best;    /* the best state of every lane is kept when asked for */
    bool is_pilot;    /* kernels learn, and chains share what they learn */
    /* Rows of marginal sums of a tile, or 0: not wanted; counted: those of
     * sums alone where all have two values, bytes that count lie behind them
     * (run/chain/marginals.h), else 0; totals that sums are added to. */
    int sums, counted, totals;
} hs_device_plan;

#endif
