/* help.h - help texts, made from the tables that parse the command line. */
#ifndef HISS_CLI_ARGS_HELP_H
#define HISS_CLI_ARGS_HELP_H

#include <stdio.h>

#include "cli/args/option.h"

/* Prints all commands, a line each; the table ends with NULL. */
void cli_help_all(FILE *stream, const cli_command *const *commands);

/* Prints one command with its options. */
void cli_help_command(FILE *stream, const cli_command *command);

#endif
