/* polish.h - polishing: from the end of a climb by slopes to a true optimum.
 *
 * A slope does not tell which of two neighboring numbers has the larger U, so
 * climbs into one mode end in many states.  Polishing evaluates all neighbors
 * of such an end: adjacent values first, then all values.  It takes all changes
 * that gain, or the part of them that raises U most, until nothing gains.
 * Then climbs into one mode end alike, and
 *     ln m = U + sum_i ln sum_v exp(U(x_i = v) - U)
 * is computed from U too. */
#ifndef HS_RUN_SCOUTS_POLISH_H
#define HS_RUN_SCOUTS_POLISH_H

#include <hiss/status.h>

#include "kernel/tile.h"
#include "run/atlas/mode_table.h"

typedef struct hs_polisher {
    const hs_model *m; /* borrowed */
    double *gain;      /* owned, [values] */
    int16_t *best;     /* owned, [dim]: where a coordinate gains most */
} hs_polisher;

typedef struct hs_polished {
    int64_t known; /* its number among the optima of the table, or -1 */
    double u, mass;
    bool is_so; /* an optimum; else the limit came first, or U is impossible */
} hs_polished;

hiss_status hs_polisher_init(hs_polisher *s, const hs_model *m,
                             hiss_error *err);
void hs_polisher_clear(hs_polisher *s);

/* Evaluations to polish a state next to its optimum, or a distant one. */
double hs_polisher_cost(const hs_polisher *s, bool is_far, bool checks_all);

/* Climbs from the state, which becomes an optimum, for about `most`
 * evaluations: not before it has begun its last round.  A climb that is far
 * from an optimum checks all values first.  Nothing is evaluated for an optimum
 * that the table knows.  Unless it checks all values, neighbors are enough, and
 * the mass of numbers is that of the bell through them.  The tile's lanes are
 * used for it. */
hiss_status hs_polisher_polish(hs_polisher *s, hs_tile *t, int16_t *state,
                               bool is_far, hs_mode_table *optima, double most,
                               bool checks_all, hs_polished *out,
                               hiss_error *err);

#endif
