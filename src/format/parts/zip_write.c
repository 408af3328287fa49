/* zip_write.c - an archive of arrays, stored, as numpy.savez makes it. */
#include "format/parts/zip_write.h"

#include <string.h>
#include <zlib.h>

#include "base/error.h"
#include "format/parts/bytes.h"

enum {
    LOCAL_SIZE = 30,
    CENTRAL_SIZE = 46,
    END_SIZE = 22,
    VERSION = 20,
    DATE = 33 /* 1 January 1980: the same bytes whenever it is written */
};

/* The numbers of an array as bytes, to the checksum or to the file. */
static uint32_t pass_numbers(const hs_npy *a, FILE *to, uint32_t crc)
{
    int64_t count = a->size[0] * a->size[1];
    unsigned char bytes[8 * 512];

    for (int64_t n = 0; n < count; n += 512) {
        int64_t some = count - n < 512 ? count - n : 512;

        for (int64_t k = 0; k < some; k++)
            hs_bytes_put_real(bytes + 8 * k, a->value[n + k]);
        if (to)
            fwrite(bytes, 8, (size_t)some, to);
        else
            crc = (uint32_t)crc32_z(crc, bytes, 8 * (size_t)some);
    }
    return crc;
}

/* What the local header and the directory have in common, 26 bytes. */
static void put_entry(unsigned char *at, uint32_t crc, uint64_t size,
                      const char *name)
{
    hs_bytes_put(at, 2, VERSION);
    hs_bytes_put(at + 8, 2, DATE);
    hs_bytes_put(at + 10, 4, crc);
    hs_bytes_put(at + 14, 4, size);
    hs_bytes_put(at + 18, 4, size);
    hs_bytes_put(at + 22, 2, strlen(name));
}

hiss_status hs_zip_write_array(hs_zip_writer *z, const char *name,
                               const hs_npy *array, hiss_error *err)
{
    unsigned char header[HS_NPY_HEADER], local[LOCAL_SIZE] = "PK\3\4";
    uint64_t length = hs_npy_header(header, array);
    uint64_t size = length + 8 * (uint64_t)(array->size[0] * array->size[1]);
    uint32_t crc = (uint32_t)crc32_z(0, header, (size_t)length);

    if (z->count == HS_ZIP_WRITE_MAX || z->offset + size >= UINT32_MAX)
        return hs_fail(err, HISS_EUNSUP, "an archive holds less than 4 GB");
    crc = pass_numbers(array, NULL, crc);
    put_entry(local + 4, crc, size, name);
    fwrite(local, 1, sizeof local, z->to);
    fputs(name, z->to);
    fwrite(header, 1, (size_t)length, z->to);
    pass_numbers(array, z->to, 0);
    z->entry[z->count].name = name;
    z->entry[z->count].crc = crc;
    z->entry[z->count].size = size;
    z->entry[z->count].offset = z->offset;
    z->count++;
    z->offset += LOCAL_SIZE + strlen(name) + size;
    return HISS_OK;
}

void hs_zip_write_directory(hs_zip_writer *z)
{
    unsigned char end[END_SIZE] = "PK\5\6";
    uint64_t start = z->offset;

    for (int e = 0; e < z->count; e++) {
        unsigned char central[CENTRAL_SIZE] = "PK\1\2";

        hs_bytes_put(central + 4, 2, VERSION);
        put_entry(central + 6, z->entry[e].crc, z->entry[e].size,
                  z->entry[e].name);
        hs_bytes_put(central + 42, 4, z->entry[e].offset);
        fwrite(central, 1, sizeof central, z->to);
        fputs(z->entry[e].name, z->to);
        z->offset += CENTRAL_SIZE + strlen(z->entry[e].name);
    }
    hs_bytes_put(end + 8, 2, (uint64_t)z->count);
    hs_bytes_put(end + 10, 2, (uint64_t)z->count);
    hs_bytes_put(end + 12, 4, z->offset - start);
    hs_bytes_put(end + 16, 4, start);
    fwrite(end, 1, sizeof end, z->to);
}
