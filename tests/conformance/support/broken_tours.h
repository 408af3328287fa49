/* broken_tours.h - moves of tours that are wrong on purpose, and right for
 * comparison.
 *
 *     bad_tour(fault=none|sign|half)  reverses a part of the tour
 *         sign   accepts with p(x) / p(y)
 *         half   accepts with the root of p(y) / p(x)
 *     bad_keys(fault=none|prior|shared,eta=2)  noises one key
 *         prior  leaves the density of the keys out of the ratio
 *         shared noises the key of one position in all chains: the law is
 *                kept on average over the positions, and by none of them
 *
 * Scalar and slow, from the definitions. */
#ifndef HS_TESTS_BROKEN_TOURS_H
#define HS_TESTS_BROKEN_TOURS_H

#include "kernel/kernel.h"

/* For hs_kernel_extra. */
extern const hs_kernel_type *const broken_tours[];

#endif
