/* paths.h - the ways in which a Langevin step can be made.
 *
 * All of them propose by the same law and accept by the same ratio; they differ
 * in what they ask of the model, and in their speed.  A path is one file that
 * exports one row, and one line in paths.def, the most special first.  When a
 * kernel is set up the table is asked once for every form of tilt (tilt.h): the
 * first row that applies is taken.  A step is then
 *     propose   y ~ q(.|x)
 *     arrive    U(y) and ln p(y) q(x|y) / p(x) q(y|x)
 *     move      to y, in the lanes that accept
 * and asks nothing more of the model's shape. */
#ifndef HS_KERNEL_LANGEVIN_PATHS_PATHS_H
#define HS_KERNEL_LANGEVIN_PATHS_PATHS_H

#include <stdbool.h>

#include <hiss/status.h>

#include "kernel/path.h"
#include "kernel/tile.h"
#include "kernel/tilt.h"
#include "lanes/shapes.h"
#include "model/model.h"

/* A step in the making: what a path is given, and what it fills in. */
typedef struct hs_proposal {
    const hs_model *m; /* borrowed, as all below */
    const hs_tilt *t;
    hs_tile *x;  /* evaluated; its clock is that of this step */
    hs_dlp dlp;  /* the law of y, but for the path's own scratch */
    hs_point *y; /* its U is m->offset at first, and nothing is valid */
    /* A bit for each lane in which y may differ from x; all of them unless
     * propose knows better.  Where none is set, nothing is decided. */
    unsigned moved;
    double *log_ratio; /* filled by arrive; -infinity: y is impossible */
    int32_t *accept;   /* for move: not 0 in the lanes that go to y */
} hs_proposal;

typedef struct hs_langevin_path {
    hs_path base;
    /* required */
    /* Whether it can make steps on this model, under tilts of this form; half:
     * balance is 1/2 in every lane and step. */
    bool (*applies)(const hs_model *m, hs_tilt_form form, bool is_half);
    void (*propose)(void *state, hs_proposal *p);
    /* Ends with hs_proposal_arrive, unless it evaluates y by itself. */
    hiss_status (*arrive)(void *state, hs_proposal *p);

    /* optional: NULL is hs_tile_move */
    void (*move)(void *state, hs_proposal *p);
} hs_langevin_path;

extern const hs_langevin_path *const hs_langevin_paths[]; /* NULL-terminated */

/* For tests: more paths, asked before the table, NULL-terminated and borrowed;
 * NULL, as it is at first: none.  Set while no other thread builds kernels. */
extern const hs_langevin_path *const *hs_langevin_extra;

/* The first row that applies; NULL: steps cannot be made. */
const hs_path *hs_langevin_choose(const hs_model *m, hs_tilt_form form,
                                  bool is_half);

/* y has its U now: counts that as an evaluation, and checks it. */
hiss_status hs_proposal_arrive(hs_proposal *p);

/* Coordinates whose rows of a local gradient are made at a time, so that they
 * are in the cache when they are used; and memory for them, owned by the
 * caller, NULL if there is none. */
#define HS_PATH_BLOCK 64
hs_float_row *hs_path_buffer(const hs_domain *d);

#endif
