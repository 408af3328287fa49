/* bytes.h - a growing block of bytes: what a checkpoint is made of.
 *
 * Numbers are kept as they are in memory: a checkpoint is read by the same
 * build on the same kind of machine, which its header says. */
#ifndef HS_RUN_BYTES_H
#define HS_RUN_BYTES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct hs_bytes {
    char *at; /* owned */
    size_t used, size;
    size_t read;    /* how far it was read */
    bool is_broken; /* out of memory, or read past its end */
} hs_bytes;

void hs_bytes_clear(hs_bytes *b);

void hs_bytes_put(hs_bytes *b, const void *from, size_t size);
/* A text with its length before it; NULL is an empty one. */
void hs_bytes_put_text(hs_bytes *b, const char *text);

/* Past the end nothing is copied and the block is broken. */
void hs_bytes_get(hs_bytes *b, void *to, size_t size);
/* Owned by the caller; NULL when the block is broken. */
char *hs_bytes_get_text(hs_bytes *b);

#endif
