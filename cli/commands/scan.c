/* scan.c - `hiss scan`: observables at many temperatures, from one run. */
#include <hiss/hiss.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args/option.h"
#include "cli/commands/commands.h"
#include "cli/files/open.h"
#include "cli/files/output.h"
#include "cli/print/interrupt.h"
#include "cli/print/json.h"
#include "cli/print/number.h"
#include "cli/print/progress.h"
#include "cli/scan/scan.h"

enum {
    COUNT_MAX = 512
};

struct arguments {
    cli_common common;
    const char *sampler, *observable, *output, *figure;
    int chains;
    int64_t samples, warmup, thin;
};

#define AT(field) offsetof(struct arguments, field)

static const cli_option options[] = {
    {"beta", 0, CLI_TEXT, offsetof(cli_common, beta), NULL, 0, 0,
     "LOW:HIGH:COUNT  inverse temperatures, both ends included; log p of the "
     "model is multiplied by them"},
    {"temperature", 0, CLI_TEXT, offsetof(cli_common, temperature), NULL, 0, 0,
     "LOW:HIGH:COUNT  the same, at equal distances of 1/beta"},
    {"observable", 0, CLI_TEXT, AT(observable), NULL, 0, 0,
     "EXPRESSION  a number of every draw, such as 'E' or 'binder'; several "
     "with ; between them; docs/observables.md"},
    {"sampler", 0, CLI_TEXT, AT(sampler), NULL, 0, 0,
     "SPEC  the kernel of every replica, such as cluster; usually gibbs"},
    {"chains", 0, CLI_INT, AT(chains), NULL, 1, 100000,
     "N  independent chains, as in hiss sample"},
    {"samples", 0, CLI_LONG, AT(samples), "1000", 8, 1000000000,
     "N  kept draws per chain and temperature"},
    {"warmup", 0, CLI_LONG, AT(warmup), "-1", -1, 1000000000000,
     "N  steps before the first draw; -1: half of samples times thin"},
    {"thin", 0, CLI_LONG, AT(thin), "1", 1, 1000000000,
     "N  steps per kept draw"},
    {"output", 'o', CLI_TEXT, AT(output), NULL, 0, 0,
     "FILE  the table as .csv, or the figure as .svg"},
    {"figure", 0, CLI_TEXT, AT(figure), NULL, 0, 0,
     "FILE  a chart of every observable with its errors, as SVG"},
    {"evidence", 0, CLI_TEXT, offsetof(cli_common, evidence), NULL, 0, 0,
     "FILE  as in hiss sample"},
    {"fix", 0, CLI_TEXT, offsetof(cli_common, fix), NULL, 0, 0,
     "LIST  as in hiss sample"},
    {0},
};

/* Reads LOW:HIGH:COUNT; free() *grid, which rises. */
static int read_grid(const struct arguments *a, double **grid, int *count)
{
    const char *text = a->common.beta ? a->common.beta : a->common.temperature;
    const char *name = a->common.beta ? "beta" : "temperature", *second, *third;
    double low, high;
    int64_t points;

    if (!text || (a->common.beta && a->common.temperature))
        return cli_usage_fail(&cli_command_scan,
                              "give --beta LOW:HIGH:COUNT, or --temperature");
    second = strchr(text, ':');
    third = second ? strchr(second + 1, ':') : NULL;
    if (!third || !cli_number_real(text, (int)(second - text), &low) ||
        !cli_number_real(second + 1, (int)(third - second - 1), &high) ||
        cli_number_whole(third + 1, 1, COUNT_MAX, &points) != CLI_NUMBER_OK ||
        !(low > 0) || !(high >= low) || (points > 1) != (high > low))
        return cli_fail(CLI_BAD_CALL,
                        "--%s: '%.64s' is not LOW:HIGH:COUNT, numbers above 0 "
                        "with LOW below HIGH and a count of 2 to %d, such as "
                        "0.2:0.6:9",
                        name, text, COUNT_MAX);
    *grid = cli_alloc((size_t)points, sizeof **grid);
    *count = (int)points;
    for (int k = 0; k < *count; k++) {
        double share = points > 1 ? (double)k / (double)(points - 1) : 0;
        double t = k == points - 1 ? high : low + (high - low) * share;

        if (a->common.beta)
            (*grid)[k] = t;
        else
            (*grid)[points - 1 - k] = 1 / t;
    }
    return CLI_DONE;
}

static int check_output(const char *path, bool may_be_csv, bool is_forced)
{
    if (!path)
        return CLI_DONE;
    if (!cli_scan_is_named(path, ".svg") &&
        !(may_be_csv && cli_scan_is_named(path, ".csv")))
        return cli_fail(CLI_BAD_CALL,
                        "%s: expected a file name that ends in %s", path,
                        may_be_csv ? ".csv or .svg" : ".svg");
    return cli_output_check(path, is_forced);
}

/* Opens the model without --beta, which has another meaning here. */
static int open_model(const struct arguments *a, hiss_model **model)
{
    cli_common common = a->common;

    common.beta = common.temperature = NULL;
    return cli_open_model(&common, model);
}

