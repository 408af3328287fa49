/* output.h - is there a place for the result?  Asked before the work; and what
 * the work gave, put into that place or, if it was taken meanwhile, beside. */
#ifndef HISS_CLI_FILES_OUTPUT_H
#define HISS_CLI_FILES_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include <hiss/status.h>

/* CLI_DONE when a file can be made at path or that is "-"; else the message is
 * printed and the exit code returned: CLI_BAD_CALL when it exists (unless
 * is_forced), is no plain file or has too long a name, CLI_FAULT when its
 * folder is missing or not writable. */
int cli_output_check(const char *path, bool is_forced);

/* Writes `from` to a file, as the hiss_..._write functions do. */
typedef hiss_status cli_writer(const void *from, const char *path, bool replace,
                               hiss_error *err);

/* Writes by `write` what the work gave; signals wait until that is done.
 * When another program has made the file since it was checked, that one is
 * kept, this one goes to a free name beside it (x.csv: x.1.csv), both are
 * reported, and the code is CLI_FAULT.  "-" is the standard output that was
 * claimed (standard.h).  *saved is the file that was made, or
 * NULL; free() it. *status is what became of `path`; NULL if not wanted. */
int cli_output_make(const char *path, bool is_forced, cli_writer *write,
                    const void *from, char **saved, hiss_status *status);

/* Writes a whole text in that way.  The exit code; on failure the message was
 * printed. */
int cli_output_write(const char *path, bool is_forced, const char *text,
                     size_t length);

/* The same for a file that is there, `part`, which gets the name. */
int cli_output_move(const char *path, bool is_forced, const char *part);

/* The name of a temporary beside path; free() it. */
char *cli_output_part(const char *path);

/* CLI_FAULT when the disk has fewer bytes left than the file needs. */
int cli_output_check_room(const char *path, double bytes);

#endif
