/* comparison.h - the comparison run: another run of the same model, and where
 * it differs. */
#ifndef HS_VERDICT_COMPARISON_H
#define HS_VERDICT_COMPARISON_H

#include "verdict/verdict.h"

typedef struct hs_comparison {
    hiss_result *result; /* owned */
    int64_t samples;
    hs_columns columns; /* owned */
    hs_modes modes;     /* owned */
} hs_comparison;

/* The likely quantity in which a run and its comparison run differ most. */
typedef struct hs_apart {
    bool is_so; /* they differ by more than chance and by more than matters */
    double sigmas, limit;
    double run, fresh; /* the two means */
    char name[HS_COLUMN_TEXT];
    hs_masses masses;
} hs_apart;

/* Two means with their errors; a smaller difference than `matters` is
 * ignored. */
typedef struct hs_two_means {
    double run, run_se, fresh, fresh_se, matters;
} hs_two_means;

#define HS_MATTERS 0.02 /* in probability, in U, or of the range of values */

hiss_status hs_comparison_init(hs_comparison *r, const hs_evidence *e,
                               const char *sampler, bool is_foreign,
                               const hiss_settings *set, hiss_error *err);
void hs_comparison_clear(hs_comparison *r);

hiss_status hs_comparison_compare(const hs_comparison *r, const hs_evidence *e,
                                  hs_apart *out, hiss_error *err);

/* Returns true if the comparison run visited a group of modes that the run
 * missed: its share matters there and counts as none in the run.  Also true if
 * the modes are not known. */
hiss_status hs_comparison_sees_more(const hs_comparison *r,
                                    const hs_evidence *e, bool *is_so,
                                    hiss_error *err);

/* Whether the two differ because the comparison run missed modes of the run.
 * If so, *mass > 0 is a lower bound on the mass of the heaviest of these modes.
 * Otherwise `apart` is the largest difference without them, if any. */
hiss_status hs_comparison_missed(const hs_comparison *r, const hs_evidence *e,
                                 hs_apart *apart, double *mass,
                                 hiss_error *err);

/* --- shared by comparison.c and missed_by.c ------------------------------- */

/* Keeps the pair if it is the farthest apart. */
bool hs_apart_weigh(hs_apart *out, const hs_two_means *p);
/* Decides whether the farthest of `compared` pairs is too far. */
void hs_apart_decide(hs_apart *out, int compared);
double hs_column_matters(const hs_examined *x, const hs_domain *d);
/* The comparison run's column of the same quantity, or NULL. */
const hs_examined *hs_comparison_column(const hs_comparison *r,
                                        const hs_evidence *e, int n);
/* Assigns the modes of s to groups of `from`; -1 if to none. */
void hs_comparison_assign(const hs_modes *from, const hs_modes *s, int groups,
                          int32_t *group);
/* Share of all draws that are in a group. */
double hs_comparison_portion(const hs_modes *s, const int32_t *group, int k);
/* Effective draws of the energy, or all draws. */
double hs_comparison_effective(const hs_columns *c, double draws);

/* Error of the mean of z, [chains][each], whose mean is 0: from within chains,
 * or from the differences of whole chains, because errors within chains do not
 * show that mode changes are too rare. */
hiss_status hs_comparison_error(const double *z, int chains, int64_t each,
                                double *se, hiss_error *err);

#endif
