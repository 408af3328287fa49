/* blob.c - a growing block of bytes. */
#include "run/chain/blob.h"

#include <stdint.h>
#include <string.h>

#include "base/alloc.h"

void hs_blob_clear(hs_blob *b)
{
    hs_free(b->at);
    *b = (hs_blob){0};
}

void hs_blob_put(hs_blob *b, const void *from, size_t size)
{
    if (b->is_broken)
        return;
    if (size > b->size - b->used) {
        size_t more = 2 * b->size + size + 256;
        char *grown = hs_realloc_array(b->at, b->used, more, 1);

        if (!grown) {
            b->is_broken = true;
            return;
        }
        b->at = grown;
        b->size = more;
    }
    memcpy(b->at + b->used, from, size);
    b->used += size;
}

void hs_blob_put_text(hs_blob *b, const char *text)
{
    uint64_t length = text ? strlen(text) : 0;

    hs_blob_put(b, &length, sizeof length);
    if (length)
        hs_blob_put(b, text, (size_t)length);
}

void hs_blob_get(hs_blob *b, void *to, size_t size)
{
    if (b->is_broken || size > b->used - b->read) {
        b->is_broken = true;
        memset(to, 0, size);
        return;
    }
    memcpy(to, b->at + b->read, size);
    b->read += size;
}

char *hs_blob_get_text(hs_blob *b)
{
    uint64_t length;
    char *text;

    hs_blob_get(b, &length, sizeof length);
    if (b->is_broken || length > b->used - b->read) {
        b->is_broken = true;
        return NULL;
    }
    text = hs_strndup(b->at + b->read, (size_t)length);
    b->read += (size_t)length;
    if (!text)
        b->is_broken = true;
    return text;
}
