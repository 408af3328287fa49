/* npz.c - a result as a NumPy archive: a zip of .npy arrays, not compressed.
 *
 *     x (chain, draw, coordinate), lp and acceptance_rate (chain, draw),
 *     marginal, the same with warmup_ before it, and manifest, a text
 *
 * Entries have 64-bit sizes (zip64), so that no archive is too large.  The
 * checksum is needed before the data: each array is read twice. */
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "sink/file.h"
#include "sink/sink.h"

#define ENTRIES_MAX 16
#define HEAD        256    /* bytes of a .npy header: a multiple of 64 */
#define DOS_DATE    0x0021 /* 1 January 1980: the same bytes for the same run */

struct entry {
    char name[40];
    char head[HEAD];
    const void *data; /* borrowed */
    uint64_t bytes;   /* of data */
    uint32_t crc;
    uint64_t offset; /* of its local header */
};

struct archive {
    FILE *to;
    struct entry entry[ENTRIES_MAX];
    int entries;
    uint64_t written;
};

/* Little-endian, whatever the machine. */
static void put(struct archive *a, uint64_t value, int bytes)
{
    for (int b = 0; b < bytes; b++)
        fputc((int)(value >> (8 * b) & 0xff), a->to);
    a->written += (uint64_t)bytes;
}

static void put_bytes(struct archive *a, const void *from, uint64_t bytes)
{
    fwrite(from, 1, bytes, a->to);
    a->written += bytes;
}

/* Adds an array to the list. */
static void add(struct archive *a, const char *before, const char *name,
                const char *type, const char *shape, const void *data,
                uint64_t bytes)
{
    struct entry *e = &a->entry[a->entries++];
    size_t used;

    snprintf(e->name, sizeof e->name, "%s%s.npy", before, name);
    memcpy(e->head, "\x93NUMPY\x01\x00", 8);
    e->head[8] = (char)((HEAD - 10) & 0xff);
    e->head[9] = (char)((HEAD - 10) >> 8);
    snprintf(e->head + 10, HEAD - 10,
             "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type,
             shape);
    used = 10 + strlen(e->head + 10);
    memset(e->head + used, ' ', HEAD - used);
    e->head[HEAD - 1] = '\n';
    e->data = data;
    e->bytes = bytes;
}

static uint32_t checksum(const struct entry *e)
{
    uLong crc = crc32(0, (const Bytef *)e->head, HEAD);

    return (uint32_t)crc32_z(crc, e->data, e->bytes);
}

/* What local and central headers share, from the version to the name length;
 * sizes are in the zip64 field. */
static void put_shared(struct archive *a, const struct entry *e, int extra)
{
    put(a, 45, 2);
    put(a, 0, 2); /* flags */
    put(a, 0, 2); /* stored */
    put(a, 0, 2);
    put(a, DOS_DATE, 2);
    put(a, e->crc, 4);
    put(a, 0xffffffff, 4);
    put(a, 0xffffffff, 4);
    put(a, strlen(e->name), 2);
    put(a, (uint64_t)extra, 2);
}

static void put_zip64(struct archive *a, const struct entry *e, bool has_offset)
{
    put(a, 1, 2);
    put(a, has_offset ? 24 : 16, 2);
    put(a, HEAD + e->bytes, 8);
    put(a, HEAD + e->bytes, 8);
    if (has_offset)
        put(a, e->offset, 8);
}

static void put_entry(struct archive *a, struct entry *e)
{
    e->offset = a->written;
    e->crc = checksum(e);
    put(a, 0x04034b50, 4);
    put_shared(a, e, 20);
    put_bytes(a, e->name, strlen(e->name));
    put_zip64(a, e, false);
    put_bytes(a, e->head, HEAD);
    put_bytes(a, e->data, e->bytes);
}

static void put_directory(struct archive *a)
{
    uint64_t start = a->written, size, n = (uint64_t)a->entries;

    for (int i = 0; i < a->entries; i++) {
        const struct entry *e = &a->entry[i];

        put(a, 0x02014b50, 4);
        put(a, 45, 2);
        put_shared(a, e, 28);
        put(a, 0, 6); /* comment, disk, attributes */
        put(a, 0, 4);
        put(a, 0xffffffff, 4);
        put_bytes(a, e->name, strlen(e->name));
        put_zip64(a, e, true);
    }
    size = a->written - start;
    put(a, 0x06064b50, 4); /* zip64 end of the directory, and where it is */
    put(a, 44, 8);
    put(a, 45, 2);
    put(a, 45, 2);
    put(a, 0, 8);
    put(a, n, 8);
    put(a, n, 8);
    put(a, size, 8);
    put(a, start, 8);
    put(a, 0x07064b50, 4);
    put(a, 0, 4);
    put(a, start + size, 8);
    put(a, 1, 4);
    put(a, 0x06054b50, 4);
    put(a, 0, 4);
    put(a, n, 2);
    put(a, n, 2);
    put(a, 0xffffffff, 4);
    put(a, 0xffffffff, 4);
    put(a, 0, 2);
}

static void add_draws(struct archive *a, const hs_output *out,
                      const hs_draws *draws, const char *before)
{
    static const char *const types[] = {"|i1", "<i2", "<f4"};
    uint64_t rows = (uint64_t)out->chains * (uint64_t)draws->samples;
    char wide[96], narrow[64];

    if (draws->samples == 0)
        return;
    snprintf(narrow, sizeof narrow, "(%d, %lld)", out->chains,
             (long long)draws->samples);
    snprintf(wide, sizeof wide, "(%d, %lld, %d)", out->chains,
             (long long)draws->samples, out->domain->dim);
    add(a, before, "x", types[out->element], wide, draws->x,
        rows * (uint64_t)out->domain->dim * hs_element_size(out->element));
    add(a, before, "lp", "<f8", narrow, draws->lp, rows * sizeof(double));
    if (draws->accept)
        add(a, before, "acceptance_rate", "<f4", narrow, draws->accept,
            rows * sizeof(float));
}

static hiss_status npz_write(const hs_output *out, const char *path,
                             bool replace, hiss_error *err)
{
    uint64_t values = (uint64_t)out->domain->value_count;
    struct archive *a = hs_alloc_array(1, sizeof *a);
    char shape[32], type[32];
    hs_file file;
    hiss_status rc;

    if (!a)
        return hs_fail_memory(err);
    rc = hs_file_open(&file, path, replace, err);
    if (rc == HISS_OK) {
        a->to = file.stream;
        add_draws(a, out, &out->kept, "");
        add_draws(a, out, &out->warmup, "warmup_");
        snprintf(shape, sizeof shape, "(%llu,)", (unsigned long long)values);
        add(a, "", "marginal", "<f8", shape, out->marginal,
            values * sizeof(double));
        snprintf(type, sizeof type, "|S%zu", strlen(out->manifest));
        add(a, "", "manifest", type, "()", out->manifest,
            strlen(out->manifest));
        for (int i = 0; i < a->entries && !ferror(a->to); i++)
            put_entry(a, &a->entry[i]);
        put_directory(a);
        rc = hs_file_commit(&file, err);
    }
    hs_free(a);
    return rc;
}

const hs_sink hs_sink_npz = {
    .name = "npz",
    .suffixes = ".npz",
    .summary = "NumPy archive: x, lp, acceptance_rate, marginal, manifest",
    .write = npz_write,
};
