/* fail.c - messages and exit codes. */
#include "cli/print/fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MESSAGE_MAX = 4096
};

static bool is_held;
static char held[MESSAGE_MAX]; /* the first message, held back */

static void show(const char *before, const char *format, va_list arguments)
    CLI_PRINTF(2, 0);

static void show(const char *before, const char *format, va_list arguments)
{
    char text[MESSAGE_MAX];

    vsnprintf(text, sizeof text, format, arguments);
    hiss_clean(text);
    if (!is_held)
        fprintf(stderr, "hiss: %s%s\n", before, text);
    else if (!*before && !*held)
        memcpy(held, text, sizeof held);
}

void cli_fail_hold(bool is_held_now)
{
    is_held = is_held_now;
}

bool cli_fail_is_held(void)
{
    return is_held;
}

void cli_fail_release(void)
{
    if (*held)
        fprintf(stderr, "hiss: %s\n", held);
    *held = '\0';
}

int cli_fail(int code, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    show("", format, arguments);
    va_end(arguments);
    return code;
}

void cli_note(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    show("note: ", format, arguments);
    va_end(arguments);
}

static int code_of(hiss_status status)
{
    switch (status) {
    case HISS_OK:
        return CLI_DONE;
    case HISS_EARG:
    case HISS_EPARSE:
    case HISS_EUNSUP:
    case HISS_EPLUGIN:
    case HISS_ENUMERIC:
    case HISS_EINFEASIBLE:
    case HISS_ELIMIT:
    case HISS_EREFUSED:
        return CLI_BAD_CALL;
    case HISS_ENOMEM:
    case HISS_EIO:
    case HISS_ESTOP: /* callers know the signal */
    case HISS_EINTERNAL:
        return CLI_FAULT;
    }
    return CLI_FAULT;
}

int cli_fail_status(hiss_status status, const hiss_error *err)
{
    const char *message = err->message;

    if (!message[0])
        message = hiss_status_text(status);
    return cli_fail(code_of(status), "%s", message);
}

static _Noreturn void without_memory(void)
{
    fputs("hiss: out of memory\n", stderr);
    exit(CLI_FAULT);
}

void *cli_alloc(size_t count, size_t size)
{
    void *block = calloc(count ? count : 1, size ? size : 1);

    if (!block)
        without_memory();
    return block;
}

char *cli_text(const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0)
        without_memory();
    return text;
}
