/* sampler.h - a sampler: how to sample, a tree of kernels from a spec such as
 * "pt(base=hiss(eta=4,inner=dmala(alpha=0.2)))". */
#ifndef HISS_SAMPLER_H
#define HISS_SAMPLER_H

#include <hiss/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hiss_model hiss_model;
typedef struct hiss_sampler hiss_sampler;

/** Makes a sampler from a spec; hiss_sampler_info lists the kernels that it may
 * name. */
HISS_API hiss_status hiss_sampler_create(hiss_sampler **out, const char *spec,
                                         hiss_error *err);
/** Frees it; NULL is allowed. */
HISS_API void hiss_sampler_destroy(hiss_sampler *sampler);

/** The spec with every default written out. */
HISS_API const char *hiss_sampler_spec(const hiss_sampler *sampler);
/** Whether the sampler keeps the distribution. */
HISS_API int hiss_sampler_is_exact(const hiss_sampler *sampler);
/** Whether it does so by detailed balance. */
HISS_API int hiss_sampler_is_reversible(const hiss_sampler *sampler);
/** Number of states of each chain: levels, replicas at the target, or 1. */
HISS_API int hiss_sampler_replicas(const hiss_sampler *sampler);
/** Describes the tree, one kernel per line, indented.  Free with hiss_free. */
HISS_API char *hiss_sampler_explain(const hiss_sampler *sampler);
/** The paths of its steps on a model: a line "KERNEL: PATH" for each kernel of
 * the tree that chooses among several, all of which draw from the same
 * distribution.  For auto, whose kernels are unknown before a run, it is "auto:
 * chosen by a pilot".  `*text` may be empty; free it with hiss_free.  NULL on
 * failure: HISS_EUNSUP if the sampler cannot move this model. */
HISS_API hiss_status hiss_sampler_paths(const hiss_sampler *sampler,
                                        const hiss_model *model, char **text,
                                        hiss_error *err);

#ifdef __cplusplus
}
#endif
#endif
