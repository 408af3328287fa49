/* optimize.c - `hiss optimize`: the best states of a model.
 *
 * Exit code 1 means that the target was not reached; the results are printed
 * and saved all the same. */
#include <hiss/hiss.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args/init.h"
#include "cli/args/option.h"
#include "cli/commands/commands.h"
#include "cli/files/open.h"
#include "cli/files/output.h"
#include "cli/files/standard.h"
#include "cli/print/interrupt.h"
#include "cli/print/number.h"
#include "cli/print/progress.h"
#include "cli/report/optimum.h"

#define TIME_USUAL 10.0 /* seconds without a budget */
#define WHAT_MAX   64

struct arguments {
    cli_common common;
    const char *sampler, *target, *output, *device;
    double evals, time_limit;
    int64_t restarts;
    int top;
};

#define AT(field) offsetof(struct arguments, field)

static const cli_option options[] = {
    {"sampler", 0, CLI_TEXT, AT(sampler), NULL, 0, 0,
     "SPEC  the kernel that is cooled, such as gibbs, or the whole method: "
     "'anneal(base=gibbs,sweeps=1000,hot=0.1,cold=5,breed=no)'"},
    {"target", 0, CLI_TEXT, AT(target), NULL, 0, 0,
     "OBJ  stop when this objective is reached; exit code 1 if it is not"},
    {"time-limit", 0, CLI_SECONDS, AT(time_limit), NULL, 0, 0,
     "TIME  stop after 60, 60s, 2m or 1h; 10s when there is no budget"},
    {"evals", 0, CLI_COUNT, AT(evals), NULL, 1, CLI_HUGE,
     "N  stop after about so many evaluations; repeatable by the seed"},
    {"restarts", 0, CLI_LONG, AT(restarts), NULL, 1, 1000000000,
     "N  make so many independent restarts of 1000 steps, whether the target "
     "is reached or not; repeatable by the seed"},
    CLI_GIVEN_OPTIONS,
    {"device", 0, CLI_TEXT, AT(device), NULL, 0, 0,
     "DEVICE  who makes the steps, as in hiss sample: cpu when not given; "
     "gibbs and metropolis can be cooled on a card"},
    {"top", 0, CLI_INT, AT(top), "10", 1, 100000,
     "N  distinct solutions to list"},
    {"output", 'o', CLI_TEXT, AT(output), NULL, 0, 0,
     "FILE  write the best state: a line of values in the order of the model "
     "file, or of a tour, where the name ends with .tour, TSPLIB's own; --init "
     "reads both"},
    {0},
};

/* The progress bar, with the best objective in front. */
struct shown {
    cli_progress progress;
    char what[WHAT_MAX];
    double scale, shift;
};

static int show(void *context, const hiss_progress *now)
{
    struct shown *s = context;

    if (isfinite(now->best))
        snprintf(s->what, sizeof s->what, "best %.10g",
                 s->scale * now->best + s->shift);
    return cli_progress_show(&s->progress, now);
}

static int search(const struct arguments *a, const hiss_model *model,
                  const double *target, hiss_optimum **out)
{
    hiss_optimize_settings settings;
    struct shown shown = {.what = "optimizing"};
    hiss_error err = {0};
    hiss_status status;

    hiss_optimize_settings_init(&settings);
    settings.sampler = a->sampler;
    settings.target = target;
    settings.time_limit = a->time_limit;
    settings.evals = a->evals;
    settings.restarts = a->restarts;
    if (a->time_limit <= 0 && a->evals <= 0 && a->restarts == 0)
        settings.time_limit = TIME_USUAL;
    settings.seed = (uint64_t)a->common.seed;
    settings.threads = a->common.threads;
    settings.device = a->device;
    settings.top = a->top;
    settings.progress = show;
    settings.context = &shown;
    hiss_model_objective(model, &shown.scale, &shown.shift);
    cli_progress_begin(&shown.progress, shown.what, a->common.quiet);
    cli_interrupt_defer(a->common.quiet);
    status = hiss_optimize(out, model, &settings, &err);
    cli_progress_end(&shown.progress);
    return status == HISS_OK ? CLI_DONE : cli_fail_status(status, &err);
}

/* Reads the file back, opens the model again, and computes the objective. */
static int check_file(const struct arguments *a, const char *path,
                      const hiss_search_info *info)
{
    hiss_settings settings;
    hiss_model *model = NULL;
    hiss_error err = {0};
    hiss_status status;
    double *state = NULL, u, scale, shift;
    int code = cli_open_model(&a->common, &model);

    hiss_settings_init(&settings);
    settings.chains = 1;
    if (code == CLI_DONE)
        code = cli_init_read(path, model, &settings, &state);
    if (code == CLI_DONE) {
        status = hiss_model_energy(model, state, &u, &err);
        hiss_model_objective(model, &scale, &shift);
        if (status != HISS_OK)
            code = cli_fail_status(status, &err);
        else if (fabs(scale * u + shift - info->objective) >
                 1e-9 * (1 + fabs(info->objective)))
            code = cli_fail(CLI_FAULT,
                            "%s: read back, its objective is %.17g, not %.17g",
                            path, scale * u + shift, info->objective);
    }
    free(state);
    hiss_model_destroy(model);
    return code;
}

