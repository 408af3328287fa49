/* softened.h - hard constraints that heat can open.
 *
 * Temperature leaves zeros zero: at every beta > 0 the law beta U has the
 * impossible states of U.  A softened model has the same tables with every
 * -infinity replaced by -lambda, lambda a power of two,
 *     lambda >= R + ln N + 110,
 * R the range that finite entries give U and N the number of all states.  U
 * keeps its value where it was finite.  Elsewhere a violated table costs
 * lambda, which chains at temperatures of a tenth of it and above can pay.
 *
 * At beta = 1 the law is the hard one: all impossible states together have
 * less than e^-110 of the mass, less than floats can hold beside 1 and than
 * any uniform of 32 bits decides about, whatever is drawn or summed up. */
#ifndef HS_MODEL_SOFTENED_H
#define HS_MODEL_SOFTENED_H

#include <hiss/status.h>

#include "model/model.h"

/* *out borrows m (m->hard) and stays NULL where m is no sum of tables or
 * has nothing to soften.  It has m's coordinates and no search for possible
 * states of its own. */
hiss_status hs_model_soften(hs_model **out, const hs_model *m, hiss_error *err);

/* beta above which a violation, at e^-16 and less, is rarer than chains of the
 * usual length see; infinite where m is not softened. */
static inline double hs_softened_closed(const hs_model *m)
{
    return m->hard ? 16.0 / m->penalty : HUGE_VAL;
}

#endif
