/* csv.h - rows of comma-separated fields from a file, plain or gzip.
 *
 * A field is bare text without quotes, white space at its ends left away, or
 * stands in double quotes and may then hold commas, and quotes doubled.  A row
 * is a line of at most HS_READER_TEXT_MAX bytes and HS_CSV_FIELDS_MAX fields:
 * line breaks inside quotes are refused, blank lines passed over.  Every field
 * has a place, and a message about it reads
 *     cells.csv:7:12: found 'n/a', expected a number
 * with the line and a caret. */
#ifndef HS_BASE_READ_CSV_H
#define HS_BASE_READ_CSV_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "base/error.h"

#define HS_CSV_FIELDS_MAX 65536

/* Limits of a wide file. */
#define HS_CSV_WIDE_BYTES  (1 << 23)
#define HS_CSV_WIDE_FIELDS (1 << 18)

typedef struct hs_csv hs_csv;

hiss_status hs_csv_open(hs_csv **out, const char *path, hiss_error *err);
/* Opens a file whose rows have up to HS_CSV_WIDE_BYTES and
 * HS_CSV_WIDE_FIELDS. */
hiss_status hs_csv_open_wide(hs_csv **out, const char *path, hiss_error *err);
void hs_csv_close(hs_csv *c);

/* From now on skips lines that begin with '#'. */
void hs_csv_pass_comments(hs_csv *c);

/* Reads the next row; *fields is 0 at the end of the file. */
hiss_status hs_csv_row(hs_csv *c, int *fields, hiss_error *err);

/* Reads a row that must have `expected` fields.  `source` tells the message why
 * ("the header has"). */
hiss_status hs_csv_row_of(hs_csv *c, int expected, const char *source,
                          bool *is_there, hiss_error *err);

/* Returns a field of the row, from 0; borrowed until the next row. */
const char *hs_csv_text(const hs_csv *c, int field);

/* Reads a field as a finite number. */
hiss_status hs_csv_real(hs_csv *c, int field, double *value, hiss_error *err);

/* Writes `file:line:column: message` about a field; returns HISS_EPARSE. */
hiss_status hs_csv_fail(hs_csv *c, int field, hiss_error *err,
                        const char *format, ...) HS_PRINTF(4, 5);

const char *hs_csv_name(const hs_csv *c);
/* The line of the row, from 1. */
int64_t hs_csv_line(const hs_csv *c);
int64_t hs_csv_column(const hs_csv *c, int field);

#endif
