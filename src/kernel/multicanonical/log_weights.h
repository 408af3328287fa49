/* log_weights.h - weights w(U), and what the multicanonical sampler notes.
 *
 * w is piecewise linear: its slope is constant in each of `cells` equal parts
 * of [low, high], and goes on as in the first and the last one outside.  The
 * first slope is 0, so that far below the law is uniform over all states. */
#ifndef HS_KERNEL_MULTICANONICAL_LOG_WEIGHTS_H
#define HS_KERNEL_MULTICANONICAL_LOG_WEIGHTS_H

#include "kernel/kernel.h"

typedef struct hs_log_weights {
    int cells;
    double low, width; /* of the first cell; of all */
    double *slope;     /* owned, [cells] */
    double *at;        /* owned, [cells + 1]: w where a cell begins */
} hs_log_weights;

hiss_status hs_log_weights_init(hs_log_weights *w, double low, double high,
                                const double *slope, int cells,
                                hiss_error *err);
void hs_log_weights_clear(hs_log_weights *w);

/* Sums the slopes up. */
void hs_log_weights_sum(hs_log_weights *w);

/* Which cell U is in, or is nearest to. */
static inline int hs_log_weights_cell(const hs_log_weights *w, double u)
{
    double at = (u - w->low) / w->width;

    return at >= w->cells - 1 ? w->cells - 1 : at >= 1.0 ? (int)at : 0;
}

/* w(U); an impossible state stays one. */
static inline double hs_log_weights_at(const hs_log_weights *w, double u)
{
    int c = hs_log_weights_cell(w, u);

    return u == -HUGE_VAL
               ? -HUGE_VAL
               : w->at[c] + w->slope[c] * (u - (w->low + w->width * c));
}

/* The deepest valley of ln p between two maxima, deeper than `least`: to at[1],
 * and the maxima to at[0] < at[1] < at[2]; false: there is none. */
bool hs_log_weights_valley(const double *log_p, int count, double least,
                           int *at);

/* Lane columns, behind the two that every kernel has.  Of levels under w: how
 * many steps are summed up, and the logarithms of sums of exp(U - w) and
 * exp(-w), each as its largest exponent and the sum relative to it.  Of all
 * levels: a histogram of U over the cells. */
enum {
    HS_MULTI_COUNT = HS_OWN_COLUMNS,
    HS_MULTI_TARGET_MAX,
    HS_MULTI_TARGET_SUM,
    HS_MULTI_UNIFORM_MAX,
    HS_MULTI_UNIFORM_SUM,
    HS_MULTI_CELLS
};

extern const hs_kernel_type hs_kernel_multicanonical;

/* Those of a kernel of this type that was set up; NULL: it has none, and all
 * levels have the target's law. */
hs_log_weights *hs_multicanonical_weights(const hs_kernel *k);

#endif
