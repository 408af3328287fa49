/* npz.h - writing a NumPy archive: a zip of .npy arrays, not compressed.
 *
 * Entries have 64-bit sizes (zip64), so no archive is too large.  They share
 * one date, so that equal arrays give equal bytes. */
#ifndef HS_BASE_NPZ_H
#define HS_BASE_NPZ_H

#include <stdint.h>
#include <stdio.h>

#define HS_NPZ_ARRAYS 16 /* most arrays of an archive */
#define HS_NPZ_NAME   40 /* bytes of a name with its suffix */

typedef struct hs_npz {
    FILE *to; /* borrowed */
    uint64_t written;
    int entries;
    struct {
        char name[HS_NPZ_NAME];
        uint32_t crc;
        uint64_t size;   /* header and data */
        uint64_t offset; /* offset of the local header */
    } entry[HS_NPZ_ARRAYS];
} hs_npz;

/* Writes an array row by row, as in "x", "<f8", "(4, 100)".  Reads the data
 * twice, because the checksum comes first.  The stream shows whether it
 * succeeded. */
void hs_npz_add(hs_npz *z, const char *name, const char *type,
                const char *shape, const void *data, uint64_t bytes);

/* Writes the end of the archive. */
void hs_npz_end(hs_npz *z);

#endif
