/* paths.h - the ways to make a Langevin step.
 *
 * All of them propose by the same distribution and accept by the same ratio.
 * They differ in the models they support and in speed.  A path is one file that
 * exports one row, and one line in paths.def, the most special first.  At setup
 * a kernel takes, for every form of tilt (tilt.h), the first row that applies.
 * A step is then
 *     propose   y ~ q(.|x)
 *     arrive    U(y) and ln p(y) q(x|y) / p(x) q(y|x)
 *     move      to y, in the lanes that accept
 * and does not test the model's structure again. */
#ifndef HS_KERNEL_LANGEVIN_PATHS_PATHS_H
#define HS_KERNEL_LANGEVIN_PATHS_PATHS_H

#include <stdbool.h>

#include <hiss/status.h>

#include "kernel/path.h"
#include "kernel/tile.h"
#include "kernel/tilt.h"
#include "lanes/shapes.h"
#include "model/model.h"

/* The inputs and outputs of a step. */
typedef struct hs_proposal {
    const hs_model *m; /* borrowed, like all below */
    const hs_tilt *t;
    hs_tile *x;  /* evaluated; its clock is that of this step */
    hs_dlp dlp;  /* distribution of y, without the path's scratch */
    hs_point *y; /* U is m->offset at first, and nothing is valid */
    /* A bit for each lane in which y may differ from x; propose may clear bits.
     * With no bit set there is no decision. */
    unsigned moved;
    double *log_ratio; /* written by arrive; -infinity if y is impossible */
    int32_t *accept;   /* for move: nonzero in the lanes that move to y */
} hs_proposal;

typedef struct hs_langevin_path {
    hs_path base;
    /* required */
    /* Whether it can make steps on this model, under tilts of this form; half:
     * balance is 1/2 in every lane and step. */
    bool (*applies)(const hs_model *m, hs_tilt_form form, bool is_half);
    void (*propose)(void *state, hs_proposal *p);
    /* Ends with hs_proposal_arrive, unless it evaluates y itself. */
    hiss_status (*arrive)(void *state, hs_proposal *p);

    /* optional: NULL means hs_tile_move */
    void (*move)(void *state, hs_proposal *p);
} hs_langevin_path;

extern const hs_langevin_path *const hs_langevin_paths[]; /* NULL-terminated */

/* For tests: further paths, tried before the table, NULL-terminated and
 * borrowed; initially NULL.  Set it while no other thread builds kernels. */
extern const hs_langevin_path *const *hs_langevin_extra;

/* The first row that applies; NULL if steps are impossible. */
const hs_path *hs_langevin_choose(const hs_model *m, hs_tilt_form form,
                                  bool is_half);

/* Call it when y has its U: counts an evaluation and checks it. */
hiss_status hs_proposal_arrive(hs_proposal *p);

/* Number of coordinates whose rows of a local gradient are computed together,
 * so that they are still in the cache when used; and memory for them, owned by
 * the caller, NULL if memory is short. */
#define HS_PATH_BLOCK 64
hs_float_row *hs_path_buffer(const hs_domain *d);

#endif
