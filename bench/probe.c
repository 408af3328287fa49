/* probe.c - how far two threads help at all: arithmetic and nothing else.
 *
 * The processors of a virtual machine are often two threads of one core: what
 * a second one gains depends on how busy the first keeps the core's units.  So
 * each probe has the mix of what it stands beside, on data that stay in the
 * first caches, with nothing shared and no thread waiting:
 *     lanes   one random word, one exp per number, as in samplers of lattices
 *     gemm    a product of the shape of the HIV network's, and the tanh
 *             of what it gives, as in networks
 * The work is the same whatever the threads; the answer is seconds of the
 * wall.  Speed-ups of a sampler are divided by those of its probe. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "clock.h"
#include "lanes/lanes.h"
#include "model/gemm.h"
#include "speed.h"

enum {
    THREADS = 64,
    BLOCKS = 32,
    ROWS = 4 * BLOCKS,
    LANE_TIMES = 240000, /* divided among the threads */
    CASES = 160, /* 1 MB of hidden units, as in model/network/network.c */
    WIDTH = 161,
    COLUMNS = 100 * HS_CHAINS,
    GEMM_TIMES = 960
};

struct part {
    pthread_t thread;
    int times;
    double sum;
    /* gemm */
    float *input, *weight, *hidden, *out; /* owned */
};

static void *lanes_part(void *context)
{
    struct part *part = context;
    uint32_t words[ROWS][HS_LANES];
    float x[ROWS][HS_LANES] = {{0}}, y[ROWS][HS_LANES];
    hs_rng at = {.seed = 1};

    for (int n = 0; n < part->times; n++, at.clock++) {
        hs_lanes()->philox(&at, HS_DRAW_PROPOSE, 0, BLOCKS, words);
        for (int r = 0; r < ROWS; r++)
            hs_lanes()->exp(x[r], y[r]);
        for (int l = 0; l < HS_LANES; l++)
            x[n % ROWS][l] =
                y[n % ROWS][l] * (float)words[n % ROWS][l] * -0x1p-32f;
    }
    part->sum = (double)x[3][5];
    return NULL;
}

static void *gemm_part(void *context)
{
    struct part *part = context;

    for (int n = 0; n < part->times; n++) {
        hs_gemm_wide(CASES, COLUMNS, WIDTH, part->input, part->weight,
                     part->hidden);
        hs_lanes()->network_forward(
            CASES, COLUMNS / HS_LANES, (const float(*)[HS_LANES])part->weight,
            part->weight, (float(*)[HS_LANES])part->hidden,
            (float(*)[HS_LANES])part->out, 0);
    }
    part->sum = (double)part->out[5];
    return NULL;
}

static hiss_status gemm_init(struct part *part, hiss_error *err)
{
    size_t inputs = (size_t)CASES * WIDTH;
    size_t weights = (size_t)WIDTH * COLUMNS;
    uint64_t seed = 1;

    part->input = hs_alloc_array(inputs, sizeof(float));
    part->weight = hs_alloc_array(weights, sizeof(float));
    part->hidden = hs_alloc_array((size_t)CASES * COLUMNS, sizeof(float));
    part->out = hs_alloc_array((size_t)CASES * HS_LANES, sizeof(float));
    if (!part->input || !part->weight || !part->hidden || !part->out)
        return hs_fail_memory(err);
    for (size_t i = 0; i < inputs; i++)
        part->input[i] = bench_draw(&seed) % 20 == 0;
    for (size_t i = 0; i < weights; i++)
        part->weight[i] = bench_draw(&seed) % 2 ? 1.0f : -1.0f;
    return HISS_OK;
}

static void gemm_clear(struct part *part)
{
    hs_free(part->input);
    hs_free(part->weight);
    hs_free(part->hidden);
    hs_free(part->out);
}

/* The first part is the caller's. */
static hiss_status spread(void *(*run)(void *), struct part *part, int threads,
                          hiss_error *err)
{
    hiss_status rc = HISS_OK;
    double wall = bench_wall(), sum = 0.0;
    int begun = 1;

    for (; begun < threads && rc == HISS_OK; begun++)
        if (pthread_create(&part[begun].thread, NULL, run, &part[begun]) != 0) {
            rc = bench_fail(err, "no further thread for", "probe");
            break;
        }
    run(&part[0]);
    for (int t = 1; t < begun; t++)
        pthread_join(part[t].thread, NULL);
    wall = bench_wall() - wall;
    for (int t = 0; t < begun; t++)
        sum += part[t].sum;
    if (rc == HISS_OK)
        printf("%.9g %.9g\n", wall, sum);
    return rc;
}

hiss_status bench_probe(char *const *word, hiss_error *err)
{
    bool is_gemm = strcmp(word[0], "gemm") == 0;
    long threads = bench_number(word[1]);
    struct part part[THREADS] = {{0}};
    hiss_status rc = HISS_OK;

    if (!is_gemm && strcmp(word[0], "lanes") != 0)
        return bench_fail(err, "unknown probe", word[0]);
    if (threads < 1 || threads > THREADS)
        return bench_fail(err, "not a number of threads:", word[1]);
    for (int t = 0; t < threads && rc == HISS_OK; t++) {
        part[t].times = (is_gemm ? GEMM_TIMES : LANE_TIMES) / (int)threads;
        if (is_gemm)
            rc = gemm_init(&part[t], err);
    }
    if (rc == HISS_OK)
        rc = spread(is_gemm ? gemm_part : lanes_part, part, (int)threads, err);
    for (int t = 0; t < threads; t++)
        gemm_clear(&part[t]);
    return rc;
}
