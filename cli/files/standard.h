/* standard.h - "-" as a file: standard input and standard output.
 *
 * A model or evidence from "-" is the library's matter.  Here are results,
 * which have to lie in a file to be read, and what is written. */
#ifndef HISS_CLI_FILES_STANDARD_H
#define HISS_CLI_FILES_STANDARD_H

#include <stdbool.h>

#include "cli/args/option.h"

bool cli_is_standard(const char *path);

/* A result from standard input, .nc or .csv as its first bytes say, in a
 * temporary file whose name *path receives: free() it.  The exit code. */
int cli_standard_result(char **path);
/* Removes that file and its folder. */
void cli_standard_remove(const char *path);

/* Before the work, where path is "-": standard output is for data of this
 * suffix (".csv") from now on, and what is printed goes to standard error.
 * The exit code: once only, not with --json, and nothing binary to a
 * terminal. */
int cli_standard_claim(const cli_common *arguments, const char *path,
                       const char *suffix);

/* Of the claim, or NULL. */
const char *cli_standard_suffix(void);

/* After a claim: the name of a file to be made, and that file copied out and
 * removed; free() the name.  NULL, with a message, if there is no place. */
char *cli_standard_begin(void);
int cli_standard_end(const char *path);

#endif
