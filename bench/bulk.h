/* bulk.h - elementary functions of the lanes on many rows, for each
 * instruction set: what limits.c times. */
#ifndef BENCH_BULK_H
#define BENCH_BULK_H

#include "base/lane.h"

typedef void bench_bulk(int rows, const float (*x)[HS_LANES],
                        float (*out)[HS_LANES]);

bench_bulk hs_bench_exp_base, hs_bench_tanh_base;
bench_bulk hs_bench_exp_avx2, hs_bench_tanh_avx2;
bench_bulk hs_bench_exp_avx512, hs_bench_tanh_avx512;

#endif
