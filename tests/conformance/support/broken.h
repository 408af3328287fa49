/* broken.h - kernels that are wrong on purpose, and right for comparison.
 *
 *     bad_dmala(alpha=2,fault=none|sign|reverse|half|tilt)
 *         sign     accepts with p(x) / p(y)
 *         reverse  leaves q(x|y) / q(y|x) out of the acceptance
 *         half     proposes with the whole gain, accounts for half of it
 *         tilt     leaves phi out of the acceptance
 *     bad_gwg(fault=none|reverse|sign)
 *     bad_hiss(eta=1,steps=1,fault=none|sign|eta|ratio,inner=...)
 *         sign     takes a jump with p(x) / p(x')
 *         eta      refines under phi of (a - x) eta / 2, not (a - x) / 2 eta
 *         ratio    counts the kernel twice: the ratio of the released code
 *     bad_pt(fault=none|sign|untempered,base=...)  temperatures 1, 3, 9
 *         sign     exchanges with exp[(b_i - b_j)(U_i - U_j)]
 *         untempered  every replica moves at beta = 1
 *     bad_strands(fault=none|best|moved,base=gwg)  three of them, in turn
 *         best     draws from the strand of the highest U
 *         moved    draws from a strand whose U has changed
 *     bad_houdayer(fault=none|site|greedy,base=gibbs)  two replicas
 *         site     exchanges a site without the rest of its part
 *         greedy   only where the first gains
 *     bad_cool(scale=1,base=gibbs)  right for couplings that are `scale` times
 *         as large
 *     bad_still  does not move at all, which no test of the law can see
 *
 * Scalar and slow; made of the definitions and, for proposals, of the same
 * lane primitives as the kernels that are right. */
#ifndef HS_TESTS_BROKEN_H
#define HS_TESTS_BROKEN_H

#include "kernel/kernel.h"

extern const hs_kernel_type broken_replicas;
extern const hs_kernel_type broken_houdayer;

/* For hs_kernel_extra: all of them. */
extern const hs_kernel_type *const broken_kernels[];

#endif
