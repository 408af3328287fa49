/* diagnose.h - can draws be believed?  Columns and a verdict.
 *
 * Figures equal those of ArviZ 0.23 on the same draws; docs/diagnose.md says
 * how the verdict is found and how often it is wrong. */
#ifndef HISS_DIAGNOSE_H
#define HISS_DIAGNOSE_H

#include <stdint.h>

#include <hiss/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hiss_model hiss_model;
typedef struct hiss_result hiss_result;
typedef struct hiss_diagnosis hiss_diagnosis;

/* --- columns ------------------------------------------------------------ */

/** What can be said of a column; numbers never change. */
typedef enum hiss_column_state {
    HISS_VARIES = 0,
    HISS_CONSTANT = 1,   /* one value in all chains so far */
    HISS_STUCK = 2,      /* no chain moves, and chains disagree */
    HISS_TOO_SHORT = 3,  /* fewer than 4 draws per chain */
    HISS_NOT_FINITE = 4, /* an infinity among the draws */
} hiss_column_state;

/** One number per draw, in figures. */
typedef struct hiss_column {
    size_t size; /* sizeof(hiss_column) */
    hiss_column_state state;
    int still; /* chains that never moved */
    double mean, sd, mcse;
    double ess_bulk, ess_tail, rhat; /* NaN unless it varies */
    double tau; /* autocorrelation time in draws, NaN unless it varies */
} hiss_column;

/** Figures of any numbers, as [chain][draw]. */
HISS_API hiss_status hiss_describe(const double *draws, int chains,
                                   int64_t samples, hiss_column *out,
                                   hiss_error *err);
/** Figures of one coordinate's values. */
HISS_API hiss_status hiss_result_coordinate(const hiss_result *result,
                                            int coordinate, hiss_column *out,
                                            hiss_error *err);
/** Figures of `count` coordinates, by so many threads (0: as many as there are
 * processors); out[0].size is that of every element of out. */
HISS_API hiss_status hiss_result_coordinates(const hiss_result *result,
                                             int count, const int *coordinates,
                                             int threads, hiss_column *out,
                                             hiss_error *err);
/** Figures of U. */
HISS_API hiss_status hiss_result_energy(const hiss_result *result,
                                        hiss_column *out, hiss_error *err);

/** A number of every draw, [chain][draw], from a text such as "mean(x == 1)"
 * or "x.1 * x.2": + - * / ^, comparisons (1 or 0), sum, mean, min, max, abs,
 * sqrt, exp, log; x is all coordinates, x[2:5] some of them, lp is U. */
HISS_API hiss_status hiss_result_observable(const hiss_result *result,
                                            const char *expression, double *out,
                                            hiss_error *err);

/* --- a verdict ---------------------------------------------------------- */

/** Of one question; numbers never change. */
typedef enum hiss_outcome {
    HISS_PASSED = 0,
    HISS_FAILED = 1,  /* not to be trusted */
    HISS_DOUBT = 2,   /* not to be trusted, unless exact answers agree */
    HISS_SKIPPED = 3, /* could not be looked at; the text says why */
} hiss_outcome;

/** One question and its answer; texts belong to the diagnosis. */
typedef struct hiss_finding {
    size_t size;      /* sizeof(hiss_finding) */
    const char *name; /* "mixing", "effective draws", "modes", ... */
    hiss_outcome outcome;
    double value, limit; /* NaN where there is none */
    const char *text;    /* what was found */
    const char *remedy;  /* what to do about it, or NULL */
} hiss_finding;

/** How to look. */
typedef struct hiss_diagnose_settings {
    size_t size; /* sizeof(hiss_diagnose_settings) */
    int threads; /* 0: all processors */
    int blind;   /* do not compare with exact answers */
    /* Runs so many fresh chains of the same sampler, and as many of another,
     * and compares them with the run, if either costs no more than
     * probe_seconds (by the time the run took); 0: none. */
    int probe;            /* 16 */
    double probe_seconds; /* 10 */
    /* Evaluations of a search for modes that the run has missed, fewer if they
     * would take more than probe_seconds; 0: no search, which is a doubt. */
    double search; /* 2e5 */
} hiss_diagnose_settings;

/** Writes the defaults into a struct of `size` bytes; what callers use is
 * hiss_diagnose_settings_init. */
HISS_API void hiss_diagnose_settings_defaults(hiss_diagnose_settings *settings,
                                              size_t size);
/** The defaults: every field, and the size. */
#define hiss_diagnose_settings_init(settings)                                  \
  hiss_diagnose_settings_defaults((settings), sizeof *(settings))

/** Looks at the draws.  model may be NULL: then modes, exact answers, fresh
 * chains and the search are left out, and the draws are not trusted. */
HISS_API hiss_status hiss_diagnose(hiss_diagnosis **out,
                                   const hiss_result *result,
                                   const hiss_model *model,
                                   const hiss_diagnose_settings *settings,
                                   hiss_error *err);
/** Frees it; NULL is fine. */
HISS_API void hiss_diagnosis_destroy(hiss_diagnosis *diagnosis);
/** Whether the draws can be trusted. */
HISS_API int hiss_diagnosis_is_trusted(const hiss_diagnosis *diagnosis);
/** Findings by number; 0 (false) past the last. */
HISS_API int hiss_diagnosis_finding(const hiss_diagnosis *diagnosis, int number,
                                    hiss_finding *out);

#ifdef __cplusplus
}
#endif
#endif
