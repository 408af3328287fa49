/* output.h - results as files, and their manifest.
 *
 * The manifest is one JSON object: version, command, model with the SHA-256 of
 * its files, sampler, seed, counts, tuning, timings and how the run ended
 * (docs/results.md has the keys). */
#ifndef HISS_OUTPUT_H
#define HISS_OUTPUT_H

#include <hiss/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hiss_model hiss_model;
typedef struct hiss_result hiss_result;

/* --- files -------------------------------------------------------------- */

/** A kind of result files; texts last as long as the library. */
typedef struct hiss_output_info {
    size_t size; /* sizeof(hiss_output_info) */
    const char *name;
    const char *suffixes; /* ".nc .netcdf", separated by blanks */
    const char *summary;
    int is_read; /* hiss_result_read supports it */
} hiss_output_info;

/** Kinds of result files by number, 0 ... until 0 (false) is returned. */
HISS_API int hiss_output_format(int number, hiss_output_info *out);
/** HISS_EARG unless some kind has the suffix of this name; with a model (or
 * NULL), HISS_EUNSUP if that kind cannot express its draws. */
HISS_API hiss_status hiss_output_check(const char *path,
                                       const hiss_model *model,
                                       hiss_error *err);

/** Writes a file of the kind given by its suffix.  It appears under its name
 * only when it is complete; an existing one is HISS_EARG unless replace. */
HISS_API hiss_status hiss_result_write(const hiss_result *result,
                                       const char *path, int replace,
                                       hiss_error *err);
/** Keeps every second draw of a chain, and none of its warm-up, which halves
 * the room on disk.  0 (false) if there are fewer than two draws. */
HISS_API int hiss_result_halve(hiss_result *result);
/** Reads a .nc or .csv file of hiss.  HISS_EPARSE with the reason for a
 * truncated file, or one of another tool or version. */
HISS_API hiss_status hiss_result_read(hiss_result **out, const char *path,
                                      hiss_error *err);

/* --- the manifest ------------------------------------------------------- */

/** Returns the manifest as JSON text; free it with hiss_free.  NULL if memory
 * is short. */
HISS_API char *hiss_result_manifest(const hiss_result *result);
/** Adds a text ("command") to the manifest, or replaces it; a NULL text is
 * omitted. */
HISS_API hiss_status hiss_result_put(hiss_result *result, const char *key,
                                     const char *text, hiss_error *err);
/** Returns a text of the manifest, borrowed, or NULL: "model", "sampler",
 * ... */
HISS_API const char *hiss_result_text(const hiss_result *result,
                                      const char *key);
/** Adds a file to the inputs, with its SHA-256. */
HISS_API hiss_status hiss_result_add_input(hiss_result *result,
                                           const char *path, hiss_error *err);
/** Reads an input by number, borrowed; 0 (false) at the end. */
HISS_API int hiss_result_input(const hiss_result *result, int number,
                               const char **path, const char **sha256);
/** HISS_EARG with the name of the first input that has changed. */
HISS_API hiss_status hiss_result_check_inputs(const hiss_result *result,
                                              hiss_error *err);

#ifdef __cplusplus
}
#endif
#endif
