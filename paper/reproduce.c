/* reproduce.c - `hiss reproduce`: which experiments, which of them are
 * finished, and what is written when.
 *
 * After every experiment results.json, state.json, report.html and summary.md
 * are written anew, so an interrupt loses at most the experiment under way. */
#include <hiss/hiss.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/commands/commands.h"
#include "cli/files/folder.h"
#include "cli/print/interrupt.h"
#include "cli/print/json.h"
#include "cli/print/table.h"
#include "paper/claims/claims.h"
#include "paper/report/report.h"
#include "paper/support/data.h"
#include "paper/support/experiment.h"
#include "paper/support/results.h"
#include "paper/support/run.h"

struct arguments {
    cli_common common;
    const char *out, *data, *device, *only, *as;
    bool is_quick;
};

#define AT(field) offsetof(struct arguments, field)

static const cli_option options[] = {
    {"out", 'o', CLI_TEXT, AT(out), "hiss-paper", 0, 0,
     "DIR  folder of the results; made if it is missing"},
    {"data", 0, CLI_TEXT, AT(data), NULL, 0, 0,
     "DIR  of data files; default $HISS_DATA, or ./data; then hiss' own"},
    {"device", 0, CLI_TEXT, AT(device), NULL, 0, 0,
     "DEVICE  who makes the steps of the runs, as in hiss sample; cpu when not "
     "given; with cuda, bnn is run at the paper's own scale"},
    {"quick", 0, CLI_FLAG, AT(is_quick), NULL, 0, 0,
     "fewer repetitions: the same report in minutes"},
    {"as", 0, CLI_TEXT, AT(as), NULL, 0, 0,
     "READING  judge by one reading where text and code of the paper differ: "
     "printed, coded or correct; default all, side by side"},
    {"only", 0, CLI_TEXT, AT(only), NULL, 0, 0,
     "SET  of bnn: draw for this data set alone; tables come with all"},
    {0},
};

static const char *const names[] = {
    "all",
#define EXPERIMENT_NAME(name) #name,
    PAPER_EXPERIMENT_LIST(EXPERIMENT_NAME)
#undef EXPERIMENT_NAME
        NULL,
};

enum {
    EXPERIMENTS_MAX = 32
};

struct job {
    const struct arguments *arguments; /* borrowed */
    const paper_experiment *chosen[EXPERIMENTS_MAX];
    bool is_skipped[EXPERIMENTS_MAX];
    int count;
    int mode;
    cli_folder folder;
    paper_results results;
    paper_pace pace;
};

/* --- which ones ---------------------------------------------------------- */

static int unknown(const char *name)
{
    char hint[HISS_SUGGESTION_MAX];
    char *list = cli_text("all");

    for (const char *const *n = names + 1; *n; n++) {
        char *longer = cli_text("%s, %s", list, *n);

        free(list);
        list = longer;
    }
    if (*hiss_suggestion(hint, name, names, "", ""))
        cli_fail(CLI_BAD_CALL, "unknown experiment '%.64s'%s", name, hint);
    else
        cli_fail(CLI_BAD_CALL, "unknown experiment '%.64s', expected one of %s",
                 name, list);
    free(list);
    return CLI_BAD_CALL;
}

static bool is_named(const cli_common *common, const char *name)
{
    for (int w = 0; w < common->word_count; w++)
        if (strcmp(common->words[w], name) == 0)
            return true;
    return false;
}

/* All that has what it needs is run by `all`; what is named must have it.  A
 * part of either may be left out. */
static int add(struct job *job, const paper_experiment *e, bool is_asked)
{
    const paper_file *missing = paper_data_missing(e->files);
    char *complaint;

    if (!missing) {
        job->chosen[job->count++] = e;
        complaint = paper_experiment_left_out(e);
        if (complaint && !job->arguments->common.quiet)
            cli_note("left out of %s: %s", e->name, complaint);
        free(complaint);
        return CLI_DONE;
    }
    complaint = paper_data_complaint(e->name, missing);
    if (is_asked)
        cli_fail(CLI_BAD_CALL, "%s", complaint);
    else
        cli_note("left out: %s", complaint);
    free(complaint);
    return is_asked ? CLI_BAD_CALL : CLI_DONE;
}

