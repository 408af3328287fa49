/* experiment.c - the list of experiments, and the fingerprint that decides
 * whether a finished one may be skipped (FNV-1a of its settings). */
#include "paper/support/experiment.h"

#include <hiss/hiss.h>

#include <string.h>

#include "cli/print/fail.h"

const paper_experiment *const paper_experiments[] = {
#define EXPERIMENT_ENTRY(name) &paper_experiment_##name,
    PAPER_EXPERIMENT_LIST(EXPERIMENT_ENTRY)
#undef EXPERIMENT_ENTRY
        NULL,
};

const paper_experiment *paper_experiment_find(const char *name)
{
    for (const paper_experiment *const *e = paper_experiments; *e; e++)
        if (strcmp((*e)->name, name) == 0)
            return *e;
    return NULL;
}

static uint64_t mix(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *b = bytes;

    for (size_t i = 0; i < count; i++)
        hash = (hash ^ b[i]) * 0x100000001b3u;
    return hash;
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
    return mix(hash, text, strlen(text) + 1);
}

static uint64_t mix_number(uint64_t hash, int64_t number)
{
    return mix(hash, &number, sizeof number);
}

static uint64_t mix_row(uint64_t hash, const paper_row *row)
{
    hash = mix_text(hash, row->name);
    hash = mix_text(hash, row->model);
    hash = mix_text(hash, row->sampler);
    hash = mix_number(hash, row->thin);
    return mix_number(hash, row->warmup);
}

char *paper_experiment_print(const paper_experiment *experiment, int mode,
                             uint64_t seed)
{
    const paper_size *size = &experiment->size[mode];
    uint64_t hash = 0xcbf29ce484222325u;

    hash = mix_text(hash, hiss_version());
    hash = mix_number(hash, experiment->revision);
    hash = mix_number(hash, size->chains);
    hash = mix_number(hash, size->repetitions);
    hash = mix_number(hash, size->samples);
    for (const paper_row *r = experiment->rows; r && r->name; r++)
        hash = mix_row(hash, r);
    return cli_text("%s, seed %llu, settings %016llx",
                    mode == PAPER_QUICK  ? "quick"
                    : mode == PAPER_CARD ? "card"
                                         : "full",
                    (unsigned long long)seed, (unsigned long long)hash);
}

char *paper_experiment_left_out(const paper_experiment *experiment)
{
    const paper_file *file = paper_data_left_out(experiment->files, NULL);

    return file ? cli_text("%s, whose file %.*s is not there: %s, SHA-256 %s",
                           file->part, (int)strcspn(file->name, "|"),
                           file->name, file->what, file->sha256)
                : NULL;
}
