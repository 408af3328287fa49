/* kind.h - what values a coordinate can take. */
#ifndef HISS_KIND_H
#define HISS_KIND_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hiss_kind {
    HISS_BINARY,      /* 0, 1 */
    HISS_SPIN,        /* -1, +1 */
    HISS_ORDINAL,     /* a sorted list of numbers */
    HISS_CATEGORICAL, /* k labels, relaxed one-hot */
    HISS_PERMUTATION, /* a closed tour: the city at each position, from 1 */
} hiss_kind;

#ifdef __cplusplus
}
#endif
#endif
