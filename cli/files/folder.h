/* folder.h - an output folder: created, recognized as ours, locked, written.
 *
 * A folder is ours if it has our mark file; an empty or missing one becomes
 * ours.  Files appear under their names only when they are complete. */
#ifndef HISS_CLI_FILES_FOLDER_H
#define HISS_CLI_FILES_FOLDER_H

#include <stdbool.h>

#include "cli/print/fail.h"

typedef struct cli_folder {
    char *path; /* owned */
    int lock;   /* descriptor of the lock */
} cli_folder;

/* Returns CLI_DONE, or prints the message and returns its code: CLI_BAD_CALL
 * for a folder in use, not a folder, or with other contents (unless is_forced),
 * CLI_FAULT if it cannot be created or written. */
int cli_folder_open(cli_folder *folder, const char *path, const char *mark,
                    bool is_forced);
/* Creates a folder in it; returns the exit code. */
int cli_folder_make(const cli_folder *folder, const char *name);
void cli_folder_close(cli_folder *folder);

/* Returns path/name; free() it. */
char *cli_folder_file(const cli_folder *folder, const char *format, ...)
    CLI_PRINTF(2, 3);

/* Writes a complete file: temporary, fsync, rename. */
int cli_folder_write(const cli_folder *folder, const char *name,
                     const char *text);

#endif
