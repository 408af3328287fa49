/* save.h - a result to its files, and to another place when that fails. */
#ifndef HISS_CLI_FILES_SAVE_H
#define HISS_CLI_FILES_SAVE_H

#include <hiss/hiss.h>

#include <stdbool.h>

#include "cli/args/option.h"

/* Before all else: where path is "-", standard output is for draws of the kind
 * `to`, "csv" if that is NULL. */
int cli_save_claim(const cli_common *arguments, const char *path,
                   const char *to);

/* Before the run: is there a writer for this name, and a place for the file?
 * The exit code, 0 if all is well. */
int cli_save_check(const char *path, bool is_forced);
/* With the model: can the format say its draws, and does the disk have room
 * for the least that they need? */
int cli_save_check_model(const char *path, const hiss_model *model, int chains,
                         double samples);

/* Writes it; what cannot be written there goes to the temporary folder, with
 * a note.  When that is full, too, the result is halved until it fits.  *saved
 * is the name of the file that was written, or NULL; free() it. */
int cli_save(hiss_result *result, const char *path, bool is_forced,
             char **saved);

#endif
