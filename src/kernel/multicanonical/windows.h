/* windows.h - the slopes of the proposals of lanes in one step. */
#ifndef HS_KERNEL_MULTICANONICAL_WINDOWS_H
#define HS_KERNEL_MULTICANONICAL_WINDOWS_H

#include "kernel/multicanonical/log_weights.h"

/* A lane proposes by exp(beta U) and corrects by
 *     h(U) = exp(w(U) - beta U) for low <= U <= high, else 0;
 * at the target h is 1. */
typedef struct hs_windows {
    const hs_log_weights *w; /* borrowed */
    float beta[HS_LANES];
    double low[HS_LANES], high[HS_LANES];
    bool is_target[HS_LANES];
} hs_windows;

/* Draws them for the tile's states, whose U is known; w is NULL if all levels
 * are the target. */
void hs_windows_draw(hs_windows *s, const hs_log_weights *w, const hs_tile *x);

/* ln h(U). */
static inline double hs_windows_log(const hs_windows *s, int lane, double u)
{
    if (s->is_target[lane])
        return u == -HUGE_VAL ? -HUGE_VAL : 0.0;
    if (u < s->low[lane] || u > s->high[lane])
        return -HUGE_VAL;
    return hs_log_weights_at(s->w, u) - (double)s->beta[lane] * u;
}

#endif
