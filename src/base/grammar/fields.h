/* fields.h - splits a line at white space, commas or semicolons, for lists of
 * edges and couplings. */
#ifndef HS_BASE_GRAMMAR_FIELDS_H
#define HS_BASE_GRAMMAR_FIELDS_H

/* Splits the line into fields, in place.  White space with at most one comma or
 * semicolon separates fields; a field may be empty or in double quotes.
 * Returns their number, or most + 1 if there are more. */
int hs_fields_split(char *line, char **field, int most);

#endif
