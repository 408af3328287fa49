/* fuzz_spec.c - specs of samplers, and of models as a stranger's file may name
 * them: parsed, printed, parsed again, built within a small budget. */
#include <hiss/hiss.h>

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/spec/spec.h"
#include "harness.h"
#include "model/model.h"

#define BUDGET ((int64_t)1 << 22) /* bytes that a model may take */

/* What is printed means the same. */
static void check_printed(const hs_spec *spec)
{
    char *first = hs_spec_print(spec), *second;
    hs_spec again;

    if (!first)
        abort();
    if (hs_spec_parse(&again, first, NULL) != HISS_OK)
        abort();
    second = hs_spec_print(&again);
    if (!second || strcmp(first, second) != 0)
        abort();
    hs_spec_clear(&again);
    hs_free(first);
    hs_free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const hiss_trust nothing = {.size = sizeof nothing,
                                       .folder = "/nonexistent"};
    char *text = hs_alloc_array(size + 1, 1);
    hiss_sampler *sampler;
    hs_model *m;
    hs_spec spec;
    hiss_status rc;

    if (!text)
        abort();
    if (size > 0)
        memcpy(text, data, size);
    if (hs_spec_parse(&spec, text, NULL) == HISS_OK) {
        check_printed(&spec);
        hs_spec_clear(&spec);
    }
    hs_alloc_budget(BUDGET);
    rc = hs_model_create_from(&m, text, &nothing, NULL);
    hs_alloc_budget(0);
    if (rc == HISS_EINTERNAL || rc == HISS_EPLUGIN ||
        (rc == HISS_OK) != (m != NULL))
        abort();
    hs_model_destroy(m);
    rc = hiss_sampler_create_from(&sampler, text, &nothing, NULL);
    if (rc == HISS_EINTERNAL)
        abort();
    if (rc == HISS_OK)
        hiss_free(hiss_sampler_explain(sampler));
    hiss_sampler_destroy(sampler);
    hs_free(text);
    return 0;
}
