/* result.h - a result: draws, statistics and the description of the run.
 *
 * A result from a file (output.h) answers every query that one from a run
 * does. */
#ifndef HISS_RESULT_H
#define HISS_RESULT_H

#include <stdint.h>

#include <hiss/kind.h>
#include <hiss/run.h>
#include <hiss/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Element type of hiss_result_draws; numbers never change. */
typedef enum hiss_element {
    HISS_INT8 = 0,
    HISS_INT16 = 1,
    HISS_FLOAT32 = 2,
} hiss_element;

/** The run of a result. */
typedef struct hiss_run_info {
    size_t size; /* sizeof(hiss_run_info) */
    int chains;
    int dim;
    int replicas;
    int64_t samples; /* kept per chain */
    int64_t warmup;
    int64_t warmup_samples; /* draws of the warm-up per chain, if kept */
    int64_t thin;
    uint64_t seed;
    int threads;
    double seconds;
    double energy_evals; /* kept part and warm-up, all chains and replicas */
    double gradient_evals;
    int is_exact;
    hiss_ended ended;
    hiss_element element;
    int ranks; /* processes that shared the run, 1 if it was alone */
} hiss_run_info;

/** Draws of another program. */
typedef struct hiss_foreign_draws {
    size_t size;         /* sizeof(hiss_foreign_draws) */
    const char *name;    /* name of their source, for messages, or NULL */
    int chains;          /* 1 if chains are unknown */
    int64_t samples;     /* per chain */
    const double *draws; /* values, [chain][draw][dim of the model] */
    const double *lp; /* U as given by that program, [chain][draw]; or NULL */
} hiss_foreign_draws;

/** A result with copies of these draws, and with U by the model, for
 * hiss_diagnose.  Spins may be given as 0 and 1, bits as -1 and 1.
 *
 * @return HISS_EARG for a value that its coordinate does not have, with its
 *         place; HISS_ENOMEM */
HISS_API hiss_status hiss_result_adopt(hiss_result **out,
                                       const hiss_model *model,
                                       const hiss_foreign_draws *draws,
                                       hiss_error *err);
/** The same from files of another program, of `count` chains or sets of chains:
 * Stan's CSV or any other, .npz and .npy of numpy, .nc of ArviZ, .json of
 * dimod's SampleSet (docs/judge.md).  HISS_EPARSE with the place. */
HISS_API hiss_status hiss_result_import(hiss_result **out,
                                        const hiss_model *model,
                                        const char *const *paths, int count,
                                        hiss_error *err);
/** Reads the statistics of the run; 0 (false) without a result. */
HISS_API int hiss_result_info(const hiss_result *result, hiss_run_info *out);
/** Frees it; NULL is allowed. */
HISS_API void hiss_result_destroy(hiss_result *result);

/* --- draws -------------------------------------------------------------- */

/** Values as [chain][draw][coordinate], of info.element; borrowed. */
HISS_API const void *hiss_result_draws(const hiss_result *result);
/** U as [chain][draw]; borrowed. */
HISS_API const double *hiss_result_lp(const hiss_result *result);
/** Values of one draw as doubles, [dim]. */
HISS_API void hiss_result_draw(const hiss_result *result, int chain,
                               int64_t draw, double *values);

/** HISS_BINARY, with 0 states, if there is no such coordinate. */
HISS_API hiss_kind hiss_result_kind(const hiss_result *result, int coordinate);
/** Number of values of a coordinate. */
HISS_API int hiss_result_states(const hiss_result *result, int coordinate);
/** One of its values, by its index from 0. */
HISS_API double hiss_result_value(const hiss_result *result, int coordinate,
                                  int index);
/** Name of a coordinate, borrowed from the result; NULL if it has none. */
HISS_API const char *hiss_result_coordinate_name(const hiss_result *result,
                                                 int coordinate);
/** Name of a value of a coordinate, borrowed from the result; NULL if it has
 * none. */
HISS_API const char *hiss_result_state_name(const hiss_result *result,
                                            int coordinate, int index);
/** Writes the values of a coordinate as [chain][draw]; -1 is U. */
HISS_API void hiss_result_column(const hiss_result *result, int coordinate,
                                 double *out);
/** P(x_i = v) for every state, [states]: over every step if the run summed
 * them, else over the kept draws. */
HISS_API void hiss_result_marginal(const hiss_result *result, int coordinate,
                                   double *out);
/** Acceptance rates as [chain][draw], borrowed; NULL if unknown. */
HISS_API const float *hiss_result_accept(const hiss_result *result);

/** Draws of the warm-up, if the run kept them. */
typedef struct hiss_warmup {
    size_t size;         /* sizeof(hiss_warmup) */
    int64_t samples;     /* per chain */
    const void *draws;   /* [chain][draw][coordinate], as hiss_result_draws */
    const double *lp;    /* [chain][draw] */
    const float *accept; /* likewise */
} hiss_warmup;

