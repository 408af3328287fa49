/* zip_write.h - an archive of arrays, stored, as numpy.savez makes it. */
#ifndef HS_FORMAT_PARTS_ZIP_WRITE_H
#define HS_FORMAT_PARTS_ZIP_WRITE_H

#include <stdint.h>
#include <stdio.h>

#include <hiss/status.h>

#include "format/parts/npy.h"

#define HS_ZIP_WRITE_MAX 8 /* arrays */

typedef struct hs_zip_writer {
    FILE *to; /* borrowed */
    uint64_t offset;
    int count;
    struct {
        const char *name; /* borrowed, a constant */
        uint32_t crc;
        uint64_t size, offset;
    } entry[HS_ZIP_WRITE_MAX];
} hs_zip_writer;

/* One entry; `name` must last.  HISS_EUNSUP from 4 GB on. */
hiss_status hs_zip_write_array(hs_zip_writer *z, const char *name,
                               const hs_npy *array, hiss_error *err);

/* What ends the archive. */
void hs_zip_write_directory(hs_zip_writer *z);

#endif
