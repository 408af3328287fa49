/* fuzz_checkpoint.c - checkpoints that were changed and have right checksums.
 *
 * The first byte chooses a run, which is stopped once and kept; the others are
 * patches of four bytes to its state: two for the place, from the front or,
 * with the top bit, from the back, one for the length, one for what is put
 * there.  Going on from it must end well or be refused.  The samplers need no
 * pilot, which would be made anew each time. */
#include <hiss/hiss.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/alloc.h"
#include "harness.h"
#include "place.h"

enum {
    HEADER = 32, /* of FILE: magic, version, checksum, length */
    CRC_AT = 20,
    PATCH = 4,
    ROUNDS = 3
};

static const struct {
    const char *model, *sampler;
} runs[] = {
    {"bernoulli4", "gibbs"},
    {"ising(side=4,beta=0.4)", "pt(base=dmala(alpha=0.3),levels=3)"},
    {"ising(side=4,beta=0.4)", "hiss(eta=2,block=5,inner=gwg)"},
    {"potts(side=3,states=3,beta=0.5)", "mix(dmala(alpha=0.2),gibbs)"},
    {"rbm(6,4)", "dula(alpha=0.2)"},
    {"ladder(d=5,levels=4,beta=0.5)", "mix(metropolis,dmala(alpha=0.3))"},
    {"mixture(k=2,d=6)", "gwg"},
};

enum {
    RUNS = sizeof runs / sizeof *runs
};

/* What is on disk after a run was stopped. */
struct saved {
    char *state, *draws; /* never freed: as long as the process */
    size_t state_bytes, draws_bytes;
    bool is_made;
};

static struct saved saved[RUNS];

static int stop_soon(void *context, const hiss_progress *progress)
{
    int *rounds = context;

    (void)progress;
    return ++*rounds >= ROUNDS;
}

static hiss_status walk(int run, const char *checkpoint, const char *resume)
{
    hiss_model *m = NULL;
    hiss_sampler *s = NULL;
    hiss_result *r = NULL;
    hiss_settings set;
    int rounds = 0;
    hiss_status rc = hiss_model_create(&m, runs[run].model, NULL);

    if (rc == HISS_OK)
        rc = hiss_sampler_create(&s, runs[run].sampler, NULL);
    if (rc != HISS_OK)
        abort();
    hiss_settings_init(&set);
    set.chains = 3;
    set.samples = 200000;
    set.warmup = 40;
    set.threads = 1;
    set.marginals = 1;
    set.save_warmup = 1;
    set.checkpoint = checkpoint;
    set.checkpoint_replace = 1;
    set.checkpoint_every = 1e9;
    set.checkpoint_text = "fuzz";
    set.resume = resume;
    set.progress = stop_soon;
    set.context = &rounds;
    rc = hiss_sample(&r, m, s, &set, NULL);
    hiss_result_destroy(r);
    hiss_sampler_destroy(s);
    hiss_model_destroy(m);
    return rc;
}

static char *slurp(const char *path, size_t *bytes)
{
    FILE *in = fopen(path, "rb");
    char *all;

    if (!in || fseek(in, 0, SEEK_END) != 0)
        abort();
    *bytes = (size_t)ftell(in);
    rewind(in);
    all = malloc(*bytes + 1);
    if (!all || fread(all, 1, *bytes, in) != *bytes)
        abort();
    fclose(in);
    return all;
}

static void make(int run)
{
    struct saved *s = &saved[run];

    walk(run, fuzz_place("ck"), NULL);
    s->state = slurp(fuzz_place("ck"), &s->state_bytes);
    s->draws = slurp(fuzz_place("ck.draws"), &s->draws_bytes);
    s->is_made = true;
}

static void patch(char *body, size_t bytes, const uint8_t *with)
{
    size_t place = (size_t)(with[0] & 0x7f) << 8 | with[1];
    size_t length = 1 + with[2] % 8;

    if (bytes == 0)
        return;
    place = with[0] & 0x80 ? bytes - 1 - place % bytes : place % bytes;
    if (length > bytes - place)
        length = bytes - place;
    memset(body + place, with[3], length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_place("ck");
    int run = size > 0 ? data[0] % RUNS : 0;
    struct saved *s = &saved[run];
    uint32_t crc;
    hiss_status rc;
    char *state;

    fuzz_place("ck.draws");
    fuzz_place("ck.new");
    if (!s->is_made)
        make(run);
    state = malloc(s->state_bytes);
    if (!state)
        abort();
    memcpy(state, s->state, s->state_bytes);
    for (size_t at = 1; at + PATCH <= size; at += PATCH)
        patch(state + HEADER, s->state_bytes - HEADER, data + at);
    crc = (uint32_t)crc32_z(0, (const Bytef *)state + HEADER,
                            s->state_bytes - HEADER);
    memcpy(state + CRC_AT, &crc, sizeof crc);
    fuzz_write(path, state, s->state_bytes);
    fuzz_write(fuzz_place("ck.draws"), s->draws, s->draws_bytes);
    rc = walk(run, NULL, path);
    if (rc == HISS_EINTERNAL || (size < 1 + PATCH && rc != HISS_OK))
        abort();
    free(state);
    return 0;
}
