/* npz.c - writing a NumPy archive. */
#include "base/npz.h"

#include <string.h>
#include <zlib.h>

#define HEAD     256    /* bytes of a .npy header: a multiple of 64 */
#define VERSION  45     /* of the zip format, with 64-bit sizes */
#define DOS_DATE 0x0021 /* 1 January 1980 */

/* Writes a little-endian number on any machine. */
static void put(hs_npz *z, uint64_t value, int bytes)
{
    for (int b = 0; b < bytes; b++)
        fputc((int)(value >> (8 * b) & 0xff), z->to);
    z->written += (uint64_t)bytes;
}

static void put_bytes(hs_npz *z, const void *from, uint64_t bytes)
{
    fwrite(from, 1, bytes, z->to);
    z->written += bytes;
}

/* Writes \x93NUMPY, version, length and a dictionary in Python notation. */
static void make_head(char head[HEAD], const char *type, const char *shape)
{
    size_t used;

    memcpy(head, "\x93NUMPY\x01\x00", 8);
    head[8] = (char)((HEAD - 10) & 0xff);
    head[9] = (char)((HEAD - 10) >> 8);
    snprintf(head + 10, HEAD - 10,
             "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type,
             shape);
    used = 10 + strlen(head + 10);
    memset(head + used, ' ', HEAD - used);
    head[HEAD - 1] = '\n';
}

/* Writes the fields that local and central headers share, from the version to
 * the name length.  Sizes are in the zip64 field. */
static void put_shared(hs_npz *z, int e, int extra)
{
    put(z, VERSION, 2);
    put(z, 0, 2); /* flags */
    put(z, 0, 2); /* stored */
    put(z, 0, 2);
    put(z, DOS_DATE, 2);
    put(z, z->entry[e].crc, 4);
    put(z, 0xffffffff, 4);
    put(z, 0xffffffff, 4);
    put(z, strlen(z->entry[e].name), 2);
    put(z, (uint64_t)extra, 2);
}

static void put_sizes(hs_npz *z, int e, int fields)
{
    put(z, 1, 2);
    put(z, 8 * (uint64_t)fields, 2);
    put(z, z->entry[e].size, 8);
    put(z, z->entry[e].size, 8);
    if (fields > 2)
        put(z, z->entry[e].offset, 8);
}

void hs_npz_add(hs_npz *z, const char *name, const char *type,
                const char *shape, const void *data, uint64_t bytes)
{
    int e = z->entries;
    char head[HEAD];
    uLong crc;

    if (e == HS_NPZ_ARRAYS || ferror(z->to))
        return;
    z->entries++;
    make_head(head, type, shape);
    crc = crc32_z(0, (const Bytef *)head, HEAD);
    z->entry[e].crc = (uint32_t)crc32_z(crc, data, bytes);
    z->entry[e].size = HEAD + bytes;
    z->entry[e].offset = z->written;
    snprintf(z->entry[e].name, HS_NPZ_NAME, "%s.npy", name);
    put(z, 0x04034b50, 4);
    put_shared(z, e, 20);
    put_bytes(z, z->entry[e].name, strlen(z->entry[e].name));
    put_sizes(z, e, 2);
    put_bytes(z, head, HEAD);
    put_bytes(z, data, bytes);
}

void hs_npz_end(hs_npz *z)
{
    uint64_t start = z->written, size, n = (uint64_t)z->entries;

    for (int e = 0; e < z->entries; e++) {
        put(z, 0x02014b50, 4);
        put(z, VERSION, 2);
        put_shared(z, e, 28);
        put(z, 0, 6); /* comment, disk, attributes */
        put(z, 0, 4);
        put(z, 0xffffffff, 4);
        put_bytes(z, z->entry[e].name, strlen(z->entry[e].name));
        put_sizes(z, e, 3);
    }
    size = z->written - start;
    put(z, 0x06064b50, 4); /* zip64 end of the directory, and its position */
    put(z, 44, 8);
    put(z, VERSION, 2);
    put(z, VERSION, 2);
    put(z, 0, 8);
    put(z, n, 8);
    put(z, n, 8);
    put(z, size, 8);
    put(z, start, 8);
    put(z, 0x07064b50, 4);
    put(z, 0, 4);
    put(z, start + size, 8);
    put(z, 1, 4);
    put(z, 0x06054b50, 4);
    put(z, 0, 4);
    put(z, n, 2);
    put(z, n, 2);
    put(z, 0xffffffff, 4);
    put(z, 0xffffffff, 4);
    put(z, 0, 2);
}
