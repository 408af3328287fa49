/* clean.h - makes text from a file safe to show on a terminal. */
#ifndef HS_BASE_CLEAN_H
#define HS_BASE_CLEAN_H

#include <stdbool.h>

/* Replaces, in place, every byte that could steer a terminal or reorder a line
 * by '?': control characters (C0, DEL, C1), invalid UTF-8 and Unicode's marks
 * of writing direction.  keeps_lines keeps line ends and tabs. */
void hs_clean(char *text, bool keeps_lines);

#endif
