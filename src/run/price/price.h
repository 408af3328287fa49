/* price.h - the price of a sampler's step, without a clock.
 *
 * Users pay time, but draws must not depend on the machine.  So the race of
 * samplers weighs steps by a table of nanoseconds that is part of the source,
 * one for all instruction sets (price.def; `make bench-prices` measures it).
 * Only ratios of prices on one model matter; absolute numbers are those of one
 * machine.
 *
 * A kernel reports the parts of its own work and the number of steps of its
 * children (kernel.h). A model reports its family and the terms of an
 * evaluation (model.h).  A part costs
 *     times (step + site d + value v + term n + own amount)
 * of its row: d coordinates, v other values of all coordinates together, n
 * terms of the model, and an amount in units of the kernel's own.
 *
 * Functions and plug-ins: a row counts evaluations, each at the same price. A
 * kernel without a row for a family costs the evaluations that it makes of a
 * function, at the family's price of an evaluation.
 *
 * Not here: the cost of pilots, of storing draws, and of a GPU. */
#ifndef HS_RUN_PRICE_PRICE_H
#define HS_RUN_PRICE_PRICE_H

#include <stdbool.h>

#include "kernel/kernel.h"
#include "model/model.h"

typedef struct hs_price {
    const char *kernel, *variant, *family;
    double step, site, value, term, own; /* nanoseconds each */
} hs_price;

extern const hs_price hs_prices[]; /* ends with a NULL kernel */

/* The row of a kernel's variant, else of its plain form.  Under a tilt that is
 * not flat a row named after the form takes precedence.  NULL if there is
 * none. */
const hs_price *hs_price_find(const char *kernel, const char *variant,
                              const char *family);

/* Nanoseconds of one step of a full tile of sixteen lanes, with its exchange of
 * levels; k must be set up for m.  Positive. */
double hs_price_step(const hs_kernel *k, const hs_model *m);

/* The same for a tile with this many lanes in use: most kernels cost the same
 * for any number of lanes, but some, and functions, cost by the lane. */
double hs_price_tile(const hs_kernel *k, const hs_model *m, int lanes);

/* Seconds of one step of a chain with all its replicas, in full tiles. */
double hs_price_chain(const hs_kernel *k, const hs_model *m);

/* Seconds of one step of all tiles of a group, idle lanes included. */
double hs_price_group(const hs_group *g);

#endif
