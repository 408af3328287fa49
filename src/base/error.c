/* error.c - writes the one message of a failure. */
#include "base/error.h"
#include "base/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/clean.h"

static const char *const status_texts[] = {
#define STATUS_TEXT(name, number, text) [number] = (text),
    HISS_STATUS_LIST(STATUS_TEXT)
#undef STATUS_TEXT
};

const char *hiss_status_text(hiss_status status)
{
    size_t count = sizeof status_texts / sizeof status_texts[0];

    if ((size_t)status >= count || !status_texts[status])
        return "an unknown status";
    return status_texts[status];
}

hiss_status hs_fail(hiss_error *err, hiss_status status, const char *format,
                    ...)
{
    va_list args;

    if (!err)
        return status;
    err->status = status;
    va_start(args, format);
    hs_vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    hs_clean(err->message, true); /* the message may quote a file */
    return status;
}

hiss_status hs_fail_memory(hiss_error *err)
{
    return hs_fail(err, HISS_ENOMEM, "out of memory");
}

void hs_error_prefix(hiss_error *err, const char *format, ...)
{
    char prefix[HISS_ERROR_MAX] = "";
    size_t used, kept;
    va_list args;

    if (!err)
        return;
    va_start(args, format);
    hs_vsnprintf(prefix, sizeof prefix - 2, format, args);
    va_end(args);
    hs_clean(prefix, true);
    used = strlen(prefix);
    prefix[used++] = ':';
    prefix[used++] = ' ';
    kept = strlen(err->message);
    if (kept > sizeof err->message - 1 - used)
        kept = sizeof err->message - 1 - used;
    memmove(err->message + used, err->message, kept);
    memcpy(err->message, prefix, used);
    err->message[used + kept] = '\0';
}
