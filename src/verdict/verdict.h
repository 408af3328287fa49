/* verdict.h - findings and evidence, shared by the checks. */
#ifndef HS_VERDICT_VERDICT_H
#define HS_VERDICT_VERDICT_H

#include <hiss/diagnose.h>

#include "api/object/objects.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/number.h"
#include "base/pool.h"
#include "run/atlas/invariance.h"
#include "run/price/work.h"
#include "verdict/examine.h"
#include "verdict/joints.h"

#define HS_FINDINGS_MAX 24

typedef struct hs_finding {
    hiss_finding found;
    char *text;   /* owned */
    char *remedy; /* owned, or NULL */
    hiss_need need;
    double times;     /* factor on the draws, for HISS_NEED_DRAWS */
    bool is_left_out; /* unchecked for lack of work, unless something else
                         confirms it */
} hs_finding;

struct hiss_diagnosis {
    hs_finding finding[HS_FINDINGS_MAX];
    int findings;
    bool is_settled;   /* exact answers tell more than fresh chains could */
    bool is_proved;    /* the draws agree with exact answers, */
    bool has_exact;    /* and their errors are small */
    bool has_copies;   /* chains are copies: effective draws are fewer than
                          counted */
    bool is_confirmed; /* other chains confirm it */
    bool is_searched;  /* a search for missed modes found none */
    double narrowest;  /* one random state in this many leads to the narrowest
                          mode that the search would find; 0 without a search */
    hiss_opinion opinion;
    char headline[512];
    hiss_temperature temperature; /* size is 0 if it was not requested */
    /* for a quick check: the column of U, then those of coordinates */
    hs_examined *column; /* owned, [columns] */
    int columns;
};

/* The deadline, and what was omitted because of it. */
typedef struct hs_deadline {
    double began, until; /* hs_now(); 0 for no limit */
    double next;         /* time of the next poll */
    bool is_stopped;     /* the caller has stopped it */
    char missing[64];    /* the first part that was omitted, or "" */
} hs_deadline;

/* Parts of a verdict that have shares of its work, in order. */
typedef enum hs_verdict_part {
    HS_VERDICT_MODES,
    HS_VERDICT_SAME,   /* fresh chains of the run's sampler, */
    HS_VERDICT_OTHER,  /* and of another one */
    HS_VERDICT_SEARCH, /* the search for missed modes */
    HS_VERDICT_PARTS,
} hs_verdict_part;

/* Priced seconds (run/price/work.h).  A part gets a share of what earlier parts
 * have left. */
typedef struct hs_allowance {
    double left;
    double evaluation; /* cost of one state */
    hs_work_said said; /* by the result */
} hs_allowance;

/* The data that are checked; all borrowed. */
typedef struct hs_evidence {
    const hiss_result *result;
    const hiss_model *model; /* or NULL */
    const hiss_diagnose_settings *set;
    const hs_columns *columns;
    const hs_modes *modes;           /* or NULL */
    const hs_joints *terms;          /* terms of a model, else empty */
    const hs_invariance *invariance; /* the same */
    hs_pool *pool;
    hs_deadline *deadline;
    hs_allowance *work;
} hs_evidence;

/* The work that `effort` allows. */
hs_allowance hs_work_of(const hiss_result *result, const hiss_model *model,
                        double effort);
/* HISS_EARG unless both have the same coordinates and values. */
hiss_status hs_check_domains(const hiss_result *result, const hiss_model *model,
                             hiss_error *err);

/* Most states of a model whose exact answers a quick check compares. */
#define HS_QUICK_STATES 65536.0

/* Priced seconds that a part may spend, given the rest of the budget; and a
 * note of those it has spent. */
double hs_work_share(const hs_evidence *e, hs_verdict_part part);
void hs_work_take(const hs_evidence *e, double seconds);

/* Whether the deadline has passed; stores the part as omitted. */
bool hs_deadline_is_over(const hs_evidence *e, const char *part);

/* Whether the caller wants to stop; fraction is the progress. */
bool hs_diagnosis_is_stopped(const hs_evidence *e, double fraction);
/* For hs_columns_bounds and hs_modes_bounds; context is the hs_evidence. */
int hs_deadline_columns(void *context);
int hs_deadline_columns_over(void *context);
hiss_ended hs_deadline_modes(void *context, double done, double aim);
/* Marks the checks that the hard stop left out as unchecked. */
void hs_judge_deadline(hiss_diagnosis *d, const hs_evidence *e);

/* Judges the draws by rules on their columns. */
void hs_judge_draws(hiss_diagnosis *d, const hs_evidence *e);
/* The same if only the draws are checked: signs that they miss modes. */
void hs_judge_quickly(hiss_diagnosis *d, const hs_evidence *e);
/* Return whether a finding so far has failed, and whether none contradicts the
 * draws. */
