/* column.h - whether a column of draws varies enough for estimates.
 *
 * A discrete coordinate that never changed has no R-hat and a meaningless ESS.
 * Its state gives the reason: an estimate is NaN only for a state other than
 * `varies`, or for a single chain. */
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
    int still;    /* chains that never moved; if `varies`, the column is partly
                     stuck */
    double value; /* the first draw, which is the value if constant; NaN without
                     draws */
} hs_column;

/* Reads the draws [chain][n] once. */
hs_column hs_column_inspect(const double *draws, int chains, int64_t n);

#endif
