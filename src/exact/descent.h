/* descent.h - independent draws by elimination, or by counting.
 *
 * If elimination would need too much memory, tables with zeros are counted
 * (count/count.h), and draws come from the counted tree.
 *
 * Otherwise the messages of elimination.c are computed upwards once and stored.
 * Then, for every draw, each coordinate is drawn downwards given those that
 * were eliminated after it:
 *
 *   P(v
 * s) = e^(psi_b(v, s) - up_b(s)),
 *
 * with psi_b the sum of the bucket's factors and of its children's messages.
 * The messages do not depend on a state, so all chains share them.  They are
 * computed for the first holder of a model and freed with the last. */
#ifndef HS_EXACT_DESCENT_H
#define HS_EXACT_DESCENT_H

#include <stdint.h>

#include <hiss/status.h>

#include "base/poll.h"
#include "exact/count/count.h"
#include "exact/elimination.h"
#include "model/model.h"

/* A table that contributes to the distribution of a coordinate. */
typedef struct hs_descent_part {
    const double *table; /* borrowed */
    int64_t own;         /* stride of the coordinate itself */
    int64_t other;       /* index of the first other coordinate in
                            descent->other */
    int others;
} hs_descent_part;

typedef struct hs_descent_other {
    int coordinate;
    int64_t stride;
} hs_descent_other;

/* A coordinate in the order of the draw. */
typedef struct hs_descent_stop {
    int coordinate;
    int states;    /* 1 if there is only one choice */
    int16_t index; /* which is this */
    int64_t part;  /* index of its first table in descent->part */
    int parts;
} hs_descent_stop;

typedef struct hs_descent {
    const hs_count *counted; /* source of draws; NULL for the stops */
    int count;
    const hs_descent_stop *stop; /* [count], in the order of the draw */
    const hs_descent_part *part;
    const hs_descent_other *other;
    double tables; /* cost of the messages, in sweeps of single sites */
    double cost;   /* entries and positions that a draw reads, in sweeps of
                      single sites; at least 1 */
} hs_descent;

/* Cost of the messages of a model. */
typedef struct hs_descent_price {
    double sweeps;  /* in sweeps of single sites; infinity if it is not a sum of
                       tables, or too large or dense for a plan */
    double seconds; /* on one thread, roughly */
    hs_plan plan;   /* owned, if sweeps is finite: the plan, */
    hs_count *counted; /* owned: or the count, which is complete */
} hs_descent_price;

/* within: seconds that the search for an order may take, about; 0 means a few
 * tenths as needed.  If elimination is refused, tables with zeros are counted,
 * within a fixed number of steps. */
hiss_status hs_descent_weigh(hs_descent_price *price, const hs_model *m,
                             double within, hiss_error *err);
void hs_descent_price_clear(hs_descent_price *price);

typedef struct hs_descent_request {
    hs_plan *plan;       /* ownership is taken: the weighed plan; NULL to search
                            for one */
    hs_count **counted;  /* ownership is taken if present; may be NULL */
    double *done;        /* finished share of the messages, for the poll;
                            borrowed, may be NULL */
    int threads;         /* affects only the time */
    double most;         /* most sweeps that the messages may cost; 0 for no
                            limit */
    const hs_poll *poll; /* borrowed, or NULL */
} hs_descent_request;

/* Returns the messages of a model, which must outlive them; computes them
 * unless another holder has them.  HISS_EUNSUP if the model is not a sum of
 * tables, HISS_EARG past the caller's limit, HISS_ENOMEM past that of
 * elimination, HISS_ESTOP. */
hiss_status hs_descent_hold(const hs_descent **out, const hs_model *m,
                            const hs_descent_request *request, hiss_error *err);
void hs_descent_release(const hs_descent *d);

#endif
