/* caret.h - showing a place in a text inside a message.
 *
 * Whatever the text contains, the output is valid UTF-8 without control
 * characters, so that it can go to a terminal, a log or a JSON string. */
#ifndef HS_BASE_CARET_H
#define HS_BASE_CARET_H

#include <stddef.h>

#include <hiss/status.h>

#define HS_QUOTE_MAX 48

/* Adds two lines to the message of err (may be NULL):
 *     \n  <line>\n  <spaces>^
 * with the caret under byte `at` of the line (length bytes, without its line
 * end).  A long line is cut to the neighborhood of the caret; tabs are kept
 * and repeated below, so that the caret stays aligned.  Nothing is added when
 * the message has no room for both lines. */
void hs_caret_add(hiss_error *err, const char *line, size_t length, size_t at);

/* Writes a printable copy of a user's word, cut to fit; returns out. */
const char *hs_quote(char out[HS_QUOTE_MAX], const char *word, size_t length);

#endif
