/* tempering.h - prints the choice of a pilot and the results of tempering. */
#ifndef HISS_CLI_REPORT_TEMPERING_H
#define HISS_CLI_REPORT_TEMPERING_H

#include <hiss/hiss.h>

#include "cli/print/json.h"

/* Adds `resolved`, `pilot`, `tempering` and `log_z`, if present. */
void cli_tempering_json(json_t *object, const hiss_result *result);

/* Calls `print` with label and text for each fact; it must free the text. */
void cli_tempering_text(const hiss_result *result, const hiss_sampler *sampler,
                        void (*print)(const char *label, char *text));

/* Adds `multicanonical` and `log_z`, if present. */
void cli_flat_json(json_t *object, const hiss_result *result);

/* Prints phases and their barrier, the histogram as a line of bars, log Z. */
void cli_flat_text(const hiss_result *result,
                   void (*print)(const char *label, char *text));

#endif
