/* reader.h - words, numbers and lines from a text file, plain or gzip.
 *
 * The file streams through a bounded buffer.  Words are separated by white
 * space; lines end with LF or CR LF, the last one perhaps with nothing; a
 * UTF-8 byte order mark is passed over.  Every word has a place, and a message
 * about it reads
 *     grid.uai:7:12: found 'five', expected a whole number from 0 to 4
 *       2 0 1 five
 *             ^
 * Lines and columns count from 1, columns in bytes.  Faults of the input, a
 * missing file included, are HISS_EPARSE; HISS_EIO is a failing disk.  After
 * a failure only hs_reader_close may follow. */
#ifndef HS_BASE_READ_READER_H
#define HS_BASE_READ_READER_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "base/error.h"

#define HS_READER_TEXT_MAX 65535 /* bytes of the longest word or line */

typedef struct hs_reader hs_reader;

typedef struct hs_place {
    int64_t line;   /* from 1 */
    int64_t column; /* in bytes, from 1 */
    int64_t offset; /* in the uncompressed file, from 0 */
} hs_place;

hiss_status hs_reader_open(hs_reader **out, const char *path, hiss_error *err);
void hs_reader_close(hs_reader *r);

/* Allows words and lines of up to `longest` bytes, for very wide tables. */
hiss_status hs_reader_widen(hs_reader *r, int longest, hiss_error *err);

/* Sets the comment characters.  A line whose first character other than white
 * space is in `lines` is a comment ("c" of DIMACS).  So is the rest of a line
 * from a word that begins with a character of `anywhere` ("#").  NULL means
 * none. */
void hs_reader_comments(hs_reader *r, const char *lines, const char *anywhere);

/* Lines that begin with one of these texts are never comments; a space in a
 * text stands for one or more.  NULL-terminated, borrowed. */
void hs_reader_keep(hs_reader *r, const char *const *texts);

/* Reads the next word, on this line or a later one; borrowed until the next
 * call. */
hiss_status hs_reader_word(hs_reader *r, const char **word, hiss_error *err);

/* Reads the next word as a whole number from low to high. */
hiss_status hs_reader_int(hs_reader *r, int low, int high, int *value,
                          hiss_error *err);
hiss_status hs_reader_int64(hs_reader *r, int64_t low, int64_t high,
                            int64_t *value, hiss_error *err);

/* Reads the next word as a finite number from low to high, exactly as strtod
 * does; -HUGE_VAL and HUGE_VAL mean no limit. */
hiss_status hs_reader_real(hs_reader *r, double low, double high, double *value,
                           hiss_error *err);

/* Reads the number of things to come, each of at least `words` words.  Fails if
 * the rest of the file cannot hold them, so that the caller can allocate. */
hiss_status hs_reader_count(hs_reader *r, int64_t low, int64_t high, int words,
                            int64_t *value, hiss_error *err);

/* Reads a line without white space and comments at both ends; borrowed until
 * the next call.  After a word: the rest of its line, perhaps empty.  Otherwise
 * the next line that is neither blank nor comment. */
hiss_status hs_reader_line(hs_reader *r, const char **line, hiss_error *err);

/* Whether no word follows in this line, or in the file (this one moves to the
 * next word).  Both are false before a fault, such as a binary file or damaged
 * gzip data; the next read reports it. */
bool hs_reader_at_line_end(hs_reader *r);
bool hs_reader_at_end(hs_reader *r);

/* Fails unless only white space and comments follow. */
hiss_status hs_reader_expect_end(hs_reader *r, hiss_error *err);

/* Moves to the next word and returns its place, for hs_reader_fail. */
hs_place hs_reader_place(hs_reader *r);

/* --- character by character, for grammars (base/grammar/lexer.h) ---------- */

/* Returns the character n places ahead, n < 128.  -1 at the end of the text or
 * at a fault; hs_reader_at_end distinguishes them. */
int hs_reader_ahead(hs_reader *r, int n);
/* Moves behind the next character. */
void hs_reader_pass(hs_reader *r);
hs_place hs_reader_here(const hs_reader *r);
/* Explains why there is no further character: the end of the file, or a
 * fault. */
hiss_status hs_reader_ended(hs_reader *r, const char *expected,
                            hiss_error *err);

/* Writes `file:line:column: message`, the line and a caret; where is NULL for
 * the last word or line that was read.  Returns HISS_EPARSE. */
hiss_status hs_reader_fail(hs_reader *r, const hs_place *where, hiss_error *err,
                           const char *format, ...) HS_PRINTF(4, 5);

/* An upper bound on the bytes of text: the file's size, 1032 times that for
 * gzip, INT64_MAX if unknown (a pipe). */
int64_t hs_reader_size(const hs_reader *r);

const char *hs_reader_name(const hs_reader *r);

#endif
