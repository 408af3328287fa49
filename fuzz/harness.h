/* harness.h - one input to one reader, and what must hold of what it reads:
 * U is a number or -infinity, and what is written is read back as the same
 * law. */
#ifndef HS_FUZZ_HARNESS_H
#define HS_FUZZ_HARNESS_H

#include <stddef.h>
#include <stdint.h>

/* formats: specs separated by '|', each of which reads the input. */
int fuzz_formats(const char *formats, const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
