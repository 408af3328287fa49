/* trial.c - one run on a target, in a process of its own.
 *
 * The limit of seconds is kept in two ways.  The run is asked to stop between
 * its rounds, and then keeps its draws.  A process that does not come to the
 * end of a round is killed (limits.h).  The process sends what it has before
 * it diagnoses, so that a diagnosis that takes too long costs no run. */
#include "trial.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arena/judge/limits.h"

#define ANNEALS   8         /* per chain */
#define ROOM      (1 << 26) /* coordinates of the kept draws of a chain */
#define SHARES    (1 << 22) /* classes of the kept draws of a chain */
#define DRAWS_OLD 4096      /* per chain at most, of the old suite */
#define DRAWS     16384

/* As many draws as there is room for, or as are asked for. */
static int64_t draws_most(const instance *at, int64_t kept)
{
    int64_t most = kept > 0 ? kept : at->of->peers ? DRAWS : DRAWS_OLD;
    int64_t room = ROOM / hiss_model_dim(at->model);
    int64_t shares = at->of->peers ? SHARES / at->classes : most;

    most = room < most ? room : most;
    return shares < most ? shares : most;
}

/* Errors of marginals, where these are the classes. */
static double marginal_error(const instance *at, const hiss_result *r)
{
    double share[2], sum = 0.0;

    for (int i = 0; i < at->classes; i++) {
        hiss_result_marginal(r, i, share);
        sum += fabs(share[1] - at->mean[i]) / at->classes;
    }
    return sum;
}

/* What keeps the draws from being trusted. */
static void say_doubts(const instance *at, const trial_settings *set,
                       const hiss_diagnosis *d)
{
    hiss_finding f = HISS_INIT(hiss_finding);

    for (int n = 0; hiss_diagnosis_finding(d, n, &f); n++)
        if (f.outcome == HISS_FAILED || f.outcome == HISS_DOUBT)
            fprintf(stderr, "  %s seed %d %s %s: %s\n", at->of->name, set->seed,
                    f.outcome == HISS_DOUBT ? "doubt" : "failed", f.name,
                    f.text);
}

static void verdict(const instance *at, const trial_settings *set,
                    const hiss_result *r, const float *f, int64_t draws,
                    trial *out, numbers_trace *trace)
{
    hiss_diagnose_settings how;
    hiss_diagnosis *d = NULL;

    hiss_diagnose_settings_init(&how);
    how.threads = set->threads;
    how.blind = 1;
    limits_allow(set->seconds);
    if (hiss_diagnose(&d, r, at->model, &how, NULL) != HISS_OK)
        return;
    out->is_judged = 1;
    out->is_trusted = hiss_diagnosis_is_trusted(d);
    numbers_note_verdict(trace, d);
    if (getenv("BENCH_VERBOSE"))
        say_doubts(at, set, d);
    out->is_wrong = judge_is_wrong(at, f, draws, out);
    hiss_diagnosis_destroy(d);
}

static void say(const trial_settings *set, const hiss_result *r,
                const hiss_run_info *info, const trial *out)
{
    const char *pilot = hiss_result_pilot(r);

    fprintf(stderr,
            "  seed %d ess %.1f evals %.0f seconds %.2f steps %lld %s %s\n",
            set->seed, out->ess, out->evals, out->seconds,
            (long long)(info->samples * info->thin), hiss_result_resolved(r),
            pilot ? pilot : "");
}

/* What a run sends. */
struct message {
    trial found;
    numbers_trace trace;
};

static void send(int to, const trial *out, numbers_trace *trace)
{
    static struct message m;

    numbers_note_reads(trace);
    m.found = *out;
    m.trace = *trace;
    if (write(to, &m, sizeof m) != (ssize_t)sizeof m)
        _exit(1);
}

/* Runs the sampler; NULL when it cannot, or had to be stopped before its first
 * draw. */
static hiss_result *draw(const instance *at, const trial_settings *set,
                         trial *out)
{
    hiss_settings run;
    hiss_sampler *s = NULL;
    hiss_result *r = NULL;
    hiss_error err = {0};
    double start = limits_cpu(), end = start + set->seconds;
    hiss_status rc = hiss_sampler_create(&s, set->spec, &err);

    hiss_settings_init(&run);
    run.chains = CHAINS;
    run.samples = 0;
    run.samples_most = draws_most(at, set->kept);
    run.evals = set->limit > 0.0 ? 0.0 : set->evals;
    run.time_limit = set->limit;
    run.seed = (uint64_t)set->seed;
    run.threads = set->threads;
    run.marginals = at->of->is_marginal;
    run.progress = limits_is_late;
    run.context = &end;
    if (rc == HISS_OK)
        rc = hiss_sample(&r, at->model, s, &run, &err);
    if (rc != HISS_OK)
        fprintf(stderr, "%s %s: %s\n", at->of->name, set->spec, err.message);
    out->seconds = limits_cpu() - start;
    out->evals = set->evals;
    out->is_over = rc == HISS_ESTOP;
    hiss_sampler_destroy(s);
    return r;
}

