/* warnings.c - a short list of texts. */
#include "cli/report/warnings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void cli_warnings_add(cli_warnings *warnings, const char *format, ...)
{
    va_list arguments;
    char *text = NULL;
    int length;

    if (warnings->count == CLI_WARNINGS_MAX)
        return;
    va_start(arguments, format);
    length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length >= 0)
        warnings->at[warnings->count++] = text;
}

void cli_warnings_clear(cli_warnings *warnings)
{
    for (int w = 0; w < warnings->count; w++)
        free(warnings->at[w]);
    warnings->count = 0;
}
