/* flip_odds.h - proposals from the odds of every flip, for the paths `odds` and
 * `odds_regular`.  The odds of an accepted proposal are stored. */
#ifndef HS_KERNEL_LANGEVIN_PATHS_FLIP_ODDS_H
#define HS_KERNEL_LANGEVIN_PATHS_FLIP_ODDS_H

#include "kernel/langevin/paths/spread.h"

typedef struct hs_flip_odds {
    hs_float_row *x, *y;  /* owned, [dim]: odds */
    hs_float_row *buffer; /* owned: rows of a block */
    hs_spread spread;
} hs_flip_odds;

/* Computes the odds at a point, and adds their spread, and U if u is not
 * NULL. */
typedef void hs_odds_finder(const hs_flip_odds *f, const hs_proposal *p,
                            const hs_point *at, hs_float_row *odds,
                            double *spread, double *u);

/* As in hs_langevin_path; state is a hs_flip_odds. */
hiss_status hs_flip_odds_init(void *state, const hs_model *m, hiss_error *err);
void hs_flip_odds_clear(void *state);
void hs_flip_odds_propose(void *state, hs_proposal *p, hs_odds_finder *find);
hiss_status hs_flip_odds_arrive(void *state, hs_proposal *p,
                                hs_odds_finder *find);
void hs_flip_odds_move(void *state, hs_proposal *p);

#endif
