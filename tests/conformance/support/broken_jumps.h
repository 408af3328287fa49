/* broken_jumps.h - jumps that are wrong on purpose, and right for comparison.
 *
 *     bad_cluster(fault=none|bond|field|sign)
 *         bond   opens bonds with 1 - exp(-beta |w| / 2)
 *         field  turns clusters over whatever their fields and tilt say
 *         sign   opens bonds whatever their sign
 *     bad_bridge(fault=none|ratio|rest)  between two modes of its own,
 *     all first and all last values, of weights 0.3 and 0.7
 *         ratio  leaves Q(x) / Q(y) out of the acceptance
 *         rest   leaves (1 - w_a) / (1 - w_b) out of it
 *     bad_sites(fault=none|ratio)  the same, the mode of x being drawn by its
 *     first coordinate alone
 *         ratio  leaves the laws of the other coordinates out
 *     bad_piece(fault=none|ratio|sign)  exchanges first and last value of the
 *     first two coordinates
 *         ratio  accepts always
 *         sign   never exchanges the last for the first
 *
 * Scalar and slow, from the definitions. */
#ifndef HS_TESTS_BROKEN_JUMPS_H
#define HS_TESTS_BROKEN_JUMPS_H

#include "kernel/kernel.h"

/* For hs_kernel_extra. */
extern const hs_kernel_type *const broken_jumps[];

#endif
