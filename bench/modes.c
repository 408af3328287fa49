/* modes.c - how often samplers change mode, at equal cost.
 *
 * For every target and sampler, SEEDS runs of CHAINS chains and EVALS
 * evaluations, pilot and warm-up included.  The effective sample size of a
 * mode indicator of known mean p is
 *     ESS = N p (1 - p) / (b mean (m - p)^2)
 * over the means m of batches of b draws, b so long that a batch has about
 * PER_BATCH effective draws (at most a chain); indicators of one target are
 * pooled.  mass_z is the largest error of a mode mass in standard errors.
 * Samplers that are there for comparison have SIDE of the evaluations, except
 * where errors of marginals are compared; annealing counts every anneal as a
 * draw.
 *
 *     bench_modes FILE [targets=a,b] [samplers=a,b] [seeds=5] [evals=1e6]
 *                 [spec=SAMPLER] [threads=1] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hiss/hiss.h>

#include "targets.h"

#define CHAINS    4   /* as the command has by default */
#define ANNEALS   8   /* per chain */
#define SIDE      0.2 /* of the evaluations */
#define PER_BATCH 20.0
#define SEEDS_MAX 64
#define Z_MAX     999.0 /* that is written */

struct sampler {
    const char *name;
    const char *spec;
    const char *tour_spec; /* for tours, or NULL */
    int runs_long;         /* on targets with more than the usual cost, too */
};

static const struct sampler samplers[] = {
    {"auto", "auto", "auto", 1},
    {"pt", "pt(base=gibbs,levels=auto)", "pt(base=tour,levels=auto)", 1},
    {"hiss", "hiss(eta=auto,steps=2,inner=dmala(alpha=auto))",
     "hiss(eta=auto,steps=2,inner=tour)", 0},
    {"dmala", "dmala(alpha=auto)", NULL, 0},
    {"gwg", "gwg", NULL, 0},
    {"acs", "acs", NULL, 0},
    {"gibbs", "gibbs", NULL, 1},
    {"cluster", "sequence(gibbs,cluster)", NULL, 0},
    {"blocks", "blocks", NULL, 1},
    {"anneal", NULL, NULL, 0},
};

#define MAIN 2 /* of them are what it is about */

#define COUNT(a) (sizeof(a) / sizeof *(a))

struct options {
    const char *file, *targets, *samplers, *spec;
    int seeds, threads;
    double evals;
};

/* What one run gave. */
struct outcome {
    double evals, ess;
    double error; /* mean over the classes, of marginals over every step */
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

/* Fills in what the indicators f, [CHAINS][draws][classes], say. */
static void judge(const target *t, const double *f, int64_t draws,
                  struct outcome *out)
{
    double p[TARGET_CLASSES];

    t->means(t, p);
    for (int c = 0; c < CHAINS; c++)
        for (int64_t n = 0; n < draws; n++)
            for (int k = 0; k < t->classes; k++)
                out->mass[c][k] +=
                    f[(c * draws + n) * t->classes + k] / (double)draws;
    out->ess = effective(f, t, p, draws);
}

/* Errors of marginals, where these are the classes. */
static double marginal_error(const target *t, const hiss_result *r)
{
    double p[TARGET_CLASSES], share[2], sum = 0.0;

    t->means(t, p);
    for (int i = 0; i < t->classes; i++) {
        hiss_result_marginal(r, i, share);
        sum += fabs(share[1] - p[i]) / t->classes;
    }
    return sum;
}

static int sample(const target *t, const hiss_model *m, const char *spec,
                  const struct options *o, int seed, struct outcome *out)
{
    hiss_settings set;
    hiss_sampler *s = NULL;
    hiss_result *r = NULL;
    hiss_run_info info = HISS_INIT(hiss_run_info);
    hiss_error err = {0};
    double *x = malloc(sizeof *x * (size_t)hiss_model_dim(m)), *f = NULL;
    int64_t n = 0;

    hiss_settings_init(&set);
    set.chains = CHAINS;
    set.samples = 0;
    set.evals = o->evals;
    set.seed = (uint64_t)seed;
    set.threads = o->threads;
    set.marginals = t->is_marginal;
    if (x && hiss_sampler_create(&s, spec, &err) == HISS_OK &&
        hiss_sample(&r, m, s, &set, &err) == HISS_OK) {
        hiss_result_info(r, &info);
        f = malloc(sizeof *f * (size_t)(CHAINS * info.samples * t->classes));
    } else {
        fprintf(stderr, "%s %s: %s\n", t->name, spec, err.message);
    }
    for (int c = 0; f && c < CHAINS; c++)
        for (int64_t i = 0; i < info.samples; i++, n += t->classes) {
            hiss_result_draw(r, c, i, x);
            t->classify(t, x, f + n);
        }
    if (f) {
        judge(t, f, info.samples, out);
        out->evals = info.energy_evals + info.gradient_evals;
        out->error = t->is_marginal ? marginal_error(t, r) : 0.0;
    }
    if (f && getenv("BENCH_VERBOSE"))
        fprintf(stderr, "  seed %d ess %.1f evals %.0f steps %lld %s %s\n",
                seed, out->ess, out->evals,
                (long long)(info.samples * info.thin), hiss_result_resolved(r),
                hiss_result_pilot(r) ? hiss_result_pilot(r) : "");
    free(f);
    free(x);
    hiss_result_destroy(r);
    hiss_sampler_destroy(s);
    return f != NULL;
}

/* Where anneals end, as if these were draws. */
static int anneal(const target *t, const hiss_model *m, const struct options *o,
                  int seed, struct outcome *out)
{
    double *x = malloc(sizeof *x * (size_t)hiss_model_dim(m));
    double *f = malloc(sizeof *f * (size_t)(CHAINS * ANNEALS * t->classes));
    int n = 0;

    for (; x && f && n < CHAINS * ANNEALS; n++) {
        hiss_optimize_settings set;
        hiss_optimum *best = NULL;
        hiss_search_info info = HISS_INIT(hiss_search_info);

        hiss_optimize_settings_init(&set);
        set.restarts = 1;
        set.seed = (uint64_t)(seed * 1000 + n);
        set.threads = o->threads;
        if (hiss_optimize(&best, m, &set, NULL) != HISS_OK)
            break;
        hiss_optimum_info(best, &info);
        out->evals += info.evals;
        hiss_optimum_solution(best, 0, x, NULL, NULL);
        t->classify(t, x, f + n * t->classes);
        hiss_optimum_destroy(best);
    }
    if (n == CHAINS * ANNEALS)
        judge(t, f, ANNEALS, out);
    free(x);
    free(f);
    return n == CHAINS * ANNEALS;
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
        z = fabs(mean - p[k]) / sqrt(square); /* stuck chains have no spread */
        worst = z > worst ? z : worst;
    }
    return worst < Z_MAX ? worst : Z_MAX;
}

