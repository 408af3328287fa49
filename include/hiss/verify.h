/* verify.h - tests whether a sampler keeps the distribution of a model. */
#ifndef HISS_VERIFY_H
#define HISS_VERIFY_H

#include <stdint.h>

#include <hiss/run.h>
#include <hiss/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hiss_verdict hiss_verdict;

/** Settings of a test. */
typedef struct hiss_verify_settings {
    size_t size;        /* sizeof(hiss_verify_settings) */
    int64_t replicates; /* 1000000 */
    int64_t steps;      /* steps in a row of the second stage; 0: 16 to 64, as
                           many as the sampler needs to forget its start */
    uint64_t seed;      /* 1 */
    int threads;        /* 0 for all processors */
    const char *pairs;  /* CSV of transition counts, or NULL */
    int replace;
    int (*progress)(void *context, const hiss_progress *progress);
    void *context;
    /* Of hiss_verify_kernel only. */
    int64_t batch; /* most states of one call; 0: a sixteenth of the replicates,
                      at most 65536 */
    int64_t calls; /* with one state each, in the third stage; 0 for none */
    /* For hiss_verify only. */
    const char *device; /* see hiss_settings: the device to be certified */
} hiss_verify_settings;

/** One test, or the worst of a family of tests; strings belong to the verdict.
 * Families compare states before and after; their statistic is z, with freedom
 * 0.  The others, and "spread", are chi-squares. */
typedef struct hiss_verify_test {
    size_t size;      /* sizeof(hiss_verify_test) */
    const char *name; /* "law", "level 2", "levels 1 and 2", "U", "tails of U",
                         "marginals", "pairs", "spread", "reversibility" */
    double statistic;
    double freedom;
    double p_value;    /* p value of the worst, times the number of members */
    int64_t steps;     /* steps in a row; 1 in the first stage */
    int members;       /* members of the family, 1 for a single test */
    const char *worst; /* which member, "x.3 = 1"; "" for a single test */
    double change;     /* of the mean of that member: a probability, or U in its
                          sd; NaN if there is no such number */
} hiss_verify_test;

/** The outcome; numbers never change. */
typedef enum hiss_verify_verdict {
    HISS_BROKEN = 0,    /* the distribution is not kept */
    HISS_KEPT = 1,      /* kept, and a bias of half an sd of U would have been
                        detected */
    HISS_UNDECIDED = 2, /* too little movement, or too few replicates, to
                           decide */
} hiss_verify_verdict;

/** Statistics of the verdict. */
typedef struct hiss_verify_result {
    size_t size; /* sizeof(hiss_verify_result) */
    int64_t replicates;
    double states;
    double moved; /* share of replicates that left their state */
    double statistic, freedom, p_value; /* smallest p of the tests of the
                                           distribution, times their number
                                           (Bonferroni) */
    int is_invariant;                   /* verdict == HISS_KEPT */
    int claims_exact;
    int claims_reversible;
    double reversible_p_value;
    const char *tuning;          /* frozen values of `auto` options, or NULL */
    hiss_verify_verdict verdict; /* HISS_BROKEN if p_value <= 1e-4 */
    int worst;                   /* number of the test with the smallest p */
    double bias, bias_error;     /* of the mean of U by one step, in its sd */
    double detectable; /* sd of U: a stationary mean that is off by this is
                          detected with probability 0.9; INFINITY if none is */
    int64_t period;    /* period of the sampler's cycle */
    int64_t phases;    /* phases of the cycle at which replicates began */
    int64_t steps;     /* steps in a row of the second stage */
    int64_t chains;    /* that made them */
    int64_t clocks;    /* clocks shared by these chains */
    /* Of hiss_verify_kernel only. */
    int64_t singles;      /* states moved alone, `steps` times in a row */
    int64_t calls;        /* total number of calls of the kernel */
    int has_memory;       /* memory between calls breaks the kernel */
    double twin_p_value;  /* of a comparison with the sampler's transitions; NaN
                            if not requested */
    const char *twin_gap; /* where they differ most, or NULL */
    const char *device;   /* device of the steps; NULL for hiss_verify_kernel */
} hiss_verify_result;

/** A state that gains or loses mass; values belong to the verdict. */
typedef struct hiss_verify_flow {
    size_t size;          /* sizeof(hiss_verify_flow) */
    const double *values; /* [dim] */
    double p;             /* its probability under the distribution */
    double entered, left; /* shares of the replicates, in `steps` steps */
    double z;             /* z of entered - left, which should be 0 */
    int64_t steps;
} hiss_verify_flow;

/** A user's transition.  apply moves n states of dim values each, row by row,
 * with its own random numbers or with ones made from the seed, which differs
 * from call to call.  A row must not depend on the others.  It returns HISS_OK,
 * or another status with a message in err. */
typedef struct hiss_kernel {
    size_t size;      /* sizeof(hiss_kernel) */
    const char *name; /* for messages */
    hiss_status (*apply)(void *context, int64_t n, int dim, uint32_t seed,
                         const double *from, double *to, hiss_error *err);
    void *context;
} hiss_kernel;

/** Writes the defaults into a struct of `size` bytes; callers use
 * hiss_verify_settings_init. */
HISS_API void hiss_verify_settings_defaults(hiss_verify_settings *settings,
                                            size_t size);
/** Sets every field to its default, and the size. */
#define hiss_verify_settings_init(settings)                                    \
  hiss_verify_settings_defaults((settings), sizeof *(settings))

/** Draws replicates exactly from the model, applies the sampler, once and then
 * several times in a row, and compares the final states with the distribution
 * and with the first states (docs/verify.md). */
HISS_API hiss_status hiss_verify(hiss_verdict **out, const hiss_model *model,
                                 const hiss_sampler *sampler,
                                 const hiss_verify_settings *settings,
                                 hiss_error *err);
/** The same for a user's own transition: once; several times in a row; and one
 * state at a time, as in a run of one chain, which finds adaptation that never
 * ends (docs/judge.md).  `same`, or NULL, is a sampler that it claims to be:
 * the transitions of one step are then compared.
 *
 * @return also HISS_EPLUGIN where the kernel failed or gave what is no state */
HISS_API hiss_status hiss_verify_kernel(hiss_verdict **out,
                                        const hiss_model *model,
                                        const hiss_kernel *kernel,
                                        const hiss_sampler *same,
                                        const hiss_verify_settings *settings,
                                        hiss_error *err);
/** Why the distribution is not kept, in words; NULL if it is. */
HISS_API const char *hiss_verdict_reason(const hiss_verdict *verdict);
/** States that significantly gain or lose mass, the most significant first; 0
 * (false) past the last. */
HISS_API int hiss_verdict_flow(const hiss_verdict *verdict, int number,
                               hiss_verify_flow *out);
/** Reads the statistics of the verdict; 0 (false) without one. */
HISS_API int hiss_verdict_result(const hiss_verdict *verdict,
                                 hiss_verify_result *out);
/** Tests by number; 0 (false) past the last. */
HISS_API int hiss_verdict_test(const hiss_verdict *verdict, int number,
                               hiss_verify_test *out);
/** Frees it; NULL is allowed. */
HISS_API void hiss_verdict_destroy(hiss_verdict *verdict);

#ifdef __cplusplus
}
#endif
#endif
