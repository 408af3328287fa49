/* blob.h - a growing block of bytes, for checkpoints.
 *
 * Numbers are stored as in memory: the same build on the same kind of machine,
 * which the header records, reads a checkpoint. */
#ifndef HS_RUN_CHAIN_BLOB_H
#define HS_RUN_CHAIN_BLOB_H

#include <stdbool.h>
#include <stddef.h>

typedef struct hs_blob {
    char *at; /* owned */
    size_t used, size;
    size_t read;    /* bytes read so far */
    bool is_broken; /* out of memory, or read past its end */
} hs_blob;

void hs_blob_clear(hs_blob *b);

void hs_blob_put(hs_blob *b, const void *from, size_t size);
/* Writes a text after its length; NULL is an empty one. */
void hs_blob_put_text(hs_blob *b, const char *text);

/* Past the end nothing is copied and the block becomes broken. */
void hs_blob_get(hs_blob *b, void *to, size_t size);
/* Owned by the caller; NULL if the block is broken. */
char *hs_blob_get_text(hs_blob *b);

#endif
