/* zip.h - the entries of a zip archive, stored or deflated, as numpy writes
 * them.
 *
 * Sizes come from the central directory at the end of the file.  Entries are
 * read one at a time, from beginning to end. A declared size is accepted only
 * if the bytes can expand to it. */
#ifndef HS_FORMAT_PARTS_ZIP_H
#define HS_FORMAT_PARTS_ZIP_H

#include <stdint.h>
#include <stdio.h>

#include <hiss/status.h>

#define HS_ZIP_ENTRIES_MAX 1024

typedef struct hs_zip_entry {
    char *name;    /* owned */
    int method;    /* 0 stored, 8 deflated */
    uint64_t size; /* size of the contents */
    uint64_t packed;
    uint64_t offset; /* offset of the local header */
    uint32_t crc;
} hs_zip_entry;

typedef struct hs_zip {
    FILE *file;          /* owned */
    const char *path;    /* borrowed */
    hs_zip_entry *entry; /* owned, [count] */
    int count;
} hs_zip;

hiss_status hs_zip_open(hs_zip *z, const char *path, hiss_error *err);
void hs_zip_close(hs_zip *z);

/* Reads a whole entry: size bytes, owned by the caller. */
hiss_status hs_zip_read(hs_zip *z, int number, unsigned char **out,
                        hiss_error *err);

#endif
