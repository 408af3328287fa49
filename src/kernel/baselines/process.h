/* process.h - a Markov jump process, observed after a fixed time.
 *
 * From x it jumps to each neighbor y, one coordinate changed, at a rate r(x,y)
 * with p(x) r(x,y) = p(y) r(y,x): it waits for a time that is exponential with
 * mean 1 / Z(x), Z(x) = sum_y r(x,y), and goes to y with probability r / Z. The
 * process keeps p, so it has the distribution p at every time that does not
 * depend on its state. The states after each *jump* do not: they would need
 * weights 1 / Z, the mean holding times. A step is a time T, with any number of
 * jumps and without rejection. Every jump costs an evaluation of all gains, in
 * all lanes of a tile until the last of them is done. Gains are exact, because
 * no later step corrects an error. */
#ifndef HS_KERNEL_INFORMED_PROCESS_H
#define HS_KERNEL_INFORMED_PROCESS_H

#include "kernel/adapt.h"
#include "kernel/informed/changes.h"
#include "kernel/informed/flip_tree.h"
#include "kernel/kernel.h"

/* Columns of a jump process kernel. */
enum {
    HS_PROCESS_TIME = HS_OWN_COLUMNS,
    HS_PROCESS_CLOCK = HS_PROCESS_TIME + HS_ADAPT_COLUMNS,
    HS_PROCESS_COLUMNS
};

typedef struct hs_process {
    double time; /* an option, NaN: auto; at most 1e6, because with 1e30 a wait
                    would subtract nothing and a step would never end */
    hs_flip_tree flips; /* for models that have them, under flat tilts */
    hs_changes changes;
    hs_point y;            /* owned: the present state */
    double left[HS_LANES]; /* remaining part of T */
    int jumps[HS_LANES];   /* in this step */
} hs_process;

/* Turns the gains ln t in p->changes.logits into ln r, at p->y, and sums them
 * into p->changes.max and sum; state is the kernel's. */
typedef void hs_process_rates(void *state, const hs_model *m);

/* Handles the end of a wait in one lane: returns the row of the change, or -1
 * for an event without a change.  u and v are uniform. */
typedef int hs_process_event(void *state, const hs_model *m, int lane, double u,
                             double v);

/* p->time must be set.  weigh: the rates of single flips, if the rate of an
 * event is their sum; or NULL.  Clear it also on failure. */
hiss_status hs_process_setup(hs_kernel *k, hs_process *p, const hs_model *m,
                             hs_flip_tree_weight *weigh, hiss_error *err);
void hs_process_clear(hs_process *p);

/* Makes a step.  event may be NULL for a jump by the rates.  rate[l] (NULL: Z)
 * is the rate of events in units of e^max, computed by `rates`. */
hiss_status hs_process_step(hs_kernel *k, hs_process *p, const hs_model *m,
                            const hs_tilt *t, hs_tile *x,
                            hs_process_rates *rates, hs_process_event *event,
                            const double *rate);

/* time=auto has about 8 jumps; a given one at most `time` for each change. */
int hs_process_work(const hs_kernel *k, const hs_model *m, hs_work *part);
void hs_process_freeze(hs_kernel *k);
hs_traits hs_process_traits(void);
int hs_process_describe(const hs_kernel *k, double time, int lane, char *text,
                        size_t size);

#define HS_PROCESS_TIME_HELP                                                   \
  "of a step; auto: tuned by a pilot to some 8 jumps, at most 16"

#endif
