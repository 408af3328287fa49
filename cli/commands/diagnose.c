/* diagnose.c - `hiss diagnose`: whether the draws of a file can be trusted. */
#include <hiss/hiss.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args/option.h"
#include "cli/commands/commands.h"
#include "cli/files/load.h"
#include "cli/files/open.h"
#include "cli/files/standard.h"
#include "cli/print/json.h"
#include "cli/print/progress.h"
#include "cli/print/terminal.h"

enum {
    WORD = 10,
    LABEL = 17
};

static const double THOROUGH = 10; /* times the default work */

struct arguments {
    cli_common common;
    cli_given given;
    bool blind, strict, thorough;
    int probe;
    double search, time_limit;
};

#define AT(field) offsetof(struct arguments, field)

static const cli_option options[] = {
    CLI_LOAD_OPTIONS(AT(given)),
    CLI_BETA_OPTIONS,
    {"blind", 0, CLI_FLAG, AT(blind), NULL, 0, 0,
     "do not compare with exact answers"},
    {"strict", 0, CLI_FLAG, AT(strict), NULL, 0, 0,
     "exit with 1 for draws that are consistent and no more"},
    {"probe", 0, CLI_INT, AT(probe), "16", 0, 1024,
     "N  fresh chains that are compared with the run; 0: none"},
    {"search", 0, CLI_COUNT, AT(search), "200000", 0, CLI_HUGE,
     "N  evaluations of a search for modes that were missed; 0: none"},
    {"time-limit", 0, CLI_SECONDS, AT(time_limit), NULL, 0, 0,
     "TIME  after which all of it stops; what is left to check is named, and "
     "the verdict is not decided"},
    {"thorough", 0, CLI_FLAG, AT(thorough), NULL, 0, 0,
     "ten times the usual work, which is what sampling took, by a table of "
     "prices, and at least 2 s"},
    {0},
};

static json_t *json_of(const hiss_temperature *t)
{
    json_t *o = cli_json_object();

    cli_json_put_real(o, "value", t->beta);
    cli_json_put_real(o, "error", t->error);
    cli_json_put_real(o, "model", t->model);
    cli_json_put_whole(o, "draws", t->draws);
    cli_json_put_text(o, "why", t->why);
    return o;
}

static void print_json(const struct arguments *a, const hiss_result *result,
                       const hiss_model *model, const hiss_diagnosis *d)
{
    char *file = model ? cli_load_file(model) : NULL;

    json_t *o = cli_json_object(), *findings = cli_json_array();
    json_t *skipped = cli_json_array(), *unchecked = cli_json_array();
    hiss_finding f = HISS_INIT(hiss_finding);
    hiss_temperature t = HISS_INIT(hiss_temperature);

    for (int n = 0; hiss_diagnosis_finding(d, n, &f); n++) {
        json_t *one = cli_json_object();

        if (f.outcome == HISS_SKIPPED)
            cli_json_add(skipped, cli_json_text(f.name));
        if (f.outcome == HISS_UNCHECKED)
            cli_json_add(unchecked, cli_json_text(f.name));
        cli_json_put_text(one, "name", f.name);
        cli_json_put_text(one, "outcome", hiss_outcome_word(f.outcome));
        cli_json_put_real(one, "value", f.value);
        cli_json_put_real(one, "limit", f.limit);
        cli_json_put_text(one, "text", f.text);
        cli_json_put_text(one, "remedy", f.remedy);
        cli_json_put_bool(one, "wrong", f.is_wrong != 0);
        cli_json_add(findings, one);
    }
    cli_json_put_text(o, "version", hiss_version());
    cli_json_put_text(o, "file", a->common.words[0]);
    cli_json_put_text(o, "model", hiss_result_text(result, "model"));
    cli_json_put_text(o, "reads_as", hiss_result_text(result, "reads_as"));
    cli_json_put_text(o, "sampler", hiss_result_text(result, "sampler"));
    cli_json_put_bool(o, "trusted", hiss_diagnosis_is_trusted(d) != 0);
    cli_json_put_text(o, "headline", hiss_diagnosis_headline(d));
    cli_json_put_text(o, "verdict",
                      hiss_opinion_word(hiss_diagnosis_opinion(d)));
    if (hiss_diagnosis_temperature(d, &t))
        cli_json_put(o, "beta", json_of(&t));
    cli_json_put_text(o, "model_file", file);
    cli_json_put(o, "skipped", skipped);
    cli_json_put(o, "unchecked", unchecked);
    cli_json_put(o, "findings", findings);
    cli_json_print(o);
    free(file);
}

static void print_text(const hiss_diagnosis *d)
{
    int limit = cli_terminal_table_width();
    hiss_finding f = HISS_INIT(hiss_finding);

    limit = limit ? limit : 1 << 20;
    cli_terminal_wrap(stdout, hiss_diagnosis_headline(d), 0, 0, limit);
    putchar('\n');
    for (int n = 0; hiss_diagnosis_finding(d, n, &f); n++) {
        int at = printf("%-*s%-*s", WORD, hiss_outcome_word(f.outcome), LABEL,
                        f.name);

        cli_terminal_wrap(stdout, f.text, at, at, limit);
        if (f.remedy) {
            printf("%*s-> ", at, "");
            cli_terminal_wrap(stdout, f.remedy, at + 3, at + 3, limit);
        }
    }
}

