/* objective.h - what the file of a model speaks of: an energy, a cut.
 *
 *     objective = scale * log p + shift
 * Commands print it beside log p, by its own name and with its own sign. */
#ifndef HISS_CLI_PRINT_OBJECTIVE_H
#define HISS_CLI_PRINT_OBJECTIVE_H

#include <hiss/hiss.h>

#include <jansson.h>
#include <stdbool.h>

typedef struct cli_objective {
    const char *name; /* "cut"; "log p" where the file has none; borrowed */
    double scale, shift;
    bool has_own; /* it is not log p itself */
} cli_objective;

cli_objective cli_objective_of(const hiss_model *model);
/* The same of a result, whose model need not be at hand. */
cli_objective cli_objective_of_result(const hiss_result *result);

double cli_objective_value(const cli_objective *o, double log_p);

/* Keys objective_name and sense, "min" or "max"; and beta. */
void cli_objective_put(json_t *to, const cli_objective *o, double beta);

#endif
