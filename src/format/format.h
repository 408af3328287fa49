/* format.h - the interface of a file format: one file here, one line in
 * formats.def.
 *
 * A reader turns a file into a *problem* (problem.h), the common ground that a
 * model is built from and that a writer of another format can express.
 * base/read/reader.h reads text as a stream, plain or gzip, and gives line and
 * column to every message. A declared size alone never causes an allocation. */
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
    const hs_option *options; /* conventions that a user may have to state */
    size_t size;              /* size of the options struct */
    /* Scores how well the first bytes match this format, from 0 to 100.  A byte
     * order mark is removed.  Of a binary file it gets the bytes before its
     * first zero byte. */
    int (*sniff)(const char *head, size_t length);
    /* one of the two: reads a text file, or a binary file that it opens
     * itself */
    hiss_status (*read)(hs_problem *out, hs_reader *in, const void *options,
                        hiss_error *err);
    hiss_status (*load)(hs_problem *out, const char *path, const void *options,
                        hiss_error *err);
    /* Writes a problem; NULL if the format cannot be written.  HISS_EUNSUP with
     * the reason if the format cannot express the problem.  The caller checks
     * that the bytes reach the disk. */
    hiss_status (*write)(const hs_problem *p, FILE *to, const void *options,
                         hiss_error *err);
    const char *const *tested; /* foreign files used as tests,
                                  NULL-terminated */
} hs_format;

extern const hs_format *const hs_formats[]; /* NULL-terminated */

/* A format with its options. */
typedef struct hs_format_use {
    const hs_format *format;
    void *options; /* owned */
} hs_format_use;

void hs_format_release(hs_format_use *use);

/* Finds the format of a file: `wanted` by name, perhaps with options, as in
 * "qubo(sense=max)"; or, if NULL, by content first, then by suffix.  If they
 * disagree, content wins and *note says so (owned by the caller; may be
 * NULL). */
hiss_status hs_format_find(hs_format_use *out, const char *path,
                           const char *wanted, char **note, hiss_error *err);

/* Finds the format of a file to be written: `wanted`, or by its suffix if
 * NULL. */
hiss_status hs_format_find_output(hs_format_use *out, const char *path,
                                  const char *wanted, hiss_error *err);

/* Reads a file of any format into a problem; out->reads_as describes it. */
hiss_status hs_format_read(hs_problem *out, const char *path,
                           const char *wanted, hiss_error *err);

/* Reads a file of a known format. */
hiss_status hs_format_read_as(hs_problem *out, const char *path,
                              const hs_format_use *use, hiss_error *err);

hiss_status hs_format_write(const hs_problem *p, FILE *to,
                            const hs_format_use *use, hiss_error *err);

/* Reads a file and builds its model; m->name is the path. */
hiss_status hs_format_model(hs_model **out, const char *path,
                            const char *wanted, hiss_error *err);

#endif
