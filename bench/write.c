/* write.c - what writing a result costs, beside what drawing it did.
 *
 * A 24 x 24 lattice, sixteen chains, every draw kept, one thread; seconds of
 * the processor, so that other programs do not count.  Rows:
 *     sampler,file,bytes,sample_s,write_s,share
 * The share of a .nc should be below 0.1.  A first round is not counted: in it
 * a virtual machine may have to get its memory. */
#include <hiss/hiss.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    CHAINS = 16,
    SAMPLES = 10000,
    TRIES = 3 /* the best counts */
};

static const char MODEL[] = "ising(side=24,beta=0.4407)";
static const char *const SAMPLERS[] = {"gibbs", "dmala(alpha=auto)",
                                       "hiss(eta=auto,inner=dmala(alpha=auto))",
                                       "auto"};
#define COUNT (sizeof SAMPLERS / sizeof *SAMPLERS)
static const char *const FILES[] = {"write.nc", "write.csv", "write.npz"};

static double processor(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void check(hiss_status status, const hiss_error *err)
{
    if (status == HISS_OK)
        return;
    fprintf(stderr, "bench_write: %s\n", err->message);
    exit(1);
}

static void write_files(const hiss_result *result, const char *sampler,
                        double sample_s, bool is_counted)
{
    hiss_error err = {0};

    for (size_t f = 0; f < sizeof FILES / sizeof *FILES; f++) {
        double write_s = 0;
        struct stat made = {0};

        for (int t = 0; t < TRIES; t++) {
            double start = processor(), took;

            check(hiss_result_write(result, FILES[f], 1, &err), &err);
            took = processor() - start;
            write_s = t == 0 || took < write_s ? took : write_s;
        }
        stat(FILES[f], &made);
        unlink(FILES[f]);
        if (!is_counted)
            continue;
        printf("\"%s\",%s,%lld,%.3f,%.3f,%.3f\n", sampler, FILES[f],
               (long long)made.st_size, sample_s, write_s, write_s / sample_s);
        fflush(stdout);
    }
}

int main(void)
{
    hiss_error err = {0};
    hiss_model *model;

    check(hiss_model_create(&model, MODEL, &err), &err);
    puts("sampler,file,bytes,sample_s,write_s,share");
    for (size_t round = 0; round <= COUNT; round++) {
        const char *spec = SAMPLERS[round > 0 ? round - 1 : 0];
        double start = processor();
        hiss_settings settings;
        hiss_sampler *sampler;
        hiss_result *result;

        hiss_settings_init(&settings);
        settings.chains = CHAINS;
        settings.samples = SAMPLES;
        settings.threads = 1;
        settings.marginals = 1;
        check(hiss_sampler_create(&sampler, spec, &err), &err);
        check(hiss_sample(&result, model, sampler, &settings, &err), &err);
        write_files(result, spec, processor() - start, round > 0);
        hiss_result_destroy(result);
        hiss_sampler_destroy(sampler);
    }
    hiss_model_destroy(model);
    return 0;
}
