/* zip.c - the entries of a zip archive, stored or deflated. */
#include "format/parts/zip.h"

#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/read/input.h"
#include "format/parts/bytes.h"

enum {
    END_SIZE = 22,
    END64_SIZE = 56,
    LOCATOR_SIZE = 20,
    CENTRAL_SIZE = 46,
    LOCAL_SIZE = 30,
    COMMENT_MAX = 65535,
    NAME_MAX_BYTES = 256,
    EXPANSION_MAX = 1032,
    DIRECTORY_MAX = HS_ZIP_ENTRIES_MAX * (CENTRAL_SIZE + 1024)
};

static hiss_status fail(const hs_zip *z, const char *what, hiss_error *err)
{
    return hs_fail(err, HISS_EPARSE, "%s: %s", z->path, what);
}

/* Reads count bytes from an offset. */
static hiss_status read_at(hs_zip *z, uint64_t offset, void *to, size_t count,
                           hiss_error *err)
{
    if (offset > INT64_MAX || fseeko(z->file, (off_t)offset, SEEK_SET) != 0 ||
        fread(to, 1, count, z->file) != count)
        return fail(z, "the zip archive is damaged: it points beyond its end",
                    err);
    return HISS_OK;
}

static uint64_t number(const unsigned char *at, int size)
{
    return hs_bytes_unsigned(at, size);
}

struct directory {
    uint64_t entries, size, offset;
};

/* Finds the record at the end, which may be before a comment. */
static hiss_status find_directory(hs_zip *z, uint64_t length,
                                  struct directory *d, hiss_error *err)
{
    size_t tail = length < END_SIZE + COMMENT_MAX ? (size_t)length
                                                  : END_SIZE + COMMENT_MAX;
    unsigned char *text = hs_alloc_array(tail, 1), locator[LOCATOR_SIZE];
    unsigned char wide[END64_SIZE];
    hiss_status rc;
    size_t at;

    if (!text)
        return hs_fail_memory(err);
    rc = read_at(z, length - tail, text, tail, err);
    at = tail >= END_SIZE ? tail - END_SIZE : 0;
    while (rc == HISS_OK && at > 0 && memcmp(text + at, "PK\5\6", 4) != 0)
        at--;
    if (rc == HISS_OK &&
        (tail < END_SIZE || memcmp(text + at, "PK\5\6", 4) != 0))
        rc = fail(z, "the zip archive is cut: it has no directory", err);
    if (rc == HISS_OK) {
        d->entries = number(text + at + 10, 2);
        d->size = number(text + at + 12, 4);
        d->offset = number(text + at + 16, 4);
    }
    hs_free(text);
    if (rc != HISS_OK || (d->offset != UINT32_MAX && d->entries != UINT16_MAX))
        return rc;
    /* zip64: a locator precedes the record */
    if (length - tail + at < LOCATOR_SIZE)
        return fail(z, "the zip archive is damaged", err);
    HS_TRY(read_at(z, length - tail + at - LOCATOR_SIZE, locator, LOCATOR_SIZE,
                   err));
    HS_TRY(read_at(z, number(locator + 8, 8), wide, END64_SIZE, err));
    if (memcmp(locator, "PK\6\7", 4) != 0 || memcmp(wide, "PK\6\6", 4) != 0)
        return fail(z, "the zip archive is damaged", err);
    d->entries = number(wide + 32, 8);
    d->size = number(wide + 40, 8);
    d->offset = number(wide + 48, 8);
    return HISS_OK;
}

/* Sizes past 4 GB are in an extra field, in this order. */
static void read_extra(hs_zip_entry *e, const unsigned char *extra,
                       size_t length)
{
    uint64_t *field[3] = {&e->size, &e->packed, &e->offset};

    while (length >= 4) {
        size_t kind = (size_t)number(extra, 2);
        size_t size = (size_t)number(extra + 2, 2), at = 4;

        if (size > length - 4)
            return;
        for (int f = 0; kind == 1 && f < 3; f++)
            if (*field[f] == UINT32_MAX && at + 8 <= size + 4) {
                *field[f] = number(extra + at, 8);
                at += 8;
            }
        extra += 4 + size;
        length -= 4 + size;
    }
}

/* Reads one entry of the directory, which has *used bytes. */
static hiss_status read_entry(hs_zip *z, const unsigned char *at, size_t left,
                              uint64_t length, size_t *used, hiss_error *err)
{
    hs_zip_entry *e = &z->entry[z->count];
    size_t name, extra, comment;

    if (left < CENTRAL_SIZE || memcmp(at, "PK\1\2", 4) != 0)
        return fail(z, "the directory of the zip archive is damaged", err);
    name = (size_t)number(at + 28, 2);
    extra = (size_t)number(at + 30, 2);
    comment = (size_t)number(at + 32, 2);
    *used = CENTRAL_SIZE + name + extra + comment;
    if (*used > left || name >= NAME_MAX_BYTES)
        return fail(z, "the directory of the zip archive is damaged", err);
    e->method = (int)number(at + 10, 2);
    e->crc = (uint32_t)number(at + 16, 4);
    e->packed = number(at + 20, 4);
    e->size = number(at + 24, 4);
    e->offset = number(at + 42, 4);
    read_extra(e, at + CENTRAL_SIZE + name, extra);
    e->name = hs_strndup((const char *)at + CENTRAL_SIZE, name);
    if (!e->name)
        return hs_fail_memory(err);
    z->count++;
    if (number(at + 8, 2) & 1)
        return fail(z, "the zip archive is encrypted", err);
    if (e->method != 0 && e->method != 8)
        return fail(z, "an entry is neither stored nor deflated", err);
    if (e->packed > length || e->size > EXPANSION_MAX * e->packed ||
        (e->method == 0 && e->size != e->packed))
        return fail(z, "an entry is larger than its bytes allow", err);
    return HISS_OK;
}

