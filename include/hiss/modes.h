/* modes.h - the modes that the draws of a result belong to. */
#ifndef HISS_MODES_H
#define HISS_MODES_H

#include <stdint.h>

#include <hiss/run.h>
#include <hiss/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hiss_model hiss_model;
typedef struct hiss_result hiss_result;
typedef struct hiss_exact hiss_exact;
typedef struct hiss_modes hiss_modes;

/** A local optimum of U, and its statistics. */
typedef struct hiss_mode {
    size_t size; /* sizeof(hiss_mode) */
    double u;
    double mass;  /* share of the draws that climb to it */
    double exact; /* exact mass of its basin, NaN if unknown */
    int64_t draws;
    int chains; /* chains that visited it */
} hiss_mode;

/** Climbs from draws to their local optima by best single-site moves.  With
 * exact (may be NULL), and few enough states, also lists modes without draws,
 * and the exact mass of all. */
HISS_API hiss_status hiss_modes_create(hiss_modes **out,
                                       const hiss_result *result,
                                       const hiss_model *model,
                                       const hiss_exact *exact,
                                       hiss_error *err);

/** Limits of the search; the defaults are in the comments. */
typedef struct hiss_modes_settings {
    size_t size;    /* sizeof(hiss_modes_settings) */
    double seconds; /* seconds that it may take, 0 for no limit */
    int is_full;    /* check every draw; 0: evenly spaced ones of very many */
    /* Called now and then, from the calling thread; a nonzero return ends the
     * search.  May be NULL. */
    int (*progress)(void *context, const hiss_progress *progress);
    void *context;
    /* Limit on evaluations at the prices of a table, in seconds; 0 for none.
     * Unlike `seconds` it gives the same result on any machine. */
    double work;
} hiss_modes_settings;

/** Writes the defaults into a struct of `size` bytes; callers use
 * hiss_modes_settings_init. */
HISS_API void hiss_modes_settings_defaults(hiss_modes_settings *settings,
                                           size_t size);
/** Sets every field to its default, and the size. */
#define hiss_modes_settings_init(settings)                                     \
  hiss_modes_settings_defaults((settings), sizeof *(settings))

/** The same with limits; exact may be NULL.  A few draws are checked first,
 * then those between them.  So if it is stopped, the checked draws are evenly
 * spaced (hiss_modes_looked).  HISS_ESTOP if not even the first few were
 * done. */
HISS_API hiss_status hiss_modes_look(hiss_modes **out,
                                     const hiss_result *result,
                                     const hiss_model *model,
                                     const hiss_exact *exact,
                                     const hiss_modes_settings *settings,
                                     hiss_error *err);
/** Reason of its end: HISS_ENDED_DONE after all draws, HISS_ENDED_EVALS if
 * there were too many draws, HISS_ENDED_TIME or HISS_ENDED_STOPPED. */
HISS_API hiss_ended hiss_modes_ended(const hiss_modes *modes);
/** Frees them; NULL is allowed. */
HISS_API void hiss_modes_destroy(hiss_modes *modes);

/** Modes by falling mass, those without draws last. */
HISS_API int64_t hiss_modes_count(const hiss_modes *modes);
/** Number of modes that have draws. */
HISS_API int64_t hiss_modes_found(const hiss_modes *modes);
/** Reads one mode, with its values [dim] unless state is NULL; 0 (false) past
 * the last. */
HISS_API int hiss_modes_get(const hiss_modes *modes, int64_t number,
                            hiss_mode *out, double *state);
/** The share of a chain's draws that belong to a mode. */
HISS_API double hiss_modes_share(const hiss_modes *modes, int64_t number,
                                 int chain);
/** Number of coordinates in which two modes differ. */
HISS_API int hiss_modes_distance(const hiss_modes *modes, int64_t a, int64_t b);
/** Draws per thousand whose mode differs from that of the previous draw. */
HISS_API double hiss_modes_transitions(const hiss_modes *modes);
/** Number of draws per chain that were checked: evenly spaced, or all if there
 * are few. */
HISS_API int64_t hiss_modes_looked(const hiss_modes *modes);
/** Writes 1 if a draw belongs to the mode, else 0, [chain][looked]. */
HISS_API void hiss_modes_column(const hiss_modes *modes, int64_t number,
                                double *out);

#ifdef __cplusplus
}
#endif
#endif
