/* manifest.h - the description of a run as one JSON object, and reading it. */
#ifndef HS_API_OBJECT_MANIFEST_H
#define HS_API_OBJECT_MANIFEST_H

#include <hiss/status.h>

#include "api/object/objects.h"

/* Names of the ends of a run, by hiss_ended. */
extern const char *const hs_ended_words[];

/* Fills result->manifest from a finished run; domain and run must be set. */
hiss_status hs_manifest_make(hiss_result *result, const hiss_model *model,
                             const hiss_sampler *sampler, hiss_error *err);

/* Fills run.info, counters, levels and domain from the manifest of a file. */
hiss_status hs_manifest_apply(hiss_result *result, const char *path,
                              hiss_error *err);

/* Return the manifest on one line, and its short form as lines "key: value";
 * both owned by the caller, NULL if memory is short. */
char *hs_manifest_line(const hiss_result *result);
char *hs_manifest_comments(const hiss_result *result);

/* Returns the SHA-256 of all files that a model and a sampler name, one after
 * the other; owned by the caller, NULL if memory is short. */
char *hs_manifest_origin(const hiss_model *model, const hiss_sampler *sampler);

/* Adds files that a model was read from: its name, or words of its spec. */
hiss_status hs_manifest_add_file(json_t *manifest, const char *path,
                                 hiss_error *err);

/* Makes an exact copy, also of conditioned domains. */
hiss_status hs_domain_copy(hs_domain *to, const hs_domain *from,
                           hiss_error *err);
json_t *hs_domain_json(const hs_domain *d);
hiss_status hs_domain_from_json(hs_domain *d, const json_t *list, int dim,
                                const char *path, hiss_error *err);

#endif
