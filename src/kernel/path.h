/* path.h - several ways to make the same step, of which a kernel takes one.
 *
 * A family of kernels that knows faster ways for some models has a table of
 * them, the most special first (langevin/paths, gibbs/sweeps).  When a kernel
 * is set up it takes, for each form of tilt, the first row that applies.  What
 * all rows begin with is here, and the life of those that were taken. */
#ifndef HS_KERNEL_PATH_H
#define HS_KERNEL_PATH_H

#include <stddef.h>

#include <hiss/status.h>

#include "kernel/tilt.h"
#include "model/model.h"

typedef struct hs_path {
    const char *name;
    size_t size; /* of its state; all 0 before init */
    /* optional: memory; what it allocated is freed by clear, also after it
     * failed */
    hiss_status (*init)(void *state, const hs_model *m, hiss_error *err);
    void (*clear)(void *state);
} hs_path;

/* The paths that a kernel takes, by form of tilt. */
typedef struct hs_paths {
    const hs_path *path[HS_TILT_FORMS]; /* NULL: steps cannot be made */
    void *state[HS_TILT_FORMS]; /* owned; forms of one path share theirs */
} hs_paths;

/* Gives the paths that are filled in their states; on failure there are
 * none. */
hiss_status hs_paths_init(hs_paths *p, const hs_model *m, hiss_error *err);
void hs_paths_clear(hs_paths *p);

/* The name of the path for a form; NULL: there is none. */
const char *hs_paths_name(const hs_paths *p, hs_tilt_form form);

#endif
