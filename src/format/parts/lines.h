/* lines.h - shared code of formats with one entry per line. */
#ifndef HS_FORMAT_PARTS_LINES_H
#define HS_FORMAT_PARTS_LINES_H

#include <stdint.h>
#include <stdio.h>

#include <hiss/status.h>

#include "base/read/reader.h"

#define HS_COMMENT_MAX 256

/* Fails if the file ends after `done` of `all` entries. */
hiss_status hs_lines_more(hs_reader *in, int64_t done, int64_t all,
                          const char *entries, hiss_error *err);

/* Fails if no word follows in this line. */
hiss_status hs_lines_within(hs_reader *in, const char *expected,
                            hiss_error *err);

/* Fails if a word follows in this line. */
hiss_status hs_lines_end(hs_reader *in, hiss_error *err);

/* Fails if anything follows the announced entries. */
hiss_status hs_lines_done(hs_reader *in, int64_t all, const char *entries,
                          hiss_error *err);

/* Reads the next word.  If it begins with `mark`, comment gets the rest of that
 * line (cut to fit) and *word is NULL. */
hiss_status hs_lines_word(hs_reader *in, char mark, const char **word,
                          char comment[HS_COMMENT_MAX], hiss_error *err);

/* Reads the word from hs_lines_word as a whole number from low to high. */
hiss_status hs_lines_whole(hs_reader *in, const char *word, int64_t low,
                           int64_t high, int64_t *value, hiss_error *err);

/* Most entries of all tables for a file of this size: it may imply more entries
 * than it states, but not a gigabyte by a few words. */
int64_t hs_lines_tables_max(const hs_reader *in);

/* Prints a number so that it reads back to the same double. */
void hs_lines_print(FILE *to, double value);

/* Prints the same without an exponent, for readers that know none. */
void hs_lines_print_plain(FILE *to, double value);

#endif
