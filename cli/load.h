/* load.h - a result file, and the model that it was drawn from. */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

#include <hiss/hiss.h>

#include "option.h"

/* The exit code, 0 if all is well; a message was printed otherwise. */
int cli_load_result(const char *path, hiss_result **out);

/* The model: `given` (a file or spec of --model), or the one that the manifest
 * names, whose files must be what they were.  Either must give the energies
 * that the draws have.  When it cannot be had *out is NULL and *why says the
 * reason, to be free()d. */
void cli_load_model(const hiss_result *result, const char *given,
                    hiss_model **out, char **why);

/* Facts that only the command knows, for a later cli_load_model. */
hiss_status cli_load_describe(hiss_result *result, const cli_common *arguments,
                              hiss_error *err);

/* The sampler of a result, with a word where it is not exact; free() it. */
char *cli_load_sampler(const hiss_result *result);

#endif
