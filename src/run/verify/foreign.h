/* foreign.h - moves states by a user's kernel.
 *
 * Replicates are exact draws, like those of a sampler (replicate.h).  Rows of a
 * pool are moved `width` at a time, `steps` times:
 *     pool = width = many  wide: a batch in one call
 *     pool = width = 1     alone: one state, as in a run of one chain, so that
 *                          what the kernel keeps from call to call is about
 *                          this state
 *     is_shuffled          rows change places between steps: what it keeps is
 *                          then about others
 * If each call of a kernel keeps the distribution, all modes keep it, whatever
 * the kernel remembers.  The last mode separates memory from a bias that adds
 * up. */
#ifndef HS_RUN_VERIFY_FOREIGN_H
#define HS_RUN_VERIFY_FOREIGN_H

#include <hiss/status.h>
#include <hiss/verify.h>

#include "run/verify/judge.h"

/* Data common to all stages. */
typedef struct hs_foreign {
    const hiss_kernel *kernel;       /* borrowed */
    const hiss_verify_settings *set; /* borrowed */
    const hs_domain *domain;         /* borrowed */
    const hs_exact *exact;           /* borrowed */
    const hs_law *law;               /* borrowed */
    const hs_features *features;     /* borrowed */
    double started;                  /* hs_now() */
    int64_t calls;                   /* so far */
    int64_t expected;                /* expected total, about, for progress */
} hs_foreign;

/* Scratch memory of calls. */
typedef struct hs_foreign_desk {
    uint32_t *before, *now; /* owned, [pool]: state numbers */
    uint32_t *order;        /* owned, [pool]: rows in the order of sending */
    double *from, *to;      /* owned, [width][dim] */
    double asked;           /* hs_now() of the last progress */
} hs_foreign_desk;

hiss_status hs_foreign_desk_init(hs_foreign_desk *d, int64_t pool,
                                 int64_t width, int dim, hiss_error *err);
void hs_foreign_desk_clear(hs_foreign_desk *d);

/* Makes one call for the rows order[first] ..  in place. */
hiss_status hs_foreign_apply(hs_foreign *f, hs_foreign_desk *d, int64_t first,
                             int64_t count, hiss_error *err);

typedef struct hs_foreign_stage {
    hs_foreign *common; /* borrowed */
    int64_t replicates, steps;
    int64_t pool, width;
    bool is_shuffled, has_pairs;
    uint32_t first; /* number of the first chain */
    int64_t before; /* calls of the kernel before it */
    hs_tally tally; /* owned */
    hs_shift shift; /* owned */
} hs_foreign_stage;

/* Everything before `before` must be set. */
hiss_status hs_foreign_run(hs_foreign_stage *s, hiss_error *err);
void hs_foreign_clear(hs_foreign_stage *s);

/* The same step by step: starts with empty counts, in this many parts; then
 * adds the rows of one part, before and after. */
hiss_status hs_foreign_begin(hs_foreign_stage *s, int64_t parts,
                             hiss_error *err);
hiss_status hs_foreign_count(hs_foreign_stage *s, const hs_foreign_desk *d,
                             int64_t rows, int64_t part, int64_t parts,
                             hiss_error *err);

#endif
