/* resume.h - the command line that a checkpoint belongs to. */
#ifndef HISS_CLI_FILES_RESUME_H
#define HISS_CLI_FILES_RESUME_H

#include <hiss/hiss.h>

#include "cli/args/option.h"

/* A command line, its working folder, and what it may open now. */
typedef struct cli_saved {
    char *folder; /* owned: its working folder */
    char *place;  /* owned: folder of the checkpoint */
    char **argv;  /* owned, NULL-terminated */
    int argc;
    hiss_recorded *recorded; /* owned, with its texts */
    hiss_trust trust;        /* for its words; borrows from the fields above */
} cli_saved;

/* Returns the text to store with a checkpoint; free() it.  NULL if an argument
 * is not UTF-8, or without memory. */
char *cli_resume_text(const cli_common *arguments, const hiss_model *model,
                      const hiss_sampler *sampler);

/* Prints why there is no such text; returns the exit code. */
int cli_resume_refuse(const cli_common *arguments);

/* Reads it back; returns the exit code, 0 on success. */
int cli_resume_read(const char *checkpoint, cli_saved *out);
void cli_resume_clear(cli_saved *saved);

/* Converts an output of the saved words (NULL: none) to a path that works from
 * any folder, to be free()d; `option` tells the message how the user may name
 * it.  Returns the exit code. */
int cli_resume_output(const cli_saved *saved, const char *option,
                      const char *name, char **out);

#endif
