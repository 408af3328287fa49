/* mode_check.h - what a pilot knew about modes, against what a run has seen. */
#ifndef HS_RUN_ATLAS_MODE_CHECK_H
#define HS_RUN_ATLAS_MODE_CHECK_H

#include <hiss/status.h>
#include <stdbool.h>

#include "kernel/library.h"
#include "run/chain/store.h"

typedef struct hs_mode_claim {
    bool knows_all;    /* the library has every mode that was distinguished */
    bool jumps_only;   /* only jumps between these modes lead to others */
    bool reaches_more; /* modes unknown to the pilot are visited as well: masses
                          are relative to the known modes */
} hs_mode_claim;

/* Why the draws should not be trusted, in words, or NULL; owned by the
 * caller. */
char *hs_mode_check(const hs_store *store, int64_t samples, const hs_model *m,
                    const hs_library *known, const hs_mode_claim *claim);

#endif
