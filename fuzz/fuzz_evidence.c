/* fuzz_evidence.c - evidence files and --fix texts, on a small model. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "format/problem/evidence.h"
#include "model/factor/factor_graph.h"
#include "model/factor/fixed.h"
#include "place.h"

enum {
    DIM = 4
};

static hs_model *create(void)
{
    static const int states[DIM] = {2, 3, 1, 2};
    static const double table[6] = {0.0, 1.0, -1.0 / 0.0, 2.0, -1.0, 0.5};
    int scope[2] = {0, 1};
    hs_factors f;
    hs_model *m;

    if (hs_factors_init(&f, DIM, states, NULL) != HISS_OK ||
        hs_factors_add(&f, 2, scope, table, NULL, NULL) != HISS_OK ||
        hs_factor_graph_create(&m, "fuzz", &f, NULL) != HISS_OK)
        abort();
    return m;
}

/* What was read is in range, and conditions the model or is refused. */
static void condition(hs_model **m, const int *at)
{
    for (int i = 0; i < DIM; i++)
        if (at[i] < -1 || at[i] > 2)
            abort();
    if (hs_model_fix(m, at, NULL) == HISS_ENOMEM)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hs_model *m = create();
    char path[FUZZ_PATH_MAX], *text = hs_alloc_array(size + 1, 1);
    int fd = fuzz_memory(path, data, size), at[DIM];

    if (!text)
        abort();
    if (hs_evidence_read(at, path, m, NULL) == HISS_OK)
        condition(&m, at);
    if (size > 0)
        memcpy(text, data, size);
    if (hs_evidence_parse(at, text, m, NULL) == HISS_OK)
        condition(&m, at);
    close(fd);
    hs_free(text);
    hs_model_destroy(m);
    return 0;
}
