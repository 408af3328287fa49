/* fuzz_sniff.c - which format is it? */
#include "harness.h"

#include "format/format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int f = 0; hs_formats[f]; f++) {
        int score = hs_formats[f]->sniff((const char *)data, size);

        if (score < 0 || score > 100)
            __builtin_trap();
    }
    return 0;
}
