/* format.h - models from files of other programs, and back. */
#ifndef HISS_FORMAT_H
#define HISS_FORMAT_H

#include <hiss/info.h>
#include <hiss/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hiss_model hiss_model;

/** An entry of `hiss list formats`; all texts last as long as the library. */
typedef struct hiss_file_format {
    size_t size; /**< sizeof(hiss_file_format) */
    const char *name;
    const char *summary;
    const char *suffixes; /**< "txt mc", without dots */
    int reads, writes;    /**< nonzero if possible */
    int options;
} hiss_file_format;

/** Formats by number, 0 ... until 0 (false) is returned. */
HISS_API int hiss_format_info(int number, hiss_file_format *out);
/** Options of a format by number; 0 (false) past the last. */
HISS_API int hiss_format_option(int number, int option, hiss_option_info *out);
/** A file of another program that the format was tested on, by number; NULL
 * past the last one. */
HISS_API const char *hiss_format_tested(int number, int file);

/**
 * A model from a file or from a built-in spec such as "ising(side=8,beta=0.4)".
 *
 * text is a spec when it is one of a built-in model; else it names a file,
 * whose format is found from its content and its suffix, or is `format`: a
 * name, perhaps with options, as in "qubo(sense=max)".  format may be NULL;
 * with a format text is always a file.
 */
HISS_API hiss_status hiss_model_open(hiss_model **out, const char *text,
                                     const char *format, hiss_error *err);

/** 
 * The objective in the terms of the file's field, such as a cut or a number of
 * satisfied clauses: scale * U + shift, either of which may be NULL.
 *
 * @return its name, borrowed from the model, or NULL: U itself (then scale is
 *         1 and shift 0)
 */
HISS_API const char *hiss_model_objective(const hiss_model *model,
                                          double *scale, double *shift);
/** Sets the objective of a program's own model, such as an energy: name = scale
 * * log p + shift, where scale is not 0; name is copied. */
HISS_API hiss_status hiss_model_set_objective(hiss_model *model,
                                              const char *name, double scale,
                                              double shift, hiss_error *err);

/**
 * Writes the model of a file in another format.
 *
 * The result is read back and compared with the original on random states
 * before it appears under its name; on failure nothing is left.  A name that
 * ends in .gz is compressed.
 *
 * @param in_format   as in hiss_model_open, or NULL
 * @param out_format  likewise, or NULL: by the suffix of `out`
 * @param replace     not 0: an existing `out` is replaced
 * @param note        NULL, or receives what the user should know, to be freed
 *                    with hiss_free, or NULL
 * @return HISS_OK; HISS_EUNSUP if the other format cannot express the model;
 *         HISS_EARG if `out` exists; HISS_EPARSE, HISS_EIO, ...
 */
HISS_API hiss_status hiss_convert(const char *in, const char *in_format,
                                  const char *out, const char *out_format,
                                  int replace, char **note, hiss_error *err);

/** The same; `reads_as` receives the description of `in`, like
 * hiss_model_reads_as, to be freed with hiss_free, or is NULL. */
HISS_API hiss_status hiss_convert_reads_as(const char *in,
                                           const char *in_format,
                                           const char *out,
                                           const char *out_format, int replace,
                                           char **reads_as, char **note,
                                           hiss_error *err);

/**
 * The path of a public data file such as "uai/Grids_11.uai", plain or with .gz
 * after it: in the folder that the environment names (docs/data.md), or in
 * ./data where it names none, else among the files that came with hiss.
 *
 * @param path  receives it, to be freed with hiss_free, or NULL: in none of
 *              them
 * @return HISS_OK; HISS_EARG, HISS_ENOMEM
 */
HISS_API hiss_status hiss_find_data(const char *name, char **path,
                                    hiss_error *err);

#ifdef __cplusplus
}
#endif
#endif
