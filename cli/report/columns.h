/* columns.h - a column's diagnostics as JSON, with the keys that other tools
 * read. */
#ifndef HISS_CLI_REPORT_COLUMNS_H
#define HISS_CLI_REPORT_COLUMNS_H

#include <hiss/hiss.h>

#include <stdbool.h>

#include <jansson.h>

#include "cli/print/objective.h"

/* Returns {name, mean, sd, mcse, ess_bulk, ess_tail, rhat, tau, state}; name
 * may be NULL. */
json_t *cli_column_json(const char *name, const hiss_column *column,
                        bool is_certain);

/* Returns {mean, mcse, sd, best} of the objective, from the column of log p and
 * its largest value. */
json_t *cli_column_objective(const cli_objective *in, const hiss_column *log_p,
                             double best);

#endif
