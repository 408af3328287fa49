/* path.h - several ways to make the same step, of which a kernel takes one.
 *
 * A family of kernels with faster ways for some models has a table of them, the
 * most special first (langevin/paths, gibbs/sweeps).  At setup it takes, for
 * each form of tilt, the first row that applies.  This file has the common
 * start of all rows, and the setup of the chosen ones. */
#ifndef HS_KERNEL_PATH_H
#define HS_KERNEL_PATH_H

#include <stddef.h>

#include <hiss/status.h>

#include "kernel/tilt.h"
#include "model/model.h"

typedef struct hs_path {
    const char *name;
    size_t size; /* size of its state, which is zero before init */
    /* optional: allocates; clear frees it, also after a failure */
    hiss_status (*init)(void *state, const hs_model *m, hiss_error *err);
    void (*clear)(void *state);
} hs_path;

/* The paths that a kernel takes, by form of tilt. */
typedef struct hs_paths {
    const hs_path *path[HS_TILT_FORMS]; /* NULL if steps are impossible */
    void *state[HS_TILT_FORMS]; /* owned; forms with the same path share it */
} hs_paths;

/* Allocates the states of the chosen paths; on failure there are none. */
hiss_status hs_paths_init(hs_paths *p, const hs_model *m, hiss_error *err);
void hs_paths_clear(hs_paths *p);

/* The name of the path for a form; NULL if there is none. */
const char *hs_paths_name(const hs_paths *p, hs_tilt_form form);

#endif
