/* possible.c - estimates the number of possible states. */
#include "run/flat/possible.h"

#include <math.h>

#include "base/error.h"
#include "base/random/streams.h"
#include "lanes/lanes.h"

#define ROUNDS   256 /* rounds of sixteen random states */
#define DIM_LONG 10000

hiss_status hs_possible_share(const hs_model *m, uint64_t seed, double *share,
                              double *tried, hiss_error *err)
{
    const hs_domain *d = &m->domain;
    int rounds = d->dim < DIM_LONG ? ROUNDS : ROUNDS / 16;
    hs_rng rng = {.seed = seed};
    uint32_t words[4][HS_LANES];
    hs_point p;
    hiss_status rc = hs_point_init(&p, m, err);

    *share = *tried = 0.0;
    for (uint32_t l = 0; l < HS_LANES; l++)
        rng.chain[l] = hs_stream(HS_STREAM_POSSIBLE_STATES, l);
    for (int n = 0; rc == HISS_OK && n < rounds; n++, rng.clock++) {
        for (int i = 0; i < d->dim; i++) {
            if (i % 4 == 0)
                hs_lanes()->philox(&rng, HS_DRAW_INIT, (uint32_t)i / 4, 1,
                                   words);
            for (int l = 0; l < HS_LANES; l++)
                p.x[i][l] = (int16_t)hs_below(words[i % 4][l], d->states[i]);
        }
        p.have = 0;
        rc = hs_model_evaluate(m, &p, HS_U);
        for (int l = 0; rc == HISS_OK && l < HS_LANES; l++) {
            *share += p.u[l] > -HUGE_VAL;
            *tried += 1.0;
        }
    }
    hs_point_clear(&p);
    *share = *tried > 0.0 ? *share / *tried : 0.0;
    return rc;
}
