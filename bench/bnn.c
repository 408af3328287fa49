/* bnn.c - evaluations of binary networks against the machine's own sgemm.
 *
 * The network of the paper's HIV data: 1287 cases, 8 of 160 inputs on, 100
 * hidden units, 16 networks to a tile, one thread.  An evaluation makes U and
 * the gradient; what counts are the operations of its two matrix products, so
 * tanh, residuals and everything else are overhead.  Both rates are the best
 * of REPEATS, taken in turns.
 *
 *     bench_bnn [FILE]    writes the same rows as CSV */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <hiss/hiss.h>

#include "base/alloc.h"
#include "model/gemm.h"
#include "model/network.h"

enum {
    REPEATS = 25,
    CASES = 1287,
    POSITIONS = 8,
    LETTERS = 20,
    INPUTS = POSITIONS * LETTERS,
    HIDDEN = 100,
    SQUARE = 960
};

/* Of this thread, so that others who want the processor do not count. */
static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static unsigned draw(unsigned long long *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*seed >> 33);
}

static hs_model *network(unsigned long long *seed)
{
    hs_network_options options = {.hidden = HIDDEN, .scale = 1.0};
    hs_dataset data = {.inputs = INPUTS};
    hs_cases *cases = &data.part[HS_FITTED];
    size_t width = INPUTS + 1;
    hs_model *m = NULL;

    cases->count = CASES;
    cases->input = hs_alloc_array(CASES, width * sizeof *cases->input);
    cases->target = hs_alloc_array(CASES, sizeof *cases->target);
    for (size_t n = 0; cases->input && cases->target && n < CASES; n++) {
        float *input = cases->input + n * width;

        for (unsigned p = 0; p < POSITIONS; p++)
            input[p * LETTERS + draw(seed) % LETTERS] = 1.0f;
        input[INPUTS] = 1.0f;
        cases->target[n] = draw(seed) % 4 == 0;
    }
    hs_network_create(&m, &data, &options, NULL);
    return m;
}

/* Seconds of an evaluation of all 16 networks. */
static double evaluate(const hs_model *m, hs_point *p, unsigned want)
{
    double start = now();

    p->have = 0;
    hs_model_evaluate(m, p, want);
    return now() - start;
}

static double multiply(const float *a, const float *b, float *c)
{
    double start = now();

    hs_gemm_wide(SQUARE, SQUARE, SQUARE, a, b, c);
    return now() - start;
}

static void tell(FILE *csv, const char *name, double seconds, double flops,
                 double sgemm, double checksum)
{
    double rate = 1e-9 * flops / seconds;

    printf("%-22s %10.3f ms %9.2f GFLOP/s %6.1f %%  %.6g\n", name,
           1e3 * seconds, rate, 100.0 * rate / sgemm, checksum);
    if (csv)
        fprintf(csv, "%s,%.6f,%.3f,%.2f,%.17g\n", name, 1e3 * seconds, rate,
                100.0 * rate / sgemm, checksum);
}

static int run(FILE *csv)
{
    size_t size = (size_t)SQUARE * SQUARE;
    float *a = hs_alloc_array(size, sizeof *a);
    float *b = hs_alloc_array(size, sizeof *b);
    float *c = hs_alloc_array(size, sizeof *c);
    double product = HUGE_VAL, both = HUGE_VAL, energy = HUGE_VAL;
    double flops = 2.0 * CASES * (INPUTS + 1) * HIDDEN * HS_LANES;
    double square = 2.0 * SQUARE * (double)size, sgemm;
    unsigned long long seed = 1;
    hs_model *m = network(&seed);
    hs_point p;

    if (!a || !b || !c || !m || hs_point_init(&p, m, NULL) != HISS_OK)
        return 3;
    for (size_t i = 0; i < size; i++) {
        a[i] = (float)(draw(&seed) % 3) - 1.0f;
        b[i] = (float)(draw(&seed) % 3) - 1.0f;
    }
    for (int i = 0; i < m->domain.dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            p.x[i][l] = (int16_t)(draw(&seed) % 2);
    for (int n = 0; n < REPEATS; n++) {
        product = fmin(product, multiply(a, b, c));
        energy = fmin(energy, evaluate(m, &p, HS_U));
        both = fmin(both, evaluate(m, &p, HS_U | HS_GRAD));
    }
    sgemm = 1e-9 * square / product;
    tell(csv, "sgemm 960", product, square, sgemm, (double)c[7]);
    tell(csv, "U", energy, flops, sgemm, p.u[0]);
    tell(csv, "U and gradient", both, 2.0 * flops, sgemm, (double)p.grad[0][0]);
    hs_point_clear(&p);
    hs_model_destroy(m);
    hs_free(a);
    hs_free(b);
    hs_free(c);
    return 0;
}

int main(int argc, char **argv)
{
    FILE *csv = argc > 1 ? fopen(argv[1], "w") : NULL;
    int code;

    if (argc > 1 && !csv) {
        perror(argv[1]);
        return 3;
    }
    if (csv)
        fprintf(csv, "what,ms,gflops,percent_of_sgemm,checksum\n");
    printf("hiss %s, %s lanes, one thread, %s\n\n", hiss_version(), hiss_isa(),
           hs_gemm_is_blas() ? hs_gemm_name() : "no BLAS");
    code = run(csv);
    if (csv && fclose(csv) != 0) {
        perror(argv[1]);
        return 3;
    }
    return code;
}
