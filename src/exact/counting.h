/* counting.h - counting (count/count.h), guided by an order of elimination. */
#ifndef HS_EXACT_COUNTING_H
#define HS_EXACT_COUNTING_H

#include "exact/count/count.h"

/* Like hs_count_create, which explains the limits; finds depth and width
 * itself. */
hiss_status hs_counting(hs_count **out, const hs_factors *f,
                        const bool *is_shown, hs_count_limits limits,
                        hiss_error *err);

/* Returns true if counting is worth a try, that is, if some table has a
 * zero. */
bool hs_counting_applies(const hs_factors *f);

#endif
