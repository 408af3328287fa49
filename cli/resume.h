/* resume.h - the command line that a checkpoint belongs to. */
#ifndef CLI_RESUME_H
#define CLI_RESUME_H

#include "option.h"

/* A command line as it was typed, and where. */
typedef struct cli_saved {
    char *folder; /* owned */
    char **argv;  /* owned, NULL-terminated */
    int argc;
} cli_saved;

/* To keep with a checkpoint; free() it. */
char *cli_resume_text(const cli_common *arguments);

/* Reads it back; the exit code, 0 if all is well. */
int cli_resume_read(const char *checkpoint, cli_saved *out);
void cli_resume_clear(cli_saved *saved);

/* The same file, whatever the working folder; free() it. */
char *cli_resume_absolute(const char *path);

/* Goes to the folder where the run was started, for its relative names. */
int cli_resume_enter(const cli_saved *saved);

#endif
