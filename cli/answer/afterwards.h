/* afterwards.h - what saving and summing up draws will cost.
 *
 * A run with a time limit ends that much earlier (hiss_settings). */
#ifndef HISS_CLI_ANSWER_AFTERWARDS_H
#define HISS_CLI_ANSWER_AFTERWARDS_H

#include <hiss/hiss.h>

/* Seconds of a processor for each kept draw of a chain, at the speed of this
 * machine.  output: the file for the draws, observable: of the user; or
 * NULL. */
double cli_afterwards(const hiss_model *model, const char *output,
                      const char *observable);

#endif
