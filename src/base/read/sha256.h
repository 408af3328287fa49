/* sha256.h - SHA-256 (FIPS 180-4), which identifies the input of a run in its
 * manifest.
 *
 * It protects no secret: the digest only shows whether a file is still the one
 * that was read. */
#ifndef HS_BASE_READ_SHA256_H
#define HS_BASE_READ_SHA256_H

#include <stddef.h>
#include <stdint.h>

#include <hiss/status.h>

#define HS_SHA256_TEXT 65 /* 64 digits and the NUL */

typedef struct hs_sha256 {
    uint32_t state[8];
    uint64_t length;   /* bytes so far */
    uint8_t block[64]; /* the last length % 64 bytes */
} hs_sha256;

void hs_sha256_init(hs_sha256 *s);
void hs_sha256_add(hs_sha256 *s, const void *bytes, size_t count);
/* Writes the digest in lower-case hexadecimal; s cannot be used afterwards. */
void hs_sha256_finish(hs_sha256 *s, char text[HS_SHA256_TEXT]);

/* Hashes a file as it is on disk (a .gz is not unpacked) and counts its bytes.
 * HISS_EIO if it cannot be read or is not a plain file. */
hiss_status hs_sha256_file(const char *path, char text[HS_SHA256_TEXT],
                           int64_t *bytes, hiss_error *err);

#endif
