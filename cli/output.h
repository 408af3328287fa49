/* output.h - is there a place for the result?  Asked before the work. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>

/* CLI_DONE when a file can be made at path; else the message is printed and
 * the exit code returned: CLI_BAD_CALL when it exists (unless is_forced) or is
 * no plain file, CLI_FAULT when its folder is missing or not writable. */
int cli_output_check(const char *path, bool is_forced);

/* CLI_FAULT when the disk has fewer bytes left than the file needs. */
int cli_output_check_room(const char *path, double bytes);

#endif
