/* diagnose.h - can draws be believed?  Columns, modes, and a verdict.
 *
 * Figures equal those of ArviZ 0.23 on the same draws; docs/diagnose.md says
 * how the verdict is found and how often it is wrong. */
#ifndef HISS_DIAGNOSE_H
#define HISS_DIAGNOSE_H

#include <stdint.h>

#include <hiss/result.h>
#include <hiss/run.h>
#include <hiss/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hiss_exact hiss_exact;
typedef struct hiss_modes hiss_modes;
typedef struct hiss_diagnosis hiss_diagnosis;

/* --- columns ------------------------------------------------------------ */

typedef enum hiss_column_state {
    HISS_VARIES,
    HISS_CONSTANT,   /* one value in all chains so far */
    HISS_STUCK,      /* no chain moves, and chains disagree */
    HISS_TOO_SHORT,  /* fewer than 4 draws per chain */
    HISS_NOT_FINITE, /* an infinity among the draws */
} hiss_column_state;

typedef struct hiss_column {
    hiss_column_state state;
    int still; /* chains that never moved */
    double mean, sd, mcse;
    double ess_bulk, ess_tail, rhat; /* NaN unless it varies */
    double tau; /* autocorrelation time in draws, NaN unless it varies */
} hiss_column;

/** Of any numbers, as [chain][draw]. */
HISS_API hiss_status hiss_describe(const double *draws, int chains,
                                   int64_t samples, hiss_column *out,
                                   hiss_error *err);
/** Of one coordinate's values. */
HISS_API hiss_status hiss_result_coordinate(const hiss_result *result,
                                            int coordinate, hiss_column *out,
                                            hiss_error *err);
/** Of `count` coordinates, by all threads (0: as many as processors). */
HISS_API hiss_status hiss_result_coordinates(const hiss_result *result,
                                             int count, const int *coordinates,
                                             int threads, hiss_column *out,
                                             hiss_error *err);
/** Of U. */
HISS_API hiss_status hiss_result_energy(const hiss_result *result,
                                        hiss_column *out, hiss_error *err);

/** A number of every draw, [chain][draw], from a text such as "mean(x == 1)"
 * or "x.1 * x.2": + - * / ^, comparisons (1 or 0), sum, mean, min, max, abs,
 * sqrt, exp, log; x is all coordinates, x[2:5] some of them, lp is U. */
HISS_API hiss_status hiss_result_observable(const hiss_result *result,
                                            const char *expression, double *out,
                                            hiss_error *err);

/* --- modes -------------------------------------------------------------- */

/** Ascends draws to their local optima by best single-site moves.  With exact
 * (may be NULL), and few enough states, also modes that no draw belongs to,
 * and the exact mass of all. */
HISS_API hiss_status hiss_modes_create(hiss_modes **out,
                                       const hiss_result *result,
                                       const hiss_model *model,
                                       const hiss_exact *exact,
                                       hiss_error *err);
HISS_API void hiss_modes_destroy(hiss_modes *modes);

/** Modes by falling mass, those without draws last. */
HISS_API int64_t hiss_modes_count(const hiss_modes *modes);
/** Of them those that draws belong to. */
HISS_API int64_t hiss_modes_found(const hiss_modes *modes);
/** One of them, with its values [dim] unless state is NULL. */
HISS_API void hiss_modes_get(const hiss_modes *modes, int64_t number,
                             hiss_mode *out, double *state);
/** The share of a chain's draws that belong to a mode. */
HISS_API double hiss_modes_share(const hiss_modes *modes, int64_t number,
                                 int chain);
/** Coordinates in which two modes differ. */
HISS_API int hiss_modes_distance(const hiss_modes *modes, int64_t a, int64_t b);
/** Draws whose mode is another than that of the draw before, per thousand. */
HISS_API double hiss_modes_transitions(const hiss_modes *modes);
/** Draws per chain that were looked at: evenly spaced, or all of few. */
HISS_API int64_t hiss_modes_looked(const hiss_modes *modes);
/** 1 where a draw belongs to the mode, else 0, [chain][looked]. */
HISS_API void hiss_modes_column(const hiss_modes *modes, int64_t number,
                                double *out);

/* --- a verdict ---------------------------------------------------------- */

typedef enum hiss_outcome {
    HISS_PASSED,
    HISS_FAILED,  /* not to be trusted */
    HISS_DOUBT,   /* not to be trusted, unless exact answers agree */
    HISS_SKIPPED, /* could not be looked at; the text says why */
} hiss_outcome;

typedef struct hiss_finding {
    const char *name; /* "mixing", "effective draws", "modes", ... */
    hiss_outcome outcome;
    double value, limit; /* NaN where there is none */
    const char *text;    /* what was found */
    const char *remedy;  /* what to do about it, or NULL */
} hiss_finding;

typedef struct hiss_diagnose_settings {
    int threads; /* 0: all processors */
    int blind;   /* do not compare with exact answers */
    /* Runs so many fresh chains of the same sampler, and as many of another,
     * and compares them with the run, if either costs no more than
     * probe_seconds (by the time the run took); 0: none. */
    int probe;            /* 16 */
    double probe_seconds; /* 10 */
} hiss_diagnose_settings;

/** Exact answers, if they can be had within some seconds; else *out is NULL,
 * and that is no failure. */
HISS_API hiss_status hiss_exact_quick(hiss_exact **out, const hiss_model *model,
                                      int threads, hiss_error *err);

HISS_API void hiss_diagnose_settings_init(hiss_diagnose_settings *settings);

/** model may be NULL: then modes, exact answers and fresh chains are left
 * out. */
HISS_API hiss_status hiss_diagnose(hiss_diagnosis **out,
                                   const hiss_result *result,
                                   const hiss_model *model,
                                   const hiss_diagnose_settings *settings,
                                   hiss_error *err);
HISS_API void hiss_diagnosis_destroy(hiss_diagnosis *diagnosis);
/** Whether the draws can be trusted. */
HISS_API int hiss_diagnosis_is_trusted(const hiss_diagnosis *diagnosis);
/** By number; 0 (false) at the end. */
HISS_API int hiss_diagnosis_finding(const hiss_diagnosis *diagnosis, int number,
                                    hiss_finding *out);

#ifdef __cplusplus
}
#endif
#endif