/* Mean and standard error of what the runs gave. */
static double mean_of(const struct outcome *run, int seeds, int is_error,
                      double *se)
{
    double mean = 0.0, square = 0.0;

    for (int s = 0; s < seeds; s++) {
        double v = is_error ? run[s].error : 1e5 * run[s].ess / run[s].evals;

        mean += v / seeds;
        square += v * v / seeds;
    }
    *se =
        seeds > 1 ? sqrt(fmax(square - mean * mean, 0.0) / (seeds - 1.0)) : 0.0;
    return mean;
}

/* How much longer than usual runs on this target are. */
static double times_usual(const target *t)
{
    return t->longer > 0.0 ? t->longer : 1.0;
}

static void write_row(FILE *json, int is_first, const target *t,
                      const struct sampler *s, const struct options *o,
                      const struct outcome *run)
{
    double se, error_se, evals = 0.0;
    double mean = mean_of(run, o->seeds, 0, &se);
    double error = mean_of(run, o->seeds, 1, &error_se);

    for (int n = 0; n < o->seeds; n++)
        evals += run[n].evals / o->seeds;
    fprintf(json,
            "%s\n  {\"target\": \"%s\", \"sampler\": \"%s\", "
            "\"ess_per_1e5\": %.6g, \"se\": %.6g, \"seeds\": %d, "
            "\"evals\": %.0f, \"mass_z\": %.4g, ",
            is_first ? "[" : ",", t->name, s->name, mean, se, o->seeds, evals,
            mass_error(t, run, o->seeds));
    if (t->is_marginal && s->spec)
        fprintf(json, "\"marginal_error\": %.4g, \"marginal_error_se\": %.2g, ",
                error, error_se);
    fprintf(json,
            "\n   \"spec\": \"%s\", \"command\": "
            "\"build/release/bench/bench_modes targets=%s samplers=%s "
            "seeds=%d evals=%g\"}",
            s->spec ? s->spec : "", t->name, s->name, o->seeds,
            o->evals / times_usual(t));
    fflush(json);
}

/* What this sampler has on this target: its part of the evaluations. */
static struct options share_of(const struct options *o, const target *t,
                               int is_main)
{
    struct options own = *o;

    own.evals *= times_usual(t);
    if (!t->is_marginal && !is_main && !o->samplers)
        own.evals *= SIDE;
    if (t->seeds && own.seeds > t->seeds)
        own.seeds = t->seeds;
    return own;
}

static void row(FILE *json, int *rows, const target *t, const struct sampler *s,
                int is_main, const struct options *options)
{
    static struct outcome run[SEEDS_MAX];
    struct options o = share_of(options, t, is_main);
    hiss_model *m = target_model(t);
    double p[TARGET_CLASSES], mean, se;
    int n = 0;

    memset(run, 0, sizeof run);
    if (!m || !t->means(t, p))
        printf("%-11s is not at hand\n", t->name);
    for (; m && t->means(t, p) && n < o.seeds; n++)
        if (!(s->spec ? sample(t, m, s->spec, &o, n + 1, &run[n])
                      : anneal(t, m, &o, n + 1, &run[n])))
            break;
    if (n == o.seeds) {
        mean = mean_of(run, n, 0, &se);
        printf("%-11s %-7s %10.2f +- %-8.2f z %5.2f", t->name, s->name, mean,
               se, mass_error(t, run, n));
        if (t->is_marginal && s->spec)
            printf("  error %.5f", mean_of(run, n, 1, &se));
        printf("\n");
        fflush(stdout);
        if (json)
            write_row(json, *rows == 0, t, s, &o, run);
        ++*rows;
    }
    hiss_model_destroy(m);
}

/* Kernels that a model has no use for are left out in silence. */
static int is_possible(const target *t, const struct sampler *s)
{
    int needs = strcmp(s->name, "cluster") == 0  ? 2
                : strcmp(s->name, "blocks") == 0 ? 1
                                                 : 0;

    if (t->longer > 0.0 && !s->runs_long)
        return 0;
    return t->has_tables >= needs && (!t->is_tour || !s->spec || s->tour_spec);
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
        if (o.spec) {
            struct sampler own = {"spec", o.spec, NULL, 1};

            row(json, &rows, t, &own, 1, &o);
        }
        for (size_t s = 0; !o.spec && s < COUNT(samplers); s++)
            if (is_wanted(o.samplers, samplers[s].name) &&
                is_possible(t, &samplers[s])) {
                struct sampler own = samplers[s];

                own.spec = t->is_tour && own.spec ? own.tour_spec : own.spec;
                row(json, &rows, t, &own, s < MAIN, &o);
            }
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
