/* trust.h - names that come from a file and not from the user.
 *
 * A result or a checkpoint names its model and sampler.  These names must not
 * run code, nor open a file that the author of the result chose.  So such a
 * model or sampler is opened with a hiss_trust, which says what is allowed.
 * docs/security.md has the rule. */
#ifndef HISS_TRUST_H
#define HISS_TRUST_H

#include <hiss/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hiss_model hiss_model;
typedef struct hiss_sampler hiss_sampler;
typedef struct hiss_result hiss_result;

/** A file that the run has read, as it was then.  This struct has no size and
 * will never change: more data about files would be further arrays of
 * hiss_trust. */
typedef struct hiss_recorded {
    const char *path;
    const char *sha256; /**< 64 hexadecimal digits */
} hiss_recorded;

/** What names from a file may open: plain files below `folder`, symbolic links
 * resolved, whose contents are recorded (with `anywhere` also such files in
 * other folders); and the plug-ins that the user has named.  All borrowed. */
typedef struct hiss_trust {
    size_t size;        /**< sizeof(hiss_trust) */
    const char *folder; /**< folder of the file that has the names */
    const char *base;   /**< another base of relative names; or NULL */
    const hiss_recorded *recorded; /**< [count] */
    int count;
    const char *const *plugins; /**< NULL-terminated list of files; or NULL */
    int anywhere; /**< 1: a recorded file may be anywhere if its contents are
                     the recorded ones */
} hiss_trust;

/** Like hiss_model_open; trust is NULL for the user's own words.  HISS_EREFUSED
 * for a plug-in that was not allowed, for a file that is not recorded or not a
 * plain file, and for a model of more than a gigabyte.  HISS_EARG for a
 * recorded file that is missing, has changed or is elsewhere, and which the
 * user may name. */
HISS_API hiss_status hiss_model_open_from(hiss_model **out, const char *text,
                                          const char *format,
                                          const hiss_trust *trust,
                                          hiss_error *err);
/** Like hiss_model_evidence; trust may be NULL, statuses as above. */
HISS_API hiss_status hiss_model_evidence_from(hiss_model *model,
                                              const char *path,
                                              const hiss_trust *trust,
                                              hiss_error *err);
/** Like hiss_sampler_create; trust may be NULL, statuses as above. */
HISS_API hiss_status hiss_sampler_create_from(hiss_sampler **out,
                                              const char *spec,
                                              const hiss_trust *trust,
                                              hiss_error *err);

/** Returns the files that a model and a sampler name, and another one, as a
 * JSON list of objects with path, sha256 and bytes, for a later hiss_recorded.
 * The last two arguments may be NULL.  Free with hiss_free; NULL if memory is
 * short. */
HISS_API char *hiss_model_inputs(const hiss_model *model,
                                 const hiss_sampler *sampler, const char *file);

/** The user's choices about the model of a result; each may be NULL. */
typedef struct hiss_given {
    size_t size;                /**< sizeof(hiss_given) */
    const char *model;          /**< a file or spec, instead of the result's */
    const char *evidence;       /**< a file, instead of the result's */
    const char *const *plugins; /**< NULL-terminated: may be loaded */
} hiss_given;

/** Opens the model of a result from a file: the user's (NULL: none), or the one
 * that the result names, within the rule above.  Statuses as above. */
HISS_API hiss_status hiss_result_model(hiss_model **out,
                                       const hiss_result *result,
                                       const hiss_given *given,
                                       hiss_error *err);

#ifdef __cplusplus
}
#endif
#endif
