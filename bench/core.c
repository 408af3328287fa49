/* core.c - how long a coordinate-step takes, sampler by sampler.
 *
 * One thread, the best of REPEATS runs.  A coordinate-step is one coordinate
 * of one chain in one step; a HiSS sweep with L inner steps is L + 1 of them.
 * The sum of all energies is printed too, so that the work cannot vanish.
 *
 *     bench_core [FILE]    writes the same rows as CSV */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <hiss/hiss.h>

#define REPEATS 3
#define DENSE   256

struct sampler {
    const char *name;
    const char *spec;
    double steps; /* coordinate-steps of a step */
};

static const struct sampler samplers[] = {
    {"hiss", "hiss(eta=0.5,steps=2,inner=dmala(alpha=0.6))", 3.0},
    {"dmala", "dmala(alpha=0.6)", 1.0},
    {"gibbs", "gibbs", 1.0},
};

static const int chain_counts[] = {1, 16, 64};

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* A Sherrington-Kirkpatrick glass from a fixed congruential sequence. */
static hiss_model *dense_model(void)
{
    double *j = calloc((size_t)DENSE * DENSE, sizeof *j);
    hiss_model *m = NULL;
    unsigned long long seed = 1;

    for (int a = 0; j && a < DENSE; a++)
        for (int b = 0; b < a; b++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            j[a * DENSE + b] = j[b * DENSE + a] =
                ((double)(seed >> 11) * 0x1p-52 - 1.0) / sqrt(DENSE);
        }
    if (j)
        hiss_model_ising(&m, DENSE, j, NULL, NULL);
    free(j);
    return m;
}

static hiss_model *named_model(const char *spec)
{
    hiss_model *m = NULL;

    hiss_model_create(&m, spec, NULL);
    return m;
}

/* Seconds of the fastest run; steps are chosen so that a run is not short. */
static double fastest(const hiss_model *m, const char *spec, int chains,
                      int64_t steps, double *checksum)
{
    double best = HUGE_VAL;

    for (int n = 0; n < REPEATS; n++) {
        hiss_settings set;
        hiss_sampler *s = NULL;
        hiss_result *r = NULL;
        hiss_run_info info;

        hiss_settings_init(&set);
        set.chains = chains;
        set.samples = 1;
        set.thin = steps;
        set.warmup = 0;
        set.threads = 1;
        if (hiss_sampler_create(&s, spec, NULL) ||
            hiss_sample(&r, m, s, &set, NULL)) {
            hiss_sampler_destroy(s);
            return (double)NAN;
        }
        hiss_result_info(r, &info);
        best = info.seconds < best ? info.seconds : best;
        *checksum = 0.0;
        for (int c = 0; c < chains; c++)
            *checksum += hiss_result_lp(r)[c];
        hiss_result_destroy(r);
        hiss_sampler_destroy(s);
    }
    return best;
}

static void bench_model(const char *name, hiss_model *m, FILE *csv)
{
    int dim = m ? hiss_model_dim(m) : 0;

    for (size_t k = 0; m && k < COUNT(samplers); k++)
        for (size_t c = 0; c < COUNT(chain_counts); c++) {
            const struct sampler *s = &samplers[k];
            int chains = chain_counts[c];
            int64_t steps = (int64_t)(4e7 / ((dim > 64 ? dim : 64) * s->steps *
                                             (chains > 16 ? 4 : 1) * 16)) +
                            10;
            double checksum, ns;

            steps = dim == DENSE ? steps / 8 : steps;
            ns = 1e9 * fastest(m, s->spec, chains, steps, &checksum) /
                 ((double)steps * dim * chains * s->steps);
            printf("%-8s %-6s %5d %7d %12.3f  %.6g\n", name, s->name, dim,
                   chains, ns, checksum);
            if (csv)
                fprintf(csv, "%s,%s,%d,%d,%.4f,%.17g\n", name, s->name, dim,
                        chains, ns, checksum);
        }
    hiss_model_destroy(m);
}

/* The paper's run: 10 chains, G = 5, L = 2; milliseconds per sample. */
static void bench_paper(FILE *csv)
{
    const char *spec = "hiss(eta=4,sweeps=5,steps=2,inner=dmala(alpha=0.2))";
    hiss_model *m = named_model("bernoulli4");
    double checksum;
    double ms = 1e3 * fastest(m, spec, 10, 20000, &checksum) / 20000.0;

    printf("\nthe paper's Bernoulli run, 10 chains: %.4f ms per sample\n", ms);
    if (csv)
        fprintf(csv, "bernoulli4,paper,4,10,%.6f,%.17g\n", ms, checksum);
    hiss_model_destroy(m);
}

int main(int argc, char **argv)
{
    FILE *csv = argc > 1 ? fopen(argv[1], "w") : NULL;

    if (argc > 1 && !csv) {
        perror(argv[1]);
        return 3;
    }
    if (csv)
        fprintf(csv, "# paper rows: ms per sample, not ns\n"
                     "model,sampler,dim,chains,ns_per_site_step,checksum\n");
    printf("hiss %s, %s lanes, one thread\n\n", hiss_version(), hiss_isa());
    printf("%-8s %-6s %5s %7s %12s  %s\n", "model", "sampler", "dim", "chains",
           "ns/site-step", "checksum");
    bench_model("lattice", named_model("ising(side=24,beta=0.4407)"), csv);
    bench_model("dense", dense_model(), csv);
    bench_model("bernoulli", named_model("bernoulli4"), csv);
    bench_paper(csv);
    if (csv && fclose(csv) != 0) {
        perror(argv[1]);
        return 3;
    }
    return 0;
}
