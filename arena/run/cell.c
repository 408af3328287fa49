/* cell.c - one run of a contestant on a target, in a process of its own.
 *
 * A run by seconds is ended by its own clock.  A run by evaluations that takes
 * too long is asked to stop between rounds and keeps its draws; a process that
 * does not come to the end of a round is killed (limits.h).  The score is sent
 * before the verdict is looked for, so that a verdict that takes too long costs
 * no run. */
#include "arena/run/cell.h"

#include <hiss/hiss.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arena/judge/limits.h"
#include "arena/run/foreign.h"
#include "cli/print/interrupt.h"

#define ENDING 2000 /* milliseconds that a run has to end in */

const char *const arena_race_names[ARENA_RACES] = {"evals", "seconds"};

static void put(char *to, const char *text)
{
    snprintf(to, ARENA_WORDS, "%s", text ? text : "");
}

/* --- samplers of the library -------------------------------------------- */

static hiss_settings settings_of(const instance *at, arena_race race, int seed,
                                 const arena_budget *budget, double *end)
{
    hiss_settings set;

    hiss_settings_init(&set);
    set.chains = CHAINS;
    set.samples = 0;
    set.samples_most = arena_draws_most(at);
    set.seed = (uint64_t)seed;
    set.threads = 1;
    if (race == ARENA_EVALS)
        set.evals = budget->evals;
    else
        set.time_limit = budget->seconds;
    set.progress = limits_is_late;
    set.context = end;
    return set;
}

/* log Z of levels or of populations, less the truth. */
static void take_log_z(const instance *at, const hiss_result *r,
                       arena_score *score)
{
    hiss_tempering t = HISS_INIT(hiss_tempering);
    hiss_population p = HISS_INIT(hiss_population);

    if (hiss_result_tempering(r, &t) && t.is_absolute) {
        score->log_z = t.log_z - at->log_z;
        score->log_z_se = t.log_z_se;
    } else if (hiss_result_population(r, &p)) {
        score->log_z = p.log_z - at->log_z;
        score->log_z_se = p.log_z_se;
    }
}

/* Why a run has no draws to speak of. */
static const char *what_ended(arena_race race, bool is_over)
{
    if (is_over)
        return "no draws in the time that it may take";
    return race == ARENA_EVALS
               ? "no draws: tuning and warm-up took all evaluations"
               : "no draws: tuning and warm-up took all seconds";
}

static hiss_result *sample(const instance *at, const arena_contestant *c,
                           arena_race race, int seed,
                           const arena_budget *budget, arena_score *score)
{
    const char *spec = arena_contestant_spec(c, at->model);
    double start = limits_cpu(), end = start + budget->limit;
    hiss_settings set = settings_of(at, race, seed, budget, &end);
    hiss_run_info info = HISS_INIT(hiss_run_info);
    hiss_sampler *s = NULL;
    hiss_result *r = NULL;
    hiss_error err = {0};
    char *paths = NULL;
    hiss_status rc = hiss_sampler_create(&s, spec, &err);

    if (rc == HISS_OK)
        rc = hiss_sampler_paths(s, at->model, &paths, &err);
    if (rc == HISS_OK)
        rc = hiss_sample(&r, at->model, s, &set, &err);
    score->seconds = limits_cpu() - start;
    if (r && hiss_result_info(r, &info)) {
        score->evals = info.energy_evals + info.gradient_evals;
        score->is_over = info.ended == HISS_ENDED_STOPPED;
        score->is_exact = info.is_exact;
        put(score->sampler, hiss_result_resolved(r));
        take_log_z(at, r, score);
    }
    if (rc == HISS_ESTOP)
        put(score->fault, what_ended(race, true));
    else if (rc != HISS_OK)
        snprintf(score->fault, sizeof score->fault, "%s%.300s",
                 rc == HISS_EUNSUP ? "not for this target: " : "", err.message);
    else if (info.samples < 4)
        put(score->fault, what_ended(race, score->is_over));
    hiss_free(paths);
    hiss_sampler_destroy(s);
    return r;
}

