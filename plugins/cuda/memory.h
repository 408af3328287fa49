/* memory.h - arrays on a card, and beside them here; faults in words. */
#ifndef HS_CUDA_MEMORY_H
#define HS_CUDA_MEMORY_H

#include <stddef.h>

#include <hiss/status.h>

#include "cuda/card.h"

#define HS_CARD_ARRAYS 128

/* What a group owns, there and here. */
typedef struct hs_card_memory {
    void *owned[HS_CARD_ARRAYS];
    int arrays;
    void *pinned[HS_CARD_ARRAYS];
    int pins;
} hs_card_memory;

#define TRY(call)                                                              \
  do {                                                                         \
    cudaError_t error_ = (call);                                               \
    if (error_ != cudaSuccess)                                                 \
      return hs_card_fail(err, HISS_EPLUGIN, #call, error_);                   \
  } while (0)

#define PASS(call)                                                             \
  do {                                                                         \
    hiss_status status_ = (call);                                              \
    if (status_ != HISS_OK)                                                    \
      return status_;                                                          \
  } while (0)

#ifdef __cplusplus
extern "C" {
#endif
hiss_status hs_card_fail(hiss_error *err, hiss_status status, const char *what,
                         cudaError_t error);

/* `count` things of `size` bytes on the card, all 0, or copies of `from`; their
 * address to *out, a pointer, which is NULL if they are none. */
hiss_status hs_card_put(hs_card_memory *m, void *out, const void *from,
                        int64_t count, size_t size, hiss_error *err);

/* The same here, in memory fit for fast copies. */
hiss_status hs_card_pin(hs_card_memory *m, void *out, int64_t count,
                        size_t size, hiss_error *err);

/* The same number of rows here and there. */
hiss_status hs_card_both(hs_card_memory *m, void *here, void *there,
                         int64_t rows, size_t size, hiss_error *err);

void hs_card_free(hs_card_memory *m);
#ifdef __cplusplus
}
#endif

#endif
