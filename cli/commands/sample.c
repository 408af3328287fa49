/* sample.c - `hiss sample`: draw, save, print.
 *
 * The place of the output is checked before the run, and the draws are saved
 * before anything else, so that no later fault loses them. */
#include <hiss/hiss.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/answer/afterwards.h"
#include "cli/answer/until.h"
#include "cli/args/init.h"
#include "cli/args/option.h"
#include "cli/args/ranks.h"
#include "cli/commands/commands.h"
#include "cli/files/load.h"
#include "cli/files/open.h"
#include "cli/files/resume.h"
#include "cli/files/save.h"
#include "cli/files/standard.h"
#include "cli/print/interrupt.h"
#include "cli/print/progress.h"
#include "cli/print/state.h"
#include "cli/report/report.h"

#define SAMPLER_USUAL "auto"

static const double EXACT_MAX = 65536; /* most states that are enumerated at
                                          once */
static const int64_t SAMPLES_USUAL = 1000;
/* DRAWING is the fraction of a time limit for drawing.  The rest is for saving
 * and the summary, which may always take LEAST seconds. */
static const double DRAWING = 0.9, LEAST = 0.3;
static const double DEADLINE = 0.7; /* seconds for a summary after a signal */

struct arguments {
    cli_common common;
    const char *sampler, *init, *output, *to, *mar, *modes, *observable;
    bool save_warmup, full, until_trusted;
    int chains;
    int64_t samples, warmup, thin;
    double evals, time_limit, ess, max_evals;
    const char *checkpoint, *resume, *plugin, *device;
    double checkpoint_every;
    const hiss_trust *trust; /* for a checkpoint's words, or NULL */
};

#define AT(field) offsetof(struct arguments, field)
#define TERA      ((int64_t)1000000000000)

