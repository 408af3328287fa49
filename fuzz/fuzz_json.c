/* fuzz_json.c - JSON of dimod and bqpjson. */
#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_formats("json", data, size);
}
