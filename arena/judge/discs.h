/* discs.h - the effective sample size as DISCS has it. */
#ifndef HISS_ARENA_JUDGE_DISCS_H
#define HISS_ARENA_JUDGE_DISCS_H

#include <hiss/hiss.h>

/* Of all chains together; NaN without draws or memory. */
double discs_ess(const hiss_result *result);

#endif
