/* npy.c - arrays in the format of numpy.
 *
 *     \x93NUMPY, version, length of the header (2 bytes, 4 from version 2 on)
 *     {'descr': '<f8', 'fortran_order': False, 'shape': (3, 3), }
 *     the numbers
 * Real and whole numbers of all sizes and booleans, little-endian. */
#include "format/parts/npy.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/error.h"
#include "format/parts/bytes.h"
#include "format/problem/terms.h"

enum {
    HEADER_MAX = 4096
};

struct header {
    char kind; /* f i u b */
    int bytes;
    bool is_fortran;
    hs_npy *array;
};

void hs_npy_clear(hs_npy *a)
{
    hs_free(a->value);
    *a = (hs_npy){0};
}

/* Returns the value of 'key': in the header, or NULL. */
static const char *value_of(const char *text, const char *key)
{
    const char *at = strstr(text, key);

    if (!at)
        return NULL;
    at += strlen(key);
    at += strspn(at, " ");
    if (*at++ != ':')
        return NULL;
    return at + strspn(at, " ");
}

static bool parse_type(const char *at, struct header *h)
{
    if (!at || (*at != '\'' && *at != '"') || !strchr("<|=", at[1]) || !at[1])
        return false;
    h->kind = at[2];
    if (!h->kind || !hs_is_digit(at[3]) || at[4] != at[0])
        return false;
    h->bytes = at[3] - '0';
    switch (h->kind) {
    case 'f':
        return h->bytes == 4 || h->bytes == 8;
    case 'i':
    case 'u':
        return h->bytes == 1 || h->bytes == 2 || h->bytes == 4 || h->bytes == 8;
    case 'b':
        return h->bytes == 1;
    default:
        return false;
    }
}

/* "(3, 3)", "(3,)", "()" */
static bool parse_shape(const char *at, hs_npy *a, int most)
{
    a->size[0] = a->size[1] = a->size[2] = 1;
    if (!at || *at++ != '(')
        return false;
    for (;;) {
        char *end;
        long long size;

        at += strspn(at, " ,");
        if (*at == ')')
            return true;
        if (!hs_is_digit(*at) || a->dims == most)
            return false;
        size = strtoll(at, &end, 10);
        if (size > INT32_MAX)
            return false;
        at = end;
        a->size[a->dims++] = size;
    }
}

static bool parse_header(const char *text, struct header *h, int most)
{
    const char *order = value_of(text, "'fortran_order'");

    h->is_fortran = order && strncmp(order, "True", 4) == 0;
    return order && parse_type(value_of(text, "'descr'"), h) &&
           parse_shape(value_of(text, "'shape'"), h->array, most);
}

static double number_at(const struct header *h, const unsigned char *at)
{
    switch (h->kind) {
    case 'f':
        return hs_bytes_real(at, h->bytes);
    case 'i':
        return (double)hs_bytes_signed(at, h->bytes);
    default:
        return (double)hs_bytes_unsigned(at, h->bytes);
    }
}

/* Copies numbers in this machine's format and order, as in most files, at the
 * speed of memory.  False for other numbers, or if one is too large. */
static bool copy_doubles(const struct header *h, const unsigned char *at,
                         int64_t count)
{
    const uint16_t one = 1;
    double *value = h->array->value;
    bool is_good = true;

    if (h->kind != 'f' || h->bytes != 8 || h->is_fortran ||
        *(const unsigned char *)&one != 1)
        return false;
    memcpy(value, at, (size_t)count * sizeof *value);
    for (int64_t n = 0; n < count; n++)
        is_good &= fabs(value[n]) <= HS_WEIGHT_MAX;
    return is_good;
}

static hiss_status parse_numbers(const struct header *h,
                                 const unsigned char *at, size_t length,
                                 const char *what, hiss_error *err)
{
    hs_npy *a = h->array;
    int64_t rows = a->size[0], columns = a->size[1], depth = a->size[2], count;

    if (__builtin_mul_overflow(rows * columns, depth, &count) ||
        (uint64_t)count != length / (size_t)h->bytes ||
        length % (size_t)h->bytes != 0)
        return hs_fail(err, HISS_EPARSE,
                       "%s: an array of %lld x %lld numbers of %d bytes has "
                       "%zu bytes",
                       what, (long long)rows, (long long)(columns * depth),
                       h->bytes, length);
    a->value = hs_alloc_array((size_t)count, sizeof *a->value);
    if (!a->value)
        return hs_fail_memory(err);
    if (copy_doubles(h, at, count))
        return HISS_OK;
    for (int64_t n = 0; n < count; n++) {
        int64_t r = n / (columns * depth), c = n / depth % columns;
        int64_t from = h->is_fortran ? (n % depth * columns + c) * rows + r : n;
        double value = number_at(h, at + from * h->bytes);

        if (!(fabs(value) <= HS_WEIGHT_MAX))
            return hs_fail(err, HISS_EPARSE,
                           "%s: entry (%lld,%lld) is %g, expected a number "
                           "from -1e30 to 1e30",
                           what, (long long)r, (long long)c, value);
        a->value[n] = value;
    }
    return HISS_OK;
}

hiss_status hs_npy_parse(hs_npy *out, const unsigned char *text, size_t length,
                         int most, const char *what, hiss_error *err)
{
    struct header h = {.array = out};
    char copy[HEADER_MAX + 1];
    size_t start, size;
    hiss_status rc;

    *out = (hs_npy){0};
    if (length < 12 || memcmp(text, "\x93NUMPY", 6) != 0)
        return hs_fail(err, HISS_EPARSE, "%s: not an array of numpy", what);
    start = text[6] >= 2 ? 12 : 10;
    size = (size_t)hs_bytes_unsigned(text + 8, (int)start - 8);
    if (size > HEADER_MAX || size > length - start)
        return hs_fail(err, HISS_EPARSE, "%s: its header of %zu bytes is cut",
                       what, size);
    memcpy(copy, text + start, size);
    copy[size] = '\0';
    if (strlen(copy) != size || !parse_header(copy, &h, most))
        return hs_fail(
            err, HISS_EPARSE,
            "%s: expected an array of up to %d dimensions of real or "
            "whole numbers, little-endian",
            what, most);
    rc = parse_numbers(&h, text + start + size, length - start - size, what,
                       err);
    if (rc != HISS_OK)
        hs_npy_clear(out);
    return rc;
}

hiss_status hs_npy_read(hs_npy *out, const char *path, int most,
                        hiss_error *err)
{
    unsigned char *text = NULL;
    size_t length = 0, room = 1 << 16, got;
    hs_bytes in;
    hiss_status rc;

    *out = (hs_npy){0};
    HS_TRY(hs_bytes_open(&in, path, err));
    do {
        unsigned char *more = hs_realloc_array(text, length, 2 * room, 1);

        if (!more) {
            rc = hs_fail_memory(err);
            break;
        }
        text = more;
        room *= 2;
        rc = hs_bytes_some(&in, text + length, room - length, &got, err);
        length += got;
    } while (rc == HISS_OK && length == room);
    hs_bytes_close(&in);
    if (rc == HISS_OK)
        rc = hs_npy_parse(out, text, length, most, path, err);
    hs_free(text);
    return rc;
}
