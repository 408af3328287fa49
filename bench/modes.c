/* modes.c - how often samplers change mode, at equal cost.
 *
 * For every target and sampler, SEEDS runs of CHAINS chains and EVALS
 * evaluations, pilot and warm-up included.  judge.c says what the effective
 * sample size of a target is, and what of a run is wrong; mass_z is the largest
 * error of a mode mass in standard errors, tv the total variation of the masses
 * of modes, missed the number of those that were never visited.  Samplers that
 * are there for comparison in the old suite have SIDE of the evaluations,
 * except where errors of marginals are compared; annealing counts every anneal
 * as a draw.
 *
 *     bench_modes FILE [suite=known|unseen] [targets=a,b] [samplers=a,b]
 *                 [instance=1] [seeds=5] [evals=1e6] [seconds=60] [limit=0]
 *                 [spec=SAMPLER] [threads=1] [diagnose=auto|all|none]
 *                 [jobs=1] [first=1] [kept=0] [policy=list|NAME:VALUE,...]
 *
 * Seeds are first, first + 1, ...; jobs of them run at a time.  limit is a time
 * limit that the sampler knows of, in place of evaluations.  kept: draws of a
 * chain at most, in place of the suite's own number.  policy=list prints the
 * numbers of src/run/policy/policy.def that each row reads; with NAME:VALUE
 * these have other values than usual. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trial.h"

#define SIDE      0.2 /* of the evaluations */
#define SEEDS_MAX 64

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
    const char *file, *suite, *targets, *samplers, *spec, *diagnose;
    const char *policy;
    int instance, seeds, first, threads, jobs;
    double evals, seconds, limit, kept;
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

/* What is averaged over runs. */
static double per_1e5(const instance *at, const trial *run)
{
    (void)at;
    return 1e5 * run->ess / run->evals;
}

static double per_second(const instance *at, const trial *run)
{
    (void)at;
    return run->ess / run->seconds;
}

static double error_of(const instance *at, const trial *run)
{
    (void)at;
    return run->error;
}

static double evals_of(const instance *at, const trial *run)
{
    (void)at;
    return run->evals;
}

static double missed_of(const instance *at, const trial *run)
{
    (void)at;
    return run->missed;
}

static double seconds_of(const instance *at, const trial *run)
{
    (void)at;
    return run->seconds;
}

/* Its mean and standard error (NULL: not wanted). */
static double mean_of(double (*value)(const instance *at, const trial *run),
                      const instance *at, const trial *run, int runs,
                      double *se)
{
    double mean = 0.0, square = 0.0;

    for (int n = 0; n < runs; n++) {
        double v = value(at, &run[n]);

        mean += v / runs;
        square += v * v / runs;
    }
    if (se)
        *se = runs > 1 ? sqrt(fmax(square - mean * mean, 0.0) / (runs - 1.0))
                       : 0.0;
    return mean;
}

/* How many runs ... */
struct counts {
    int over;    /* took too many seconds */
    int judged;  /* were diagnosed */
    int trusted; /* were trusted */
    int off;     /* were wrong, trusted or not */
    int wrong;   /* were trusted and wrong */
};

static struct counts count(const trial *run, int runs)
{
    struct counts c = {0};

    for (int n = 0; n < runs; n++) {
        c.over += run[n].is_over;
        c.judged += run[n].is_judged;
        c.trusted += run[n].is_trusted;
        c.off += run[n].is_judged && run[n].is_wrong;
        c.wrong += run[n].is_trusted && run[n].is_wrong;
    }
    return c;
}

/* How much longer than usual runs on this target are. */
static double times_usual(const target *t)
{
    return t->longer > 0.0 ? t->longer : 1.0;
}

