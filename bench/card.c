/* card.c - updates per nanosecond of one sampler on one device.
 *
 * usage: bench_card MODEL SAMPLER CHAINS STEPS DEVICE
 *
 * The time of STEPS more steps of every chain, so that starts, transfers and
 * the building of a group do not count; the best of three, or of as many as
 * take PATIENCE.  Prints one JSON object; `checksum` is the sum of the last U
 * of all chains, the same on every device that gives the same draws. */
#include <hiss/hiss.h>

#include <stdio.h>
#include <stdlib.h>

#include "clock.h"

#define PATIENCE 20.0 /* seconds */

struct job {
    hiss_model *model;
    hiss_sampler *sampler;
    const char *device;
    int chains;
    double checksum;
};

static double seconds_of(struct job *job, int64_t steps)
{
    hiss_settings settings;
    hiss_result *result = NULL;
    hiss_error err = {0};
    double begun = bench_wall();

    hiss_settings_init(&settings);
    settings.chains = job->chains;
    settings.samples = 1;
    settings.warmup = 0;
    settings.thin = steps;
    settings.device = job->device;
    if (hiss_sample(&result, job->model, job->sampler, &settings, &err)) {
        fprintf(stderr, "%s\n", err.message);
        exit(2);
    }
    begun = bench_wall() - begun;
    job->checksum = 0.0;
    for (int c = 0; c < job->chains; c++)
        job->checksum += hiss_result_lp(result)[c];
    hiss_result_destroy(result);
    return begun;
}

static double best_of(struct job *job, int64_t steps)
{
    double best = seconds_of(job, steps), all = best;

    for (int n = 1; n < 3 && all < PATIENCE; n++) {
        double now = seconds_of(job, steps);

        best = now < best ? now : best;
        all += now;
    }
    return best;
}

int main(int argc, char **argv)
{
    struct job job = {0};
    hiss_error err = {0};
    int64_t steps = argc > 4 ? strtoll(argv[4], NULL, 10) : 0;
    double few, many, dim;

    if (steps < 1) {
        fprintf(stderr, "usage: bench_card MODEL SAMPLER CHAINS STEPS "
                        "DEVICE\n");
        return 2;
    }
    job.chains = (int)strtol(argv[3], NULL, 10);
    job.device = argc > 5 ? argv[5] : "cpu";
    if (hiss_model_open(&job.model, argv[1], NULL, &err) ||
        hiss_sampler_create(&job.sampler, argv[2], &err)) {
        fprintf(stderr, "%s\n", err.message);
        return 2;
    }
    dim = (double)hiss_model_dim(job.model);
    few = best_of(&job, 1);
    many = best_of(&job, 1 + steps);
    printf("{\"chains\": %d, \"steps\": %lld, \"seconds\": %.6g, "
           "\"overhead_s\": %.6g, \"updates_per_ns\": %.6g, "
           "\"checksum\": %.17g}\n",
           job.chains, (long long)steps, many - few, few,
           1e-9 * dim * job.chains * (double)steps / (many - few),
           job.checksum);
    hiss_sampler_destroy(job.sampler);
    hiss_model_destroy(job.model);
    return 0;
}
