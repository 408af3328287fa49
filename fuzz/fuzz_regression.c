/* fuzz_regression.c - a formula in the first line, and the data it is of. */
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/model.h"
#include "model/regress/design.h"
#include "place.h"

/* Names and numbers are there for every term. */
static void read_design(const char *path, const char *formula)
{
    hs_design d;

    if (hs_design_read(&d, path, formula, NULL) != HISS_OK)
        return;
    for (int n = 0; n < d.terms; n++)
        if (!d.name[n] || !isfinite(hs_design_column(&d, n)[d.rows - 1]))
            abort();
    hs_design_clear(&d);
}

/* A quote or a backslash would end the formula. */
static void make_model(const char *path, const char *formula)
{
    char spec[512];
    hiss_status rc;
    hs_model *m;

    if (strpbrk(formula, "\"\\") || strlen(formula) > 256)
        return;
    snprintf(spec, sizeof spec, "regression(%s,\"%s\")", path, formula);
    rc = hs_model_create(&m, spec, NULL);
    if (rc == HISS_EINTERNAL || (rc == HISS_OK) != (m != NULL))
        abort();
    if (m && m->domain.dim <= 4096) {
        static int16_t state[4096];
        double u;

        if (hs_model_energy(m, state, &u, NULL) != HISS_OK || !isfinite(u))
            abort();
    }
    hs_model_destroy(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *end = memchr(data, '\n', size);
    char path[FUZZ_PATH_MAX], formula[1024] = {0};
    size_t length = end ? (size_t)(end - data) : size;
    int fd;

    if (length >= sizeof formula)
        return 0;
    memcpy(formula, data, length);
    length += end != NULL;
    fd = fuzz_memory(path, data + length, size - length);
    read_design(path, formula);
    make_model(path, formula);
    close(fd);
    return 0;
}
