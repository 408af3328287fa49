/* sampleset.c - the draws as a dimod SampleSet, in its own JSON.
 *
 * Equal states are one row with their number of occurrences, rows by rising
 * energy.  dimod minimizes: energy = -U.  States are packed, 32 to a word, the
 * first variable in the lowest bit.  Variables are numbered from 0.
 *
 * Not here: models whose variables are not all binary or all spins, which
 * dimod cannot say. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "sink/file.h"
#include "sink/sink.h"

struct row {
    const uint32_t *state; /* borrowed, `words` of them */
    double energy;
    int64_t times;
    int words;
};

struct rows {
    uint32_t *packed; /* owned */
    struct row *row;  /* owned */
    int64_t count;
    int words;
};

static int by_state(const void *a, const void *b)
{
    const struct row *p = a, *q = b;

    return memcmp(p->state, q->state, (size_t)p->words * sizeof *p->state);
}

static int by_energy(const void *a, const void *b)
{
    const struct row *p = a, *q = b;

    if (p->energy != q->energy)
        return p->energy < q->energy ? -1 : 1;
    return by_state(a, b);
}

static void pack(const hs_output *out, int64_t draw, uint32_t *words)
{
    int dim = out->domain->dim;

    for (int i = 0; i < dim; i++)
        if (hs_element_at(out->element, out->kept.x, draw * dim + i) > 0.0)
            words[i / 32] |= (uint32_t)1 << i % 32;
}

/* Distinct states, counted. */
static hiss_status gather(const hs_output *out, struct rows *r, hiss_error *err)
{
    int64_t total = out->chains * out->kept.samples, used = 0;

    r->words = (out->domain->dim + 31) / 32;
    r->packed =
        hs_alloc_array((size_t)total * (size_t)r->words, sizeof *r->packed);
    r->row = hs_alloc_array((size_t)total, sizeof *r->row);
    if (!r->packed || !r->row)
        return hs_fail_memory(err);
    for (int64_t n = 0; n < total; n++) {
        pack(out, n, r->packed + n * r->words);
        r->row[n] = (struct row){.state = r->packed + n * r->words,
                                 .energy = -out->kept.lp[n],
                                 .times = 1,
                                 .words = r->words};
    }
    qsort(r->row, (size_t)total, sizeof *r->row, by_state);
    for (int64_t n = 1; n < total; n++)
        if (by_state(&r->row[used], &r->row[n]) == 0)
            r->row[used].times++;
        else
            r->row[++used] = r->row[n];
    r->count = used + 1;
    qsort(r->row, (size_t)r->count, sizeof *r->row, by_energy);
    return HISS_OK;
}

static void write_states(FILE *to, const struct rows *r)
{
    fprintf(to, "\"sample_data\": {\"type\": \"array\", \"data\": [");
    for (int64_t n = 0; n < r->count && !ferror(to); n++)
        for (int w = 0; w < r->words; w++)
            fprintf(to, "%s%u%s",
                    w   ? ","
                    : n ? ",["
                        : "[",
                    r->row[n].state[w], w + 1 == r->words ? "]" : "");
    fprintf(to,
            "], \"data_type\": \"uint32\", \"shape\": [%lld, %d], "
            "\"use_bytes\": false},\n",
            (long long)r->count, r->words);
}

static void write_vectors(FILE *to, const struct rows *r)
{
    fputs("\"vectors\": {\"energy\": {\"type\": \"array\", \"data\": [", to);
    for (int64_t n = 0; n < r->count; n++)
        hs_fprintf(to, "%s%.17g", n ? "," : "", r->row[n].energy);
    fprintf(to,
            "], \"data_type\": \"float64\", \"shape\": [%lld], \"use_bytes\": "
            "false},\n\"num_occurrences\": {\"type\": \"array\", \"data\": [",
            (long long)r->count);
    for (int64_t n = 0; n < r->count; n++)
        fprintf(to, "%s%lld", n ? "," : "", (long long)r->row[n].times);
    fprintf(to,
            "], \"data_type\": \"int64\", \"shape\": [%lld], \"use_bytes\": "
            "false}},\n",
            (long long)r->count);
}

static void write_all(FILE *to, const hs_output *out, const struct rows *r)
{
    bool is_spin = out->domain->kind[0] == HISS_SPIN;

    fprintf(to,
            "{\"type\": \"SampleSet\", \"version\": {\"sampleset_schema\": "
            "\"3.2.0\"},\n\"num_variables\": %d, \"num_rows\": %lld,\n",
            out->domain->dim, (long long)r->count);
    write_states(to, r);
    fputs("\"sample_type\": \"int8\", \"sample_packed\": true,\n", to);
    write_vectors(to, r);
    fputs("\"variable_labels\": [", to);
    for (int i = 0; i < out->domain->dim; i++)
        fprintf(to, "%s%d", i ? "," : "", i);
    hs_fprintf(to,
               "], \"variable_type\": \"%s\",\n\"info\": {\"timing\": "
               "{\"sampling_time\": %.6f}, \"hiss\": %s}}\n",
               is_spin ? "SPIN" : "BINARY", out->seconds, out->manifest);
}

static hiss_status sampleset_check(const hs_domain *d, const char *path,
                                   hiss_error *err)
{
    for (int i = 0; i < d->dim; i++)
        if (d->kind[i] != d->kind[0] ||
            (d->kind[i] != HISS_BINARY && d->kind[i] != HISS_SPIN))
            return hs_fail(err, HISS_EUNSUP,
                           "%s: a dimod SampleSet has binary variables or "
                           "spins, coordinate %d is %s; write .nc or .npz",
                           path, i + 1, hs_kind_name(d->kind[i]));
    return HISS_OK;
}

static hiss_status sampleset_write(const hs_output *out, const char *path,
                                   bool replace, hiss_error *err)
{
    struct rows r = {0};
    hs_file file;
    hiss_status rc;

    HS_TRY(sampleset_check(out->domain, path, err));
    rc = gather(out, &r, err);
    if (rc == HISS_OK)
        rc = hs_file_open(&file, path, replace, err);
    if (rc == HISS_OK) {
        write_all(file.stream, out, &r);
        rc = hs_file_commit(&file, err);
    }
    hs_free(r.packed);
    hs_free(r.row);
    return rc;
}

const hs_sink hs_sink_sampleset = {
    .name = "sampleset",
    .suffixes = ".json",
    .summary = "dimod SampleSet: distinct states with energy = -U",
    .write = sampleset_write,
    .check = sampleset_check,
};
