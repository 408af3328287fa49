/* answers.h - log Z, marginals and mean U from weighted independent draws of a
 * network, with errors. */
#ifndef HS_EXACT_NETWORK_ANSWERS_H
#define HS_EXACT_NETWORK_ANSWERS_H

#include <stdint.h>

#include <hiss/status.h>

#include "base/poll.h"
#include "model/model.h"

typedef struct hs_network_answers {
    double *marginal; /* owned, [value_count]: P(x_i = v), */
    double *error;    /* owned, [value_count]: and its standard error */
    int16_t *best;    /* owned, [dim]: the draw with the largest U */
    double max_u;     /* its U */
    double mean_u, mean_u_se;
    double log_z, log_z_se;
    double draws;     /* number of draws made */
    double effective; /* effective number of draws */
    int bond;
} hs_network_answers;

/* Uses a network with a chosen bond.  HISS_ELIMIT if so few draws carry the
 * weight that errors would be meaningless; HISS_EUNSUP, HISS_ENOMEM, HISS_ESTOP
 * as hs_network_hold. */
hiss_status hs_network_answer(hs_network_answers *a, const hs_model *m,
                              const hs_poll *poll, hiss_error *err);
void hs_network_answers_clear(hs_network_answers *a);

#endif