static int choose(struct job *job)
{
    const cli_common *common = &job->arguments->common;
    int code = CLI_DONE;

    for (int w = 0; w < common->word_count; w++)
        if (strcmp(common->words[w], "all") != 0 &&
            !paper_experiment_find(common->words[w]))
            return unknown(common->words[w]);
    for (const paper_experiment *const *e = paper_experiments;
         *e && code == CLI_DONE; e++)
        if (is_named(common, "all") || is_named(common, (*e)->name))
            code = add(job, *e, is_named(common, (*e)->name));
    return code;
}

/* What takes days on a processor is cut short there. */
static int mode_of(const struct job *job, const paper_experiment *e)
{
    const char *device = job->arguments->device;
    bool is_card = device && strncmp(device, "cuda", 4) == 0;

    return is_card && e->has_card && job->mode == PAPER_FULL ? PAPER_CARD
                                                             : job->mode;
}

/* An experiment without one of its figures is not finished. */
static bool has_figures(const struct job *job, const char *experiment)
{
    const json_t *state = json_object_get(job->results.state, experiment);
    const json_t *figure;
    bool has_all = true;
    size_t i;

    json_array_foreach(json_object_get(state, "figures"), i, figure)
    {
        const char *name = json_string_value(json_object_get(figure, "name"));
        char *path = cli_folder_file(&job->folder, PAPER_FIGURES "/%s.svg",
                                     name ? name : "");

        has_all = has_all && access(path, R_OK) == 0;
        free(path);
    }
    return has_all;
}

/* What was left out is run as soon as it can be. */
static void skip_finished(struct job *job)
{
    const struct arguments *a = job->arguments;

    for (int e = 0; e < job->count; e++) {
        const char *name = job->chosen[e]->name;
        char *settings =
            paper_experiment_print(job->chosen[e], mode_of(job, job->chosen[e]),
                                   (uint64_t)a->common.seed);
        char *lacks = paper_experiment_left_out(job->chosen[e]);

        job->is_skipped[e] =
            !a->common.force &&
            paper_results_has(&job->results, name, settings) &&
            has_figures(job, name) &&
            (lacks || !paper_results_left_out(&job->results, name));
        if (job->is_skipped[e] && !a->common.quiet)
            cli_note("%s is finished with these settings, skipped", name);
        free(lacks);
        free(settings);
    }
}

/* --- running ------------------------------------------------------------- */

/* Those that were asked for, or one per processor. */
static long threads_of(const paper_run *run)
{
    return run->threads > 0 ? run->threads : sysconf(_SC_NPROCESSORS_ONLN);
}

static json_t *state_of(const paper_run *run, double seconds, double cpu)
{
    json_t *state = cli_json_object();
    char *settings =
        paper_experiment_print(run->experiment, run->mode, run->seed);
    char *command = paper_run_command(run);
    char *lacks = paper_experiment_left_out(run->experiment);
    const paper_size *size = paper_run_size(run);

    cli_json_put_text(state, "settings", settings);
    cli_json_put_text(state, "version", hiss_version());
    cli_json_put_text(state, "instructions", hiss_isa());
    cli_json_put_text(state, "command", command);
    cli_json_put_bool(state, "quick", run->mode == PAPER_QUICK);
    cli_json_put_text(state, "device", run->device ? run->device : "cpu");
    cli_json_put_real(state, "seconds", seconds);
    cli_json_put_real(state, "processor_seconds", cpu);
    cli_json_put_whole(state, "threads", threads_of(run));
    if (size->chains > 0) {
        cli_json_put_whole(state, "repetitions", size->repetitions);
        cli_json_put_whole(state, "chains", size->chains);
        cli_json_put_whole(state, "samples", size->samples);
    }
    if (lacks)
        cli_json_put_text(state, "left_out", lacks);
    cli_json_put(state, "titles", json_incref(run->titles));
    cli_json_put(state, "figures", json_incref(run->figures));
    free(settings);
    free(command);
    free(lacks);
    return state;
}

