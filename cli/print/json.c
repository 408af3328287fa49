/* json.c - prints one object on stdout, with numbers of 17 digits that read
 * back to the same doubles. */
#include "cli/print/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/print/fail.h"

enum {
    DIGITS = 17
};

static const double WHOLE_MAX = 9007199254740992.0; /* 2^53 */

static json_t *made(json_t *value)
{
    if (!value)
        exit(cli_fail(CLI_FAULT, "out of memory"));
    return value;
}

json_t *cli_json_object(void)
{
    return made(json_object());
}

json_t *cli_json_array(void)
{
    return made(json_array());
}

json_t *cli_json_real(double value)
{
    return made(isfinite(value) ? json_real(value) : json_null());
}

json_t *cli_json_number(double value)
{
    if (value == floor(value) && fabs(value) < WHOLE_MAX)
        return made(json_integer((json_int_t)value));
    return cli_json_real(value);
}

json_t *cli_json_text(const char *text)
{
    json_t *value;
    char *clean;

    if (!text)
        return made(json_null());
    value = json_string(text);
    if (value)
        return value;
    clean = cli_text("%s", text);
    for (char *c = clean; *c; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    value = made(json_string(clean));
    free(clean);
    return value;
}

json_t *cli_json_manifest(const hiss_result *result)
{
    char *text = hiss_result_manifest(result);
    json_t *value = made(text ? json_loads(text, 0, NULL) : NULL);

    hiss_free(text);
    return value;
}

char *cli_json_string(const json_t *value)
{
    char *text = json_dumps(value, JSON_INDENT(2) | JSON_PRESERVE_ORDER |
                                       JSON_REAL_PRECISION(DIGITS));

    if (!text)
        made(NULL);
    return text;
}

void cli_json_put(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0)
        made(NULL);
}

void cli_json_add(json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0)
        made(NULL);
}

void cli_json_put_real(json_t *object, const char *key, double value)
{
    cli_json_put(object, key, cli_json_real(value));
}

void cli_json_put_number(json_t *object, const char *key, double value)
{
    cli_json_put(object, key, cli_json_number(value));
}

void cli_json_put_whole(json_t *object, const char *key, int64_t value)
{
    cli_json_put(object, key, made(json_integer(value)));
}

void cli_json_put_text(json_t *object, const char *key, const char *text)
{
    cli_json_put(object, key, cli_json_text(text));
}

void cli_json_put_bool(json_t *object, const char *key, bool value)
{
    cli_json_put(object, key, made(json_boolean(value)));
}

void cli_json_print(json_t *value)
{
    char *text = cli_json_string(value);

    puts(text);
    free(text);
    json_decref(value);
}
