/* terminal.c - the width of the terminal, and wrapping text to it. */
#include "cli/print/terminal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/print/number.h"

enum {
    WIDTH_USUAL = 80,
    WIDTH_MAX = 10000
};

bool cli_terminal_is(FILE *stream)
{
    const char *term = getenv("TERM");

    return isatty(fileno(stream)) && !(term && strcmp(term, "dumb") == 0);
}

int cli_terminal_width(FILE *stream)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size = {0}; /* some ioctls do not fill it */
    int64_t width;

    if (columns &&
        cli_number_whole(columns, 1, WIDTH_MAX, &width) == CLI_NUMBER_OK)
        return (int)width;
    if (isatty(fileno(stream)) &&
        ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return WIDTH_USUAL;
}

static int most; /* columns of tables; 0 for no limit */

void cli_terminal_limit(int columns)
{
    most = columns;
}

int cli_terminal_table_width(void)
{
    int width = cli_terminal_is(stdout) ? cli_terminal_width(stdout) : 0;

    return most && (width == 0 || width > most) ? most : width;
}

void cli_terminal_wrap(FILE *stream, const char *text, int at, int indent,
                       int width)
{
    bool is_first = true;

    for (const char *word = text; *word;) {
        int length = (int)strcspn(word, " ");

        if (!is_first && at + 1 + length > width) {
            fprintf(stream, "\n%*s", indent, "");
            at = indent;
            is_first = true;
        }
        fprintf(stream, "%s%.*s", is_first ? "" : " ", length, word);
        at += length + !is_first;
        is_first = false;
        word += length;
        word += strspn(word, " ");
    }
    fputc('\n', stream);
}