static int draw(const struct arguments *a, const hiss_model *model,
                const double *beta, int count, hiss_result **results)
{
    cli_progress progress;
    hiss_settings settings;
    hiss_error err = {0};
    hiss_status status;

    hiss_settings_init(&settings);
    settings.chains = a->chains;
    settings.samples = a->samples;
    settings.warmup = a->warmup;
    settings.thin = a->thin;
    settings.seed = (uint64_t)a->common.seed;
    settings.threads = a->common.threads;
    cli_interrupt_defer(a->common.quiet);
    cli_progress_begin(&progress, "scanning", a->common.quiet);
    settings.progress = cli_progress_show;
    settings.context = &progress;
    status =
        hiss_scan(results, model, a->sampler, beta, count, &settings, &err);
    cli_progress_end(&progress);
    if (status == HISS_ESTOP)
        return cli_fail(CLI_SIGNAL + cli_interrupt_signal(), "%s", err.message);
    return status == HISS_OK ? CLI_DONE : cli_fail_status(status, &err);
}

static int write_file(const struct arguments *a, const cli_scan *scan,
                      const char *path)
{
    char *text;
    int code;

    if (!path)
        return CLI_DONE;
    text = cli_scan_is_named(path, ".svg") ? cli_scan_figure(scan)
                                           : cli_scan_csv(scan);
    code = cli_output_write(path, a->common.force, text, strlen(text));
    free(text);
    return code;
}

static int show(const struct arguments *a, const cli_scan *scan)
{
    int code;

    cli_open_note(&a->common, scan->model);
    code = write_file(a, scan, a->output);
    if (code == CLI_DONE)
        code = write_file(a, scan, a->figure);
    if (a->common.json) {
        cli_json_print(cli_scan_json(scan));
    } else {
        printf("model    %s\nrun      %d chains x %lld draws at %d "
               "temperatures, seed %llu, %.3g s\n\n",
               hiss_model_name(scan->model), scan->info.chains,
               (long long)scan->info.samples, scan->count,
               (unsigned long long)scan->info.seed, scan->info.seconds);
        cli_scan_print(scan);
        printf("\nvalue(error in units of the last digits)\n");
    }
    return code;
}

/* Computes the observables at all temperatures. */
static int observe(const struct arguments *a, cli_scan *scan,
                   hiss_result *const *results)
{
    const char *text = a->observable ? a->observable
                       : hiss_result_observables(results[0], scan->model)
                           ? NULL
                           : "E;C";
    int code = CLI_DONE;

    scan->info = HISS_INIT(hiss_run_info);
    hiss_result_info(results[0], &scan->info);
    scan->sampler = hiss_result_resolved(results[0]);
    scan->at = cli_alloc((size_t)scan->count, sizeof *scan->at);
    for (int k = 0; k < scan->count && code == CLI_DONE; k++)
        code =
            cli_observables_init(&scan->at[k], results[k], scan->model, text);
    if (code == CLI_DONE && scan->at[0].count == 0)
        code = cli_fail(CLI_BAD_CALL, "--observable: none is given");
    if (code == CLI_DONE)
        code = show(a, scan);
    for (int k = 0; k < scan->count; k++)
        cli_observables_clear(&scan->at[k]);
    free(scan->at);
    return code;
}

static int run_scan(const void *arguments)
{
    const struct arguments *a = arguments;
    hiss_model *model = NULL;
    hiss_result **results = NULL;
    double *beta = NULL;
    int count = 0, code = read_grid(a, &beta, &count);

    if (code == CLI_DONE)
        code = check_output(a->output, true, a->common.force);
    if (code == CLI_DONE)
        code = check_output(a->figure, false, a->common.force);
    if (code == CLI_DONE)
        code = open_model(a, &model);
    if (code == CLI_DONE) {
        results = cli_alloc((size_t)count, sizeof(hiss_result *));
        code = draw(a, model, beta, count, results);
    }
    if (code == CLI_DONE)
        code = observe(
            a, &(cli_scan){.model = model, .beta = beta, .count = count},
            results);
    for (int k = 0; results && k < count; k++)
        hiss_result_destroy(results[k]);
    free(results);
    free(beta);
    hiss_model_destroy(model);
    return code;
}

const cli_command cli_command_scan = {
    .name = "scan",
    .words = "MODEL",
    .least_words = 1,
    .most_words = 1,
    .summary = "observables at many temperatures, from one run",
    .about =
        "Runs parallel tempering once, with all temperatures of --beta among "
        "its levels, and prints observables with their errors at each. A pilot "
        "adds the levels that states need to pass from one to the next, and "
        "hotter ones.\n"
        "Without --observable lattices and other pair models show energy, "
        "magnetization, overlap, specific heat, susceptibility and Binder "
        "ratio; other models energy and specific heat.",
    .examples =
        "  hiss scan 'ising(side=16,beta=1)' --beta 0.3:0.6:13 -o ising.csv\n"
        "  hiss scan glass.coo --beta 0.5:2:16 --observable 'q;|q|;C' \\\n"
        "      --figure glass.svg\n",
    .options = options,
    .size = sizeof(struct arguments),
    .run = run_scan,
};