static void write_row(FILE *json, int is_first, const instance *at,
                      const struct sampler *s, const struct options *o,
                      const trial *run, const numbers_trace *trace)
{
    const target *t = at->of;
    struct counts c = count(run, o->seeds);
    int is_given = strcmp(s->name, "spec") == 0;
    double se, mean = mean_of(per_1e5, at, run, o->seeds, &se);

    fprintf(json,
            "%s\n  {\"suite\": \"%s\", \"target\": \"%s\", \"instance\": %d, "
            "\"sampler\": \"%s\", \"ess_per_1e5\": %.6g, \"se\": %.6g, "
            "\"seeds\": %d, \"evals\": %.0f, \"mass_z\": %.4g, ",
            is_first ? "[" : ",", t->peers ? "unseen" : "known", t->name,
            at->number, s->name, mean, se, o->seeds,
            mean_of(evals_of, at, run, o->seeds, NULL),
            judge_mass_error(at, run, o->seeds));
    mean = mean_of(per_second, at, run, o->seeds, &se);
    fprintf(json,
            "\n   \"seconds\": %.4g, \"ess_per_second\": %.6g, "
            "\"ess_per_second_se\": %.4g, \"over_time\": %d, "
            "\"missed\": %g, ",
            mean_of(seconds_of, at, run, o->seeds, NULL), mean, se, c.over,
            mean_of(missed_of, at, run, o->seeds, NULL));
    if (t->is_disjoint)
        fprintf(json, "\"tv\": %.4g, ",
                mean_of(judge_distance, at, run, o->seeds, NULL));
    if (c.judged)
        fprintf(json,
                "\"judged\": %d, \"trusted\": %d, \"wrong\": %d, "
                "\"trusted_wrong\": %d, ",
                c.judged, c.trusted, c.off, c.wrong);
    if (t->is_marginal && s->spec) {
        mean = mean_of(error_of, at, run, o->seeds, &se);
        fprintf(json, "\"marginal_error\": %.4g, \"marginal_error_se\": %.2g, ",
                mean, se);
    }
    fprintf(json,
            "\n   \"draws\": \"%016llx\", \"verdict\": \"%016llx\", "
            "\"reads\": \"",
            (unsigned long long)trace->draws,
            (unsigned long long)trace->verdict);
    numbers_print(json, trace, " ");
    fprintf(json,
            "\", \n   \"spec\": \"%s\", \"limit\": %g, \"command\": "
            "\"build/release/bench/bench_modes FILE targets=%s %s=%s%s%s "
            "instance=%d seeds=%d evals=%g limit=%g kept=%g\"}",
            s->spec ? s->spec : "", o->limit, t->name,
            is_given ? "spec" : "samplers", is_given ? "'" : "",
            is_given ? s->spec : s->name, is_given ? "'" : "", at->number,
            o->seeds, o->evals / times_usual(t), o->limit, o->kept);
    fflush(json);
}

static void print_row(const instance *at, const struct sampler *s,
                      const trial *run, int runs)
{
    struct counts c = count(run, runs);
    double se, mean = mean_of(per_1e5, at, run, runs, &se);

    printf("%-11s %-7s %10.2f +- %-8.2f z %6.2f  %9.2f /s", at->of->name,
           s->name, mean, se, judge_mass_error(at, run, runs),
           mean_of(per_second, at, run, runs, NULL));
    if (at->of->is_disjoint)
        printf("  tv %.4f", mean_of(judge_distance, at, run, runs, NULL));
    if (at->of->is_marginal && s->spec)
        printf("  error %.5f", mean_of(error_of, at, run, runs, NULL));
    if (mean_of(missed_of, at, run, runs, NULL) > 0.0)
        printf("  missed %.1f", mean_of(missed_of, at, run, runs, NULL));
    if (c.judged)
        printf("  trusted %d of %d", c.trusted, c.judged);
    if (c.wrong)
        printf(", WRONG %d", c.wrong);
    if (c.over)
        printf("  over time %d of %d", c.over, runs);
    printf("\n");
    fflush(stdout);
}

static void print_numbers(const struct options *o, const numbers_trace *trace)
{
    if (!o->policy || strcmp(o->policy, "list") != 0)
        return;
    printf("  reads ");
    numbers_print(stdout, trace, " ");
    printf("\n");
    fflush(stdout);
}

/* What this sampler has on this target: its part of the evaluations. */
static struct options share_of(const struct options *o, const target *t,
                               int is_main)
{
    struct options own = *o;

    own.evals *= times_usual(t);
    own.seconds *= fmax(times_usual(t), 1.0);
    if (!t->is_marginal && !t->peers && !is_main && !o->samplers)
        own.evals *= SIDE;
    if (t->seeds && own.seeds > t->seeds)
        own.seeds = t->seeds;
    return own;
}

static int is_diagnosed(const struct options *o, const struct sampler *s)
{
    if (!s->spec || strcmp(o->diagnose, "none") == 0)
        return 0;
    return strcmp(o->diagnose, "all") == 0 || strcmp(s->spec, "auto") == 0;
}

/* The runs of all seeds; 0 (false) when one of them could not be made. */
static int run_all(const instance *at, trial_settings *set,
                   const struct options *o, trial *run, numbers_trace *trace)
{
    static trial_child child[SEEDS_MAX];
    int is_made = 1;

    for (int n = 0, started = 0; n < o->seeds; n++) {
        for (; started < o->seeds && started < n + o->jobs && is_made;
             started++) {
            set->seed = o->first + started;
            is_made = trial_start(at, set, &child[started]);
        }
        if (n < started && !trial_finish(at, set, &child[n], &run[n]))
            is_made = 0;
        else if (n < started)
            numbers_add(trace, &child[n].trace);
    }
    return is_made;
}

