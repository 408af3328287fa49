/* xxh64.h - the 64-bit checksum XXH64 of Y.  Collet, seed 0.
 *
 * An accidental change of a result file goes unnoticed with probability 2^-64.
 * XXH64 is ten times as fast as SHA-256 or CRC-32, so it costs little beside
 * the writing.  It does not protect from people who can compute it too. */
#ifndef HS_BASE_READ_XXH64_H
#define HS_BASE_READ_XXH64_H

#include <stddef.h>
#include <stdint.h>

typedef struct hs_xxh64 {
    uint64_t lane[4];
    uint64_t length;  /* bytes so far */
    uint8_t rest[32]; /* the last length % 32 bytes */
} hs_xxh64;

void hs_xxh64_init(hs_xxh64 *h);
void hs_xxh64_add(hs_xxh64 *h, const void *bytes, size_t count);
/* The checksum of the data so far; more may follow. */
uint64_t hs_xxh64_value(const hs_xxh64 *h);

#endif
