/* mode_file.c - a file of arbitrary modes, for samplers that take one. */
#include "conformance/support/mode_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void mode_file_write(const hs_model *m, char *path, int mode[MODES][SPACE_DIM])
{
    const hs_domain *d = &m->domain;
    int fd = mkstemp(path);
    FILE *to = fdopen(fd, "w");

    assert_non_null(to);
    for (int k = 0; k < MODES; k++)
        for (int i = 0; i < d->dim; i++) {
            int v = (k * (i + 1) + (k == 2)) % d->states[i];

            mode[k][i] = v;
            fprintf(to, "%g%c", (double)d->values[d->value[i] + v],
                    i + 1 < d->dim ? ' ' : '\n');
        }
    assert_int_equal(fclose(to), 0);
}

void mode_file_in(char *out, size_t size, const char *sampler, const char *path)
{
    size_t head = strcspn(sampler, "%");

    snprintf(out, size, "%.*s%s%s", (int)head, sampler, path,
             sampler + head + 1);
}
