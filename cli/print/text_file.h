/* text_file.h - a text that is written like a file, whole or not at all.
 *
 * open_memstream has no way to say that memory ran out in between: what did not
 * fit is missing then, and closing it succeeds. */
#ifndef HISS_CLI_PRINT_TEXT_FILE_H
#define HISS_CLI_PRINT_TEXT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct cli_text_file {
    FILE *to;   /* what is written to */
    char *text; /* as far as it was flushed */
    size_t length, room;
    bool is_lost; /* some of it */
} cli_text_file;

/* Without memory the process ends, as with cli_alloc, here or when it is
 * closed.  The file must stay where it is until then. */
void cli_text_file_open(cli_text_file *file);

/* Closes it; free() the text. */
char *cli_text_file_close(cli_text_file *file);

#endif
