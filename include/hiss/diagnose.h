/* diagnose.h - whether draws can be trusted: columns and a verdict.
 *
 * Figures equal those of ArviZ 0.23 on the same draws.  docs/diagnose.md
 * explains the verdict and how often it is wrong. */
#ifndef HISS_DIAGNOSE_H
#define HISS_DIAGNOSE_H

#include <stdint.h>

#include <hiss/run.h>
#include <hiss/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hiss_model hiss_model;
typedef struct hiss_result hiss_result;
typedef struct hiss_diagnosis hiss_diagnosis;

/* --- limits ------------------------------------------------------------- */

/* The same for every command, for the page and for Python; docs/diagnose.md
 * has their reasons. */
#define HISS_DRAWS_MIN   4    /* per chain: fewer are not judged */
#define HISS_RHAT_DOUBT  1.01 /* above it, unless chance explains it */
#define HISS_RHAT_FAILED 1.2
/* that chains differ so much, over all columns */
#define HISS_CHANCE_DOUBT 1e-4
#define HISS_ESS_DOUBT    100.0 /* effective draws of all chains together */
#define HISS_ESS_DERIVED  50.0  /* for modes and components */
#define HISS_ESS_FAILED   20.0
#define HISS_RARE         0.01 /* a value in fewer of the draws is rare */

/* --- columns ------------------------------------------------------------ */

/** State of a column; numbers never change. */
typedef enum hiss_column_state {
    HISS_VARIES = 0,
    HISS_CONSTANT = 1,   /* one value in all chains so far */
    HISS_STUCK = 2,      /* no chain moves, and chains disagree */
    HISS_TOO_SHORT = 3,  /* fewer than 4 draws per chain */
    HISS_NOT_FINITE = 4, /* an infinity among the draws */
} hiss_column_state;

/** Statistics of one number per draw. */
typedef struct hiss_column {
    size_t size; /* sizeof(hiss_column) */
    hiss_column_state state;
    int still; /* number of chains that never moved */
    double mean, sd, mcse;
    double ess_bulk, ess_tail, rhat; /* NaN unless it varies */
    double tau;    /* autocorrelation time in draws, NaN unless it varies */
    double chance; /* probability that chains of one distribution differ so
                      much; if it does not vary, 1 or 0: whether they are
                      equal */
} hiss_column;

/** Computes the figures of any numbers, as [chain][draw]. */
HISS_API hiss_status hiss_describe(const double *draws, int chains,
                                   int64_t samples, hiss_column *out,
                                   hiss_error *err);
/** Computes the figures of one coordinate's values. */
HISS_API hiss_status hiss_result_coordinate(const hiss_result *result,
                                            int coordinate, hiss_column *out,
                                            hiss_error *err);
/** Computes the figures of `count` coordinates, by this many threads (0 for all
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
 * sqrt, exp, log and |...|; x is all coordinates, x[2:5] some of them.  Names:
 * lp or U (log p), E, m, C, chi, binder (docs/observables.md). */
HISS_API hiss_status hiss_result_observable(const hiss_result *result,
                                            const char *expression, double *out,
                                            hiss_error *err);
/** The same with the names q, q_link and cluster.  The model gives the bonds;
 * it may be NULL.  Overlaps pair chains 1 and 2, 3 and 4, ...: then *chains is
 * half the number of chains, and out has a series for each pair.  out has room
 * for all chains. */
HISS_API hiss_status hiss_result_series(const hiss_result *result,
                                        const hiss_model *model,
                                        const char *expression, double *out,
                                        int *chains, hiss_error *err);
/** Whether draws of the model, of so many chains, have this observable: before
 * a run, so that none is made in vain. */
HISS_API hiss_status hiss_observable_check(const hiss_model *model, int chains,
                                           const char *expression,
                                           hiss_error *err);
/** The observables that are shown by default, with ; between them; NULL for a
 * model that is no lattice of spins or labels. */
HISS_API const char *hiss_result_observables(const hiss_result *result,
                                             const hiss_model *model);

/** The inverse temperature of draws: they fit the distribution of which the
 * density is that of the model to the power beta. */
