/* quench.h - finds the optima of a model by thousands of short climbs.
 *
 * Temperatures lead to wide modes: at every temperature above the target's,
 * wide modes have nearly all the mass, and narrow ones are missed.  A climb
 * from a random state ends in the mode whose basin holds that state, whatever
 * its width.  So climbs start from very many states: uniform ones, and ones
 * that the model's own structure proposes (hs_model_scatter).  The distinct
 * optima are kept, each with the mass that it would have if its coordinates
 * were independent,
 *     ln m = U + sum_i ln sum_v exp(U(x_i = v) - U),
 * which is exact for a mode that is a product distribution. */
#ifndef HS_RUN_SCOUTS_QUENCH_H
#define HS_RUN_SCOUTS_QUENCH_H

#include <hiss/status.h>

#include "model/model.h"
#include "run/account/pilot_account.h"
#include "run/atlas/mode_table.h"
#include "run/scouts/acuity.h"

typedef struct hs_quench {
    /* of each optimum: u; draws, the climbs that ended there; mass, ln m */
    hs_mode_table optima; /* owned */
    int64_t climbs;
    double evals;     /* evaluations of all of them */
    bool is_full;     /* optima that came last were not kept, for memory */
    bool is_hard;     /* a function, some of whose climbs ended in impossible
                         states */
    hs_acuity narrow; /* which modes the search would have seen */
} hs_quench;

typedef struct hs_quench_request {
    uint64_t seed;
    uint32_t first_chain;
    int64_t most;  /* climbs */
    double budget; /* evaluations, about; counted in the account */
    double hidden; /* share of them for modes that no climb ends in (deflate.h),
                      if single sites are expensive */
    double looks;  /* evaluations more for these, of functions of numbers:
                      random states, of which few see a narrow mode; of others
                      for climbs where these end in impossible states, until
                      they are HS_CLIMBS_IN_GAPS */
} hs_quench_request;

/* Does nothing for tours, whose optima have a search of their own. */
hiss_status hs_quench_init(hs_quench *q, const hs_model *m,
                           const hs_quench_request *request,
                           hs_pilot_account *account, hiss_error *err);
void hs_quench_clear(hs_quench *q);

/* Climbs from given states, [count][dim], which become their optima. */
hiss_status hs_quench_states(int16_t *state, int count, const hs_model *m,
                             hs_pilot_account *account, hiss_error *err);

/* Writes the best `most` of the optima, by mass, to out; returns how many.
 * Optima far from each other come first, then those near to a heavier one.
 * Optima lighter than the heaviest by more than `depth` are omitted. */
int hs_quench_best(const hs_quench *q, int most, double depth, int64_t *out);

#endif