/** Borrowed from the result; 0 (false) if there are none. */
HISS_API int hiss_result_warmup(const hiss_result *result, hiss_warmup *out);

/* --- what the run says -------------------------------------------------- */

/** The objective of the sampled model, see hiss_model_objective; the name is
 * borrowed from the result.  scale and shift may be NULL. */
HISS_API const char *hiss_result_objective(const hiss_result *result,
                                           double *scale, double *shift);
/** The inverse temperature of the model (hiss_model_temper). */
HISS_API double hiss_result_beta(const hiss_result *result);

/** Acceptance of each kernel in the kept part, by number; 0 at the end. */
HISS_API int hiss_result_acceptance(const hiss_result *result, int number,
                                    const char **name, double *rate);
/** The events that a kernel counts; numbers never change. */
typedef enum hiss_counted {
    HISS_COUNTED_STEPS = 0,
    HISS_COUNTED_JUMPS = 1, /* of hiss */
    HISS_COUNTED_SWAPS = 2, /* exchanges of temperatures */
} hiss_counted;
/** The events of the same number; HISS_COUNTED_STEPS past the last. */
HISS_API hiss_counted hiss_result_counted(const hiss_result *result,
                                          int number);
/** The tuned values, as text ("dmala: alpha=0.31"), or NULL. */
HISS_API const char *hiss_result_tuning(const hiss_result *result);

/** A problem other than the draws (a checkpoint could not be written), or
 * NULL. */
HISS_API const char *hiss_result_warning(const hiss_result *result);

/** The sampler that ran, with the values found by a pilot. */
HISS_API const char *hiss_result_resolved(const hiss_result *result);
/** The device of the steps, "cpu" or "cuda:0 (its name)"; for the setting
 * "auto" also why it is not a GPU.  NULL for a result from a file. */
HISS_API const char *hiss_result_device(const hiss_result *result);
/** Findings and decisions of the pilot, a line each; NULL without a pilot. */
HISS_API const char *hiss_result_pilot(const hiss_result *result);

/* --- tempering ---------------------------------------------------------- */

/** Levels of parallel tempering, from the target (0) to the hottest; arrays
 * are [levels], borrowed from the result.  Figures are of the kept part. */
typedef struct hiss_tempering {
    size_t size; /* sizeof(hiss_tempering) */
    int levels;
    double *beta;           /* 1 / temperature */
    double *swap;           /* acceptance of exchanges with the next level */
    double *energy;         /* mean U */
    double barrier;         /* sum of the rejection rates */
    double round_trips;     /* round trips of all replicas of all chains */
    int is_absolute;        /* the hottest level has beta = 0, and log_z is that
                               of the target; else it is relative to the hottest
                               level */
    double log_z, log_z_se; /* stepping stones; error from independent chains,
                               NaN from one, and if log_z_settled is 0 */
    double log_z_thermodynamic;
    int log_z_settled; /* every chain made a round trip, and the chains average
                          two; otherwise no error is valid */
    /* The reference path, from the target to a learned reference; arrays are
     * [leg].  Round trips count to either end. */
    double *leg_share;  /* share of U, falling to 0 */
    double *leg_swap;   /* acceptance with the neighbor nearer the target */
    double leg_barrier; /* sum of its rejection rates */
    double leg_log_z, leg_log_z_se; /* log Z along it, always absolute */
    int leg;        /* its levels without the target, 0 without a path */
    int leg_agrees; /* log Z along both paths differs by less than 4 errors;
                       also 1 if there is no error, or only one path */
} hiss_tempering;

/** Final states of a run with settings.by_level: values of
 * [chains][replicas][dim], the state of each level.  Returns the number of
 * replicas; 0 if they were not kept.  values may be NULL. */
HISS_API int hiss_result_levels(const hiss_result *result, double *values);

/** Makes a result with the draws of one level, 0 being the target, of a run
 * with settings.level_draws.  Its log p is that of the level, and its
 * hiss_result_beta the level's inverse temperature.  HISS_EUNSUP if the draws
 * were not kept, or if the level has no temperature (infinity). */
HISS_API hiss_status hiss_result_at_level(hiss_result **out,
                                          const hiss_result *result, int level,
                                          hiss_error *err);

/** Results of parallel tempering; 0 (false) if there were no levels. */
HISS_API int hiss_result_tempering(const hiss_result *result,
                                   hiss_tempering *out);

/** Results of multicanonical sampling: log p (U) in cells of equal width, from
 * independent chains; arrays are [cells], borrowed from the result. */