typedef struct hiss_temperature {
    size_t size;     /* sizeof(hiss_temperature) */
    double beta;     /* by maximum pseudo-likelihood, times `model`; infinite if
                        no single change raises, or none lowers, log p; NaN if
                        the draws do not tell */
    double error;    /* its standard error; NaN unless beta is finite */
    double model;    /* the beta of the model, 1 unless it was given one */
    int64_t draws;   /* number of draws that were used */
    const char *why; /* why the draws do not tell, or NULL; never freed */
} hiss_temperature;

/** Finds the inverse temperature of draws.  It needs no normalization, and is
 * right for draws of one mode, too.  Of many draws, evenly spaced ones are
 * used. */
HISS_API hiss_status hiss_result_temperature(const hiss_result *result,
                                             const hiss_model *model,
                                             hiss_temperature *out,
                                             hiss_error *err);

/* --- a verdict ---------------------------------------------------------- */

/** Outcome of one check; numbers never change. */
typedef enum hiss_outcome {
    HISS_PASSED = 0,
    HISS_FAILED = 1,    /* not to be trusted */
    HISS_DOUBT = 2,     /* not to be trusted unless exact answers agree */
    HISS_SKIPPED = 3,   /* could not be checked; the text gives the reason */
    HISS_UNCHECKED = 4, /* the verdict waits for this; the text gives the
                           reason */
} hiss_outcome;

/** "passed", "failed", "doubt", "skipped", "unchecked"; "" for others. */
HISS_API const char *hiss_outcome_word(hiss_outcome outcome);

/** Language of the advice; numbers never change. */
typedef enum hiss_voice {
    HISS_SHELL = 0,  /* `hiss sample MODEL --sampler auto` */
    HISS_PYTHON = 1, /* `hiss.sample(model, "auto")` */
} hiss_voice;

/** One check and its outcome; texts belong to the diagnosis. */
typedef struct hiss_finding {
    size_t size;      /* sizeof(hiss_finding) */
    const char *name; /* "mixing", "effective draws", "modes", ... */
    hiss_outcome outcome;
    double value, limit; /* NaN if there is none */
    const char *text;    /* what was found */
    const char *remedy;  /* what to do, or NULL: the first of the gravest
                            findings has it, for all of them */
    int is_wrong; /* the draws are wrong, and neither chance nor disagreeing
                     chains explain it */
} hiss_finding;

/** The verdict on all findings; numbers never change. */
typedef enum hiss_opinion {
    HISS_NOT_TRUSTED = 0,
    HISS_TRUSTED = 1, /* of a model whose structure is known, confirmed by other
                         chains and by a search for missed modes */
    HISS_WRONG = 2,   /* not to be trusted, and some finding is_wrong */
    HISS_PROVED = 3,  /* to be trusted: they agree with exact answers */
    /* Nothing contradicts the draws, but fewer checks were possible than trust
     * requires: the model is a function, or no other chains confirm the
     * draws. */
    HISS_CONSISTENT = 4,
    HISS_NOT_DECIDED = 5, /* the same, and some check is missing */
} hiss_opinion;

/** "proved", "trusted", "consistent", "not decided", "not trusted", "wrong"; ""
 * for others. */
HISS_API const char *hiss_opinion_word(hiss_opinion opinion);

