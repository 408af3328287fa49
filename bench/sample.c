/* sample.c - a run of the library, timed: what `hiss sample` does, without
 * reading the model, which is kept for further requests, and without
 * judging or writing the draws. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hiss/hiss.h>

#include "clock.h"
#include "speed.h"

/* Models of the last requests; the oldest makes room. */
enum {
    HELD = 8
};
static struct {
    hiss_model *model;
    char *name;
} held[HELD];
static int next;

/* NULL: the error says why. */
static const hiss_model *hold(const char *name, hiss_error *err)
{
    hiss_model *m = NULL;

    for (int i = 0; i < HELD; i++)
        if (held[i].name && strcmp(held[i].name, name) == 0)
            return held[i].model;
    if (hiss_model_open(&m, name, NULL, err) != HISS_OK)
        return NULL;
    hiss_model_destroy(held[next].model);
    free(held[next].name);
    held[next].model = m;
    held[next].name = strdup(name);
    next = (next + 1) % HELD;
    return m;
}

static hiss_status run(const hiss_settings *set, const hiss_model *m,
                       const char *spec, hiss_error *err)
{
    hiss_sampler *s = NULL;
    hiss_result *r = NULL;
    hiss_status rc = hiss_sampler_create(&s, spec, err);
    double cpu = bench_cpu(), wall = bench_wall();

    if (rc == HISS_OK)
        rc = hiss_sample(&r, m, s, set, err);
    cpu = bench_cpu() - cpu;
    wall = bench_wall() - wall;
    if (rc == HISS_OK)
        printf("%.9g %.9g %.17g\n", cpu, wall, hiss_result_lp(r)[0]);
    hiss_result_destroy(r);
    hiss_sampler_destroy(s);
    return rc;
}

hiss_status bench_sample(char *const *word, hiss_error *err)
{
    const hiss_model *m;
    hiss_settings set;

    for (int i = 0; i < 4; i++)
        if (!bench_number(word[i]))
            return bench_fail(err, "not a number from 1 to 10^9:", word[i]);
    hiss_settings_init(&set);
    set.chains = (int)bench_number(word[0]);
    set.samples = bench_number(word[1]);
    set.thin = bench_number(word[2]);
    set.threads = (int)bench_number(word[3]);
    set.warmup = 0;
    m = hold(word[4], err);
    return m ? run(&set, m, word[5], err) : err->status;
}
