/* sweeps.h - the ways to make a Gibbs step.
 *
 * All of them draw visited sites from their conditionals, one after the other,
 * with the same random numbers.  They differ in the models they support and in
 * speed.  A sweep is one file that exports one row, and one line in sweeps.def,
 * the most special first.  At setup gibbs takes, for each form of tilt, the
 * first row that applies. */
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

/* One step: its visits and its outputs. */

typedef struct hs_sweep_job {
    const hs_model *m; /* borrowed, like all below */
    const hs_tilt *t;
    hs_tile *x;
    uint64_t steps;       /* made before */
    int64_t visits;       /* visits of this step */
    int64_t count;        /* 1, or for the packed sweep alone the number of
                             steps */
    const int *order;     /* the sites of all visits, or NULL: */
    const uint8_t *apart; /* with an order, or NULL: as in hs_visits */
    bool is_metropolis;   /* else heat bath */
    bool is_random;       /* drawn anew, else one after the other */
    bool is_summed;       /* conditionals are added to x->sum */
    double *changed; /* visits that changed a value are added, lane by lane */
} hs_sweep_job;

typedef struct hs_sweep {
    hs_path base;
    /* Whether it can make steps on this model under tilts of this form;
     * ordered: all sites are visited in m->order. */
    bool (*applies)(const hs_model *m, hs_tilt_form form, bool is_ordered);
    /* Makes all visits and leaves U valid. */
    hiss_status (*sweep)(void *state, const hs_sweep_job *job);
} hs_sweep;

extern const hs_sweep *const hs_sweeps[]; /* NULL-terminated */

/* The first row that applies; NULL if steps are impossible. */
const hs_path *hs_sweep_choose(const hs_model *m, hs_tilt_form form,
                               bool is_ordered);

/* Returns the site of a visit. */
int hs_sweep_site(const hs_sweep_job *job, int64_t position);

/* Calls a lane primitive for the visits: in the model's order all at once, else
 * a thousand at a time. */
typedef void hs_sweep_draw(void *state, hs_point *p, const hs_visits *visits);
void hs_sweep_visit(const hs_sweep_job *job, hs_sweep_draw *draw, void *state);

/* Updates U after visits with these gains, lane by lane in units of 1 / scale;
 * NULL if unknown. */
void hs_sweep_gain(hs_point *p, float scale, const double *gain);

/* Makes U valid if necessary, and checks it. */
hiss_status hs_sweep_finish(const hs_sweep_job *job);

#endif
