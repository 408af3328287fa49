/* bytes.h - reads a binary file, plain or gzip, from beginning to end. */
#ifndef HS_FORMAT_PARTS_BYTES_H
#define HS_FORMAT_PARTS_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <hiss/status.h>

#include "base/error.h"

struct gzFile_s;

typedef struct hs_bytes {
    struct gzFile_s *file; /* owned */
    const char *path;      /* borrowed */
    int64_t offset;        /* offset of the next byte */
    int64_t bound;         /* upper bound on the number of bytes */
} hs_bytes;

hiss_status hs_bytes_open(hs_bytes *b, const char *path, hiss_error *err);
void hs_bytes_close(hs_bytes *b);

/* Reads all of them, or fails with their name. */
hiss_status hs_bytes_read(hs_bytes *b, void *to, size_t count, const char *what,
                          hiss_error *err);

/* Reads as many as there are, up to count. */
hiss_status hs_bytes_some(hs_bytes *b, void *to, size_t count, size_t *got,
                          hiss_error *err);

/* Upper bound on the bytes from here on. */
int64_t hs_bytes_left(const hs_bytes *b);

/* Writes `file: byte N: message` and returns HISS_EPARSE. */
hiss_status hs_bytes_fail(const hs_bytes *b, hiss_error *err,
                          const char *format, ...) HS_PRINTF(3, 4);

/* Decodes little-endian numbers. */
uint64_t hs_bytes_unsigned(const unsigned char *at, int size);
int64_t hs_bytes_signed(const unsigned char *at, int size);
double hs_bytes_real(const unsigned char *at, int size); /* 4 or 8 */

/* And to them. */
void hs_bytes_put(unsigned char *at, int size, uint64_t value);
void hs_bytes_put_real(unsigned char *at, double value); /* 8 */

#endif
