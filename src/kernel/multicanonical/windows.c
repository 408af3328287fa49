/* windows.c - the slopes of the proposals of lanes in one step.
 *
 * A step under w needs proposals of about the right slope, which changes with
 * U.  So an auxiliary number V is drawn, uniform on [U - s, U + s], and the
 * step is made given V. The joint density of x and V is exp(w(U(x))) [|V -
 * U(x)| <= s] / 2 s, whose marginal of x is right. Given V the density of x is
 *     exp(beta U) h(U),  h(U) = exp(w(U) - beta U) [|V - U| <= s],
 * for any beta that is a function of V: here the slope of w at V, if that is
 * between 0 and 1, the target's.  One step in EVERY uses no V and the mean
 * slope. Then h is 0 only for impossible states, and no move is excluded. The
 * choice of these steps does not depend on x. */
#include "kernel/multicanonical/windows.h"

#include <math.h>

#include "lanes/lanes.h"

#define SHARE 0.25 /* s as a share of the range of w */
#define EVERY 4

static void draw_lane(hs_windows *s, const hs_log_weights *w, int l, double u,
                      const uint32_t *word)
{
    double range = w->width * w->cells, half = SHARE * range, slope, at;

    s->is_target[l] = false;
    s->low[l] = -HUGE_VAL;
    s->high[l] = HUGE_VAL;
    slope = w->at[w->cells] / range;
    if (hs_below(word[1], EVERY) > 0) {
        at = u + half * (2.0 * hs_uniform(word[0]) - 1.0);
        slope = w->slope[hs_log_weights_cell(w, at)];
        s->low[l] = at - half;
        s->high[l] = at + half;
    }
    s->beta[l] = slope > 1.0 ? 1.0f : slope > 0.0 ? (float)slope : 0.0f;
}

void hs_windows_draw(hs_windows *s, const hs_log_weights *w, const hs_tile *x)
{
    uint32_t words[4][HS_LANES];

    s->w = w;
    if (w)
        hs_lanes()->philox(&x->rng, HS_DRAW_COMPONENT, 0, 1, words);
    for (int l = 0; l < HS_LANES; l++) {
        if (w && x->level[l] > 0) {
            draw_lane(s, w, l, x->at.u[l],
                      (const uint32_t[]){words[0][l], words[1][l]});
            continue;
        }
        s->is_target[l] = true;
        s->beta[l] = 1.0f;
    }
}
