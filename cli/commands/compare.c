/* compare.c - `hiss compare`: a race of samplers at equal cost. */
#include <hiss/hiss.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args/option.h"
#include "cli/commands/commands.h"
#include "cli/compare/contest.h"
#include "cli/files/open.h"
#include "cli/files/output.h"
#include "cli/print/interrupt.h"
#include "cli/print/progress.h"

struct arguments {
    cli_common common;
    const char *samplers, *output, *device;
    double evals, seconds;
    int64_t samples;
    int chains, repetitions;
    int64_t warmup;
};

#define AT(field) offsetof(struct arguments, field)

static const cli_option options[] = {
    {"samplers", 0, CLI_TEXT, AT(samplers), NULL, 0, 0,
     "SPECS  two or more, with ; between them; 10*SPEC makes ten steps per "
     "draw"},
    {"evals", 0, CLI_COUNT, AT(evals), NULL, 1, CLI_HUGE,
     "N  evaluations of energy and gradient that a repetition may make"},
    {"time", 0, CLI_SECONDS, AT(seconds), NULL, 0, 0,
     "TIME  a race in which a repetition may take so long"},
    {"samples", 0, CLI_LONG, AT(samples), NULL, 8, 1000000000000,
     "N  a race of so many draws per chain, whatever they cost"},
    {"chains", 0, CLI_INT, AT(chains), NULL, 1, 100000,
     "N  chains of a repetition; by default as many as hiss sample has"},
    {"repetitions", 0, CLI_INT, AT(repetitions), "8", 2, 10000,
     "N  repetitions, for the error bars"},
    {"warmup", 0, CLI_LONG, AT(warmup), NULL, 0, 1000000000000,
     "N  steps before the first draw; usually a fifth of the cost, less "
     "where auto knows it to be enough, with --samples half as many steps "
     "as are kept"},
    {"device", 0, CLI_TEXT, AT(device), NULL, 0, 0,
     "DEVICE  who makes the steps, as in hiss sample; cpu when not given"},
    {"output", 'o', CLI_TEXT, AT(output), NULL, 0, 0,
     "FILE.svg  a figure of the race"},
    CLI_BETA_OPTIONS,
    {0},
};

/* Splits the specs and returns their number.  free() *words and its first
 * entry. */
static int split(const char *text, char ***words)
{
    char *copy = cli_text("%s", text), *rest = copy, *word;
    int count = 0;

    *words = cli_alloc(strlen(text) + 2, sizeof **words);
    while ((word = strsep(&rest, ";"))) {
        size_t end;

        word += strspn(word, " \t\n");
        end = strlen(word);
        while (end > 0 && strchr(" \t\n", word[end - 1]))
            word[--end] = '\0';
        if (*word)
            (*words)[count++] = word;
    }
    if (count > 0) /* the first word holds the block, so that it can be freed */
        memmove(copy, (*words)[0], strlen((*words)[0]) + 1);
    (*words)[0] = copy;
    return count;
}

static int check_call(const struct arguments *a)
{
    size_t length = a->output ? strlen(a->output) : 0;

    if (!a->samplers)
        return cli_usage_fail(&cli_command_compare,
                              "--samplers SPEC;SPEC;... is missing");
    if (a->evals <= 0 && a->seconds <= 0 && a->samples <= 0)
        return cli_usage_fail(
            &cli_command_compare,
            "--evals N, --time TIME or --samples N is missing");
    if (a->output && (length < 5 || strcmp(a->output + length - 4, ".svg")))
        return cli_fail(CLI_BAD_CALL,
                        "%s: expected a file name that ends in .svg",
                        a->output);
    return a->output ? cli_output_check(a->output, a->common.force) : CLI_DONE;
}

static hiss_compare_settings settings_of(const struct arguments *a,
                                         cli_progress *progress)
{
    hiss_compare_settings set;

    hiss_compare_settings_init(&set);
    set.evals = a->evals;
    set.time_limit = a->seconds;
    set.samples = a->samples;
    set.chains = a->chains;
    set.repetitions = a->repetitions;
    set.seed = (uint64_t)a->common.seed;
    set.threads = a->common.threads;
    set.device = a->device;
    if (cli_option_is_given(&cli_command_compare, &a->common, "warmup"))
        set.warmup = a->warmup;
    set.progress = cli_progress_show;
    set.context = progress;
    return set;
}

static int show(const struct arguments *a, const cli_contest *contest)
{
    int code = CLI_DONE;

    cli_open_note(&a->common, contest->model);
    if (a->output)
        code = cli_contest_figure(contest, a->output, a->common.force);
    if (a->common.json)
        cli_contest_json(contest);
    else
        cli_contest_text(contest);
    return code;
}

static int race(const struct arguments *a, const hiss_model *model,
                char *const *words, int count)
{
    cli_progress progress;
    hiss_compare_settings set = settings_of(a, &progress);
    hiss_comparison *comparison;
    hiss_error err = {0};
    hiss_status status;
    int code;

    cli_interrupt_defer(a->common.quiet);
    cli_progress_begin(&progress, "racing", a->common.quiet);
    status = hiss_compare(&comparison, model, (const char *const *)words, count,
                          &set, &err);
    cli_progress_end(&progress);
    if (status == HISS_ESTOP)
        return cli_fail(CLI_SIGNAL + cli_interrupt_signal(), "%s", err.message);
    if (status != HISS_OK)
        return cli_fail_status(status, &err);
    code = show(a, &(cli_contest){model, &set, comparison});
    hiss_comparison_destroy(comparison);
    return code;
}

static int run_compare(const void *arguments)
{
    const struct arguments *a = arguments;
    hiss_model *model = NULL;
    char **words = NULL;
    int code = check_call(a), count = 0;

    if (code == CLI_DONE) {
        count = split(a->samplers, &words);
        if (count < 2)
            code =
                cli_usage_fail(&cli_command_compare,
                               "--samplers: a race needs two, with ; between");
    }
    if (code == CLI_DONE)
        code = cli_open_model(&a->common, &model);
    if (code == CLI_DONE)
        code = race(a, model, words, count);
    hiss_model_destroy(model);
    if (words)
        free(words[0]);
    free(words);
    return code;
}

const cli_command cli_command_compare = {
    .name = "compare",
    .words = "MODEL",
    .least_words = 1,
    .most_words = 1,
    .summary = "a race of samplers at equal cost",
    .about =
        "Runs every sampler at the same number of evaluations (--evals), for "
        "the same time (--time) or for the same number of draws (--samples), "
        "and compares their draws with exact answers where there are any: the "
        "total variation distance from the law (up to 65536 states) or its "
        "mean over all marginals. Effective "
        "draws per evaluation and per second are shown as well, warm-up "
        "included. Repetitions begin with the same states for all samplers, "
        "so that differences are judged in pairs.",
    .examples =
        "  hiss compare bernoulli4 --evals 20000 \\\n"
        "      --samplers 'gibbs;dmala(alpha=0.2);hiss(eta=4)'\n"
        "  hiss compare 'ising(side=24,beta=0.4407)' --evals 1e5 --time 2s \\\n"
        "      --samplers 'gibbs;pt(base=gibbs)' -o race.svg\n"
        "  hiss compare bernoulli4 --samples 1000 --warmup 0 --chains 1 \\\n"
        "      --repetitions 1000 --samplers '10*gwg;10*dmala(alpha=0.2)'\n",
    .options = options,
    .size = sizeof(struct arguments),
    .run = run_compare,
};
