/* output.h - is there a place for the result?  Asked before the work. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

/* CLI_DONE when a file can be made at path; else the message is printed and
 * the exit code returned: CLI_BAD_CALL when it exists (unless is_forced) or is
 * no plain file, CLI_FAULT when its folder is missing or not writable. */
int cli_output_check(const char *path, bool is_forced);

/* Writes a whole text: to a temporary beside it, synced, then renamed.  The
 * exit code; on failure the message was printed and nothing is left. */
int cli_output_write(const char *path, const char *text, size_t length);

/* CLI_FAULT when the disk has fewer bytes left than the file needs. */
int cli_output_check_room(const char *path, double bytes);

#endif