static int code_of(hiss_opinion opinion, bool is_strict)
{
    switch (opinion) {
    case HISS_PROVED:
    case HISS_TRUSTED:
        return CLI_DONE;
    case HISS_CONSISTENT:
        return is_strict ? CLI_CHECK_FAILED : CLI_DONE;
    case HISS_NOT_DECIDED:
        return CLI_UNDECIDED;
    case HISS_NOT_TRUSTED:
    case HISS_WRONG:
        return CLI_CHECK_FAILED;
    }
    return CLI_FAULT;
}

static int diagnose(const struct arguments *a, const hiss_result *result,
                    const hiss_model *model)
{
    hiss_diagnose_settings settings;
    cli_progress progress;
    hiss_diagnosis *d = NULL;
    hiss_error err = {0};
    hiss_status status;
    int code;

    hiss_diagnose_settings_init(&settings);
    settings.seconds = a->time_limit;
    settings.effort = a->thorough ? THOROUGH : 1;
    cli_progress_begin(&progress, "checking", a->common.quiet);
    settings.progress = cli_progress_show;
    settings.context = &progress;
    settings.threads = a->common.threads;
    settings.blind = a->blind;
    settings.probe = a->probe;
    settings.search = a->search;
    settings.temperature = a->given.model != NULL;
    status = hiss_diagnose(&d, result, model, &settings, &err);
    cli_progress_end(&progress);
    if (status != HISS_OK)
        return cli_fail_status(status, &err);
    if (a->common.json)
        print_json(a, result, model, d);
    else
        print_text(d);
    code = code_of(hiss_diagnosis_opinion(d), a->strict);
    hiss_diagnosis_destroy(d);
    return code;
}

/* Reads draws of another program; --model gives their model. */
static int import(const struct arguments *a, hiss_result **result,
                  hiss_model **model)
{
    cli_common own = a->common;
    hiss_error err = {0};
    hiss_status status;
    int code;

    own.words[0] = a->given.model;
    own.evidence = a->given.evidence;
    code = cli_open_model(&own, model);
    if (code != CLI_DONE)
        return code;
    cli_open_note(&own, *model);
    status = hiss_result_import(result, *model, a->common.words,
                                a->common.word_count, &err);
    if (status == HISS_OK)
        status = hiss_result_put(*result, "word", a->given.model, &err);
    return status == HISS_OK ? CLI_DONE : cli_fail_status(status, &err);
}

/* With --model, a file that hiss did not write may come from any program. */
static bool is_foreign(const struct arguments *a)
{
    const char *path = a->common.words[0];
    hiss_result *result = NULL;
    hiss_error err = {0};

    if (!a->given.model || cli_is_standard(path))
        return false;
    if (a->common.word_count > 1)
        return true;
    if (hiss_result_read(&result, path, &err) == HISS_OK) {
        hiss_result_destroy(result);
        return false;
    }
    /* a damaged file of ours is not one of another program */
    return err.status == HISS_EARG || err.status == HISS_EUNSUP ||
           strstr(err.message, "no result of hiss");
}

static int run_diagnose(const void *arguments)
{
    const struct arguments *a = arguments;
    hiss_result *result = NULL;
    hiss_model *model = NULL;
    char *why = NULL;
    int code;

    if (is_foreign(a)) {
        code = import(a, &result, &model);
        if (code == CLI_DONE)
            code = diagnose(a, result, model);
        hiss_model_destroy(model);
        hiss_result_destroy(result);
        return code;
    }
    if (a->common.beta || a->common.temperature)
        return cli_usage_fail(&cli_command_diagnose,
                              "diagnose: --beta and --temperature are for "
                              "draws of another program; a result of hiss has "
                              "its own");
    if (a->common.word_count > 1)
        return cli_usage_fail(&cli_command_diagnose,
                              "diagnose: several files are draws of another "
                              "program, which need --model MODEL");
    code = cli_load_result(a->common.words[0], &result);
    if (code == CLI_DONE) {
        code = cli_load_model(result, &a->given, &model, &why);
        if (code == CLI_DONE && !model && !a->common.quiet)
            cli_note("the model is not at hand: %s", why);
        if (code == CLI_DONE && model && !a->given.model && !a->common.quiet)
            cli_load_tell(a->common.words[0], model);
        if (code == CLI_DONE)
            code = diagnose(a, result, model);
    }
    hiss_model_destroy(model);
    hiss_result_destroy(result);
    free(why);
    return code;
}

const cli_command cli_command_diagnose = {
    .name = "diagnose",
    .words = "FILE ...",
    .least_words = 1,
    .most_words = CLI_WORDS_MAX,
    .summary = "can the draws of a result file be trusted?",
    .about =
        "Reads FILE, a .nc or .csv that hiss sample wrote, and judges: do the "
        "chains agree in every coordinate, log p and the modes by more "
        "than chance explains, are there enough effective draws, do fresh "
        "chains find the same, and, if exact answers are quick to compute, "
        "do the draws agree with them. The verdict is one of six words: "
        "proved, trusted, consistent (exit code 0), not decided (4), not "
        "trusted, wrong (1). A file that cannot be read has exit code 2. "
        "docs/diagnose.md has the limits and how often the verdict is wrong.\n"
        "With --model MODEL the draws may be those of another program: .nc of "
        "ArviZ, CSV of Stan (a file for each chain) or any other, .npz and "
        ".npy of numpy, .json of dimod (docs/judge.md). Draws that say what "
        "is not true, though their chains agree, are called wrong.",
    .examples = "  hiss sample 'ising(side=8,beta=0.4)' -o run.nc\n"
                "  hiss diagnose run.nc && hiss report run.nc -o run.html\n"
                "  hiss diagnose chain-1.csv chain-2.csv --model grid.uai\n",
    .options = options,
    .size = sizeof(struct arguments),
    .run = run_diagnose,
};
