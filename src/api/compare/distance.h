/* distance.h - the distance of draws from an exactly known distribution. */
#ifndef HS_API_COMPARE_DISTANCE_H
#define HS_API_COMPARE_DISTANCE_H

#include <hiss/exact.h>
#include <hiss/hiss.h>

#include <stdbool.h>

typedef struct hs_distance {
    hiss_exact *exact; /* owned; NULL if unknown */
    bool has_states;   /* total variation of states, else of marginals */
    double states;
    /* for total variation of states: the visited states, by their bytes */
    struct hs_seen_state *table; /* owned, [room] */
    int room;
    int64_t *counts; /* owned, [states] */
    double *law;     /* owned, [states] */
} hs_distance;

/* Takes ownership of the exact answers, which may be NULL, also on failure. */
hiss_status hs_distance_init(hs_distance *d, hiss_exact *exact,
                             const hiss_model *model, hiss_error *err);
void hs_distance_clear(hs_distance *d);

/* "tvd" or "marginal_error"; NULL if the distribution is unknown. */
const char *hs_distance_metric(const hs_distance *d);

/* Each `chains` chains of a run are a repetition.  For the first draws[k] draws
 * of each, k < points, it writes distance[k][repetition], NaN if draws[k] is 0;
 * and the share of all states that were visited, cover[k][repetition], NaN if
 * states are not compared. */
hiss_status hs_distance_measure(hs_distance *d, const hiss_result *result,
                                int chains, int points, const int64_t *draws,
                                double *distance, double *cover,
                                hiss_error *err);

#endif