static void row(FILE *json, int *rows, const instance *at,
                const struct sampler *s, int is_main,
                const struct options *options)
{
    static trial run[SEEDS_MAX];
    struct options o = share_of(options, at->of, is_main);
    trial_settings set = {
        .spec = s->spec,
        .evals = o.evals,
        .seconds = o.seconds,
        .limit = o.limit,
        .kept = (int64_t)o.kept,
        .threads = o.threads,
        .diagnose = is_diagnosed(&o, s),
    };
    numbers_trace trace = {0};

    if (!run_all(at, &set, &o, run, &trace))
        return;
    print_row(at, s, run, o.seeds);
    print_numbers(&o, &trace);
    if (json)
        write_row(json, *rows == 0, at, s, &o, run, &trace);
    ++*rows;
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

/* Every sampler that is asked for, on a target of the old suite. */
static void rows_known(FILE *json, int *rows, const instance *at,
                       const struct options *o)
{
    for (size_t s = 0; s < COUNT(samplers); s++)
        if (is_wanted(o->samplers, samplers[s].name) &&
            is_possible(at->of, &samplers[s])) {
            struct sampler own = samplers[s];

            if (at->of->is_tour && own.spec)
                own.spec = own.tour_spec;
            row(json, rows, at, &own, s < MAIN, o);
        }
}

/* auto, and the peers of the target. */
static void rows_unseen(FILE *json, int *rows, const instance *at,
                        const struct options *o)
{
    if (is_wanted(o->samplers, samplers[0].name))
        row(json, rows, at, &samplers[0], 1, o);
    for (const peer *r = at->of->peers; r->name; r++)
        if (is_wanted(o->samplers, r->name)) {
            struct sampler own = {r->name, r->spec, NULL, 1};

            row(json, rows, at, &own, 1, o);
        }
}

static void say_means(const instance *at)
{
    fprintf(stderr, "%s, instance %d:", at->of->name, at->number);
    for (int k = 0; k < at->classes; k++)
        fprintf(stderr, " %.4g", at->mean[k]);
    fprintf(stderr, "\n");
}

static void rows_of(FILE *json, int *rows, const target *t,
                    const struct options *o)
{
    static instance at;

    int is_made = instance_make(&at, t, t->peers ? o->instance : 1);

    if (is_made && getenv("BENCH_VERBOSE"))
        say_means(&at);
    if (!is_made) {
        printf("%-11s is not at hand\n", t->name);
    } else if (o->spec) {
        struct sampler own = {"spec", o->spec, NULL, 1};

        row(json, rows, &at, &own, 1, o);
    } else if (t->peers) {
        rows_unseen(json, rows, &at, o);
    } else {
        rows_known(json, rows, &at, o);
    }
    instance_clear(&at);
}

static void read_options(int argc, char **argv, struct options *o)
{
    const struct {
        const char *name;
        const char **text;
        int *integer;
        double *real;
    } known[] = {
        {"suite", &o->suite, NULL, NULL},
        {"targets", &o->targets, NULL, NULL},
        {"samplers", &o->samplers, NULL, NULL},
        {"spec", &o->spec, NULL, NULL},
        {"diagnose", &o->diagnose, NULL, NULL},
        {"policy", &o->policy, NULL, NULL},
        {"instance", NULL, &o->instance, NULL},
        {"seeds", NULL, &o->seeds, NULL},
        {"first", NULL, &o->first, NULL},
        {"jobs", NULL, &o->jobs, NULL},
        {"threads", NULL, &o->threads, NULL},
        {"evals", NULL, NULL, &o->evals},
        {"seconds", NULL, NULL, &o->seconds},
        {"limit", NULL, NULL, &o->limit},
        {"kept", NULL, NULL, &o->kept},
    };

    for (int i = 1; i < argc; i++) {
        const char *value = strchr(argv[i], '=');
        size_t k = 0, length = value ? (size_t)(value - argv[i]) : 0;

        while (k < COUNT(known) && (strlen(known[k].name) != length ||
                                    strncmp(known[k].name, argv[i], length)))
            k++;
        if (k == COUNT(known) && (value || o->file)) {
            fprintf(stderr, "bench_modes: unknown word '%s', expected FILE",
                    argv[i]);
            for (size_t n = 0; n < COUNT(known); n++)
                fprintf(stderr, ", %s=", known[n].name);
            fputc('\n', stderr);
            exit(2);
        }
        if (k == COUNT(known))
            o->file = argv[i];
        else if (known[k].text)
            *known[k].text = value + 1;
        else if (known[k].integer)
            *known[k].integer = atoi(value + 1);
        else
            *known[k].real = atof(value + 1);
    }
    o->seeds = o->seeds > SEEDS_MAX ? SEEDS_MAX : o->seeds;
}

int main(int argc, char **argv)
{
    struct options o = {
        .diagnose = "auto",
        .instance = 1,
        .seeds = 5,
        .first = 1,
        .threads = 1,
        .jobs = 1,
        .evals = 1e6,
        .seconds = 60.0,
    };
    FILE *json = NULL;
    int rows = 0;

    read_options(argc, argv, &o);
    if (o.policy && strcmp(o.policy, "list") != 0)
        numbers_set(o.policy);
    if (o.file && !(json = fopen(o.file, "w"))) {
        perror(o.file);
        return 3;
    }
    for (const target *const *table = target_tables; *table; table++)
        for (const target *t = *table; t->name; t++)
            if (is_wanted(o.suite, t->peers ? "unseen" : "known") &&
                is_wanted(o.targets, t->name))
                rows_of(json, &rows, t, &o);
    if (json) {
        fputs(rows ? "\n]\n" : "[]\n", json);
        if (fclose(json) != 0) {
            perror(o.file);
            return 3;
        }
    }
    return 0;
}
