/* race_watch.h - the progress of a comparison: several runs as one. */
#ifndef HS_API_COMPARE_RACE_WATCH_H
#define HS_API_COMPARE_RACE_WATCH_H

#include <hiss/compare.h>
#include <hiss/exact.h>

#include <stdbool.h>

typedef struct hs_race_watch {
    const hiss_compare_settings *settings; /* borrowed */
    double began;                          /* hs_now() */
    int done, all;                         /* runs */
    double evaluations; /* evaluations of the finished runs */
    bool is_stopped;    /* progress requested it */
} hs_race_watch;

/* For the settings of one run; context is the hs_race_watch. */
int hs_race_watch_show(void *context, const hiss_progress *progress);

/* Returns the exact answers if they take only some seconds, else NULL.  Another
 * thread computes them while this one calls progress. */
hiss_status hs_race_watch_exact(hs_race_watch *watch, hiss_exact **out,
                                const hiss_model *model, hiss_error *err);

/* The failure of a comparison that was stopped. */
hiss_status hs_race_watch_fail(hiss_error *err);

#endif
