/* text_file.c - a text written like a file, complete or not at all. */
#include "cli/print/text_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "cli/print/fail.h"

/* Appends everything and the final NUL, or nothing. */
static ssize_t append(void *cookie, const char *from, size_t size)
{
    cli_text_file *file = cookie;
    size_t needed = file->length + size + 1;

    if (!file->is_lost && needed > file->room) {
        char *more = realloc(file->text, 2 * needed);

        file->is_lost = !more;
        if (more) {
            file->text = more;
            file->room = 2 * needed;
        }
    }
    if (file->is_lost)
        return 0;
    memcpy(file->text + file->length, from, size);
    file->length += size;
    file->text[file->length] = '\0';
    return (ssize_t)size;
}

void cli_text_file_open(cli_text_file *file)
{
    *file = (cli_text_file){.text = cli_alloc(1, 1), .room = 1};
    file->to = fopencookie(file, "w", (cookie_io_functions_t){.write = append});
    if (!file->to)
        exit(cli_fail(CLI_FAULT, "out of memory"));
}

char *cli_text_file_close(cli_text_file *file)
{
    if (fclose(file->to) != 0 || file->is_lost)
        exit(cli_fail(CLI_FAULT, "out of memory"));
    return file->text;
}
