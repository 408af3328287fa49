/* complete.h - completions of the shells, from the tables of options.
 *
 * The possible words follow from the help's name of an argument: MODEL, FILE,
 * SPEC, "models|samplers|formats|devices" and so on. */
#ifndef HISS_CLI_COMPLETE_COMPLETE_H
#define HISS_CLI_COMPLETE_COMPLETE_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/args/option.h"

#define CLI_VALUES_MAX 2048

/* Possible values of an argument. */
typedef struct cli_values {
    bool is_file, is_folder;
    char words[CLI_VALUES_MAX]; /* separated by blanks */
} cli_values;

/* Lists the values of an argument that the help calls `text`; names may be
 * NULL, or are those of EXPERIMENT. */
void cli_values_of(const char *text, const char *const *names, cli_values *out);

/* Splits the help of an option: returns its value's name and description;
 * *length is that of the name. */
const char *cli_value_name(const cli_option *option, int *length);
const char *cli_value_help(const cli_option *option);

/* Print a script for each shell; commands end with NULL. */
void cli_complete_bash(FILE *to, const cli_command *const *commands);
void cli_complete_zsh(FILE *to, const cli_command *const *commands);
void cli_complete_fish(FILE *to, const cli_command *const *commands);

#endif
