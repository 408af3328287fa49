/* clean.h - text from a file that a terminal may be shown. */
#ifndef HS_BASE_CLEAN_H
#define HS_BASE_CLEAN_H

#include <stdbool.h>

/* In place, byte by byte, '?' for all that could steer a terminal or reorder a
 * line: control characters (C0, DEL, C1), bytes that are not UTF-8, and the
 * marks of Unicode that change the direction of writing.  keeps_lines: line
 * ends and tabs stay. */
void hs_clean(char *text, bool keeps_lines);

#endif
