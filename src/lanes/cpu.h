/* cpu.h - which instruction sets this processor runs. */
#ifndef HS_LANES_CPU_H
#define HS_LANES_CPU_H

#include <stdbool.h>

bool hs_cpu_has_avx2(void);   /* with fma and bmi2: x86-64-v3 */
bool hs_cpu_has_avx512(void); /* f, bw, cd, dq and vl: x86-64-v4 */

#endif
