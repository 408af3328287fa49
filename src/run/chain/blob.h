/* blob.h - a growing block of bytes: what a checkpoint is made of.
 *
 * Numbers are kept as they are in memory: a checkpoint is read by the same
 * build on the same kind of machine, which its header says. */
#ifndef HS_RUN_CHAIN_BLOB_H
#define HS_RUN_CHAIN_BLOB_H

#include <stdbool.h>
#include <stddef.h>

typedef struct hs_blob {
    char *at; /* owned */
    size_t used, size;
    size_t read;    /* how far it was read */
    bool is_broken; /* out of memory, or read past its end */
} hs_blob;

void hs_blob_clear(hs_blob *b);

void hs_blob_put(hs_blob *b, const void *from, size_t size);
/* A text with its length before it; NULL is an empty one. */
void hs_blob_put_text(hs_blob *b, const char *text);

/* Past the end nothing is copied and the block is broken. */
void hs_blob_get(hs_blob *b, void *to, size_t size);
/* Owned by the caller; NULL when the block is broken. */
char *hs_blob_get_text(hs_blob *b);

#endif