static const cli_option options[] = {
    {"sampler", 0, CLI_TEXT, AT(sampler), NULL, 0, 0,
     "SPEC  how to sample, may be nested; hiss list samplers"},
    {"chains", 0, CLI_INT, AT(chains), NULL, 1, 1000000,
     "N  independent chains; 16 by default, 4 for functions, plug-ins and "
     "models of which 16 take much memory"},
    {"samples", 0, CLI_LONG, AT(samples), "1000", 1, TERA,
     "N  kept draws per chain; with --evals, --time-limit or --ess and no "
     "--samples, as many as these allow"},
    {"warmup", 0, CLI_LONG, AT(warmup), NULL, 0, TERA,
     "N  steps before the first draw; usually half of samples times thin"},
    {"thin", 0, CLI_LONG, AT(thin), "1", 1, 1000000000,
     "N  steps per kept draw"},
    {"evals", 0, CLI_COUNT, AT(evals), NULL, 1, CLI_HUGE,
     "N  stop after so many evaluations of energy and gradient, all chains "
     "together"},
    {"time-limit", 0, CLI_SECONDS, AT(time_limit), NULL, 0, 0,
     "TIME  end after 60, 60s, 2m or 1h, pilot (a third at most) and summary "
     "included; such a run cannot be repeated by its seed alone"},
    CLI_GIVEN_OPTIONS,
    {"ess", 0, CLI_COUNT, AT(ess), NULL, 1, CLI_HUGE,
     "N  stop when the smallest effective sample size has reached N; checked "
     "whenever the steps have doubled, so the seed repeats the run"},
    {"until-trusted", 0, CLI_FLAG, AT(until_trusted), NULL, 0, 0,
     "judge the draws as hiss diagnose does, and run twice as long until "
     "nothing speaks against them; exit with 4 if --max-evals ends it"},
    {"max-evals", 0, CLI_COUNT, AT(max_evals), "1e8", 1, CLI_HUGE,
     "N  evaluations of all runs of --until-trusted together"},
    {"device", 0, CLI_TEXT, AT(device), NULL, 0, 0,
     "DEVICE  who makes the steps: cpu (as usual), cuda, cuda:N, or auto; "
     "the draws are the same, docs/cuda.md"},
    {"init", 0, CLI_TEXT, AT(init), "random", 0, 0,
     "START  random, best (of many random states), or a FILE with one state "
     "per line, for all chains or for each"},
    {"checkpoint", 0, CLI_TEXT, AT(checkpoint), NULL, 0, 0,
     "FILE  keep the state of the run there (and its draws in FILE.draws), so "
     "that it can be killed and go on"},
    {"checkpoint-every", 0, CLI_SECONDS, AT(checkpoint_every), "60s", 0, 0,
     "TIME  between checkpoints"},
    {"resume", 0, CLI_TEXT, AT(resume), NULL, 0, 0,
     "FILE  go on from this checkpoint; with -o, --mar, --modes, --json, "
     "--quiet, --threads, --device, --force only, and MODEL and --evidence "
     "where their files are not below its folder"},
    {"allow-plugin", 0, CLI_TEXT, AT(plugin), NULL, 0, 0,
     "FILE  load this plug-in if the checkpoint of --resume names it"},
    {"output", 'o', CLI_TEXT, AT(output), NULL, 0, 0,
     "FILE  write the draws: .nc, .csv, .npz, .json (dimod), NAME.stan or "
     "FOLDER/ (Stan CSV), or - for standard output; docs/results.md"},
    {"to", 0, CLI_TEXT, AT(to), NULL, 0, 0,
     "KIND  csv, nc, npz or json: of the draws of -o -; usually csv"},
    CLI_MODES_OPTION(AT(modes)),
    {"observable", 0, CLI_TEXT, AT(observable), NULL, 0, 0,
     "EXPRESSION  a number of every draw, such as 'm', 'binder' or "
     "'mean(x == 1)', with error and effective draws; several with ; between "
     "them; docs/observables.md"},
    {"full", 0, CLI_FLAG, AT(full), NULL, 0, 0,
     "the whole summary, not a screen of it"},
    {"mar", 0, CLI_TEXT, AT(mar), NULL, 0, 0,
     "FILE  write the marginals over every step, in UAI's .MAR; - is standard "
     "output"},
    {"save-warmup", 0, CLI_FLAG, AT(save_warmup), NULL, 0, 0,
     "keep the draws of the warm-up, too (.nc, .npz, Stan CSV)"},
    {0},
};

struct run {
    const struct arguments *arguments; /* borrowed */
    cli_mode_depth depth;
    double began;      /* time when drawing began */
    bool is_shared;    /* with other ranks */
    int chains;        /* known with the model */
    int signal;        /* signal that stopped one of them, or 0 */
    bool is_doubted;   /* --until-trusted has ended without trust */
    hiss_model *model; /* owned, like the others */
    hiss_sampler *sampler;
    hiss_result *result;
    hiss_diagnosis *judged; /* by --until-trusted, of the result */
    hiss_exact *exact;
    double *init;
    char *words; /* text stored with checkpoints */
    char *saved; /* file with the draws */
};

static void clear(struct run *run)
{
    hiss_exact_destroy(run->exact);
    hiss_diagnosis_destroy(run->judged);
    hiss_result_destroy(run->result);
    hiss_sampler_destroy(run->sampler);
    hiss_model_destroy(run->model);
    free(run->init);
    free(run->words);
    free(run->saved);
}

static const char *sampler_of(const struct arguments *a)
{
    if (a->sampler)
        return a->sampler;
    return SAMPLER_USUAL;
}

static int64_t samples_of(const struct arguments *a)
{
    if (cli_option_is_given(&cli_command_sample, &a->common, "samples"))
        return a->samples;
    return a->evals > 0 || a->time_limit > 0 || a->ess > 0 ? 0 : SAMPLES_USUAL;
}

