/* load.h - a result file, and the model that it was drawn from. */
#ifndef HISS_CLI_FILES_LOAD_H
#define HISS_CLI_FILES_LOAD_H

#include <hiss/hiss.h>

#include "cli/args/option.h"

/* "-" is standard input.  Returns the exit code, 0 on success; otherwise a
 * message was printed. */
int cli_load_result(const char *path, hiss_result **out);

/* The user's options about the model of a result. */
typedef struct cli_given {
    const char *model;    /* a file or spec; NULL for the result's own */
    const char *evidence; /* NULL for the result's own */
    const char *plugin;   /* may be loaded, or NULL */
} cli_given;

/* Options of commands that read results; `at` is the offset of a cli_given. */
/* clang-format off */
#define CLI_LOAD_OPTIONS(at)                                                   \
    {"model", 0, CLI_TEXT, (at) + offsetof(cli_given, model), NULL, 0, 0,      \
     "MODEL  what was sampled, where the result may not open it itself"},      \
    {"evidence", 0, CLI_TEXT, (at) + offsetof(cli_given, evidence), NULL, 0,   \
     0, "FILE  the evidence that was given, likewise"},                        \
    {"allow-plugin", 0, CLI_TEXT, (at) + offsetof(cli_given, plugin), NULL, 0, \
     0, "FILE  load this plug-in if the result names it"}
/* clang-format on */

/* Opens the model: the user's, or the one that the result names, if that is
 * allowed (hiss/trust.h).  Either must give the energies of the draws.  Returns
 * the exit code, with a message, if the user's is wrong or the result requests
 * what is not allowed; else CLI_DONE.  If the model is not available *out is
 * NULL and *why has the reason; free() it. */
int cli_load_model(const hiss_result *result, const cli_given *given,
                   hiss_model **out, char **why);

/* Adds facts that only the command knows, for a later cli_load_model. */
hiss_status cli_load_describe(hiss_result *result, const cli_common *arguments,
                              hiss_error *err);

/* Returns the sampler of a result, and says if it is not exact; free() it. */
char *cli_load_sampler(const hiss_result *result);

/* Returns the file of a model, links resolved; NULL if there is none.  free()
 * it. */
char *cli_load_file(const hiss_model *model);
/* Prints the file if it is not beside the result. */
void cli_load_tell(const char *result, const hiss_model *model);

#endif
