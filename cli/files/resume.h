/* resume.h - the command line that a checkpoint belongs to. */
#ifndef HISS_CLI_FILES_RESUME_H
#define HISS_CLI_FILES_RESUME_H

#include <hiss/hiss.h>

#include "cli/args/option.h"

/* A command line as it was typed, and where, and what it may do now. */
typedef struct cli_saved {
    char *folder; /* owned: where it was typed */
    char *place;  /* owned: where the checkpoint lies */
    char **argv;  /* owned, NULL-terminated */
    int argc;
    hiss_recorded *recorded; /* owned, and its texts */
    hiss_trust trust;        /* of its words; borrows from the above */
} cli_saved;

/* To keep with a checkpoint; free() it.  NULL when an argument is not UTF-8. */
char *cli_resume_text(const cli_common *arguments, const hiss_model *model,
                      const hiss_sampler *sampler);

/* Reads it back; the exit code, 0 if all is well. */
int cli_resume_read(const char *checkpoint, cli_saved *out);
void cli_resume_clear(cli_saved *saved);

/* An output that the saved words name (NULL: none), as a path from anywhere,
 * to be free()d; `option` is how the user may name it.  The exit code. */
int cli_resume_output(const cli_saved *saved, const char *option,
                      const char *name, char **out);

#endif
