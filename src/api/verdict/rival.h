/* rival.h - another run of the same model, and where it differs. */
#ifndef HS_API_VERDICT_RIVAL_H
#define HS_API_VERDICT_RIVAL_H

#include "api/verdict/verdict.h"

typedef struct hs_rival {
    hiss_result *result; /* owned */
    int64_t samples;
    hs_columns columns; /* owned */
    hs_modes modes;     /* owned */
} hs_rival;

/* Where a run and its rival are furthest apart, for what is likely. */
typedef struct hs_apart {
    bool is_so; /* by more than chance, and by more than matters */
    double sigmas, limit;
    double run, fresh; /* the two means */
    char name[HS_COLUMN_TEXT];
    hs_masses masses;
} hs_apart;

hiss_status hs_rival_init(hs_rival *r, const hs_evidence *e,
                          const char *sampler, bool is_foreign,
                          const hiss_settings *set, hiss_error *err);
void hs_rival_clear(hs_rival *r);

hiss_status hs_rival_compare(const hs_rival *r, const hs_evidence *e,
                             hs_apart *out, hiss_error *err);

/* Whether it has been where the run has not: in a group of modes that has a
 * share which matters there, and as good as none in the run. */
hiss_status hs_rival_sees_more(const hs_rival *r, const hs_evidence *e,
                               bool *is_so, hiss_error *err);

#endif
