/* verdict.h - findings in the making: what diagnose.c and probe.c share. */
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
    double times;     /* of HISS_NEED_DRAWS */
    bool is_left_out; /* not enough work: unchecked if nothing else confirms */
} hs_finding;

struct hiss_diagnosis {
    hs_finding finding[HS_FINDINGS_MAX];
    int findings;
    bool is_settled;   /* exact answers say more than fresh chains could */
    bool is_proved;    /* the draws agree with exact answers, */
    bool has_exact;    /* by errors that are small */
    bool has_copies;   /* of chains: effective draws are fewer than they seem */
    bool is_confirmed; /* by other chains */
    bool is_searched; /* for modes that the draws have missed: none was found */
    double narrowest; /* a mode to which one state in so many leads was searched
                         for with success; 0: no search */
    hiss_opinion opinion;
    char headline[512];
    /* of a quick look: the column of U, then those of coordinates */
    hs_examined *column; /* owned, [columns] */
    int columns;
};

/* A hard stop, and what was left out at it. */
typedef struct hs_deadline {
    double began, until; /* hs_now(); 0: no limit */
    double next;         /* the caller is asked again */
    bool is_stopped;     /* by the caller */
    char missing[64];    /* the first part that was left out, "" */
} hs_deadline;

/* Parts of a verdict that have shares of its work, in their order. */
typedef enum hs_verdict_part {
    HS_VERDICT_MODES,
    HS_VERDICT_SAME,   /* fresh chains of the run's sampler, */
    HS_VERDICT_OTHER,  /* and of another one */
    HS_VERDICT_SEARCH, /* for modes that were missed */
    HS_VERDICT_PARTS,
} hs_verdict_part;

/* Priced seconds (run/price/work.h): a part has a share of what those before it
 * have left. */
typedef struct hs_allowance {
    double left;
    double evaluation; /* of one state */
    hs_work_said said; /* by the result */
} hs_allowance;

/* What is checked; all borrowed. */
typedef struct hs_evidence {
    const hiss_result *result;
    const hiss_model *model; /* or NULL */
    const hiss_diagnose_settings *set;
    const hs_columns *columns;
    const hs_modes *modes;           /* or NULL */
    const hs_joints *terms;          /* of a model, else empty */
    const hs_invariance *invariance; /* the same */
    hs_pool *pool;
    hs_deadline *deadline;
    hs_allowance *work;
} hs_evidence;

/* States of a model whose exact answers a quick look compares with. */
#define HS_QUICK_STATES 65536.0

/* Priced seconds that a part may take, by what is left, and what it took. */
double hs_work_share(const hs_evidence *e, hs_verdict_part part);
void hs_work_take(const hs_evidence *e, double seconds);

/* Whether the hard stop has come; then the part is noted as left out. */
bool hs_deadline_is_over(const hs_evidence *e, const char *part);

/* Whether the caller wants it to end; so much is done. */
bool hs_diagnosis_is_stopped(const hs_evidence *e, double fraction);
/* For hs_columns_bounds and hs_modes_bounds; context is the hs_evidence. */
int hs_deadline_columns(void *context);
int hs_deadline_columns_over(void *context);
hiss_ended hs_deadline_modes(void *context, double done, double aim);
/* Marks the checks that the hard stop left out as unchecked. */
void hs_judge_deadline(hiss_diagnosis *d, const hs_evidence *e);

/* Judges the draws by themselves. */
void hs_judge_draws(hiss_diagnosis *d, const hs_evidence *e);
/* The same if nothing else is checked: signs that they miss modes. */
void hs_judge_quickly(hiss_diagnosis *d, const hs_evidence *e);
/* The outcome of all findings so far: whether one failed, and whether they
 * leave no reason against the draws. */
bool hs_diagnosis_has_failed(const hiss_diagnosis *d);
bool hs_diagnosis_is_good(const hiss_diagnosis *d);
/* The verdict of all findings, its headline and its remedy. */
void hs_conclude(hiss_diagnosis *d, const hs_evidence *e);

