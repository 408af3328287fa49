/* descent.h - independent draws by elimination, or by counting.
 *
 * Where elimination would need too much memory, tables with zeros are counted
 * (count/count.h), and draws come from the counted tree.  Else:
 *
 * Upwards, once, the messages of elimination.c, all of which are kept.
 * Downwards, for every draw, each coordinate is drawn given those that were
 * eliminated after it, which are drawn already:
 *     P(v | s) = e^(psi_b(v, s) - up_b(s)),
 * with psi_b the sum of the bucket's factors and of its children's messages.
 * The messages do not depend on a state, so that all chains share them: they
 * are made for the first who asks about a model, and freed with the last. */
#ifndef HS_EXACT_DESCENT_H
#define HS_EXACT_DESCENT_H

#include <stdint.h>

#include <hiss/status.h>

#include "base/poll.h"
#include "exact/count/count.h"
#include "exact/elimination.h"
#include "model/model.h"

/* A table that the law of a coordinate is read from. */
typedef struct hs_descent_part {
    const double *table; /* borrowed */
    int64_t own;         /* stride of the coordinate itself */
    int64_t other;       /* first of the others in descent->other */
    int others;
} hs_descent_part;

typedef struct hs_descent_other {
    int coordinate;
    int64_t stride;
} hs_descent_other;

/* A coordinate, when its turn comes. */
typedef struct hs_descent_stop {
    int coordinate;
    int states;    /* 1: there is no choice, */
    int16_t index; /* only this */
    int64_t part;  /* first of its tables in descent->part */
    int parts;
} hs_descent_stop;

typedef struct hs_descent {
    const hs_count *counted; /* draws come from it; NULL: from the stops */
    int count;
    const hs_descent_stop *stop; /* [count], in the order of the draw */
    const hs_descent_part *part;
    const hs_descent_other *other;
    double tables; /* sweeps of single sites that the messages took */
    double cost;   /* entries and positions that a draw reads, in sweeps of
                      single sites; 1 at least */
} hs_descent;

/* Cost of the messages of a model. */
typedef struct hs_descent_price {
    double sweeps;  /* of single sites; infinity: it is no sum of tables, or so
                       large or dense that this is not looked into */
    double seconds; /* on one thread, roughly */
    hs_plan plan;   /* owned, with sweeps that are finite: their order, */
    hs_count *counted; /* owned: or the count, which is made already */
} hs_descent_price;

/* within: seconds that the search for an order may take, about; 0: as many
 * tenths as it needs.  Where elimination is refused, tables with zeros are
 * counted, within a fixed number of steps. */
hiss_status hs_descent_weigh(hs_descent_price *price, const hs_model *m,
                             double within, hiss_error *err);
void hs_descent_price_clear(hs_descent_price *price);

typedef struct hs_descent_request {
    hs_plan *plan;       /* taken over: as it was weighed; NULL: looked for */
    hs_count **counted;  /* taken over where it is there; may be NULL */
    double *done;        /* share of the messages that is made, for the poll;
                            borrowed, may be NULL */
    int threads;         /* changes nothing but the time */
    double most;         /* sweeps that the messages may cost; 0: no limit */
    const hs_poll *poll; /* borrowed; NULL: never asked */
} hs_descent_request;

/* The messages of a model, which must outlive them; made now unless another
 * owner holds them already.  HISS_EUNSUP if the model is no sum of tables,
 * HISS_EARG past the caller's limit, HISS_ENOMEM past that of elimination,
 * HISS_ESTOP. */
hiss_status hs_descent_hold(const hs_descent **out, const hs_model *m,
                            const hs_descent_request *request, hiss_error *err);
void hs_descent_release(const hs_descent *d);

#endif
