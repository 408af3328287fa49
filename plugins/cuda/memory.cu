/* memory.cu - what a group has in a card's memory, and beside it here. */
#include "cuda/memory.h"

#include <stdio.h>
#include <string.h>

#define SPARE (64.0 * 1048576.0) /* bytes that the card's own work may take */

hiss_status hs_card_fail(hiss_error *err, hiss_status status, const char *what,
                         cudaError_t error)
{
    if (err) {
        err->status = status;
        snprintf(err->message, sizeof err->message, "device cuda: %s: %s", what,
                 cudaGetErrorString(error));
    }
    return status;
}

/* What will not fit is said before anything is tried. */
static hiss_status check_room(double bytes, hiss_error *err)
{
    size_t left, total;

    TRY(cudaMemGetInfo(&left, &total));
    if (bytes + SPARE <= (double)left)
        return HISS_OK;
    if (err) {
        err->status = HISS_ENOMEM;
        snprintf(err->message, sizeof err->message,
                 "device cuda: %lld MB are needed and %lld MB are free of the "
                 "card's memory; take fewer chains",
                 (long long)((bytes + SPARE) / 1e6),
                 (long long)(left / 1000000));
    }
    return HISS_ENOMEM;
}

hiss_status hs_card_put(hs_card_memory *m, void *out, const void *from,
                        int64_t count, size_t size, hiss_error *err)
{
    size_t bytes = (size_t)count * size;
    void *at = NULL;

    *(void **)out = NULL;
    if (bytes == 0)
        return HISS_OK;
    PASS(check_room((double)bytes, err));
    TRY(cudaMalloc(&at, bytes));
    m->owned[m->arrays++] = at;
    if (from)
        TRY(cudaMemcpy(at, from, bytes, cudaMemcpyHostToDevice));
    else
        TRY(cudaMemset(at, 0, bytes));
    *(void **)out = at;
    return HISS_OK;
}

hiss_status hs_card_pin(hs_card_memory *m, void *out, int64_t count,
                        size_t size, hiss_error *err)
{
    void *pinned = NULL;

    *(void **)out = NULL;
    if (count == 0)
        return HISS_OK;
    TRY(cudaMallocHost(&pinned, (size_t)count * size));
    m->pinned[m->pins++] = pinned;
    memset(pinned, 0, (size_t)count * size);
    *(void **)out = pinned;
    return HISS_OK;
}

hiss_status hs_card_both(hs_card_memory *m, void *here, void *there,
                         int64_t rows, size_t size, hiss_error *err)
{
    PASS(hs_card_put(m, there, NULL, rows, size, err));
    return hs_card_pin(m, here, rows, size, err);
}

void hs_card_free(hs_card_memory *m)
{
    for (int i = 0; i < m->arrays; i++)
        cudaFree(m->owned[i]);
    for (int i = 0; i < m->pins; i++)
        cudaFreeHost(m->pinned[i]);
    m->arrays = m->pins = 0;
}