/* Checks both files before the run: their places, then with the model. */
static int check_outputs(const struct run *run)
{
    const struct arguments *a = run->arguments;
    const char *paths[] = {a->output, a->mar};
    int code = CLI_DONE;

    if (cli_ranks_is_other()) /* rank 0 writes */
        return CLI_DONE;
    for (int p = 0; p < 2 && code == CLI_DONE; p++)
        if (paths[p] && run->model)
            code = cli_save_check_model(paths[p], run->model, run->chains,
                                        (double)samples_of(a));
        else if (paths[p] && a->checkpoint &&
                 strcmp(paths[p], a->checkpoint) == 0)
            code = cli_fail(CLI_BAD_CALL,
                            "%s cannot be the output and the checkpoint",
                            paths[p]);
        else if (paths[p])
            code = cli_save_check(paths[p], a->common.force);
    if (code == CLI_DONE && a->mar && !cli_is_standard(a->mar) &&
        !strstr(a->mar, ".MAR") && !strstr(a->mar, ".mar"))
        code = cli_fail(CLI_BAD_CALL,
                        "--mar: %s: expected a file name that ends in .MAR",
                        a->mar);
    return code;
}

/* Refuses "-" in two places, and as a model that a checkpoint must read
 * again. */
static int claim_outputs(const struct arguments *a)
{
    int code = CLI_DONE;

    if (cli_ranks_is_other())
        return CLI_DONE;
    if (a->checkpoint && cli_is_standard(a->common.words[0]))
        return cli_fail(CLI_BAD_CALL,
                        "a checkpoint needs the model again: it cannot be "
                        "standard input, save it to a file");
    if (cli_is_standard(a->init) && (cli_is_standard(a->common.words[0]) ||
                                     cli_is_standard(a->common.evidence)))
        return cli_fail(CLI_BAD_CALL, "standard input (-) can be given only "
                                      "once, and --init has it");
    code = cli_save_claim(&a->common, a->output, a->to);
    return code == CLI_DONE ? cli_standard_claim(&a->common, a->mar, ".MAR")
                            : code;
}

static int open_all(struct run *run)
{
    const struct arguments *a = run->arguments;
    int code = claim_outputs(a);

    if (code == CLI_DONE)
        code = check_outputs(run);
    if (code == CLI_DONE)
        code = cli_open_sampler(sampler_of(a), a->trust, &run->sampler);
    if (code == CLI_DONE)
        code = cli_open_model(&a->common, &run->model);
    if (code == CLI_DONE) {
        run->chains = a->chains ? a->chains : hiss_default_chains(run->model);
        code = check_outputs(run);
    }
    if (code == CLI_DONE)
        code = cli_observables_check(run->model, run->chains, a->observable);
    return code;
}

/* Whether the draws are the end of a population, which has no warm-up. */
static bool is_population(const struct run *run)
{
    const char *spec = sampler_of(run->arguments);

    return strncmp(spec, "smc", 3) == 0 && (!spec[3] || spec[3] == '(');
}

