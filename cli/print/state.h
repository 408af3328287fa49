/* state.h - prints a state of a model as text and as JSON. */
#ifndef HISS_CLI_PRINT_STATE_H
#define HISS_CLI_PRINT_STATE_H

#include <hiss/hiss.h>

#include <jansson.h>

/* Prints 1110 for binary coordinates, +-+ for spins, otherwise the values with
 * blanks between them; free() it. */
char *cli_state_text(const hiss_model *model, const double *values);

/* The same for values of one kind; HISS_ORDINAL if they differ. */
char *cli_values_text(const double *values, int dim, hiss_kind kind);

json_t *cli_state_json(const hiss_model *model, const double *values);

/* Return the name of a coordinate, or "x.4"; and the name of a value, or its
 * number; free() them. */
char *cli_model_coordinate(const hiss_model *model, int i);
char *cli_model_value(const hiss_model *model, int i, int index);
char *cli_result_coordinate(const hiss_result *result, int i);
char *cli_result_value(const hiss_result *result, int i, int index);

/* The number of states, as a double: it may exceed any integer. */
double cli_state_count(const hiss_model *model);

/* Returns "4 binary coordinates"; free() it. */
char *cli_state_kinds(const hiss_model *model);

#endif