static int write_all(struct job *job)
{
    int code = paper_results_save(&job->results, &job->folder);

    if (code == CLI_DONE)
        code = paper_report_write(&job->folder, &job->results);
    if (code == CLI_DONE)
        code = paper_summary_write(&job->folder, &job->results);
    return code;
}

static int run_one(struct job *job, const paper_experiment *experiment)
{
    const cli_common *common = &job->arguments->common;
    paper_run run = {.folder = &job->folder,
                     .pace = &job->pace,
                     .mode = mode_of(job, experiment),
                     .only = job->arguments->only,
                     .seed = (uint64_t)common->seed,
                     .threads = common->threads,
                     .device = job->arguments->device,
                     .is_forced = common->force};
    double start = paper_clock(), cpu = paper_cpu(), seconds;
    int code;

    paper_run_init(&run, experiment);
    paper_pace_experiment(&job->pace, experiment->seconds[run.mode]);
    code = experiment->run(&run);
    seconds = paper_clock() - start;
    cpu = paper_cpu() - cpu;
    paper_pace_end(&job->pace);
    if (code == CLI_DONE && !run.is_partial) {
        paper_results_put(&job->results, experiment->name,
                          json_incref(run.rows), state_of(&run, seconds, cpu));
        code = write_all(job);
    }
    if (code == CLI_DONE && !common->quiet)
        fprintf(stderr, "hiss: %s done in %.0f s\n", experiment->name, seconds);
    paper_run_clear(&run);
    return code;
}

static int run_chosen(struct job *job)
{
    double total = 0;
    int code = CLI_DONE, number = 0;

    for (int e = 0; e < job->count; e++)
        total += job->is_skipped[e]
                     ? 0
                     : job->chosen[e]->seconds[mode_of(job, job->chosen[e])];
    cli_interrupt_defer(job->arguments->common.quiet);
    paper_pace_begin(&job->pace, total, job->arguments->common.quiet);
    for (; number < job->count && code == CLI_DONE; number++)
        if (!job->is_skipped[number])
            code = run_one(job, job->chosen[number]);
    if (code == CLI_DONE && total == 0)
        code = write_all(job); /* the report may have been removed */
    if (code > CLI_SIGNAL)
        cli_fail(code,
                 "interrupted in %s; finished experiments are kept in %s, the "
                 "same command goes on from there",
                 job->chosen[number - 1]->name, job->folder.path);
    else if (code != CLI_DONE && total > 0)
        cli_note("%s was not finished; finished experiments are kept in %s, "
                 "the same command goes on from there",
                 job->chosen[number - 1]->name, job->folder.path);
    return code;
}

/* --- telling ------------------------------------------------------------- */

static void tell_json(const struct job *job)
{
    json_t *out = cli_json_object(), *results = cli_json_object();
    json_t *left_out = cli_json_object();

    for (int e = 0; e < job->count; e++) {
        const char *name = job->chosen[e]->name;
        const char *lacks = paper_results_left_out(&job->results, name);

        if (lacks)
            cli_json_put_text(left_out, name, lacks);
        cli_json_put(results, name,
                     json_incref(json_object_get(job->results.data, name)));
    }
    cli_json_put_text(out, "out", job->folder.path);
    cli_json_put(out, "claims", paper_claims_json(job->results.data));
    cli_json_put(out, "left_out", left_out);
    cli_json_put(out, "results", results);
    cli_json_print(out);
}

static void tell_text(const struct job *job)
{
    static const cli_column columns[] = {
        {"verdict", true, false, 0},
        {"experiment", true, false, 1},
        {"claim of the paper", true, true, 0},
    };
    const paper_claim *c;
    cli_table table;

    cli_table_init(&table, columns, 3);
    for (int n = 0; (c = paper_claim_at(n)); n++) {
        paper_verdict verdict = paper_claim_judge(c, job->results.data, NULL);

        if (verdict == PAPER_NOT_RUN)
            continue;
        cli_table_cell(&table, "%s", paper_verdict_text(verdict));
        cli_table_cell(&table, "%s", c->experiment);
        cli_table_cell(&table, "%s", c->claim);
    }
    cli_table_print(&table, 0);
    cli_table_clear(&table);
    for (int e = 0; e < job->count; e++) {
        const char *name = job->chosen[e]->name;
        const char *lacks = paper_results_left_out(&job->results, name);

        if (lacks)
            printf("\nleft out of %s: %s\n", name, lacks);
    }
    printf("\n%s/%s has the evidence\n", job->folder.path, PAPER_REPORT);
}

