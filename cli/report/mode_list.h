/* mode_list.h - the modes of a result as a table and as JSON. */
#ifndef HISS_CLI_REPORT_MODE_LIST_H
#define HISS_CLI_REPORT_MODE_LIST_H

#include <hiss/hiss.h>

#include <stdbool.h>

#include <jansson.h>

/* With NULL for modes they give an empty array, and nothing. */
json_t *cli_mode_list_json(const hiss_modes *modes, const hiss_result *result);
void cli_mode_list_print(const hiss_modes *modes, const hiss_result *result);

/* Prints 1110 for binary values, +-+ for spins, else values with blanks between
 * them; free() it. */
char *cli_mode_list_state(const hiss_result *result, const double *values);

#endif
