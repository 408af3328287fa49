/* process.h - a Markov jump process, observed after a fixed time.
 *
 * From x it jumps to each neighbor y, one coordinate changed, at a rate r(x,y)
 * with p(x) r(x,y) = p(y) r(y,x): it waits for a time that is exponential with
 * mean 1 / Z(x), Z(x) = sum_y r(x,y), and goes to y with probability r / Z.
 * The process keeps p, so it has the law p at every time that does not depend
 * on its state.  The states after each *jump* do not have the law p: they would
 * need weights 1 / Z, the mean times of stay.
 *
 * A step is a time T, with as many jumps as there happen to be, and without
 * rejection.  Every jump costs an evaluation of all gains, in all lanes of a
 * tile until the last of them is done.  Gains are exact, because no later step
 * corrects the error of an estimate. */
#ifndef HS_KERNEL_INFORMED_PROCESS_H
#define HS_KERNEL_INFORMED_PROCESS_H

#include "kernel/adapt.h"
#include "kernel/informed/changes.h"
#include "kernel/informed/flip_tree.h"
#include "kernel/kernel.h"

/* Columns of a kernel that is one. */
enum {
    HS_PROCESS_TIME = HS_OWN_COLUMNS,
    HS_PROCESS_CLOCK = HS_PROCESS_TIME + HS_ADAPT_COLUMNS,
    HS_PROCESS_COLUMNS
};

typedef struct hs_process {
    double time; /* an option, NaN: auto; at most 1e6: of 1e30 no wait would
                  * take anything off, and a step have no end */
    hs_flip_tree flips; /* of models that have them, under flat tilts */
    hs_changes changes;
    hs_point y;            /* owned: where it is */
    double left[HS_LANES]; /* of T */
    int jumps[HS_LANES];   /* in this step */
} hs_process;

/* Turns the gains ln t in p->changes.logits into ln r, at p->y, and sums them
 * into p->changes.max and sum; of a kernel's state. */
typedef void hs_process_rates(void *state, const hs_model *m);

/* What happens at the end of a wait in one lane: a jump to the change of that
 * row, or nothing that is seen (-1).  u and v are uniform. */
typedef int hs_process_event(void *state, const hs_model *m, int lane, double u,
                             double v);

/* p->time is set.  weigh: the rates of single flips, of the kernel's state,
 * where the rate of an event is their sum; or NULL.  On failure clear is still
 * due. */
hiss_status hs_process_setup(hs_kernel *k, hs_process *p, const hs_model *m,
                             hs_flip_tree_weight *weigh, hiss_error *err);
void hs_process_clear(hs_process *p);

/* A step.  event may be NULL: a jump by the rates.  rate[l] (or NULL: Z) is the
 * rate of events in units of e^max, filled in by `rates`. */
hiss_status hs_process_step(hs_kernel *k, hs_process *p, const hs_model *m,
                            const hs_tilt *t, hs_tile *x,
                            hs_process_rates *rates, hs_process_event *event,
                            const double *rate);

/* time=auto has some 8 jumps; a given one at most `time` for each change. */
int hs_process_work(const hs_kernel *k, const hs_model *m, hs_work *part);
void hs_process_freeze(hs_kernel *k);
hs_traits hs_process_traits(void);
int hs_process_describe(const hs_kernel *k, double time, int lane, char *text,
                        size_t size);

#define HS_PROCESS_TIME_HELP                                                   \
  "of a step; auto: tuned by a pilot to some 8 jumps, at most 16"

#endif
