/* output.h - checks the place of an output before the work, and writes it there
 * or, if the name was taken in the meantime, beside it. */
#ifndef HISS_CLI_FILES_OUTPUT_H
#define HISS_CLI_FILES_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include <hiss/status.h>

/* CLI_DONE if a file can be made at path or path is "-".  Otherwise prints the
 * message and returns the exit code: CLI_BAD_CALL if it exists (unless
 * is_forced), is not a plain file or has too long a name, CLI_FAULT if its
 * folder is missing or not writable. */
int cli_output_check(const char *path, bool is_forced);

/* Writes `from` to a file, like the hiss_..._write functions. */
typedef hiss_status cli_writer(const void *from, const char *path, bool replace,
                               hiss_error *err);

/* Writes by `write`; signals wait until that is done.  If another program has
 * made the file since it was checked, that one stays, this one gets a free name
 * beside it (x.csv: x.1.csv), both are reported, and the code is CLI_FAULT.
 * "-" is the claimed standard output (standard.h).  *saved is the file that was
 * written, or NULL; free() it.  *status is the outcome for `path`; may be
 * NULL. */
int cli_output_make(const char *path, bool is_forced, cli_writer *write,
                    const void *from, char **saved, hiss_status *status);

/* Writes a whole text in that way.  Returns the exit code; on failure a message
 * was printed. */
int cli_output_write(const char *path, bool is_forced, const char *text,
                     size_t length);

/* The same for an existing file, `part`, which gets the name. */
int cli_output_move(const char *path, bool is_forced, const char *part);

/* Returns the name of a temporary beside path; free() it. */
char *cli_output_part(const char *path);

/* CLI_FAULT if the disk has too little room for the file. */
int cli_output_check_room(const char *path, double bytes);

#endif