/* --- the process ------------------------------------------------ */

static void send(int to, const arena_score *score)
{
    const char *at = (const char *)score;
    size_t left = sizeof *score;

    while (left > 0) {
        ssize_t n = write(to, at, left);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            _exit(1);
        at += n;
        left -= (size_t)n;
    }
}

static hiss_result *draw(const instance *at, const arena_contestant *c,
                         arena_race race, int seed, const arena_budget *budget,
                         arena_score *score)
{
    if (c->kind == ARENA_KERNEL)
        return arena_foreign_run(at, c, race, seed, budget, score);
    if (c->kind == ARENA_DRAWS)
        return arena_foreign_draws(at, c, score);
    return sample(at, c, race, seed, budget, score);
}

/* A signal ends a run at once, but that of a program from outside ends the
 * program first, however many signals come. */
static void take_signals(const arena_contestant *c)
{
    if (c->kind == ARENA_KERNEL) {
        cli_interrupt_defer(true);
        cli_interrupt_hold(true);
        return;
    }
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
}

static void work(int to, const instance *at, const arena_contestant *c,
                 arena_race race, int seed, const arena_budget *budget)
{
    static arena_score score;
    hiss_result *r;

    take_signals(c);
    arena_score_init(&score);
    limits_allow(budget->limit);
    r = draw(at, c, race, seed, budget, &score);
    if (r && !*score.fault) {
        limits_allow(budget->limit);
        if (!arena_score_draws(at, r, &score))
            put(score.fault, "out of memory");
        send(to, &score);
        if (budget->verdict > 0.0) {
            limits_allow(2.0 * budget->verdict + ARENA_PATIENCE);
            if (c->kind == ARENA_KERNEL)
                arena_foreign_verify(at, c, seed, &score);
            arena_score_verdict(at, r, budget->verdict, &score);
        }
    }
    send(to, &score);
    hiss_result_destroy(r);
    _exit(0);
}

bool arena_child_start(arena_child *child, const instance *at,
                       const arena_contestant *c, arena_race race, int seed,
                       const arena_budget *budget)
{
    int ends[2];

    *child = (arena_child){.from = -1};
    arena_score_init(&child->score);
    if (pipe(ends) != 0)
        return false;
    fflush(NULL);
    child->pid = fork();
    if (child->pid == 0) {
        close(ends[0]);
        work(ends[1], at, c, race, seed, budget);
    }
    close(ends[1]);
    child->from = ends[0];
    if (child->pid < 0) {
        close(ends[0]);
        child->pid = 0;
        return false;
    }
    return true;
}

bool arena_child_read(arena_child *child)
{
    char *to = (char *)&child->next + child->have;
    ssize_t n = read(child->from, to, sizeof child->next - child->have);

    if (n < 0)
        return errno == EINTR;
    child->have += (size_t)n;
    if (child->have == sizeof child->next) {
        child->score = child->next;
        child->has_score = true;
        child->have = 0;
    }
    return n > 0;
}

/* Asks it to end; it closes its end of the pipe then.  One that does not within
 * ENDING is killed. */
static void stop(const arena_child *child)
{
    struct pollfd end = {.fd = child->from, .events = POLLIN};
    char rest[256];

    kill(child->pid, SIGTERM);
    while (poll(&end, 1, ENDING) > 0 &&
           read(child->from, rest, sizeof rest) > 0)
        continue;
    kill(child->pid, SIGKILL);
}

void arena_child_end(arena_child *child, bool is_killed)
{
    int status = 0;

    if (is_killed)
        stop(child);
    close(child->from);
    while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    child->pid = 0;
    if (child->has_score)
        return;
    if (WIFSIGNALED(status) &&
        (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGALRM))
        put(child->score.fault, "no draws in the time that it may take");
    else
        snprintf(child->score.fault, sizeof child->score.fault,
                 "its process ended by %s %d",
                 WIFSIGNALED(status) ? "signal" : "exit code",
                 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}
