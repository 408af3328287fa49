/* hidden.h - a model whose hidden units were summed out and can be drawn
 * again.
 *
 * U(x) = ln sum_h e^E(x,h).  The coordinates have two values and are
 * independent of each other given h, and so are the units h given x.  Both hold
 * under e^(beta E) too.  Then x has the distribution g(x) = sum_h e^(beta
 * E(x,h)), which equals e^(beta U) only at beta = 1. */
#ifndef HS_MODEL_HIDDEN_H
#define HS_MODEL_HIDDEN_H

#include "base/random/rng.h"
#include "model/model.h"

typedef struct hs_hidden {
    /* Draws h given the states of p under e^(beta E), with the numbers of
     * purpose HS_DRAW_NOISE, and returns the log odds of index 1 of every
     * coordinate given h.  p must have HS_U; its scratch is used. */
    void (*draw)(const hs_model *m, hs_point *p, const float *beta,
                 const hs_rng *rng, hs_float_row *odds);
    /* ln g(x) - beta U(x), from the cache of the point; exactly 0 at beta =
     * 1. */
    void (*excess)(const hs_model *m, const hs_point *p, const float *beta,
                   double *out);
} hs_hidden;

/* Draws units with probability 1 / (1 + e^-odds), in place: odds[units] become
 * 0 or 1.  Unit j has word j of the purpose. */
void hs_hidden_units(const hs_rng *rng, hs_purpose purpose, int units,
                     hs_float_row *odds);

#endif
