/* tempering.h - what a pilot chose and what tempering found, printed. */
#ifndef HISS_CLI_REPORT_TEMPERING_H
#define HISS_CLI_REPORT_TEMPERING_H

#include <hiss/hiss.h>

#include "cli/print/json.h"

/* Adds `resolved`, `pilot`, `tempering` and `log_z`, where there are any. */
void cli_tempering_json(json_t *object, const hiss_result *result);

/* Facts of the same, each handed to `print` with its label; the text is the
 * callee's to free. */
void cli_tempering_text(const hiss_result *result, const hiss_sampler *sampler,
                        void (*print)(const char *label, char *text));

/* Adds `multicanonical` and `log_z`, where there are any. */
void cli_flat_json(json_t *object, const hiss_result *result);

/* Phases and their barrier, the histogram as a line of bars, log Z. */
void cli_flat_text(const hiss_result *result,
                   void (*print)(const char *label, char *text));

#endif
