/* save.h - writes a result to its files, or to another place if that fails. */
#ifndef HISS_CLI_FILES_SAVE_H
#define HISS_CLI_FILES_SAVE_H

#include <hiss/hiss.h>

#include <stdbool.h>

#include "cli/args/option.h"

/* Call it first.  If path is "-", standard output is reserved for draws of the
 * kind `to`, "csv" if that is NULL. */
int cli_save_claim(const cli_common *arguments, const char *path,
                   const char *to);

/* Before the run: checks that there is a writer for this name, and a place for
 * the file.  Returns the exit code, 0 on success. */
int cli_save_check(const char *path, bool is_forced);
/* With the model: checks that the format can express its draws, and that the
 * disk has room for the smallest possible file. */
int cli_save_check_model(const char *path, const hiss_model *model, int chains,
                         double samples);

/* Writes the result.  If that fails, it goes to the temporary folder, with a
 * note; if that is full too, the result is halved until it fits.  *saved is the
 * name of the file that was written, or NULL; free() it. */
int cli_save(hiss_result *result, const char *path, bool is_forced,
             char **saved);

#endif
