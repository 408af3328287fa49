/* modes.c - how often samplers change mode, at equal cost.
 *
 * For every target and sampler, SEEDS runs of CHAINS chains and EVALS
 * evaluations, pilot and warm-up included.  The effective sample size of a
 * mode indicator of known mean p is
 *     ESS = N p (1 - p) / (b mean (m - p)^2)
 * over the means m of batches of b draws, b so long that a batch has about
 * PER_BATCH effective draws (at most a chain); indicators of one target are
 * pooled.  mass_z is the largest error of a mode mass in standard errors.
 *
 *     bench_modes FILE [targets=a,b] [samplers=a,b] [seeds=5] [evals=1e6] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hiss/hiss.h>

#include "targets.h"

#define CHAINS    8
#define PER_BATCH 20.0
#define SEEDS_MAX 64

struct sampler {
    const char *name;
    const char *spec;
};

static const struct sampler samplers[] = {
    {"auto", "auto"},
    {"pt", "pt(base=gibbs,levels=auto)"},
    {"hiss", "hiss(eta=auto,steps=2,inner=dmala(alpha=auto))"},
    {"dmala", "dmala(alpha=auto)"},
    {"gwg", "gwg"},
    {"acs", "acs"},
    {"gibbs", "gibbs"},
};

#define COUNT(a) (sizeof(a) / sizeof *(a))

struct options {
    const char *file, *targets, *samplers, *spec;
    int seeds, threads;
    double evals;
};

/* What one run gave. */
struct outcome {
    double evals, ess;
    double mass[CHAINS][TARGET_CLASSES]; /* of each chain */
};

static int is_wanted(const char *list, const char *name)
{
    size_t length = strlen(name);

    for (const char *at = list; at && (at = strstr(at, name)); at++)
        if ((at == list || at[-1] == ',') &&
            (at[length] == '\0' || at[length] == ','))
            return 1;
    return !list;
}

/* Sum over classes of the squared errors of batch means, and their number. */
static double batch_error(const double *f, const target *t, const double *p,
                          int64_t draws, int64_t batches)
{
    int64_t length = draws / batches;
    double sum = 0.0;

    for (int c = 0; c < CHAINS; c++)
        for (int64_t b = 0; b < batches; b++)
            for (int k = 0; k < t->classes; k++) {
                double m = 0.0;

                for (int64_t n = b * length; n < (b + 1) * length; n++)
                    m += f[(c * draws + n) * t->classes + k];
                m = m / (double)length - p[k];
                sum += m * m;
            }
    return sum / (double)(CHAINS * batches) * (double)length;
}

static double effective(const double *f, const target *t, const double *p,
                        int64_t draws)
{
    double variance = 0.0, all = (double)(CHAINS * draws), ess;
    int64_t batches = 1;

    for (int k = 0; k < t->classes; k++)
        variance += p[k] * (1.0 - p[k]);
    ess = all * variance / batch_error(f, t, p, draws, 1);
    while (batches < 64 && batches < draws / 8 &&
           ess / CHAINS > PER_BATCH * 2.0 * (double)batches) {
        batches *= 2;
        ess = all * variance / batch_error(f, t, p, draws, batches);
    }
    return ess;
}

static int measure(const target *t, const hiss_model *m, const char *spec,
                   const struct options *o, int seed, struct outcome *out)
{
    hiss_settings set;
    hiss_sampler *s = NULL;
    hiss_result *r = NULL;
    hiss_run_info info;
    hiss_error err = {0};
    double p[TARGET_CLASSES];
    double *x = malloc(sizeof *x * (size_t)hiss_model_dim(m)), *f = NULL;
    int64_t n = 0;

    hiss_settings_init(&set);
    set.chains = CHAINS;
    set.samples = 0;
    set.evals = o->evals;
    set.seed = (uint64_t)seed;
    set.threads = o->threads;
    if (hiss_sampler_create(&s, spec, &err) ||
        hiss_sample(&r, m, s, &set, &err)) {
        fprintf(stderr, "%s %s: %s\n", t->name, spec, err.message);
        hiss_sampler_destroy(s);
        free(x);
        return 0;
    }
    hiss_result_info(r, &info);
    if (!t->means(t, p))
        info.samples = 0;
    f = malloc(sizeof *f * (size_t)(CHAINS * info.samples * t->classes));
    memset(out, 0, sizeof *out);
    for (int c = 0; f && x && c < CHAINS; c++)
        for (int64_t i = 0; i < info.samples; i++, n += t->classes) {
            hiss_result_draw(r, c, i, x);
            t->classify(t, x, f + n);
            for (int k = 0; k < t->classes; k++)
                out->mass[c][k] += f[n + k] / (double)info.samples;
        }
    out->evals = info.energy_evals + info.gradient_evals;
    out->ess = f ? effective(f, t, p, info.samples) : 0.0;
    if (getenv("BENCH_VERBOSE"))
        fprintf(stderr, "  seed %d ess %.1f evals %.0f steps %lld %s %s\n",
                seed, out->ess, out->evals,
                (long long)(info.samples * info.thin), hiss_result_resolved(r),
                hiss_result_pilot(r) ? hiss_result_pilot(r) : "");
    free(f);
    free(x);
    hiss_result_destroy(r);
    hiss_sampler_destroy(s);
    return 1;
}

