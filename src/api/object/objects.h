/* objects.h - the structs behind the opaque types of hiss.h. */
#ifndef HS_API_OBJECT_OBJECTS_H
#define HS_API_OBJECT_OBJECTS_H

#include <hiss/diagnose.h>
#include <hiss/hiss.h>

#include <jansson.h>

#include "base/state/domain.h"
#include "kernel/kernel.h"
#include "kernel/sampler.h"
#include "model/model.h"
#include "run/sampling/run.h"

struct hiss_model {
    hs_model *model; /* owned */
};

struct hiss_sampler {
    hs_sampler *tree; /* kept */
    char *text;       /* owned: canonical, with defaults */
};

struct hiss_result {
    hs_run run;       /* owned */
    hs_domain domain; /* owned: a copy, because the model may be gone */
    int *fixed_at;    /* owned, [dim], or NULL: evidence (model.h) */
    int *full_states; /* owned, [dim], or NULL */
    json_t *manifest; /* owned */
    char *folder;     /* owned: folder of the file that it was read from, or
                         NULL */
    bool is_foreign;  /* draws of another program: the sampler is unknown */
};

/* Wraps a model; takes ownership, also on failure. */
hiss_status hs_model_wrap(hiss_model **out, hs_model *m, hiss_error *err);

/* The mean of every factor of the model, [factors], NaN if its coordinates have
 * no choice; NULL after enumeration. */
const double *hs_exact_factor_means(const hiss_exact *exact);

/* Called for every file that the options of a sampler and its children name. */
typedef hiss_status hs_file_visitor(const void *context, const char *path,
                                    hiss_error *err);
hiss_status hs_sampler_each_file(const hs_sampler *s, hs_file_visitor *visit,
                                 const void *context, hiss_error *err);

/* Sets up the kernels of a sampler on this model as a run would, or fails like
 * a run if they cannot move it; the caller destroys them.  NULL for auto, whose
 * kernels a pilot chooses. */
hiss_status hs_sampler_set_up(hs_kernel **out, const hiss_sampler *sampler,
                              const hiss_model *model, hiss_error *err);

/* The default number of chains of each of `runs` runs made together
 * (hiss_default_chains). */
int hs_default_chains(const hs_model *m, int runs);

/* Number of threads: `wanted`, or every processor. */
int hs_threads(int wanted);
hiss_status hs_check_threads(int wanted, hiss_error *err);

/* The value of an index; NaN if there is none. */
double hs_domain_value(const hs_domain *d, int coordinate, int index);

/* The name of a value; NULL if it has none. */
const char *hs_domain_state_name(const hs_domain *d, int coordinate, int index);

/* Whether a domain has this coordinate. */
static inline bool hs_has_coordinate(const hs_domain *d, int coordinate)
{
    return coordinate >= 0 && coordinate < d->dim;
}

#endif
