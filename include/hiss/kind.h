/* kind.h - kinds of values of a coordinate. */
#ifndef HISS_KIND_H
#define HISS_KIND_H

#include <hiss/api.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hiss_kind {
    HISS_BINARY = 0,      /* 0, 1 */
    HISS_SPIN = 1,        /* -1, +1 */
    HISS_ORDINAL = 2,     /* a sorted list of numbers */
    HISS_CATEGORICAL = 3, /* k labels, relaxed one-hot */
    HISS_PERMUTATION = 4, /* a closed tour: the city at each position, from 1 */
} hiss_kind;

/** The name of a kind in one word; never NULL. */
HISS_API const char *hiss_kind_name(hiss_kind kind);

#ifdef __cplusplus
}
#endif
#endif
