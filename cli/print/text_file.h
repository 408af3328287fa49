/* text_file.h - a text written like a file, complete or not at all.
 *
 * open_memstream cannot report that memory ran out: the text is then
 * incomplete, and closing it succeeds. */
#ifndef HISS_CLI_PRINT_TEXT_FILE_H
#define HISS_CLI_PRINT_TEXT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct cli_text_file {
    FILE *to;   /* the stream to write to */
    char *text; /* the flushed part */
    size_t length, room;
    bool is_lost; /* some of it */
} cli_text_file;

/* If memory is short the process ends, as with cli_alloc, here or at the end.
 * The struct must not move until then. */
void cli_text_file_open(cli_text_file *file);

/* Closes it; free() the text. */
char *cli_text_file_close(cli_text_file *file);

#endif
