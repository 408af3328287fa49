/* format.h - the contract of a file format: one file here, one line in
 * formats.def.
 *
 * A reader turns a file into a *problem* (problem.h), the common ground that
 * a model is built from and that a writer of another format can express. 
 * Text is read through base/read/reader.h: streaming, gzip or not, with line
 * and column for every complaint; nothing is allocated by a declared size
 * alone. */
#ifndef HS_FORMAT_FORMAT_H
#define HS_FORMAT_FORMAT_H

#include <stdio.h>

#include <hiss/status.h>

#include "base/read/reader.h"
#include "base/spec/option.h"
#include "format/problem/problem.h"
#include "model/model.h"

typedef struct hs_format {
    const char *name; /* "uai", "rudy": for --format and --to */
    const char *summary;
    const char *title;        /* after "read as"; NULL: the name */
    const char *suffixes;     /* "txt mc rud", without dots, may be "" */
    const hs_option *options; /* conventions a user may have to state */
    size_t size;              /* of the options struct */
    /* How sure the first bytes look like this format: 0 (no) .. 100.  A byte
     * order mark was taken off; of a binary file the bytes before its first
     * zero byte are shown. */
    int (*sniff)(const char *head, size_t length);
    /* one of the two: of a text file, or of a binary one that it opens */
    hiss_status (*read)(hs_problem *out, hs_reader *in, const void *options,
                        hiss_error *err);
    hiss_status (*load)(hs_problem *out, const char *path, const void *options,
                        hiss_error *err);
    /* NULL: cannot be written.  HISS_EUNSUP with the reason when the problem
     * is not of a kind that the format can express.  That the bytes reach the
     * disk, the caller sees to. */
    hiss_status (*write)(const hs_problem *p, FILE *to, const void *options,
                         hiss_error *err);
    const char *const *tested; /* foreign files it was tested on, NULL-ended */
} hs_format;

extern const hs_format *const hs_formats[]; /* NULL-terminated */

/* A format and how it is to be used. */
typedef struct hs_format_use {
    const hs_format *format;
    void *options; /* owned */
} hs_format_use;

void hs_format_release(hs_format_use *use);

/* Which format a file has: `wanted` by name (may carry options, as in
 * "qubo(sense=max)"), or NULL: content first, then suffix; when they disagree
 * content wins and *note says so (owned by the caller; may be NULL). */
hiss_status hs_format_find(hs_format_use *out, const char *path,
                           const char *wanted, char **note, hiss_error *err);

/* Which format a file shall have: `wanted`, or NULL: from its suffix. */
hiss_status hs_format_find_output(hs_format_use *out, const char *path,
                                  const char *wanted, hiss_error *err);

/* Reads a file into a problem, whatever its format; out->reads_as says what
 * was read. */
hiss_status hs_format_read(hs_problem *out, const char *path,
                           const char *wanted, hiss_error *err);

/* The same when the format is known. */
hiss_status hs_format_read_as(hs_problem *out, const char *path,
                              const hs_format_use *use, hiss_error *err);

hiss_status hs_format_write(const hs_problem *p, FILE *to,
                            const hs_format_use *use, hiss_error *err);

/* Reads a file and builds its model; m->name is the path. */
hiss_status hs_format_model(hs_model **out, const char *path,
                            const char *wanted, hiss_error *err);

#endif
