/* help.h - help texts, made from the same tables that are parsed. */
#ifndef HISS_CLI_ARGS_HELP_H
#define HISS_CLI_ARGS_HELP_H

#include <stdio.h>

#include "cli/args/option.h"

/* All commands, a line each; the table ends with NULL. */
void cli_help_all(FILE *stream, const cli_command *const *commands);

/* One command with its options. */
void cli_help_command(FILE *stream, const cli_command *command);

#endif
