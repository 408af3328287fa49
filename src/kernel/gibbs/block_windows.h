/* block_windows.h - blocks that are too wide for elimination: proposals from
 * truncated networks, with a Metropolis test (exact/network/window.h). */
#ifndef HS_KERNEL_GIBBS_BLOCK_WINDOWS_H
#define HS_KERNEL_GIBBS_BLOCK_WINDOWS_H

#include <hiss/status.h>

#include "exact/network/window.h"
#include "kernel/kernel.h"

typedef struct hs_block_windows {
    hs_window **window; /* owned, [count], each owned */
    int count, room;
    int16_t *y;        /* owned, [members]: a proposal */
    double *phi;       /* owned, [values of the members] */
    hs_float_row *row; /* owned, [states] */
    double work;       /* multiplications of all, for one lane */
} hs_block_windows;

hiss_status hs_block_windows_add(hs_block_windows *s, const hs_factors *f,
                                 const int *member, int members, int bond,
                                 hiss_error *err);
/* When all are there. */
hiss_status hs_block_windows_init(hs_block_windows *s, const hs_domain *d,
                                  hiss_error *err);
void hs_block_windows_clear(hs_block_windows *s);

/* Draws window n in every lane in use.  Adds its proposals to proposed and the
 * accepted ones to accepted, [lanes]. */
hiss_status hs_block_windows_draw(hs_block_windows *s, int n,
                                  const hs_domain *d, const hs_tilt *t,
                                  hs_tile *x, double *proposed,
                                  double *accepted, hiss_error *err);

#endif
