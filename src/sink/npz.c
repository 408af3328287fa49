/* npz.c - a result as a NumPy archive (base/npz.h):
 *
 *     x (chain, draw, coordinate), lp and acceptance_rate (chain, draw),
 *     marginal, the same with warmup_ before it, and manifest, a text */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/npz.h"
#include "sink/file.h"
#include "sink/sink.h"

static void add_draws(hs_npz *z, const hs_output *out, const hs_draws *draws,
                      const char *names[3])
{
    static const char *const types[] = {"|i1", "<i2", "<f4"};
    uint64_t rows = (uint64_t)out->chains * (uint64_t)draws->samples;
    char wide[96], narrow[64];

    if (draws->samples == 0)
        return;
    snprintf(narrow, sizeof narrow, "(%d, %lld)", out->chains,
             (long long)draws->samples);
    snprintf(wide, sizeof wide, "(%d, %lld, %d)", out->chains,
             (long long)draws->samples, out->domain->dim);
    hs_npz_add(z, names[0], types[out->element], wide, draws->x,
               rows * (uint64_t)out->domain->dim *
                   hs_element_size(out->element));
    hs_npz_add(z, names[1], "<f8", narrow, draws->lp, rows * sizeof(double));
    if (draws->accept)
        hs_npz_add(z, names[2], "<f4", narrow, draws->accept,
                   rows * sizeof(float));
}

static hiss_status npz_write(const hs_output *out, const char *path,
                             bool replace, hiss_error *err)
{
    uint64_t values = (uint64_t)out->domain->value_count;
    char shape[32], type[32];
    hs_npz z = {0};
    hs_file file;

    HS_TRY(hs_file_open(&file, path, replace, err));
    z.to = file.stream;
    add_draws(&z, out, &out->kept,
              (const char *[]){"x", "lp", "acceptance_rate"});
    add_draws(
        &z, out, &out->warmup,
        (const char *[]){"warmup_x", "warmup_lp", "warmup_acceptance_rate"});
    snprintf(shape, sizeof shape, "(%llu,)", (unsigned long long)values);
    hs_npz_add(&z, "marginal", "<f8", shape, out->marginal,
               values * sizeof(double));
    snprintf(type, sizeof type, "|S%zu", strlen(out->manifest));
    hs_npz_add(&z, "manifest", type, "()", out->manifest,
               strlen(out->manifest));
    hs_npz_end(&z);
    return hs_file_commit(&file, err);
}

const hs_sink hs_sink_npz = {
    .name = "npz",
    .suffixes = ".npz",
    .summary = "NumPy archive: x, lp, acceptance_rate, marginal, manifest",
    .write = npz_write,
};
