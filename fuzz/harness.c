/* harness.c - one input to one reader. */
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "format/format.h"

enum {
    DIM_MAX = 4096, /* beyond this only reading is tried */
    PATH_MAX_BYTES = 64
};

static void fail(const char *format, const char *message)
{
    fprintf(stderr, "%s: %s\n", format, message);
    abort();
}

/* A file in memory; its name goes to path. */
static int open_memory(char path[PATH_MAX_BYTES])
{
    int fd = memfd_create("fuzz", 0);

    if (fd < 0)
        abort();
    snprintf(path, PATH_MAX_BYTES, "/proc/self/fd/%d", fd);
    return fd;
}

static void check_energy(const hs_problem *p, const char *format)
{
    int16_t *state = hs_alloc_array((size_t)p->dim, sizeof *state);

    for (int k = 0; state && k < 2; k++) {
        double u = hs_problem_energy(p, state);

        if (isnan(u) || u == HUGE_VAL)
            fail(format, "U is not a number");
        for (int i = 0; i < p->dim; i++)
            state[i] = (int16_t)(hs_problem_states(p, i) - 1);
    }
    hs_free(state);
}

static void check_written(const hs_problem *p, const char *format)
{
    char path[PATH_MAX_BYTES];
    hs_format_use use;
    hs_problem again;
    hiss_error err = {0};
    double shift;
    FILE *to;
    hiss_status rc;

    if (hs_format_find_output(&use, "x", format, NULL) != HISS_OK)
        return;
    to = fdopen(open_memory(path), "w");
    if (!to)
        abort();
    rc = hs_format_write(p, to, &use, &err);
    fflush(to);
    if (rc == HISS_OK) {
        rc = hs_format_read_as(&again, path, &use, &err);
        if (rc == HISS_OK)
            rc = hs_problem_compare(p, &again, &shift, &err);
        hs_problem_clear(&again);
        if (rc != HISS_OK)
            fail(format, err.message);
    } else if (rc != HISS_EUNSUP) {
        fail(format, err.message);
    }
    fclose(to);
    hs_format_release(&use);
}

static void try_format(const char *format, const char *path)
{
    hs_problem p;
    hs_model *m = NULL;
    hiss_error err = {0};
    hiss_status rc = hs_format_read(&p, path, format, &err);

    if (rc == HISS_EINTERNAL || rc == HISS_EIO)
        fail(format, err.message);
    if (rc == HISS_OK && p.dim <= DIM_MAX) {
        check_energy(&p, format);
        check_written(&p, format);
        rc = hs_problem_model(&m, &p, "fuzz", &err);
        if (rc == HISS_EINTERNAL || (rc == HISS_OK) != (m != NULL))
            fail(format, "no model");
        hs_model_destroy(m);
    }
    hs_problem_clear(&p);
}

int fuzz_formats(const char *formats, const uint8_t *data, size_t size)
{
    char path[PATH_MAX_BYTES], format[128];
    int fd = open_memory(path);

    if (size > 0 && write(fd, data, size) != (ssize_t)size)
        abort();
    while (*formats) {
        size_t length = strcspn(formats, "|");

        snprintf(format, sizeof format, "%.*s", (int)length, formats);
        try_format(format, path);
        formats += length;
        formats += *formats == '|';
    }
    close(fd);
    return 0;
}