static void sample(const instance *at, const trial_settings *set, int to,
                   trial *out)
{
    hiss_run_info info = HISS_INIT(hiss_run_info);
    hiss_result *r = draw(at, set, out);
    numbers_trace trace = {0};
    float *f = NULL;

    if (out->is_over)
        send(to, out, &trace);
    if (r) {
        hiss_result_info(r, &info);
        out->evals = info.energy_evals + info.gradient_evals;
        out->is_over = info.ended == HISS_ENDED_STOPPED;
        if (info.samples < 1)
            fprintf(stderr, "%s %s: no draw within %.0f evaluations\n",
                    at->of->name, set->spec, out->evals);
        limits_allow(set->seconds);
        f = judge_classify(at, r);
    }
    if (f) {
        judge_draws(at, f, info.samples, out);
        numbers_note_draws(&trace, r);
        out->error = at->of->is_marginal ? marginal_error(at, r) : 0.0;
        send(to, out, &trace);
        if (getenv("BENCH_VERBOSE"))
            say(set, r, &info, out);
        if (set->diagnose && info.samples >= 4)
            verdict(at, set, r, f, info.samples, out, &trace);
        send(to, out, &trace);
    }
    free(f);
    hiss_result_destroy(r);
}

/* Where anneals end, as if these were draws. */
static void anneal(const instance *at, const trial_settings *run, int to,
                   trial *out)
{
    static float f[CHAINS * ANNEALS * TARGET_CLASSES];
    double *x = malloc(sizeof *x * (size_t)hiss_model_dim(at->model));
    double share[TARGET_CLASSES], start = limits_cpu();
    numbers_trace trace = {0};
    int n = 0;

    for (; x && n < CHAINS * ANNEALS; n++) {
        hiss_optimize_settings set;
        hiss_optimum *best = NULL;
        hiss_search_info info = HISS_INIT(hiss_search_info);

        hiss_optimize_settings_init(&set);
        set.restarts = 1;
        set.seed = (uint64_t)(run->seed * 1000 + n);
        set.threads = run->threads;
        if (hiss_optimize(&best, at->model, &set, NULL) != HISS_OK)
            break;
        hiss_optimum_info(best, &info);
        out->evals += info.evals;
        hiss_optimum_solution(best, 0, x, NULL, NULL);
        at->classify(at, x, share);
        for (int k = 0; k < at->classes; k++)
            f[n * at->classes + k] = (float)share[k];
        hiss_optimum_destroy(best);
    }
    free(x);
    if (n == CHAINS * ANNEALS) {
        out->seconds = limits_cpu() - start;
        judge_draws(at, f, ANNEALS, out);
        send(to, out, &trace);
    }
}

/* The last whole trial that comes through; 0 (false) when none does. */
static int receive(int from, trial *out, numbers_trace *trace)
{
    static struct message next;
    size_t have = 0;
    ssize_t got;
    int trials = 0;

    while ((got = read(from, (char *)&next + have, sizeof next - have)) > 0)
        if ((have += (size_t)got) == sizeof next) {
            *out = next.found;
            *trace = next.trace;
            trials++;
            have = 0;
        }
    return trials > 0;
}

int trial_start(const instance *at, const trial_settings *set, trial_child *c)
{
    static trial out;
    int ends[2];

    *c = (trial_child){.from = -1};
    if (pipe(ends) != 0)
        return 0;
    fflush(NULL);
    c->id = fork();
    if (c->id == 0) {
        close(ends[0]);
        limits_allow(set->seconds);
        if (set->spec)
            sample(at, set, ends[1], &out);
        else
            anneal(at, set, ends[1], &out);
        _exit(0);
    }
    close(ends[1]);
    c->from = ends[0];
    return 1;
}

int trial_finish(const instance *at, const trial_settings *set, trial_child *c,
                 trial *out)
{
    int status = 0, has_come;

    memset(out, 0, sizeof *out);
    has_come = c->id > 0 && receive(c->from, out, &c->trace);
    close(c->from);
    if (c->id > 0)
        waitpid(c->id, &status, 0);
    if (has_come || c->id <= 0 || !WIFSIGNALED(status))
        return has_come;
    fprintf(stderr, "%s %s: ended by signal %d\n", at->of->name,
            set->spec ? set->spec : "anneal", WTERMSIG(status));
    out->evals = set->evals;
    out->seconds = LIMITS_GRACE * set->seconds;
    out->is_over = 1;
    return WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGALRM;
}
