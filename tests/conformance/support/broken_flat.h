/* broken_flat.h - multicanonical sampling that is wrong on purpose, and right
 * for comparison.
 *
 *     bad_flat(fault=none|weights|window|choice,range=[low,high],slopes=[...])
 *         weights  forgets w in the acceptance of a site
 *         window   forgets that V must be near the new U, too
 *         choice   draws the target's replica by exp(U), not exp(U - w)
 *
 * Two replicas, heat baths of single sites; scalar and slow. */
#ifndef HS_TESTS_BROKEN_FLAT_H
#define HS_TESTS_BROKEN_FLAT_H

#include "kernel/kernel.h"

/* For hs_kernel_extra. */
extern const hs_kernel_type *const broken_flat[];

#endif