/** How to look. */
typedef struct hiss_diagnose_settings {
    size_t size; /* sizeof(hiss_diagnose_settings) */
    int threads; /* 0 for all processors */
    int blind;   /* do not compare with exact answers */
    /* Runs this many fresh chains of the same sampler, and as many of another,
     * and compares them with the run, if the work limit allows; 0 for none. */
    int probe;            /* 16 */
    double probe_seconds; /* no longer used */
    /* Evaluations of a search for modes that the run has missed, fewer if the
     * work limit does not allow them; 0 for no search, which leaves the verdict
     * undecided. */
    double search;    /* 2e5 */
    hiss_voice voice; /* voice of the remedies: HISS_SHELL */
    /* Seconds after which all of it stops, about; 0: no limit.  What is left
     * is unchecked, so that draws that nothing speaks against are not decided.
     */
    double seconds; /* 0 */
    /* Called now and then, from the calling thread; a nonzero return ends the
     * check with HISS_ESTOP.  May be NULL. */
    int (*progress)(void *context, const hiss_progress *progress);
    void *context;
    /* Checks the draws alone, by U and the values of coordinates, and uses
     * exact answers if the model has few states.  It takes about a second.
     * There is no search for missed modes, so draws that pass are not
     * decided. */
    int quick;
    int most; /* coordinates of a quick check; 0: as many as take a second */
    /* Work is limited to this many times the time that the file states for
     * sampling, at least 2 seconds.  It is counted in evaluations at the prices
     * of a table, so the verdict does not depend on a clock.  Checks beyond the
     * limit are unchecked. */
    double effort; /* 1; --thorough: 10 */
    /* Finds the temperature of the draws.  It is always found for those of
     * another program. */
    int temperature; /* 0 */
} hiss_diagnose_settings;

/** Writes the defaults into a struct of `size` bytes; callers use
 * hiss_diagnose_settings_init. */
HISS_API void hiss_diagnose_settings_defaults(hiss_diagnose_settings *settings,
                                              size_t size);
/** Sets every field to its default, and the size. */
#define hiss_diagnose_settings_init(settings)                                  \
  hiss_diagnose_settings_defaults((settings), sizeof *(settings))

/** What the draws lack, in order of gravity; numbers never change. */
typedef enum hiss_need {
    HISS_NEED_NONE = 0,
    HISS_NEED_CHAINS = 1, /* there is only one chain */
    HISS_NEED_DRAWS = 2,  /* more draws: this many times */
    HISS_NEED_LAW = 3,    /* a sampler that is exact */
    HISS_NEED_MODES = 4,  /* a sampler that crosses between modes */
} hiss_need;

/** Returns advice in words, with one call between backquotes: `hiss exact` if
 * that takes minutes, another sampler, or the same for longer.  times is for
 * HISS_NEED_DRAWS; model may be NULL.  Free it with hiss_free; NULL without a
 * need or memory. */
HISS_API char *hiss_advice(const hiss_result *result, const hiss_model *model,
                           hiss_need need, double times, hiss_voice voice);
/** Returns "`hiss exact grid.uai` would take about 4 s"; NULL if it would take
 * more than ten minutes. */
HISS_API char *hiss_advice_exact(const hiss_result *result,
                                 const hiss_model *model, hiss_voice voice);

/** Checks the draws.  model may be NULL: then modes, exact answers, fresh
 * chains and the search are omitted, and the draws are not trusted. */
HISS_API hiss_status hiss_diagnose(hiss_diagnosis **out,
                                   const hiss_result *result,
                                   const hiss_model *model,
                                   const hiss_diagnose_settings *settings,
                                   hiss_error *err);
/** Frees it; NULL is allowed. */
HISS_API void hiss_diagnosis_destroy(hiss_diagnosis *diagnosis);
/** Whether the draws are proved or trusted. */
HISS_API int hiss_diagnosis_is_trusted(const hiss_diagnosis *diagnosis);
/** The verdict. */
HISS_API hiss_opinion hiss_diagnosis_opinion(const hiss_diagnosis *diagnosis);
/** One sentence for people, in lower case: the verdict and its consequence.  It
 * belongs to the diagnosis. */
HISS_API const char *hiss_diagnosis_headline(const hiss_diagnosis *diagnosis);
/** Findings by number; 0 (false) past the last. */
HISS_API int hiss_diagnosis_finding(const hiss_diagnosis *diagnosis, int number,
                                    hiss_finding *out);
/** The temperature of the draws; 0 (false) if it was not asked for. */
HISS_API int hiss_diagnosis_temperature(const hiss_diagnosis *diagnosis,
                                        hiss_temperature *out);
/** Figures of U (number 0, *coordinate is -1), and of the coordinates of a
 * quick check, in order; 0 (false) past the last. */
HISS_API int hiss_diagnosis_column(const hiss_diagnosis *diagnosis, int number,
                                   int *coordinate, hiss_column *out);

#ifdef __cplusplus
}
#endif
#endif
