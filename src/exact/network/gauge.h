/* gauge.h - scales of the variables of a train, so that no mode is lost.
 *
 * Between two equally probable modes the squares of a message of elimination
 * may differ by more than a double can hold, because the eliminated part
 * prefers one mode and the rest the other. Cutting bonds then loses a mode. So
 * each variable v gets a factor g_v(s) when it enters the frontier, and its own
 * table is divided by it, which does not change the model. The smallest factors
 * that make the message nearly equal at all probe states minimize  sum_k (ln
 * |B(x_k)| + sum_v ln g_v(x_k,v) - c)^2
 *               + sum_v sum_s (ln g_v(s))^2 */
#ifndef HS_EXACT_NETWORK_GAUGE_H
#define HS_EXACT_NETWORK_GAUGE_H

#include <hiss/status.h>

#include "exact/network/layer.h"
#include "model/model.h"

typedef struct hs_train_gauge {
    const hs_index_row *probe; /* borrowed, [dim]; NULL for no factors */
    bool *has_entered;         /* owned, [dim] */
} hs_train_gauge;

/* Call before compression: scales the variables that are new in the train and
 * divides entries of their tables. */
hiss_status hs_train_gauge_apply(hs_train_gauge *g, const hs_layers *l,
                                 double *weight, hs_train *t, hiss_error *err);

#endif
