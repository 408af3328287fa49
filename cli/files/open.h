/* open.h - opens the arguments MODEL and SPEC. */
#ifndef HISS_CLI_FILES_OPEN_H
#define HISS_CLI_FILES_OPEN_H

#include <hiss/hiss.h>

#include "cli/args/option.h"

/* Options of commands whose model may have fixed coordinates; their struct
 * begins with a cli_common. */
/* clang-format off */
#define CLI_GIVEN_OPTIONS                                                      \
    {"evidence", 0, CLI_TEXT, offsetof(cli_common, evidence), NULL, 0, 0,      \
     "FILE  a UAI evidence file: variables, counted from 0, and the states "   \
     "that they are fixed at; or lines NAME=STATE"},                           \
    {"fix", 0, CLI_TEXT, offsetof(cli_common, fix), NULL, 0, 0,                \
     "LIST  coordinates, counted from 1 as in x.1, to be fixed at these "      \
     "values: 3=1,7=-1; or names: Alarm=true"},                                \
    CLI_BETA_OPTIONS
/* Options of all commands that take a model. */
#define CLI_BETA_OPTIONS                                                       \
    {"beta", 0, CLI_TEXT, offsetof(cli_common, beta), NULL, 0, 0,              \
     "B  inverse temperature: log p of the model is multiplied by B, "         \
     "objectives are not"},                                                    \
    {"temperature", 0, CLI_TEXT, offsetof(cli_common, temperature), NULL, 0,   \
     0, "T  the same as --beta 1/T"}
/* clang-format on */

/* Opens the first word of the command with --evidence, --fix, --beta and
 * --temperature.  Returns CLI_DONE, or prints the message and returns its
 * code. */
int cli_open_model(const cli_common *arguments, hiss_model **out);

/* Prints what was read, and the model's notes, on stderr unless quiet.  Call it
 * when nothing can fail any more, so that messages of failures come first. */
void cli_open_note(const cli_common *arguments, const hiss_model *model);

/* trust is NULL for the user's own words. */
int cli_open_sampler(const char *spec, const hiss_trust *trust,
                     hiss_sampler **out);

/* After a failure to draw, unless quiet: if elimination would work, prints the
 * command and its time. */
void cli_open_point(const cli_common *arguments, const hiss_model *model);

/* Returns the typed command line, quoted for a shell, on one line; free()
 * it. */
char *cli_open_line(const cli_common *arguments);

#endif