struct solution {
    const hiss_optimum *found; /* borrowed */
    const char *header;        /* borrowed */
};

static hiss_status write_solution(const void *from, const char *path,
                                  bool replace, hiss_error *err)
{
    const struct solution *s = from;

    return hiss_optimum_write(s->found, path, s->header, replace, err);
}

/* *saved is the file that was written, or NULL; free() it. */
static int save(const struct arguments *a, const hiss_model *model,
                const hiss_optimum *found, char **saved)
{
    double scale, shift;
    const char *name = hiss_model_objective(model, &scale, &shift);
    char *line = cli_open_line(&a->common), *header;
    struct solution best = {.found = found};
    hiss_search_info info = HISS_INIT(hiss_search_info);
    int code, checked;

    hiss_optimum_info(found, &info);
    header = cli_text(
        "hiss: %s\ncommand: %s\nmodel: %s\n%s: %.17g\nlog p: %.17g\n"
        "seed: %llu",
        hiss_version(), line, hiss_model_name(model), name ? name : "objective",
        info.objective, info.u, (unsigned long long)info.seed);
    best.header = header;
    code = cli_output_make(a->output, a->common.force, write_solution, &best,
                           saved, NULL);
    free(header);
    free(line);
    if (!*saved || cli_is_standard(a->output))
        return code;
    checked = check_file(a, *saved, &info);
    return code == CLI_DONE ? checked : code;
}

/* Prints the result before any fault of the file. */
static int print(const struct arguments *a, const hiss_model *model,
                 const hiss_optimum *found)
{
    hiss_search_info info = HISS_INIT(hiss_search_info);
    int code = CLI_DONE;
    char *saved = NULL;

    hiss_optimum_info(found, &info);
    cli_open_note(&a->common, model);
    if (a->output)
        code = save(a, model, found, &saved);
    if (a->common.json)
        cli_optimum_json(model, found, saved);
    else
        cli_optimum_text(model, found, saved);
    free(saved);
    if (code == CLI_DONE && cli_interrupt_signal())
        code = CLI_SIGNAL + cli_interrupt_signal();
    if (code == CLI_DONE && info.has_target && !info.target_hit)
        code = CLI_CHECK_FAILED;
    return code;
}

static int run_optimize(const void *arguments)
{
    const struct arguments *a = arguments;
    hiss_model *model = NULL;
    hiss_optimum *found = NULL;
    double target = 0;
    int code = CLI_DONE;

    if (a->target &&
        !cli_number_real(a->target, (int)strlen(a->target), &target))
        return cli_usage_fail(&cli_command_optimize,
                              "--target: '%.64s' is not a number", a->target);
    code = cli_standard_claim(&a->common, a->output, ".txt");
    if (code == CLI_DONE && a->output)
        code = cli_output_check(a->output, a->common.force);
    if (code == CLI_DONE)
        code = cli_open_model(&a->common, &model);
    if (code == CLI_DONE)
        code = search(a, model, a->target ? &target : NULL, &found);
    if (code == CLI_DONE)
        code = print(a, model, found);
    hiss_optimum_destroy(found);
    hiss_model_destroy(model);
    return code;
}

const cli_command cli_command_optimize = {
    .name = "optimize",
    .words = "MODEL",
    .least_words = 1,
    .most_words = 1,
    .summary = "the best states of a model",
    .about =
        "Looks for the states of MODEL with the largest log p, by restarts of "
        "simulated annealing whose temperatures come from the model's own "
        "energies, and prints them with the objective of the model's file: a "
        "cut, a tour length, a number of clauses.\n"
        "With --target the search ends when it is reached. With --restarts "
        "all of them are made, and the time to the target has a confidence "
        "interval. Ctrl-C ends the search and keeps what was found.",
    .examples = "  hiss optimize G1.txt --target 11624\n"
                "  hiss optimize G14.txt --time-limit 1m -o best.sol --json\n"
                "  hiss optimize G1.txt --restarts 1600 --target 11624 \\\n"
                "      --sampler 'anneal(base=gibbs,sweeps=500)'\n"
                "  hiss optimize 'ising(side=16,beta=1)' --evals 1e6 --top 4\n",
    .options = options,
    .size = sizeof(struct arguments),
    .run = run_optimize,
};
