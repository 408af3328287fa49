/* optimum.h - prints the best states found. */
#ifndef HISS_CLI_REPORT_OPTIMUM_H
#define HISS_CLI_REPORT_OPTIMUM_H

#include <hiss/hiss.h>

/* Prints one JSON object on stdout; output is the file that was written, or
 * NULL. */
void cli_optimum_json(const hiss_model *model, const hiss_optimum *found,
                      const char *output);

/* Prints text for people on stdout. */
void cli_optimum_text(const hiss_model *model, const hiss_optimum *found,
                      const char *output);

#endif
