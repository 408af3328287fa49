/* sweeps.h - the ways in which a Gibbs step can be made.
 *
 * All of them draw visited sites from their conditionals, one after the other,
 * with the same random numbers; they differ in what they ask of the model, and
 * in their speed.  A sweep is one file that exports one row, and one line in
 * sweeps.def, the most special first; gibbs takes the first row that applies,
 * for each form of tilt, when it is set up. */
#ifndef HS_KERNEL_GIBBS_SWEEPS_SWEEPS_H
#define HS_KERNEL_GIBBS_SWEEPS_SWEEPS_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "kernel/path.h"
#include "kernel/tile.h"
#include "kernel/tilt.h"
#include "lanes/shapes.h"
#include "model/model.h"

/* One step: who is visited, and what is noted of it. */

typedef struct hs_sweep_job {
    const hs_model *m; /* borrowed, as all below */
    const hs_tilt *t;
    hs_tile *x;
    uint64_t steps;       /* made before */
    int64_t visits;       /* of this one */
    int64_t count;        /* 1; or so many steps, the packed sweep alone */
    const int *order;     /* the sites of all visits, or NULL: */
    const uint8_t *apart; /* with an order, or NULL: as in hs_visits */
    bool is_random;       /* drawn anew, else one after the other */
    bool is_summed;       /* conditionals are added to x->sum */
    double *changed; /* visits that changed a value are added, lane by lane */
} hs_sweep_job;

typedef struct hs_sweep {
    hs_path base;
    /* Whether it can make steps on this model under tilts of this form;
     * ordered: they visit all sites in m->order. */
    bool (*applies)(const hs_model *m, hs_tilt_form form, bool is_ordered);
    /* Makes all visits and leaves U valid. */
    hiss_status (*sweep)(void *state, const hs_sweep_job *job);
} hs_sweep;

extern const hs_sweep *const hs_sweeps[]; /* NULL-terminated */

/* The first row that applies; NULL: steps cannot be made. */
const hs_path *hs_sweep_choose(const hs_model *m, hs_tilt_form form,
                               bool is_ordered);

/* The site of a visit. */
int hs_sweep_site(const hs_sweep_job *job, int64_t position);

/* Hands the visits to a lane primitive: in the model's order all at once, else
 * a thousand at a time. */
typedef void hs_sweep_draw(void *state, hs_point *p, const hs_visits *visits);
void hs_sweep_visit(const hs_sweep_job *job, hs_sweep_draw *draw, void *state);

/* After visits that gained so much, lane by lane and in units of 1 / scale;
 * NULL: unknown. */
void hs_sweep_gain(hs_point *p, float scale, const double *gain);

/* Makes U valid where it is not, and checks it. */
hiss_status hs_sweep_finish(const hs_sweep_job *job);

#endif
