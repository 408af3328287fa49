/* verdict.h - findings in the making: what diagnose.c and probe.c share. */
#ifndef HS_API_VERDICT_VERDICT_H
#define HS_API_VERDICT_VERDICT_H

#include <hiss/diagnose.h>

#include "api/object/objects.h"
#include "api/verdict/examine.h"
#include "api/verdict/joints.h"
#include "base/error.h"
#include "base/pool.h"
#include "run/modes/invariance.h"

#define HS_FINDINGS_MAX 24

typedef struct hs_finding {
    hiss_finding found;
    char *text;   /* owned */
    char *remedy; /* owned, or NULL */
    hiss_need need;
    double times; /* of HISS_NEED_DRAWS */
} hs_finding;

struct hiss_diagnosis {
    hs_finding finding[HS_FINDINGS_MAX];
    int findings;
    bool is_settled; /* exact answers say more than fresh chains could */
    bool has_exact;  /* they agree, by errors that are small */
    bool is_trusted;
};

/* What is looked at; all borrowed. */
typedef struct hs_evidence {
    const hiss_result *result;
    const hiss_model *model; /* or NULL */
    const hiss_diagnose_settings *set;
    const hs_columns *columns;
    const hs_modes *modes;           /* or NULL */
    const hs_joints *terms;          /* of a model, else empty */
    const hs_invariance *invariance; /* the same */
    hs_pool *pool;
} hs_evidence;

/* Adds a finding; value and limit may be NaN.  The text is printf's. */
void hs_find(hiss_diagnosis *d, const char *name, hiss_outcome outcome,
             double value, double limit, const char *format, ...)
    HS_PRINTF(6, 7);
/* To the last finding: what is lacking; the gravest need of all findings makes
 * the one remedy (hiss_advice). */
void hs_find_need(hiss_diagnosis *d, hiss_need need, double times);
/* To the last finding: what to change about the diagnosis itself. */
void hs_find_remedy(hiss_diagnosis *d, const hs_evidence *e, const char *shell,
                    const char *python);

/* Limits beside those of hiss/diagnose.h; docs/diagnose.md has the reasons. */
#define HS_SIGMAS      5.0
#define HS_MISSED_MASS 0.05
#define HS_FOUND_MASS  0.02 /* of a mode that a search finds */

/* The column that speaks most against its chains having one law: the worst
 * outcome, then the largest R-hat. */
hiss_outcome hs_worst_mixing(const hs_columns *c, int *worst);

/* Fresh chains, of the same sampler and of another, against the run. */
hiss_status hs_probe(hiss_diagnosis *d, const hs_evidence *e, hiss_error *err);
/* Modes that neither the run nor fresh chains have seen. */
hiss_status hs_search_modes(hiss_diagnosis *d, const hs_evidence *e,
                            hiss_error *err);
/* The run against exact answers. */
hiss_status hs_compare_exact(hiss_diagnosis *d, const hs_evidence *e,
                             hiss_error *err);

#endif