static hiss_status read_directory(hs_zip *z, uint64_t length, hiss_error *err)
{
    struct directory d = {0};
    unsigned char *text;
    size_t at = 0, used = 0;
    hiss_status rc;

    HS_TRY(find_directory(z, length, &d, err));
    if (d.entries > HS_ZIP_ENTRIES_MAX || d.size > length ||
        d.size > DIRECTORY_MAX)
        return fail(z, "the zip archive has too many entries", err);
    text = hs_alloc_array((size_t)d.size, 1);
    z->entry = hs_alloc_array((size_t)d.entries, sizeof *z->entry);
    rc = text && z->entry ? HISS_OK : hs_fail_memory(err);
    if (rc == HISS_OK)
        rc = read_at(z, d.offset, text, (size_t)d.size, err);
    for (uint64_t e = 0; rc == HISS_OK && e < d.entries; e++, at += used)
        rc = read_entry(z, text + at, (size_t)d.size - at, length, &used, err);
    hs_free(text);
    return rc;
}

hiss_status hs_zip_open(hs_zip *z, const char *path, hiss_error *err)
{
    struct stat info;
    hiss_status rc;

    *z = (hs_zip){.path = path};
    HS_TRY(hs_input_stream(&z->file, path, &info, err));
    if (!S_ISREG(info.st_mode))
        rc = fail(z, "a zip archive must be a plain file", err);
    else
        rc = read_directory(z, (uint64_t)info.st_size, err);
    if (rc != HISS_OK)
        hs_zip_close(z);
    return rc;
}

void hs_zip_close(hs_zip *z)
{
    for (int e = 0; e < z->count; e++)
        hs_free(z->entry[e].name);
    hs_free(z->entry);
    if (z->file)
        fclose(z->file);
    *z = (hs_zip){0};
}

/* Inflates the bytes of an entry in pieces; false if they are damaged. */
static bool inflate_entry(hs_zip *z, const hs_zip_entry *e, unsigned char *out)
{
    enum {
        PIECE = 1 << 16
    };
    unsigned char *piece = hs_alloc_array(PIECE, 1);
    uint64_t left = e->packed, room = e->size;
    z_stream s = {0};
    int code = Z_OK;

    if (!piece || inflateInit2(&s, -MAX_WBITS) != Z_OK) {
        hs_free(piece);
        return false;
    }
    s.next_out = out;
    while (code == Z_OK) {
        if (s.avail_in == 0 && left > 0) {
            size_t want = left < PIECE ? (size_t)left : PIECE;

            s.avail_in = (unsigned)fread(piece, 1, want, z->file);
            s.next_in = piece;
            left -= s.avail_in;
            if (s.avail_in != want)
                break;
        }
        if (s.avail_out == 0) {
            s.avail_out = room < PIECE ? (unsigned)room : PIECE;
            room -= s.avail_out;
        }
        code = inflate(&s, Z_NO_FLUSH);
        if (code == Z_BUF_ERROR &&
            ((s.avail_in == 0 && left > 0) || (s.avail_out == 0 && room > 0)))
            code = Z_OK;
    }
    inflateEnd(&s);
    hs_free(piece);
    return code == Z_STREAM_END && room == 0 && s.avail_out == 0;
}

hiss_status hs_zip_read(hs_zip *z, int which, unsigned char **out,
                        hiss_error *err)
{
    const hs_zip_entry *e = &z->entry[which];
    unsigned char local[LOCAL_SIZE];
    uint64_t start;
    bool is_good;

    *out = NULL;
    HS_TRY(read_at(z, e->offset, local, LOCAL_SIZE, err));
    if (memcmp(local, "PK\3\4", 4) != 0)
        return fail(z,
                    "the zip archive is damaged: no entry where its "
                    "directory says",
                    err);
    start =
        e->offset + LOCAL_SIZE + number(local + 26, 2) + number(local + 28, 2);
    *out = hs_alloc_array((size_t)e->size, 1);
    if (!*out)
        return hs_fail_memory(err);
    is_good =
        start <= INT64_MAX && fseeko(z->file, (off_t)start, SEEK_SET) == 0;
    if (is_good && e->method == 0)
        is_good = fread(*out, 1, (size_t)e->size, z->file) == e->size;
    else if (is_good)
        is_good = inflate_entry(z, e, *out);
    if (is_good && crc32_z(0, *out, (size_t)e->size) == e->crc)
        return HISS_OK;
    hs_free(*out);
    *out = NULL;
    return hs_fail(err, HISS_EPARSE, "%s: entry '%s' is damaged", z->path,
                   e->name);
}
