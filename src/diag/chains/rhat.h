/* rhat.h - whether the chains agree: split, rank-normalized R-hat. */
#ifndef HS_DIAG_CHAINS_RHAT_H
#define HS_DIAG_CHAINS_RHAT_H

#include <hiss/status.h>
#include <stdint.h>

/* The larger of R-hat of the bulk and of the folded draws [chain][n], as in
 * Vehtari et al.  2021 and ArviZ 0.23.  It is near 1 if the chains agree, and
 * +inf if no chain moved and they disagree.  It is NaN if all draws are equal,
 * for a single chain (whose halves may share one mode), for fewer than 4 draws,
 * and for draws that are not finite: hs_column_inspect and the chain count tell
 * which. */
hiss_status hs_rhat(const double *draws, int chains, int64_t n, double *rhat,
                    hiss_error *err);

#endif
