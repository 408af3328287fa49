/* sat.h - declarations shared by the files of this room. */
#ifndef HS_MODEL_SAT_SAT_H
#define HS_MODEL_SAT_SAT_H

#include "model/sat/solver.h"

#define HS_SAT_QUALITY_MAX                                                     \
  64 /* levels of a learned clause that are distinguished */

/* A heap of unassigned variables by activity, for hs_sat_solve. */
void hs_sat_heap_put(hs_sat *s, int variable);
void hs_sat_heap_raise(hs_sat *s, int variable);

#endif
