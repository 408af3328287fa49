/* load.h - a result file, and the model that it was drawn from. */
#ifndef HISS_CLI_FILES_LOAD_H
#define HISS_CLI_FILES_LOAD_H

#include <hiss/hiss.h>

#include "cli/args/option.h"

/* "-" is standard input.  The exit code, 0 if all is well; a message was
 * printed otherwise. */
int cli_load_result(const char *path, hiss_result **out);

/* The user's options about the model of a result. */
typedef struct cli_given {
    const char *model;    /* a file or spec, or NULL: what the result names */
    const char *evidence; /* or NULL: what the result names */
    const char *plugin;   /* that may be loaded, or NULL */
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

/* The model: what the user gave, or the one that the result names, if it may
 * be opened for it (hiss/trust.h).  Either must give the energies that the
 * draws have.  The exit code, with a message, where the user's is wrong or the
 * result asks for what it may not; CLI_DONE otherwise, and when the model is
 * not at hand *out is NULL and *why says the reason, to be free()d. */
int cli_load_model(const hiss_result *result, const cli_given *given,
                   hiss_model **out, char **why);

/* Facts that only the command knows, for a later cli_load_model. */
hiss_status cli_load_describe(hiss_result *result, const cli_common *arguments,
                              hiss_error *err);

/* The sampler of a result, with a word where it is not exact; free() it. */
char *cli_load_sampler(const hiss_result *result);

/* The file of a model, links resolved; NULL: none.  Free it. */
char *cli_load_file(const hiss_model *model);
/* Says which file that is where it does not lie beside the result. */
void cli_load_tell(const char *result, const hiss_model *model);

#endif
