/* objective.h - the objective of a model's file: an energy, a cut.
 *
 *   objective = scale * log p + shift
 *
 * Commands print it beside log p, by its own name and with its own sign. */
#ifndef HISS_CLI_PRINT_OBJECTIVE_H
#define HISS_CLI_PRINT_OBJECTIVE_H

#include <hiss/hiss.h>

#include <jansson.h>
#include <stdbool.h>

typedef struct cli_objective {
    const char *name; /* "cut"; "log p" if the file has none; borrowed */
    double scale, shift;
    bool has_own; /* it differs from log p */
} cli_objective;

cli_objective cli_objective_of(const hiss_model *model);
/* The same for a result, whose model need not be available. */
cli_objective cli_objective_of_result(const hiss_result *result);

double cli_objective_value(const cli_objective *o, double log_p);

/* Writes the keys objective_name and sense, "min" or "max"; and beta. */
void cli_objective_put(json_t *to, const cli_objective *o, double beta);

#endif