/* A model that is no function of its state is a failure. */
hiss_status hs_judge_twice(hiss_diagnosis *d, const hs_evidence *e,
                           hiss_error *err);
/* Chains that have the same draws are a failure. */
void hs_judge_copies(hiss_diagnosis *d, const hs_evidence *e);

/* Adds a finding; value and limit may be NaN.  The text is printf's. */
void hs_find(hiss_diagnosis *d, const char *name, hiss_outcome outcome,
             double value, double limit, const char *format, ...)
    HS_PRINTF(6, 7);
/* To the last finding: what is lacking; the gravest need of all findings makes
 * the one remedy (hiss_advice). */
void hs_find_need(hiss_diagnosis *d, hiss_need need, double times);
/* To the last finding: what the draws say is not true, at a distance of so many
 * sigmas.  It counts only where the chains agree with each other: those that do
 * not are no witnesses of what their program would draw in the end. */
void hs_find_wrong(hiss_diagnosis *d, const hs_evidence *e, double sigmas);
/* Sigmas of independent draws, as many as are effective, none of which falls
 * into a set of this probability. */
double hs_missed_sigmas(const hs_evidence *e, double mass);
/* To the last finding, which was left out: more work, or more time after a hard
 * stop. */
void hs_find_more(hiss_diagnosis *d, const hs_evidence *e);
/* To the last finding: what to change about the diagnosis itself. */
void hs_find_remedy(hiss_diagnosis *d, const hs_evidence *e, const char *shell,
                    const char *python);

/* Adds a doubt if the search was too small to find every mode. spent: the
 * evaluations it used. */
struct hs_quench;
void hs_tell_blind(hiss_diagnosis *d, const hs_evidence *e,
                   const struct hs_quench *q, double spent);

/* Shares of modes by the draws and by us, with their errors, side by side. */
#define HS_MASSES_MAX 4
typedef struct hs_masses {
    char text[512];
    int count;     /* so far */
    bool is_apart; /* some are, by more than chance and by more than matters */
} hs_masses;

/* Adds mode `number`, counted from 1; ours_se is 0 for an exact answer. */
void hs_masses_add(hs_masses *m, int number, double share, double se,
                   double ours, double ours_se);
/* As a finding, of draws of another program; NULL: nothing to say. */
void hs_find_masses(hiss_diagnosis *d, const hs_evidence *e,
                    const hs_masses *m);

/* Limits beside those of hiss/diagnose.h; docs/checks.md has the reasons. */
#define HS_SIGMAS       5.0
#define HS_MISSED_MASS  0.05
#define HS_FOUND_MASS   0.02 /* of a mode that a search finds */
#define HS_DOUBTED_MASS (0.5 * HS_FOUND_MASS) /* by a bound from below */
#define HS_WRONG        6.0  /* sigmas beyond which draws are wrong: 2e-9 */
#define HS_WRONG_ESS    50.0 /* effective draws without which none are */

/* The column that speaks most against its chains having one law: the worst
 * outcome, then the largest R-hat. */
hiss_outcome hs_worst_mixing(const hs_columns *c, int *worst);

/* Fresh chains, of the same sampler and of another, against the run. */
hiss_status hs_probe(hiss_diagnosis *d, const hs_evidence *e, hiss_error *err);
/* Modes that neither the run nor fresh chains have seen. */
hiss_status hs_search_modes(hiss_diagnosis *d, const hs_evidence *e,
                            hiss_error *err);
/* Modes of the run's against all that other draws, whose modes are these, have
 * seen: Z(mode) / Z(seen) of each, at least; 0 where nothing is known.  mode:
 * `count` of the run's, HS_WEIGHED_MAX at most. */
#define HS_WEIGHED_MAX 24
hiss_status hs_search_odds(double *odds, const hs_evidence *e,
                           const hiss_result *other, const hs_modes *modes,
                           const int32_t *mode, int count, hiss_error *err);
/* The run against exact answers. */
hiss_status hs_compare_exact(hiss_diagnosis *d, const hs_evidence *e,
                             hiss_error *err);

#endif