/* A folder that is named must be there. */
static int set_data(const char *folder)
{
    struct stat info;

    if (!folder)
        return CLI_DONE;
    if (stat(folder, &info) != 0 || !S_ISDIR(info.st_mode))
        return cli_fail(CLI_BAD_CALL, "--data: there is no folder '%s'",
                        folder);
    setenv("HISS_DATA", folder, 1);
    return CLI_DONE;
}

/* By which reading claims are judged. */
static int set_reading(const char *as)
{
    static const char *const readings[] = {"printed", "coded", "correct"};

    if (!as)
        return CLI_DONE;
    for (int r = 0; r < 3; r++)
        if (strcmp(as, readings[r]) == 0) {
            paper_read_as((paper_reading_kind)(PAPER_PRINTED + r));
            return CLI_DONE;
        }
    return cli_fail(CLI_BAD_CALL,
                    "--as: '%.64s', expected printed, coded or correct", as);
}

static int run_reproduce(const void *arguments)
{
    struct job *job = cli_alloc(1, sizeof *job);
    int code;

    job->arguments = arguments;
    job->mode = job->arguments->is_quick ? PAPER_QUICK : PAPER_FULL;
    code = set_data(job->arguments->data);
    if (code == CLI_DONE)
        code = set_reading(job->arguments->as);
    if (code == CLI_DONE)
        code = choose(job);
    if (code == CLI_DONE)
        code = cli_folder_open(&job->folder, job->arguments->out, PAPER_STATE,
                               job->arguments->common.force);
    if (code != CLI_DONE) {
        free(job);
        return code;
    }
    code = cli_folder_make(&job->folder, PAPER_DATA);
    if (code == CLI_DONE)
        code = cli_folder_make(&job->folder, PAPER_FIGURES);
    if (code == CLI_DONE)
        code = paper_results_load(&job->results, &job->folder,
                                  job->arguments->common.force);
    if (code == CLI_DONE)
        code = paper_results_claim(&job->results, &job->folder);
    if (code == CLI_DONE) {
        skip_finished(job);
        code = run_chosen(job);
    }
    if (code == CLI_DONE && job->arguments->common.json)
        tell_json(job);
    else if (code == CLI_DONE)
        tell_text(job);
    paper_results_clear(&job->results);
    cli_folder_close(&job->folder);
    free(job);
    return code;
}

const cli_command cli_command_reproduce = {
    .name = "reproduce",
    .words = "EXPERIMENT ...",
    .least_words = 1,
    .most_words = CLI_WORDS_MAX,
    .summary = "run the paper's experiments and judge its claims",
    .about =
        "Runs the sampling experiments, ablations and theory of the paper with "
        "the correct algorithms: bernoulli, ablation, ising, gl, critical, "
        "bnn, prior, tsp, evaluations, kernels, theory, or all. The data files "
        "of bnn, prior and tsp come with hiss, but for COMPAS, which bnn "
        "leaves out until tools/get_data compas has fetched it.\n"
        "DIR receives results.json, every figure as SVG, "
        "report.html with a verdict on each claim, and summary.md. Finished "
        "experiments are kept: a later call, also after Ctrl-C, skips those "
        "with the same settings; --force runs them again.\n"
        "Where text and code of the paper differ (spins or bits, sum or mean "
        "of squares, the prior), every reading is run and shown side by side; "
        "--as judges by one of them.\n"
        "With --device cuda, bnn is run on a card, with the samples and steps "
        "that the paper has; --only SET does so for one data set after the "
        "other, and the last call, without it, writes the tables.\n"
        "Numbers depend on the seed and the device alone; only run times "
        "vary.",
    .examples = "  hiss reproduce all --quick --out paper-quick\n"
                "  hiss reproduce bernoulli ising --seed 7\n"
                "  hiss reproduce bnn --device cuda --only wdbc\n",
    .names = names,
    .options = options,
    .size = sizeof(struct arguments),
    .run = run_reproduce,
};
