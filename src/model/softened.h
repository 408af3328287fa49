/* softened.h - hard constraints that hot chains can violate.
 *
 * Zeros stay zero at every temperature: for every beta > 0, beta U has the
 * impossible states of U.  A softened model has the same tables with every
 * -infinity replaced by -lambda, lambda a power of two,
 *     lambda >= R + ln N + 110,
 * R the range that finite entries give U and N the number of all states.
 * Finite values of U do not change. Each violated table costs lambda, so chains
 * at temperatures of lambda / 10 and above cross it.
 *
 * At beta = 1 the distribution is the hard one: all impossible states together
 * have less than e^-110 of the mass, too little for a float beside 1 or for a
 * uniform of 32 bits. */
#ifndef HS_MODEL_SOFTENED_H
#define HS_MODEL_SOFTENED_H

#include <hiss/status.h>

#include "model/model.h"

/* *out borrows m (m->hard).  It stays NULL if m is not a sum of tables or has
 * no zeros.  It has m's coordinates but no search for possible states. */
hiss_status hs_model_soften(hs_model **out, const hs_model *m, hiss_error *err);

/* beta above which a violation has probability e^-16 or less, so that chains of
 * the usual length do not see one; infinite if m is not softened. */
static inline double hs_softened_closed(const hs_model *m)
{
    return m->hard ? 16.0 / m->penalty : HUGE_VAL;
}

#endif
