/* turn.h - transposes blocks of a matrix.
 *
 * It interleaves pairs of rows [Eklundh 1972]: log2(n) rounds transpose n x n,
 * in registers of 16 bytes, which every processor has. */
#ifndef HS_MODEL_USER_TURN_H
#define HS_MODEL_USER_TURN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HS_TURN_INDEX 8 /* int16_t in a register */
#define HS_TURN_FLOAT 4

#if defined(__has_builtin)
#  if __has_builtin(__builtin_shufflevector)
#    define HS_TURN_SHUFFLES
#  endif
#endif

#ifdef HS_TURN_SHUFFLES

typedef int16_t hs_turn_index __attribute__((vector_size(16)));
typedef float hs_turn_float __attribute__((vector_size(16)));

/* to[c * to_stride + r] = from[r * from_stride + c], r and c below 8. */
static inline void hs_turn_indices(const int16_t *from, size_t from_stride,
                                   int16_t *to, size_t to_stride)
{
    hs_turn_index a[HS_TURN_INDEX], b[HS_TURN_INDEX];

    for (size_t r = 0; r < HS_TURN_INDEX; r++)
        memcpy(&a[r], from + r * from_stride, sizeof a[r]);
    for (int round = 0; round < 3; round++) {
        for (int r = 0; r < 4; r++) {
            b[2 * r] = __builtin_shufflevector(a[r], a[r + 4], 0, 8, 1, 9, 2,
                                               10, 3, 11);
            b[2 * r + 1] = __builtin_shufflevector(a[r], a[r + 4], 4, 12, 5, 13,
                                                   6, 14, 7, 15);
        }
        memcpy(a, b, sizeof a);
    }
    for (size_t c = 0; c < HS_TURN_INDEX; c++)
        memcpy(to + c * to_stride, &a[c], sizeof a[c]);
}

/* The same, r and c below 4. */
static inline void hs_turn_floats(const float *from, size_t from_stride,
                                  float *to, size_t to_stride)
{
    hs_turn_float a[HS_TURN_FLOAT], b[HS_TURN_FLOAT];

    for (size_t r = 0; r < HS_TURN_FLOAT; r++)
        memcpy(&a[r], from + r * from_stride, sizeof a[r]);
    for (int round = 0; round < 2; round++) {
        for (int r = 0; r < 2; r++) {
            b[2 * r] = __builtin_shufflevector(a[r], a[r + 2], 0, 4, 1, 5);
            b[2 * r + 1] = __builtin_shufflevector(a[r], a[r + 2], 2, 6, 3, 7);
        }
        memcpy(a, b, sizeof a);
    }
    for (size_t c = 0; c < HS_TURN_FLOAT; c++)
        memcpy(to + c * to_stride, &a[c], sizeof a[c]);
}

#else /* compilers that do not know it */

static inline void hs_turn_indices(const int16_t *from, size_t from_stride,
                                   int16_t *to, size_t to_stride)
{
    for (size_t r = 0; r < HS_TURN_INDEX; r++)
        for (size_t c = 0; c < HS_TURN_INDEX; c++)
            to[c * to_stride + r] = from[r * from_stride + c];
}

static inline void hs_turn_floats(const float *from, size_t from_stride,
                                  float *to, size_t to_stride)
{
    for (size_t r = 0; r < HS_TURN_FLOAT; r++)
        for (size_t c = 0; c < HS_TURN_FLOAT; c++)
            to[c * to_stride + r] = from[r * from_stride + c];
}

#endif
#endif
