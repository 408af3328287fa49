/* speed.c - timings on request: the part of `make bench` that is in C.
 *
 *     bench_speed WORD ...    one request
 *     bench_speed             requests from stdin, a line each, words
 *                             separated by tabs
 * Each answer is a line of numbers, or `error: ...`.  Between requests nothing
 * runs, so bench/run asks this program and the peers' in turn.  What is made
 * of the seconds (the best, a rate, a ratio) is decided there. */
#include "speed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    bench_request *run;
    int words;
    const char *help;
} requests[] = {
    {"limit", bench_limit, 1, "copy|sgemm|rng|tanh|exp: seconds of one"},
    {"probe", bench_probe, 2, "lanes|gemm THREADS: seconds of the wall"},
    {"sample", bench_sample, 6,
     "CHAINS SAMPLES THIN THREADS MODEL SAMPLER: seconds of the processor and "
     "of the wall"},
    {"network", bench_network, 1, "MODEL: seconds of a tile, flops, tanh"},
    {"cases", bench_cases, 2, "MODEL FILE: writes the fitted cases"},
    {"scalar", bench_scalar, 3,
     "dmala|gibbs|hiss BETA SWEEPS: seconds, and energy per site"},
};

enum {
    COUNT = sizeof requests / sizeof *requests,
    LINE = 4096
};

hiss_status bench_fail(hiss_error *err, const char *text, const char *word)
{
    snprintf(err->message, sizeof err->message, "%s '%.200s'", text, word);
    return err->status = HISS_EARG;
}

long bench_number(const char *word)
{
    char *end;
    long value = strtol(word, &end, 10);

    return *end || value < 1 || value > 1000000000 ? 0 : value;
}

static hiss_status answer(char *const *word, int words, hiss_error *err)
{
    for (int r = 0; r < COUNT; r++)
        if (strcmp(word[0], requests[r].name) == 0) {
            if (words != requests[r].words + 1)
                return bench_fail(err, "another number of words in", word[0]);
            return requests[r].run(word + 1, err);
        }
    return bench_fail(err, "unknown request", word[0]);
}

static int run(char *const *word, int words)
{
    hiss_error err = {0};
    hiss_status rc = answer(word, words, &err);

    if (rc != HISS_OK) /* its first line */
        printf("error: %.*s\n", (int)strcspn(err.message, "\n"), err.message);
    fflush(stdout);
    return rc == HISS_OK ? 0 : 1;
}

static int help(void)
{
    puts("usage: bench_speed REQUEST ...\n"
         "       bench_speed              requests from stdin, words "
         "separated by tabs\n");
    for (int r = 0; r < COUNT; r++)
        printf("  %s %s\n", requests[r].name, requests[r].help);
    return 0;
}

int main(int argc, char **argv)
{
    char line[LINE];

    if (argc > 1 && strcmp(argv[1], "--help") == 0)
        return help();
    if (argc > 1)
        return run(argv + 1, argc - 1);
    while (fgets(line, sizeof line, stdin)) {
        char *word[BENCH_WORDS] = {NULL}, *at = line, *one;
        int words = 0;

        line[strcspn(line, "\n")] = '\0';
        while (words < BENCH_WORDS && (one = strsep(&at, "\t")))
            word[words++] = one;
        run(word, words);
    }
    return 0;
}
