/* fuzz_format.c - models in files.
 *
 * One program per format, which FUZZ_FORMAT names.  U of what is read is a
 * number or -infinity, and what is written is read back as the same law. */
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "format/format.h"
#include "place.h"

enum {
    DIM_MAX = 4096 /* beyond this only reading is tried */
};

/* Formats that are read in several ways, or in none without an option. */
static const struct {
    const char *name, *specs; /* which '|' separates */
} several[] = {
    {"cnf", "cnf|cnf(form=constraint)"},
    {"coo", "coo|coo(vartype=binary)"},
    {"dimacs", "dimacs(task=independent_set)|"
               "dimacs(task=clique,form=constraint)|"
               "dimacs(task=coloring,colors=3)"},
    {"mtx", "mtx|mtx(as=qubo)|mtx(as=maxcut)"},
    {"npz", "npz|npz(as=ising)"},
    {"edges", "edges|edges(sign=attract)|edges(sign=repel,values=binary)"},
    {"qubo_sparse", "qubo-sparse(sense=min,offdiagonal=twice)"},
    {"tsplib", "tsplib|tsplib(rounded=yes,form=onehot)"},
    {"wcnf", "wcnf|wcnf(form=penalty)"},
};

static void fail(const char *format, const char *message)
{
    fprintf(stderr, "%s: %s\n", format, message);
    abort();
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
    char path[FUZZ_PATH_MAX];
    hs_format_use use;
    hs_problem again;
    hiss_error err = {0};
    double shift;
    FILE *to;
    hiss_status rc;

    if (hs_format_find_output(&use, "x", format, NULL) != HISS_OK)
        return;
    to = fdopen(fuzz_memory(path, NULL, 0), "w");
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

static const char *specs_of(const char *name)
{
    for (size_t i = 0; i < sizeof several / sizeof *several; i++)
        if (strcmp(several[i].name, name) == 0)
            return several[i].specs;
    return name;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *specs = specs_of(FUZZ_FORMAT);
    char path[FUZZ_PATH_MAX], spec[128];
    int fd = fuzz_memory(path, data, size);

    while (*specs) {
        size_t length = strcspn(specs, "|");

        snprintf(spec, sizeof spec, "%.*s", (int)length, specs);
        try_format(spec, path);
        specs += length;
        specs += *specs == '|';
    }
    close(fd);
    return 0;
}
