/* verify.h - does a sampler keep the law of a model? */
#ifndef HISS_VERIFY_H
#define HISS_VERIFY_H

#include <stdint.h>

#include <hiss/run.h>
#include <hiss/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hiss_verdict hiss_verdict;

/** How much to draw. */
typedef struct hiss_verify_settings {
    size_t size;        /* sizeof(hiss_verify_settings) */
    int64_t replicates; /* 1000000 */
    int64_t steps;      /* in a row, of the second stage; 0: 4 to 64, as many
                           as the sampler takes to leave its beginning */
    uint64_t seed;      /* 1 */
    int threads;        /* 0: all processors */
    const char *pairs;  /* CSV of transition counts, or NULL */
    int replace;
    int (*progress)(void *context, const hiss_progress *progress);
    void *context;
} hiss_verify_settings;

/** One test, or the worst of a family of tests; strings belong to the verdict.
 * Families compare states before and after and have z as their statistic,
 * with freedom 0; the others, and "spread", are chi-squares. */
typedef struct hiss_verify_test {
    size_t size;      /* sizeof(hiss_verify_test) */
    const char *name; /* "law", "level 2", "levels 1 and 2", "U", "tails of U",
                         "marginals", "pairs", "spread", "reversibility" */
    double statistic;
    double freedom;
    double p_value;    /* of the worst, times the number of members */
    int64_t steps;     /* in a row; 1 in the first stage */
    int members;       /* of the family, 1: a test by itself */
    const char *worst; /* which member, "x.3 = 1"; "" for a test by itself */
} hiss_verify_test;

/** What was found; numbers never change. */
typedef enum hiss_verify_verdict {
    HISS_BROKEN = 0, /* the law is not kept */
    HISS_KEPT = 1,   /* and a bias of half an sd of U would have been found */
    HISS_UNDECIDED = 2, /* too little movement, or too few replicates, to say */
} hiss_verify_verdict;

/** The verdict in numbers. */
typedef struct hiss_verify_result {
    size_t size; /* sizeof(hiss_verify_result) */
    int64_t replicates;
    double states;
    double moved; /* share of replicates that left their state */
    double statistic, freedom, p_value; /* smallest p of the tests of the law,
                                           times their number (Bonferroni) */
    int is_invariant;                   /* verdict == HISS_KEPT */
    int claims_exact;
    int claims_reversible;
    double reversible_p_value;
    const char *tuning;          /* frozen values of `auto` options, or NULL */
    hiss_verify_verdict verdict; /* HISS_BROKEN where p_value <= 1e-4 */
    int worst;                   /* number of the test with the smallest p */
    double bias, bias_error;     /* of the mean of U by one step, in its sd */
    double detectable; /* sd of U: a sampler that settles so far from the truth
                          is found with probability 0.9; INFINITY: none is */
    int64_t period;    /* of the sampler's cycle */
    int64_t phases;    /* of it at which replicates began */
    int64_t steps;     /* in a row, of the second stage */
    int64_t chains;    /* that made them */
    int64_t clocks;    /* that these chains had in common */
} hiss_verify_result;

/** Writes the defaults into a struct of `size` bytes; what callers use is
 * hiss_verify_settings_init. */
HISS_API void hiss_verify_settings_defaults(hiss_verify_settings *settings,
                                            size_t size);
/** The defaults: every field, and the size. */
#define hiss_verify_settings_init(settings)                                    \
  hiss_verify_settings_defaults((settings), sizeof *(settings))

/** Draws replicates exactly from the model, applies the sampler, once and then
 * several times in a row, and compares where they end with the law and with
 * where they began (docs/verify.md). */
HISS_API hiss_status hiss_verify(hiss_verdict **out, const hiss_model *model,
                                 const hiss_sampler *sampler,
                                 const hiss_verify_settings *settings,
                                 hiss_error *err);
/** The verdict in numbers; 0 (false) without one. */
HISS_API int hiss_verdict_result(const hiss_verdict *verdict,
                                 hiss_verify_result *out);
/** Tests by number; 0 (false) past the last. */
HISS_API int hiss_verdict_test(const hiss_verdict *verdict, int number,
                               hiss_verify_test *out);
/** Frees it; NULL is fine. */
HISS_API void hiss_verdict_destroy(hiss_verdict *verdict);

#ifdef __cplusplus
}
#endif
#endif
