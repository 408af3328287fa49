/* cpu.c - which instruction sets this processor runs.
 *
 * It asks the processor itself, because __builtin_cpu_supports needs a run-time
 * library that not every compiler has.  A set counts if the processor has it
 * and the system saves its registers when it switches processes (XCR0). */
#include "lanes/cpu.h"

#if defined(__x86_64__)
#  include <cpuid.h>
#  include <stdint.h>

enum {
    FMA = 1 << 12,     /* leaf 1, ecx */
    OSXSAVE = 1 << 27, /* leaf 1, ecx */
    AVX2 = 1 << 5,     /* bit of ebx in leaf 7, like the others */
    BMI2 = 1 << 8,
};
static const uint32_t avx512 = /* f, dq, cd, bw, vl */
    1u << 16 | 1u << 17 | 1u << 28 | 1u << 30 | 1u << 31;
static const uint32_t ymm = 0x06, zmm = 0xe6; /* registers in XCR0 */

/* The registers that the system saves. */
static uint32_t kept_registers(void)
{
    uint32_t low, high;

    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

static bool has(uint32_t leaf_1_ecx, uint32_t leaf_7_ebx, uint32_t kept)
{
    uint32_t a, b, c, d;

    leaf_1_ecx |= OSXSAVE;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & leaf_1_ecx) != leaf_1_ecx ||
        (kept_registers() & kept) != kept)
        return false;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) &&
           (b & leaf_7_ebx) == leaf_7_ebx;
}

bool hs_cpu_has_avx2(void)
{
    return has(FMA, AVX2 | BMI2, ymm);
}

bool hs_cpu_has_avx512(void)
{
    return has(FMA, AVX2 | BMI2 | avx512, zmm);
}
#else
bool hs_cpu_has_avx2(void)
{
    return false;
}

bool hs_cpu_has_avx512(void)
{
    return false;
}
#endif
