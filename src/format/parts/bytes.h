/* bytes.h - a binary file, plain or gzip, from its beginning to its end. */
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
    int64_t offset;        /* of the next byte */
    int64_t bound;         /* there are at most so many */
} hs_bytes;

hiss_status hs_bytes_open(hs_bytes *b, const char *path, hiss_error *err);
void hs_bytes_close(hs_bytes *b);

/* All of them, or a failure that names what they are. */
hiss_status hs_bytes_read(hs_bytes *b, void *to, size_t count, const char *what,
                          hiss_error *err);

/* As many as there are up to count. */
hiss_status hs_bytes_some(hs_bytes *b, void *to, size_t count, size_t *got,
                          hiss_error *err);

/* Bytes that there can be from here on. */
int64_t hs_bytes_left(const hs_bytes *b);

/* Writes `file: byte N: message` and returns HISS_EPARSE. */
hiss_status hs_bytes_fail(const hs_bytes *b, hiss_error *err,
                          const char *format, ...) HS_PRINTF(3, 4);

/* Little-endian numbers from bytes. */
uint64_t hs_bytes_unsigned(const unsigned char *at, int size);
int64_t hs_bytes_signed(const unsigned char *at, int size);
double hs_bytes_real(const unsigned char *at, int size); /* 4 or 8 */

/* And to them. */
void hs_bytes_put(unsigned char *at, int size, uint64_t value);
void hs_bytes_put_real(unsigned char *at, double value); /* 8 */

#endif