typedef struct hiss_multicanonical {
    size_t size; /* sizeof(hiss_multicanonical) */
    int cells;
    int has_phases;    /* the target has two maxima of log p: */
    double *u;         /* log p in the middle of each cell */
    double *histogram; /* share of the steps under the weights */
    double *target;    /* the target's probability, by reweighting */
    double phase[2];   /* log p at the two maxima, the lower one first, */
    double valley;     /* and the least likely value between them */
    double barrier;    /* ln of the probability at the lower maximum over that
                          in the valley: the free-energy barrier */
    double share, share_se; /* of the target's steps above the valley; its error
                               is NaN from one chain */
    double gap;             /* mean log p above the valley minus the mean below
                           it */
    double round_trips; /* of all replicas, from the upper phase to the lower
                           one and back; without phases, between the ends */
    double log_z, log_z_se; /* error from independent chains, NaN from one, and
                               if log_z_settled is 0 */
    int log_z_settled; /* every chain made a round trip, and the chains average
                          two */
    int is_absolute;   /* whether log_z is that of the target */
} hiss_multicanonical;

/** Results of multicanonical sampling; 0 (false) if there were no weights.
 * Without two phases, the fields about them are NaN. */
HISS_API int hiss_result_multicanonical(const hiss_result *result,
                                        hiss_multicanonical *out);

/** Results of smc: every chain is a separate population, and its draws are
 * replicas, resampled to equal weights and ordered by families.  Arrays are
 * borrowed from the result. */
typedef struct hiss_population {
    size_t size;      /* sizeof(hiss_population) */
    int64_t replicas; /* replicas of a population */
    int temperatures;
    int chains;
    double *beta;   /* [temperatures]: 1 / temperature, rising to 1 */
    double *counts; /* [temperatures]: effective share of the replicas after the
                       step to it (conditional ESS), averaged over the chains */
    double *resampled;   /* [temperatures]: share of the chains that were
                          resampled */
    double *energy;      /* [temperatures]: weighted mean of U */
    double log_z;        /* ln of the mean of the chains' unbiased estimates of
                          Z */
    double log_z_se;     /* from independent chains, NaN from one */
    double *chain_log_z; /* [chains]: to pool draws of several chains, weigh
                            each chain in proportion to its Z */
    double *ess;   /* [chains]: effective share of the replicas before they were
                    resampled to draws */
    double *rho_t; /* [chains]: mean squared family size, 1 if no replicas are
                   related */
    double *rho_s; /* [chains]: the same by the entropy of families */
    double *families; /* [chains]: number of families left */
} hiss_population;

/** Results of smc; 0 (false) if there was no population. */
HISS_API int hiss_result_population(const hiss_result *result,
                                    hiss_population *out);

/** Proposals of sampler network and their weights p/q.  The proposals are
 * independent, so the mean weight is an unbiased estimate of Z. */
typedef struct hiss_network_weights {
    size_t size;       /* sizeof(hiss_network_weights) */
    int bond;          /* the limit, given or chosen */
    int largest;       /* the largest bond needed within it */
    int frontier;      /* variables between the drawn and the other ones */
    int layers;        /* layers of variables summed out together */
    double discarded;  /* sum of the shares of squared weight that compression
                          discarded */
    double proposals;  /* proposals of all chains, including the warm-up */
    double acceptance; /* of the Metropolis tests, in the kept part */
    double effective;  /* effective share of the proposals as weighted draws */
    double log_z;
    double log_z_se; /* NaN if too few proposals are effective */
} hiss_network_weights;

/** Reads the network of the run; 0 (false) if there was none. */
HISS_API int hiss_result_network_weights(const hiss_result *result,
                                         hiss_network_weights *out);

/** The replicas of smc at the target with their weights, before they were
 * resampled to draws, of a run with settings.particles.  For any f the sum of
 * weight times f in a chain is an estimate of its mean.  To combine chains,
 * weigh them in proportion to their Z (hiss_population.chain_log_z). */
typedef struct hiss_particles {
    size_t size; /* sizeof(hiss_particles) */
    int chains;
    int64_t replicas;     /* replicas of a chain */
    const void *states;   /* [chain][replica][coordinate], of info.element */
    const double *lp;     /* [chain][replica] */
    const double *weight; /* [chain][replica]; those of a chain sum to 1 */
} hiss_particles;

/** Borrowed from the result; 0 (false) if they were not kept. */
HISS_API int hiss_result_particles(const hiss_result *result,
                                   hiss_particles *out);

/** A temperature level, over all chains. */
typedef struct hiss_level {
    size_t size; /* sizeof(hiss_level) */
    double temperature;
    double accept;      /* of its kernels */
    double swap;        /* rate of exchanges with the next hotter level */
    const char *tuning; /* tuning of the first chain, or NULL */
} hiss_level;

/** Reads a level by number, 0 being the target; 0 (false) past the last one. */
HISS_API int hiss_result_level(const hiss_result *result, int number,
                               hiss_level *out);

#ifdef __cplusplus
}
#endif
#endif
