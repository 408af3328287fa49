/* log_weights.h - weights w(U), and the sums of the multicanonical sampler.
 *
 * w is piecewise linear: its slope is constant in each of `cells` equal parts
 * of [low, high], and continues outside as in the first and the last.  The
 * first slope is 0, so far below the distribution is uniform over all
 * states. */
#ifndef HS_KERNEL_MULTICANONICAL_LOG_WEIGHTS_H
#define HS_KERNEL_MULTICANONICAL_LOG_WEIGHTS_H

#include "kernel/kernel.h"

typedef struct hs_log_weights {
    int cells;
    double low, width; /* start of the first cell; width of each */
    double *slope;     /* owned, [cells] */
    double *at;        /* owned, [cells + 1]: w at the start of each cell */
} hs_log_weights;

hiss_status hs_log_weights_init(hs_log_weights *w, double low, double high,
                                const double *slope, int cells,
                                hiss_error *err);
void hs_log_weights_clear(hs_log_weights *w);

/* Sums up the slopes. */
void hs_log_weights_sum(hs_log_weights *w);

/* The cell of U, or the nearest one. */
static inline int hs_log_weights_cell(const hs_log_weights *w, double u)
{
    double at = (u - w->low) / w->width;

    return at >= w->cells - 1 ? w->cells - 1 : at >= 1.0 ? (int)at : 0;
}

/* w(U); an impossible state stays impossible. */
static inline double hs_log_weights_at(const hs_log_weights *w, double u)
{
    int c = hs_log_weights_cell(w, u);

    return u == -HUGE_VAL
               ? -HUGE_VAL
               : w->at[c] + w->slope[c] * (u - (w->low + w->width * c));
}

/* Finds the deepest valley of ln p between two maxima, deeper than `least`:
 * at[1], between the maxima at[0] < at[1] < at[2].  False if there is none. */
bool hs_log_weights_valley(const double *log_p, int count, double least,
                           int *at);

/* Lane columns, after the two of every kernel.  For levels under w: the number
 * of summed steps, and the logarithms of sums of exp(U - w) and exp(-w), each
 * as its largest exponent and the sum relative to it.  For all levels: a
 * histogram of U over the cells. */
enum {
    HS_MULTI_COUNT = HS_OWN_COLUMNS,
    HS_MULTI_TARGET_MAX,
    HS_MULTI_TARGET_SUM,
    HS_MULTI_UNIFORM_MAX,
    HS_MULTI_UNIFORM_SUM,
    HS_MULTI_CELLS
};

extern const hs_kernel_type hs_kernel_multicanonical;

/* The weights of a kernel of this type that is set up; NULL if it has none and
 * all levels have the target's distribution. */
hs_log_weights *hs_multicanonical_weights(const hs_kernel *k);

#endif
