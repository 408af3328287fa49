/* mode_check.h - what a pilot knew about modes, against what a run has seen. */
#ifndef HS_RUN_MODES_MODE_CHECK_H
#define HS_RUN_MODES_MODE_CHECK_H

#include <hiss/status.h>

#include "kernel/library.h"
#include "run/chain/store.h"

/* Why the draws should not be trusted, in words, or NULL; owned by the caller.
 * `all`: the library has every mode that was told apart. */
char *hs_mode_check(const hs_store *store, int64_t samples, const hs_model *m,
                    const hs_library *known, bool all);

#endif
