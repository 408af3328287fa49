/* columns.h - a column's diagnostics as JSON: the keys other tools read. */
#ifndef HISS_CLI_REPORT_COLUMNS_H
#define HISS_CLI_REPORT_COLUMNS_H

#include <hiss/hiss.h>

#include <stdbool.h>

#include <jansson.h>

/* {name, mean, sd, mcse, ess_bulk, ess_tail, rhat, tau, state}; name may be
 * NULL. */
json_t *cli_column_json(const char *name, const hiss_column *column,
                        bool is_certain);

#endif
