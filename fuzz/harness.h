/* harness.h - what every target defines: one input to one reader. */
#ifndef HS_FUZZ_HARNESS_H
#define HS_FUZZ_HARNESS_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