bool hs_diagnosis_has_failed(const hiss_diagnosis *d);
bool hs_diagnosis_is_good(const hiss_diagnosis *d);
/* Makes the verdict of all findings, its headline and its advice. */
void hs_conclude(hiss_diagnosis *d, const hs_evidence *e);

/* Reports a failure if the model is not a function of its state. */
hiss_status hs_judge_twice(hiss_diagnosis *d, const hs_evidence *e,
                           hiss_error *err);
/* Draws at another temperature than the model's are a failure. */
hiss_status hs_judge_temperature(hiss_diagnosis *d, const hs_evidence *e,
                                 hiss_error *err);
/* Chains with the same draws are a failure. */
void hs_judge_copies(hiss_diagnosis *d, const hs_evidence *e);

/* Adds a finding; value and limit may be NaN.  The text is a printf format. */
void hs_find(hiss_diagnosis *d, const char *name, hiss_outcome outcome,
             double value, double limit, const char *format, ...)
    HS_PRINTF(6, 7);
/* Adds a need to the last finding; the gravest need of all findings decides the
 * one advice (hiss_advice). */
void hs_find_need(hiss_diagnosis *d, hiss_need need, double times);
/* Marks the last finding: the draws are wrong by this many sigmas.  It counts
 * only if the chains agree with each other; others do not show what their
 * program would draw in the end. */
void hs_find_wrong(hiss_diagnosis *d, const hs_evidence *e, double sigmas);
/* Sigmas of the event that none of the effective independent draws falls into a
 * set of this probability. */
double hs_missed_sigmas(const hs_evidence *e, double mass);
/* Advises on the last finding, which was omitted: more work, or more time after
 * a deadline. */
void hs_find_more(hiss_diagnosis *d, const hs_evidence *e);
/* Advises on the last finding: what to change about the diagnosis itself. */
void hs_find_remedy(hiss_diagnosis *d, const hs_evidence *e, const char *shell,
                    const char *python);

/* Adds a doubt if the search was too small to find every mode. spent: the
 * evaluations it used. */
struct hs_quench;
void hs_tell_blind(hiss_diagnosis *d, const hs_evidence *e,
                   const struct hs_quench *q, double spent);

/* Shares of modes in the draws and in ours, with their errors. */
#define HS_MASSES_MAX 4
typedef struct hs_masses {
    char text[512];
    int count;     /* number of modes so far */
    bool is_apart; /* some differ, by more than chance and by more than
                      matters */
} hs_masses;

/* Adds mode `number`, counted from 1; ours_se is 0 for an exact answer. */
void hs_masses_add(hs_masses *m, int number, double share, double se,
                   double ours, double ours_se);
/* Makes a finding, for draws of another program; NULL if there is nothing to
 * report. */
void hs_find_masses(hiss_diagnosis *d, const hs_evidence *e,
                    const hs_masses *m);

/* Limits in addition to those of hiss/diagnose.h; docs/checks.md has the
 * reasons. */
#define HS_SIGMAS      5.0
#define HS_MISSED_MASS 0.05
#define HS_FOUND_MASS  0.02 /* smallest mass of a mode that a search reports */
/* smallest lower bound that counts */
#define HS_DOUBTED_MASS (0.5 * HS_FOUND_MASS)
#define HS_WRONG        6.0  /* sigmas beyond which draws are wrong: p = 2e-9 */
#define HS_WRONG_ESS    50.0 /* fewest effective draws for that */

/* The column that contradicts most that all chains have one distribution: the
 * worst outcome, then the largest R-hat. */
hiss_outcome hs_worst_mixing(const hs_columns *c, int *worst);

/* Compares fresh chains, of the same sampler and of another, with the run. */
hiss_status hs_probe(hiss_diagnosis *d, const hs_evidence *e, hiss_error *err);
/* Searches for modes that neither the run nor fresh chains have visited. */
hiss_status hs_search_modes(hiss_diagnosis *d, const hs_evidence *e,
                            hiss_error *err);
/* Weighs modes of the run against everything that other draws, with these
 * modes, have visited: a lower bound on Z(mode) / Z(visited) of each, 0 if
 * unknown.  mode: `count` of the run's, at most HS_WEIGHED_MAX. */
#define HS_WEIGHED_MAX 24
hiss_status hs_search_odds(double *odds, const hs_evidence *e,
                           const hiss_result *other, const hs_modes *modes,
                           const int32_t *mode, int count, hiss_error *err);
/* Compares the run with exact answers. */
hiss_status hs_compare_exact(hiss_diagnosis *d, const hs_evidence *e,
                             hiss_error *err);
/* Judges the log Z that the run states, if any; exact may be NULL. */
void hs_judge_log_z(hiss_diagnosis *d, const hs_evidence *e,
                    const hiss_exact *exact);

#endif
