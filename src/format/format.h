/* format.h - the contract of a file format: one file here, one line in
 * formats.def.
 *
 * A reader turns a file into a *problem* (problem.h), the common ground that
 * a model is built from and that a writer of another format can express.  It
 * reads through base/reader.h: streaming, gzip or not, with line and column
 * for every complaint, and never allocates by a declared size alone. */
#ifndef HS_FORMAT_FORMAT_H
#define HS_FORMAT_FORMAT_H

#include <stdio.h>

#include <hiss/status.h>

#include "base/option.h"
#include "base/reader.h"
#include "format/problem.h"
#include "model/model.h"

typedef struct hs_format {
    const char *name;     /* "uai", "rudy": for --format and --to */
    const char *summary;
    const char *suffixes; /* "txt mc rud", without dots, may be "" */
    const hs_option *options; /* conventions a user may have to state */
    size_t size;              /* of the options struct */
    /* How sure the first bytes look like this format: 0 (no) .. 100. */
    int (*sniff)(const char *head, size_t length);
    hiss_status (*read)(hs_problem *out, hs_reader *in, const void *options,
                        hiss_error *err);
    /* NULL: cannot be written.  HISS_EUNSUP with the reason when the problem
     * is not of a kind that the format can express. */
    hiss_status (*write)(const hs_problem *p, FILE *to, const void *options,
                         hiss_error *err);
    const char *const *tested; /* foreign files it was tested on, NULL-ended */
} hs_format;

extern const hs_format *const hs_formats[]; /* NULL-terminated */

/* Which format a file has: `wanted` by name (may carry options, as in
 * "qubo(sense=max)"), or NULL: content first, then suffix; when they disagree
 * content wins and *note says so (owned by the caller; may be NULL). */
hiss_status hs_format_find(const hs_format **out, const char *path,
                           const char *wanted, char **note, hiss_error *err);

/* Reads a file into a problem, whatever its format. */
hiss_status hs_format_read(hs_problem *out, const char *path,
                           const char *wanted, char **note, hiss_error *err);

/* Reads a file and builds its model; m->name is the path. */
hiss_status hs_format_model(hs_model **out, const char *path,
                            const char *wanted, hiss_error *err);

#endif
