/* arm.h - an arm: a sampler that `auto` may choose.
 *
 * Every arm is one file, which exports one table, and one line of arms.def.
 * The race (run/pilot/choice.c) asks the tables and never compares names: does
 * the arm apply, how is it made, is its worth known without a trial, and what
 * does the report say.  The order of arms.def decides where two arms are
 * equally good, so simple arms come first. */
#ifndef HS_RUN_ARMS_ARM_H
#define HS_RUN_ARMS_ARM_H

#include <hiss/status.h>

#include "base/text.h"
#include "kernel/sampler.h"
#include "run/arms/flat_arm.h"
#include "run/arms/network_arm.h"
#include "run/scouts/survey.h"
#include "run/survey/trial.h"

/* What arms may read; all pointers are borrowed. */
typedef struct hs_arm_view {
    const hs_model *m;
    const hs_sampler *base; /* the local sampler */
    const hs_survey *found;
    const hs_network_arm *network; /* or NULL */
    hs_flat_arm *flat;             /* NULL if not wanted */
    hs_text *text;                 /* the arms append their reports here */
    hs_pilot_account *account;
    hs_trial_start from;      /* states of all modes */
    const hs_sampler *inside; /* the best jumps of the race, or NULL, */
    double brought;           /* its effective draws per step; for HS_ARM_LAST,
                                 effective draws per evaluation in the best
                                 trial */
    int form;                 /* variant of the arm that is asked */
    int swap_every;           /* steps between exchanges of tempering */
    bool has_ladder;          /* temperatures may be used */
    bool is_timed;            /* the cost is time, not evaluations */
} hs_arm_view;

typedef enum hs_arm_stage {
    HS_ARM_FIRST, /* enters the race at its start */
    HS_ARM_LATE,  /* enters later; without a price only if the race is open */
    HS_ARM_LAST   /* enters after the race, with a known rate */
} hs_arm_stage;

typedef struct hs_arm_type {
    const char *name;  /* in reports */
    const char *words; /* what a step does, for `explain` */
    int forms;         /* variants, numbered from 0; 0: one */
    bool leaves_atlas; /* reaches modes that the atlas lacks */
    bool uses_atlas;   /* needs a library; its trial shows the modes of that
                          alone */
    hs_arm_stage stage;
    bool (*applies)(const hs_arm_view *v); /* NULL: to all models */
    hiss_status (*make)(hs_sampler **out, const hs_arm_view *v,
                        hiss_error *err);
    /* Effective draws per evaluation that were measured before, or when the arm
     * was made, in evaluations that cost as much as those of the local sampler;
     * 0 if none were seen.  NULL, or a negative value: a trial measures it. */
    double (*price)(const hs_arm_view *v);
    /* Appended to the name, or NULL. */
    void (*detail)(hs_text *to, const hs_arm_view *v);
} hs_arm_type;

extern const hs_arm_type *const hs_arm_types[]; /* ends with NULL */

/* Cost of a step of one chain with all its replicas.  Makes and counts two
 * steps for the evaluations; the price is theirs, or, where time is the cost,
 * nanoseconds by the table of prices. */
typedef struct hs_arm_cost {
    double evals, time, price; /* time: nanoseconds, by the table */
} hs_arm_cost;

/* If a step takes more than most_time nanoseconds, no step is made and evals is
 * infinite. */
hiss_status hs_arm_cost_of(hs_arm_cost *out, const hs_arm_view *v,
                           const hs_sampler *s, double most_time,
                           hiss_error *err);

/* --- for the files of arms ------------------------------------------------ */

/* The local sampler and another kernel after it. */
hiss_status hs_arm_follow(hs_sampler **out, const hs_sampler *base,
                          const hs_kernel_type *type,
                          const hs_setting *settings, hiss_error *err);

/* Returns true if a kernel of sites can be set up.  If all sites are coupled,
 * blocks hold few sites, and clusters hold everything or nothing. */
bool hs_arm_fits(const hs_model *m, const hs_kernel_type *type,
                 const hs_setting *settings);

/* Returns the sampler, kept, or a sampler with several replicas at the target
 * if that is faster.  A tile steps sixteen lanes in the time of one, and few
 * chains leave lanes idle.  With replicas, the same evaluations make fewer
 * steps in less time and bring as many effective draws, as long as no draw is
 * lost that would be kept.  A step brings `brought` effective draws (0:
 * unknown) for `cost` evaluations. */
hiss_status hs_arm_replicas(hs_sampler **out, const hs_sampler *s,
                            double brought, double cost,
                            const hs_pilot_account *account, hiss_error *err);

/* Tempering with the temperatures that were found. */
hiss_status hs_arm_temper(hs_sampler **out, const hs_arm_view *v,
                          const hs_sampler *base, int parts, hiss_error *err);

#endif
