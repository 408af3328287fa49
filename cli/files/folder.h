/* folder.h - an output folder: made, known as ours, locked, written to.
 *
 * A folder is ours when it has a file that marks it; an empty or a missing one
 * becomes ours.  Files appear under their names only when they are whole. */
#ifndef HISS_CLI_FILES_FOLDER_H
#define HISS_CLI_FILES_FOLDER_H

#include <stdbool.h>

#include "cli/print/fail.h"

typedef struct cli_folder {
    char *path; /* owned */
    int lock;   /* descriptor that holds the lock */
} cli_folder;

/* CLI_DONE, or prints the message and returns its code: CLI_BAD_CALL for a
 * folder in use, not a folder, or with other things in it (unless is_forced),
 * CLI_FAULT when it cannot be made or written to. */
int cli_folder_open(cli_folder *folder, const char *path, const char *mark,
                    bool is_forced);
/* A folder in it; the exit code. */
int cli_folder_make(const cli_folder *folder, const char *name);
void cli_folder_close(cli_folder *folder);

/* path/name; free() it. */
char *cli_folder_file(const cli_folder *folder, const char *format, ...)
    CLI_PRINTF(2, 3);

/* Writes a whole file: temporary, fsync, rename. */
int cli_folder_write(const cli_folder *folder, const char *name,
                     const char *text);

#endif