/* Mean and squared standard error of a mass, over the chains of all runs. */
static void mass_of(const struct outcome *run, int seeds, int k, double *mean,
                    double *square)
{
    double n = (double)seeds * CHAINS;

    *mean = *square = 0.0;
    for (int s = 0; s < seeds; s++)
        for (int c = 0; c < CHAINS; c++)
            *mean += run[s].mass[c][k] / n;
    for (int s = 0; s < seeds; s++)
        for (int c = 0; c < CHAINS; c++)
            *square += (run[s].mass[c][k] - *mean) *
                       (run[s].mass[c][k] - *mean) / (n * (n - 1.0));
}

/* Largest error of a mass in standard errors, these from the spread of chains;
 * of classes that are alike they are pooled. */
static double mass_error(const target *t, const struct outcome *run, int seeds)
{
    double p[TARGET_CLASSES], pooled = 0.0, mean, square, worst = 0.0;

    t->means(t, p);
    for (int k = 0; k < t->classes; k++) {
        mass_of(run, seeds, k, &mean, &square);
        pooled += square / (p[k] * (1.0 - p[k]) * t->classes);
    }
    for (int k = 0; k < t->classes; k++) {
        double z;

        mass_of(run, seeds, k, &mean, &square);
        if (t->is_alike)
            square = pooled * p[k] * (1.0 - p[k]);
        z = fabs(mean - p[k]) / sqrt(square);
        worst = z > worst ? z : worst;
    }
    return worst;
}

static void row(FILE *json, int *rows, const target *t, const char *name,
                const char *spec, const struct options *o)
{
    static struct outcome run[SEEDS_MAX];
    hiss_model *m = target_model(t);
    double mean = 0.0, square = 0.0, evals = 0.0, se;

    if (!m) {
        printf("%-11s is not at hand\n", t->name);
        return;
    }
    for (int s = 0; s < o->seeds; s++) {
        double rate;

        if (!measure(t, m, spec, o, s + 1, &run[s])) {
            hiss_model_destroy(m);
            return;
        }
        rate = 1e5 * run[s].ess / run[s].evals;
        mean += rate / o->seeds;
        square += rate * rate / o->seeds;
        evals += run[s].evals / o->seeds;
    }
    se = o->seeds > 1
             ? sqrt(fmax(square - mean * mean, 0.0) / (o->seeds - 1.0))
             : 0.0;
    printf("%-11s %-6s %10.2f +- %-8.2f z %5.2f\n", t->name, name, mean, se,
           mass_error(t, run, o->seeds));
    fflush(stdout);
    if (json)
        fprintf(json,
                "%s\n  {\"target\": \"%s\", \"sampler\": \"%s\", "
                "\"ess_per_1e5\": %.6g, \"se\": %.6g, \"seeds\": %d, "
                "\"evals\": %.0f, \"mass_z\": %.4g,\n   \"command\": \"hiss "
                "sample '%s' --sampler '%s' --chains %d --evals %.0f\"}",
                *rows ? "," : "[", t->name, name, mean, se, o->seeds, evals,
                mass_error(t, run, o->seeds), t->model, spec, CHAINS, o->evals);
    ++*rows;
    hiss_model_destroy(m);
}

static void read_options(int argc, char **argv, struct options *o)
{
    for (int i = 1; i < argc; i++) {
        char *value = strchr(argv[i], '=');

        if (strncmp(argv[i], "targets=", 8) == 0)
            o->targets = value + 1;
        else if (strncmp(argv[i], "samplers=", 9) == 0)
            o->samplers = value + 1;
        else if (strncmp(argv[i], "spec=", 5) == 0)
            o->spec = value + 1;
        else if (strncmp(argv[i], "seeds=", 6) == 0)
            o->seeds = atoi(value + 1);
        else if (strncmp(argv[i], "threads=", 8) == 0)
            o->threads = atoi(value + 1);
        else if (strncmp(argv[i], "evals=", 6) == 0)
            o->evals = atof(value + 1);
        else
            o->file = argv[i];
    }
    o->seeds = o->seeds > SEEDS_MAX ? SEEDS_MAX : o->seeds;
}

int main(int argc, char **argv)
{
    struct options o = {.seeds = 5, .threads = 1, .evals = 1e6};
    FILE *json = NULL;
    int rows = 0;

    read_options(argc, argv, &o);
    if (o.file && !(json = fopen(o.file, "w"))) {
        perror(o.file);
        return 3;
    }
    for (const target *t = targets; t->name; t++) {
        if (!is_wanted(o.targets, t->name))
            continue;
        if (o.spec)
            row(json, &rows, t, "spec", o.spec, &o);
        for (size_t s = 0; !o.spec && s < COUNT(samplers); s++)
            if (is_wanted(o.samplers, samplers[s].name))
                row(json, &rows, t, samplers[s].name, samplers[s].spec, &o);
    }
    if (json) {
        fputs(rows ? "\n]\n" : "[]\n", json);
        if (fclose(json) != 0) {
            perror(o.file);
            return 3;
        }
    }
    return 0;
}