/* A run may end in its warm-up. */
static int check_draws(const struct run *run)
{
    hiss_run_info info = HISS_INIT(hiss_run_info);

    if (run->result)
        hiss_result_info(run->result, &info);
    if (info.samples > 0 || cli_ranks_is_other())
        return CLI_DONE;
    if (run->signal)
        return cli_fail(CLI_SIGNAL + run->signal,
                        "stopped before the first draw, nothing to save");
    cli_fail(CLI_BAD_CALL,
             "the budget ended before the first draw: raise --evals or "
             "--time-limit, or lower %s",
             is_population(run) ? "--samples, the size of the population"
                                : "--warmup");
    cli_open_point(&run->arguments->common, run->model);
    return CLI_BAD_CALL;
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Copies the options of the run. */
static void set_run(const struct run *run, hiss_settings *settings)
{
    const struct arguments *a = run->arguments;

    hiss_settings_init(settings);
    settings->chains = run->chains;
    settings->samples = samples_of(a);
    if (cli_option_is_given(&cli_command_sample, &a->common, "warmup"))
        settings->warmup = a->warmup;
    settings->thin = a->thin;
    settings->seed = (uint64_t)a->common.seed;
    settings->threads = a->common.threads;
    settings->evals = a->evals;
    settings->time_limit = DRAWING * a->time_limit;
    if (a->time_limit > 0)
        settings->afterwards =
            cli_afterwards(run->model, a->output, a->observable);
    settings->ess = a->ess;
    settings->marginals = 1;
    settings->save_warmup = a->save_warmup;
    settings->checkpoint = a->resume ? NULL : a->checkpoint;
    settings->checkpoint_every = a->checkpoint_every;
    settings->checkpoint_replace = a->common.force;
    settings->resume = a->resume;
    settings->ranks = run->is_shared;
    settings->device = a->device;
}

static int draw(struct run *run)
{
    const struct arguments *a = run->arguments;
    bool is_quiet = a->common.quiet || cli_ranks_is_other();
    cli_progress progress;
    hiss_error err = {0};
    hiss_settings settings;
    hiss_status status;
    int code;

    set_run(run, &settings);
    run->words = cli_resume_text(&a->common, run->model, run->sampler);
    settings.checkpoint_text = run->words;
    if (a->checkpoint && !run->words)
        return cli_resume_refuse(&a->common);
    /* resumed states come from the checkpoint */
    code = a->resume
               ? CLI_DONE
               : cli_init_read(a->init, run->model, &settings, &run->init);
    code = cli_ranks_agree(code);
    if (code != CLI_DONE)
        return code;
    cli_progress_begin(&progress, "sampling", is_quiet);
    settings.progress = cli_progress_show;
    settings.context = &progress;
    /* a pilot has nothing to lose, so a signal ends it at once */
    if (run->is_shared)
        cli_interrupt_defer(is_quiet);
    else
        progress.defers = true;
    cli_interrupt_empty(true, is_quiet);
    run->began = now();
    status =
        hiss_sample(&run->result, run->model, run->sampler, &settings, &err);
    if (status == HISS_OK && a->until_trusted && run->result) {
        cli_until u = {run->model,   run->sampler, &settings,
                       a->max_evals, false,        NULL};

        status = cli_until_trusted(&u, &run->result, &err);
        run->is_doubted = !u.is_trusted;
        run->judged = u.last;
    }
    cli_progress_end(&progress);
    cli_interrupt_empty(false, is_quiet);
    run->signal = hiss_ranks_largest(cli_interrupt_signal());
    if (status != HISS_OK && status != HISS_ESTOP) {
        code = cli_fail_status(status, &err);
        if (status == HISS_EINFEASIBLE || status == HISS_ELIMIT)
            cli_open_point(&a->common, run->model);
        return code;
    }
    return check_draws(run);
}

static int save(struct run *run)
{
    const struct arguments *a = run->arguments;
    char *saved = NULL;
    hiss_error err = {0};
    hiss_status status = cli_load_describe(run->result, &a->common, &err);
    int code = CLI_DONE, mar = CLI_DONE, described = CLI_DONE;

    if (status == HISS_ENOMEM) /* the draws are saved all the same */
        described = cli_fail_status(status, &err);
    else if (status != HISS_OK)
        cli_note("%s", err.message);
    cli_interrupt_hold(true); /* write both or none */
    if (a->output)
        code = cli_save(run->result, a->output, a->common.force, &run->saved);
    if (a->mar)
        mar = cli_save(run->result, a->mar, a->common.force, &saved);
    cli_interrupt_hold(false);
    free(saved);
    if (code == CLI_DONE)
        code = mar;
    return code == CLI_DONE ? described : code;
}

/* Limits the search for modes: none after a signal, else the time left. */
static void set_look(const struct run *run, cli_report *report)
{
    const struct arguments *a = run->arguments;
    double left = run->began + a->time_limit - now();
    cli_mode_look *look = &report->look;

    *look = (cli_mode_look){.result = run->result,
                            .model = run->model,
                            .exact = run->exact,
                            .depth = run->depth,
                            .is_quiet = a->common.quiet};
    if (run->signal && look->depth != CLI_MODES_NO) {
        look->depth = CLI_MODES_NO;
        look->note = cli_text("no search: a signal ended the run");
    }
    if (a->time_limit > 0 && look->depth == CLI_MODES_QUICK)
        look->seconds = left > LEAST ? left : LEAST;
}

static int print(struct run *run)
{
    const struct arguments *a = run->arguments;
    cli_report report = {.model = run->model,
                         .sampler = run->sampler,
                         .result = run->result,
                         .output = run->saved,
                         .is_default = !a->sampler,
                         .asked = samples_of(a),
                         .judged = &run->judged};
    hiss_error err = {0};
    hiss_status status = HISS_OK;
    int code = CLI_DONE;

    report.info = HISS_INIT(hiss_run_info);
    hiss_result_info(run->result, &report.info);
    if (cli_state_count(run->model) <= EXACT_MAX)
        status =
            hiss_exact_create(&run->exact, run->model, a->common.threads, &err);
    report.exact = run->exact;
    if (status == HISS_OK)
        status = cli_report_look(&report, false, a->common.threads, &err);
    if (status == HISS_OK)
        code = cli_observables_init(&report.observables, run->result,
                                    run->model, a->observable);
    if (status == HISS_OK) {
        set_look(run, &report);
        if (a->common.json)
            status = cli_mode_look_make(&report.look, &err);
        if (a->common.json && status == HISS_OK)
            cli_report_json(&report);
        else if (status == HISS_OK)
            status = a->full ? cli_report_text(&report, &err)
                             : cli_report_screen(&report, &err);
    }
    cli_report_clear(&report);
    return status == HISS_OK ? code : cli_fail_status(status, &err);
}

static int run_once(const struct arguments *arguments, bool is_shared)
{
    struct run run = {.arguments = arguments, .is_shared = is_shared};
    int code = cli_mode_depth_read(
        &cli_command_sample, arguments->modes,
        arguments->common.json ? CLI_MODES_NO : CLI_MODES_QUICK, &run.depth);
    int printed;
    bool is_late;

    if (code == CLI_DONE)
        code = open_all(&run);
    code = cli_ranks_agree(code);
    if (code == CLI_DONE)
        code = draw(&run);
    if (code == CLI_DONE && !cli_ranks_is_other()) {
        cli_open_note(&run.arguments->common, run.model);
        code = save(&run);
        cli_interrupt_release();
        cli_interrupt_deadline(DEADLINE);
        is_late = !run.signal && cli_interrupt_signal(); /* came meanwhile */
        run.signal = is_late ? cli_interrupt_signal() : run.signal;
        printed = is_late ? CLI_DONE : print(&run);
        code = code == CLI_DONE ? printed : code;
        if (code == CLI_DONE && run.signal)
            code = CLI_SIGNAL + run.signal;
        if (code == CLI_DONE && run.is_doubted)
            code = CLI_UNDECIDED;
    }
    clear(&run);
    return code;
}

/* Whether only options that --resume allows were given. */
static int check_resume(const struct arguments *now)
{
    static const char *const own[] = {
        "sampler", "chains", "samples",    "warmup", "thin", "evals",
        "ess",     "init",   "checkpoint", "fix",    "beta", "temperature"};

    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (cli_option_is_given(&cli_command_sample, &now->common, own[i]))
            return cli_usage_fail(&cli_command_sample,
                                  "--resume takes --%s from the checkpoint",
                                  own[i]);
    return CLI_DONE;
}

/* Takes the options that this call gives again. */
static void take_wishes(struct arguments *then, const struct arguments *now,
                        const hiss_trust *trust)
{
    cli_common *common = &then->common;

    common->json = now->common.json;
    common->quiet = now->common.quiet;
    common->force = now->common.force;
    then->modes = now->modes;
    then->observable = now->observable;
    then->full = now->full;
    common->model_trust = common->evidence_trust = then->trust = trust;
    if (now->common.word_count > 0) {
        common->words[0] = now->common.words[0];
        common->model_trust = NULL;
    }
    if (now->common.evidence) {
        common->evidence = now->common.evidence;
        common->evidence_trust = NULL;
    }
    if (now->common.threads > 0)
        common->threads = now->common.threads;
    if (now->device)
        then->device = now->device;
    if (cli_option_is_given(&cli_command_sample, &now->common,
                            "checkpoint-every"))
        then->checkpoint_every = now->checkpoint_every;
    if (now->time_limit > 0)
        then->time_limit = now->time_limit;
    then->resume = now->resume;
}

/* Runs with the arguments of the first call and the allowed ones of this
 * call. */
static int run_again(const struct arguments *now, cli_saved *saved,
                     bool is_shared)
{
    const char *const plugins[] = {now->plugin, NULL};
    struct arguments then = {0};
    char *output = NULL, *mar = NULL;
    int code;

    then.common.argc = saved->argc;
    then.common.argv = saved->argv;
    then.common.folder = saved->folder;
    saved->trust.plugins = plugins;
    code = cli_option_parse(&cli_command_sample, saved->argc - 2,
                            saved->argv + 2, &then.common);
    take_wishes(&then, now, &saved->trust);
    if (code == CLI_DONE && then.common.word_count == 0)
        code = cli_fail(CLI_BAD_CALL, "%s: names no model", now->resume);
    if (code == CLI_DONE && !now->output)
        code = cli_resume_output(saved, "-o", then.output, &output);
    if (code == CLI_DONE && !now->mar)
        code = cli_resume_output(saved, "--mar", then.mar, &mar);
    then.output = now->output ? now->output : output;
    then.mar = now->mar ? now->mar : mar;
    code = cli_ranks_agree(code);
    if (code == CLI_DONE)
        code = run_once(&then, is_shared);
    free(output);
    free(mar);
    return code;
}

static int run_sample(const void *arguments)
{
    const struct arguments *now = arguments;
    bool is_shared, is_idle;
    cli_saved saved;
    int code;

    if (!now->resume && now->common.word_count == 0)
        return cli_usage_fail(&cli_command_sample, "MODEL is missing");
    code = now->resume ? check_resume(now) : CLI_DONE;
    if (code == CLI_DONE)
        code = cli_ranks_start(&is_shared, &is_idle);
    if (code != CLI_DONE || is_idle)
        return code;
    if (!now->resume)
        return run_once(now, is_shared);
    code = cli_ranks_agree(cli_resume_read(now->resume, &saved));
    if (code == CLI_DONE)
        code = run_again(now, &saved, is_shared);
    cli_resume_clear(&saved);
    return code;
}

const cli_command cli_command_sample = {
    .name = "sample",
    .words = "MODEL",
    .least_words = 0, /* none with --resume */
    .most_words = 1,
    .summary = "draw from a model and say whether the draws can be trusted",
    .about =
        "Draws from MODEL, a built-in such as bernoulli4 or "
        "'ising(side=8,beta=0.4)' (hiss list models), and prints a summary, or "
        "one JSON object with --json. The draws go to the file of -o.\n"
        "Ctrl-C ends the run and keeps what was drawn; once more, or while the "
        "summary is made, ends at once. The search for modes of the draws "
        "takes a second, or half of the time of the run if that is longer; if "
        "that was too short for all draws, a note says so (--modes). "
        "Without --sampler it is " SAMPLER_USUAL ", which chooses by a short "
        "pilot; --sampler hiss is the paper's, with scales of its own.",
    .examples =
        "  hiss sample bernoulli4 --sampler hiss -o bernoulli.csv\n"
        "  hiss sample 'ising(side=8,beta=0.5)' --chains 16 \\\n"
        "      --sampler 'pt(base=hiss(eta=0.6,inner=dmala(alpha=auto)))'\n"
        "  hiss sample 'pairs(d=64)' --time-limit 1m --json\n"
        "  hiss sample 'ising(side=64,beta=0.44)' --checkpoint a.ck -o x.csv\n"
        "  hiss sample --resume a.ck\n"
        "  mpirun -n 4 hiss sample 'ising(side=64,beta=0.44)' --chains 64\n",
    .options = options,
    .size = sizeof(struct arguments),
    .run = run_sample,
};
