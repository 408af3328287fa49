/* everywhere.h - models without impossible states, whose random starts need no
 * U.
 *
 * One evaluation of a network on the CPU takes as long as many steps on a
 * GPU. */
#ifndef HS_RUN_CHAIN_EVERYWHERE_H
#define HS_RUN_CHAIN_EVERYWHERE_H

#include "model/model.h"

static inline bool hs_is_everywhere(const hs_model *m)
{
    return !m->hard && (hs_model_structure(m, HS_STRUCTURE_NETWORK) ||
                        hs_model_structure(m, HS_STRUCTURE_DENSE) ||
                        hs_model_structure(m, HS_STRUCTURE_UNITS));
}

#endif
