/* fields.h - the fields of a line that white space, commas or semicolons
 * separate, as lists of edges and couplings have them. */
#ifndef HS_BASE_GRAMMAR_FIELDS_H
#define HS_BASE_GRAMMAR_FIELDS_H

/* Cuts the line into fields, in place: between two there is white space with at
 * most one comma or semicolon; a field may stand in double quotes.  Returns
 * their number, or most + 1 where there are more.  A field may be empty. */
int hs_fields_split(char *line, char **field, int most);

#endif
