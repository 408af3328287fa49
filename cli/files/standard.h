/* standard.h - "-" as a file: standard input and standard output.
 *
 * The library handles models and evidence from "-".  This file handles results,
 * which need a file to be read from, and outputs. */
#ifndef HISS_CLI_FILES_STANDARD_H
#define HISS_CLI_FILES_STANDARD_H

#include <stdbool.h>

#include "cli/args/option.h"

bool cli_is_standard(const char *path);

/* Copies a result from standard input, .nc or .csv by its first bytes, to a
 * temporary file whose name *path receives; free() it.  Returns the exit
 * code. */
int cli_standard_result(char **path);
/* Removes that file and its folder. */
void cli_standard_remove(const char *path);

/* Before the work, if path is "-": reserves standard output for data of this
 * suffix (".csv"); prints go to standard error from then on.  Returns the exit
 * code: only once, not with --json, and no binary data to a terminal. */
int cli_standard_claim(const cli_common *arguments, const char *path,
                       const char *suffix);

/* The suffix of the reserved output, or NULL. */
const char *cli_standard_suffix(void);

/* Returns the name of a file to be written, and copies that file to standard
 * output and removes it; free() the name.  NULL, with a message, if there is no
 * place. */
char *cli_standard_begin(void);
int cli_standard_end(const char *path);

#endif
