/* complete.h - completions of the shells, from the tables that are parsed.
 *
 * What a word may be follows from how the help calls it: MODEL, FILE, SPEC,
 * "models|samplers|formats|devices" and so on. */
#ifndef HISS_CLI_COMPLETE_COMPLETE_H
#define HISS_CLI_COMPLETE_COMPLETE_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/args/option.h"

#define CLI_VALUES_MAX 2048

/* Possible values of an argument. */
typedef struct cli_values {
    bool is_file, is_folder;
    char words[CLI_VALUES_MAX]; /* with blanks between them */
} cli_values;

/* Of a value or argument that the help calls `text`; names may be NULL, or are
 * those of EXPERIMENT. */
void cli_values_of(const char *text, const char *const *names, cli_values *out);

/* Of an option: its value's name and what it does, both parts of its help;
 * *length is that of the name. */
const char *cli_value_name(const cli_option *option, int *length);
const char *cli_value_help(const cli_option *option);

/* A script for each shell; commands end with NULL. */
void cli_complete_bash(FILE *to, const cli_command *const *commands);
void cli_complete_zsh(FILE *to, const cli_command *const *commands);
void cli_complete_fish(FILE *to, const cli_command *const *commands);

#endif
