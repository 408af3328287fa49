/* plan.h - what a card is asked to do: numbers alone, without functions.
 *
 * A card takes thousands of lanes of any number of tiles at once (device.h).
 * It is given the model and the sampler in these structs, which the models and
 * kernels fill that a card can run; a model or kernel that does not is run on
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
    HS_DEVICE_FORMS
} hs_device_form;

typedef struct hs_device_model {
    hs_device_form gain;   /* of single-site changes */
    hs_device_form energy; /* of U: pairs may have theirs from tables */
    int dim;
    int states_max;
    const int *states; /* [dim] */
    const int *value;  /* [dim + 1]: the first row of each, of all values */
    double offset;
    const int *order; /* [dim]: of a systematic scan, or NULL: 0, 1, 2 ... */
    /* pairs: s = low + gap x, U as in hs_pair_form; labels: h, J of equal
     * ones; tables with pairs: the quadratic part of the rows */
    hs_sparse j;
    float low, gap, step, scale;
    /* tables: for U, and of every coordinate; these have so many columns */
    hs_tables once, all;
    int64_t once_columns, all_columns;
    int64_t entries; /* of both */
    bool has_pairs;  /* rows begin with those of j */
} hs_device_model;

/* What a step is. */
typedef enum hs_device_step {
    HS_DEVICE_GIBBS_PAIRS,  /* all sites, lanes/gibbs/heat_bath.c */
    HS_DEVICE_GIBBS_VALUES, /* the same, kernel/gibbs/sweeps/site_by_site.c */
    HS_DEVICE_METROPOLIS
} hs_device_step;

typedef struct hs_device_sampler {
    hs_device_step step;
    int visits;     /* of a step */
    bool is_random; /* sites are drawn anew, else in the model's order */
    bool has_sums;  /* marginals from conditionals, else from states */
} hs_device_sampler;

typedef struct hs_device_plan {
    hs_device_model model;
    hs_device_sampler sampler;
    uint64_t seed;
    int tiles;
    /* Rows of marginal sums of a tile, or 0: not wanted; counted: those of
     * sums alone where all have two values, bytes that count lie behind them
     * (run/chain/marginals.h), else 0. */
    int sums, counted;
} hs_device_plan;

#endif
