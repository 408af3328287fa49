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

/** From a spec; hiss_sampler_info lists the kernels that it may name. */
HISS_API hiss_status hiss_sampler_create(hiss_sampler **out, const char *spec,
                                         hiss_error *err);
/** Frees it; NULL is fine. */
HISS_API void hiss_sampler_destroy(hiss_sampler *sampler);

/** The spec with every default written out. */
HISS_API const char *hiss_sampler_spec(const hiss_sampler *sampler);
/** Whether the built tree keeps the law. */
HISS_API int hiss_sampler_is_exact(const hiss_sampler *sampler);
/** Whether it does so by detailed balance. */
HISS_API int hiss_sampler_is_reversible(const hiss_sampler *sampler);
/** Copies of the state that each chain has: levels, replicas at the target, or
 * 1. */
HISS_API int hiss_sampler_replicas(const hiss_sampler *sampler);
/** The tree in words, one kernel per line, indented.  Free with hiss_free. */
HISS_API char *hiss_sampler_explain(const hiss_sampler *sampler);
/** The ways in which its steps will be made on a model: a line "KERNEL: PATH"
 * for each kernel of the tree that chooses among several; all of them draw from
 * the same law.  For auto, whose kernels are not known before a run, it is
 * "auto: chosen by a pilot".  `*text` may be empty, is to be freed with
 * hiss_free, and NULL on failure: HISS_EUNSUP if the sampler cannot move this
 * model. */
HISS_API hiss_status hiss_sampler_paths(const hiss_sampler *sampler,
                                        const hiss_model *model, char **text,
                                        hiss_error *err);

#ifdef __cplusplus
}
#endif
#endif
