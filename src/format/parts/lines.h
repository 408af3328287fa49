/* lines.h - what formats with one entry per line have in common. */
#ifndef HS_FORMAT_PARTS_LINES_H
#define HS_FORMAT_PARTS_LINES_H

#include <stdint.h>
#include <stdio.h>

#include <hiss/status.h>

#include "base/read/reader.h"

#define HS_COMMENT_MAX 256

/* Fails when the file ends after `done` of `all` entries. */
hiss_status hs_lines_more(hs_reader *in, int64_t done, int64_t all,
                          const char *entries, hiss_error *err);

/* Fails when no word follows in this line. */
hiss_status hs_lines_within(hs_reader *in, const char *expected,
                            hiss_error *err);

/* Fails when a word follows in this line. */
hiss_status hs_lines_end(hs_reader *in, hiss_error *err);

/* Fails when anything follows the entries that were announced. */
hiss_status hs_lines_done(hs_reader *in, int64_t all, const char *entries,
                          hiss_error *err);

/* The next word; or, when it begins with `mark`, all of that line in comment
 * (cut to fit) and *word is NULL. */
hiss_status hs_lines_word(hs_reader *in, char mark, const char **word,
                          char comment[HS_COMMENT_MAX], hiss_error *err);

/* The word that hs_lines_word gave, as a whole number from low to high. */
hiss_status hs_lines_whole(hs_reader *in, const char *word, int64_t low,
                           int64_t high, int64_t *value, hiss_error *err);

/* Entries of all tables that a file of this size may lead to: it states few of
 * them itself, but not a gigabyte by a few words. */
int64_t hs_lines_tables_max(const hs_reader *in);

/* A number so that it reads back to the same double. */
void hs_lines_print(FILE *to, double value);

/* The same without an exponent, for readers that know none. */
void hs_lines_print_plain(FILE *to, double value);

#endif
