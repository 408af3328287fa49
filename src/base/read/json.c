/* json.c - jansson, with failed allocations reported. */
#include "base/read/json.h"

#include <math.h>
#include <stdint.h>

#include "base/text.h"

void hs_json_put(json_t *object, const char *key, json_t *value, bool *failed)
{
    if (json_object_set_new(object, key, value) != 0)
        *failed = true;
}

void hs_json_add(json_t *array, json_t *value, bool *failed)
{
    if (json_array_append_new(array, value) != 0)
        *failed = true;
}

/* Bytes of the UTF-8 character that begins here; 0 if it is invalid: cut short,
 * overlong, a surrogate, or beyond U+10FFFF. */
static int length_of(const uint8_t *c)
{
    uint32_t value;
    int more;

    if (c[0] < 0x80)
        return 1;
    more = c[0] >= 0xf0 ? 3 : c[0] >= 0xe0 ? 2 : 1;
    if (c[0] < 0xc2 || c[0] > 0xf4)
        return 0;
    value = c[0] & (0x3fu >> more);
    for (int k = 1; k <= more; k++) {
        if ((c[k] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (c[k] & 0x3f);
    }
    if ((more == 2 && value < 0x800) || (more == 3 && value < 0x10000) ||
        (value >= 0xd800 && value < 0xe000) || value > 0x10ffff)
        return 0;
    return more + 1;
}

bool hs_json_is_utf8(const char *text)
{
    const uint8_t *c = (const uint8_t *)text;

    while (*c) {
        int length = length_of(c);

        if (length == 0)
            return false;
        c += length;
    }
    return true;
}

void hs_json_put_text(json_t *object, const char *key, const char *text,
                      bool *failed)
{
    if (text && hs_json_is_utf8(text))
        hs_json_put(object, key, json_string_nocheck(text), failed);
}

void hs_json_put_real(json_t *object, const char *key, double value,
                      bool *failed)
{
    hs_json_put(object, key, isfinite(value) ? json_real(value) : json_null(),
                failed);
}

void hs_json_put_whole(json_t *object, const char *key, int64_t value,
                       bool *failed)
{
    hs_json_put(object, key, json_integer(value), failed);
}

static int take(const char *bytes, size_t count, void *text)
{
    hs_text_add(text, bytes, count);
    return ((hs_text *)text)->failed ? -1 : 0;
}

char *hs_json_print(const json_t *value, size_t flags)
{
    hs_text text = {0};

    if (!value || json_dump_callback(value, take, &text, flags) != 0)
        text.failed = true;
    return hs_text_take(&text);
}

json_t *hs_json_parse(const char *text, size_t length, size_t flags,
                      json_error_t *fault)
{
    json_t *root = json_loadb(text, length, flags, fault);

    return root ? root : json_loadb(text, length, flags, fault);
}

/* An empty text in the fault also means a failed allocation.  The tree of
 * "0,0,0," takes about 24 bytes per byte of text. */
bool hs_json_lacked_memory(const json_error_t *fault, size_t length)
{
    json_malloc_t give;
    json_free_t take_back;
    void *room;

    if (json_error_code(fault) == json_error_out_of_memory ||
        fault->text[0] == '\0')
        return true;
    json_get_alloc_funcs(&give, &take_back);
    room = give(64 + 24 * length);
    take_back(room);
    return !room;
}
