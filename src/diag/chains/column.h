/* column.h - what a column of draws can say before any estimate is made.
 *
 * A discrete coordinate that never changed has no R-hat and a meaningless ESS.
 * Its state says so in words; an estimate that is NaN always has one of the
 * states other than `varies`, or a single chain, as its reason. */
#ifndef HS_DIAG_CHAINS_COLUMN_H
#define HS_DIAG_CHAINS_COLUMN_H

#include <stdint.h>

typedef enum hs_column_state {
    HS_COLUMN_VARIES,    /* some chain moved */
    HS_COLUMN_CONSTANT,  /* one value in all chains: constant so far */
    HS_COLUMN_STUCK,     /* no chain moved, and the chains disagree */
    HS_COLUMN_SHORT,     /* fewer than 4 draws per chain, or no chain */
    HS_COLUMN_UNDEFINED, /* a NaN or an infinity among the draws */
} hs_column_state;

typedef struct hs_column {
    hs_column_state state;
    int still;    /* chains that never moved; of `varies`, partly stuck */
    double value; /* the first draw: the value if constant; NaN if none */
} hs_column;

/* Reads the draws [chain][n] once. */
hs_column hs_column_inspect(const double *draws, int chains, int64_t n);

#endif
