/* summary.c - `hiss summary`: summarizes the draws of a file. */
#include <hiss/hiss.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args/option.h"
#include "cli/commands/commands.h"
#include "cli/files/load.h"
#include "cli/print/json.h"
#include "cli/print/state.h"
#include "cli/print/terminal.h"
#include "cli/report/columns.h"
#include "cli/report/mode_list.h"
#include "cli/report/mode_look.h"
#include "cli/report/observables.h"
#include "cli/report/report.h"

enum {
    LABEL = 10
};

static const double EXACT_MAX = 65536; /* most states that are enumerated at
                                          once */

struct arguments {
    cli_common common;
    cli_given given;
    const char *observable, *modes;
};

#define AT(field) offsetof(struct arguments, field)

static const cli_option options[] = {
    CLI_LOAD_OPTIONS(AT(given)),
    {"observable", 0, CLI_TEXT, AT(observable), NULL, 0, 0,
     "EXPRESSION  a number of every draw, such as 'm', 'binder' or "
     "'x.1*x.2'; several with ; between them; docs/observables.md"},
    CLI_MODES_OPTION(AT(modes)),
    {0},
};

/* The contents of the summary; owns all but the arguments. */
struct summary {
    const struct arguments *arguments;
    cli_report report;
    hiss_result *result;
    hiss_model *model; /* or NULL */
    char *why;         /* why there is no model */
    hiss_exact *exact; /* or NULL */
    cli_mode_depth depth;
};

static void clear(struct summary *s)
{
    cli_report_clear(&s->report);
    hiss_exact_destroy(s->exact);
    hiss_model_destroy(s->model);
    hiss_result_destroy(s->result);
    free(s->why);
}

static double count_states(const hiss_result *result, int dim)
{
    double count = 1;

    for (int i = 0; i < dim; i++)
        count *= hiss_result_states(result, i);
    return count;
}

static int look(struct summary *s)
{
    const struct arguments *a = s->arguments;
    hiss_error err = {0};
    hiss_status status = HISS_OK;
    cli_report *r = &s->report;

    *r = (cli_report){.result = s->result, .asked = 0};
    r->info = HISS_INIT(hiss_run_info);
    hiss_result_info(s->result, &r->info);
    if (cli_load_model(s->result, &a->given, &s->model, &s->why) != CLI_DONE)
        return CLI_BAD_CALL;
    if (s->model && count_states(s->result, r->info.dim) <= EXACT_MAX)
        status =
            hiss_exact_create(&s->exact, s->model, a->common.threads, &err);
    r->model = s->model;
    r->exact = s->exact;
    if (status == HISS_OK && s->model) {
        r->look = (cli_mode_look){.result = s->result,
                                  .model = s->model,
                                  .exact = s->exact,
                                  .depth = s->depth,
                                  .is_quiet = a->common.quiet};
        status = cli_mode_look_make(&r->look, &err);
    }
    if (status == HISS_OK)
        status = cli_report_look(r, a->common.json, a->common.threads, &err);
    return status == HISS_OK ? CLI_DONE : cli_fail_status(status, &err);
}

static json_t *coordinates_json(const struct summary *s)
{
    const cli_figures *figures = &s->report.figures;
    json_t *array = cli_json_array();

    for (int n = 0; n < figures->count; n++) {
        const cli_coordinate *c = &figures->columns[n];
        char *name = cli_result_coordinate(s->result, c->number);

        cli_json_add(array, cli_column_json(name, &c->column, c->is_certain));
        free(name);
    }
    return array;
}

/* Writes log p, also under its old name, and the objective that follows from
 * it. */
static void put_log_p(json_t *o, const struct summary *s)
{
    const cli_figures *figures = &s->report.figures;
    cli_objective in = cli_objective_of_result(s->result);

    cli_json_put(o, "log_p", cli_column_json(NULL, &figures->energy, false));
    cli_json_put(o, "energy", cli_column_json(NULL, &figures->energy, false));
    cli_objective_put(o, &in, hiss_result_beta(s->result));
    cli_json_put(
        o, "objective",
        cli_column_objective(&in, &figures->energy, figures->energy_max));
}

/* Writes the two phases of multicanonical sampling. */
static void put_phases(json_t *o, const struct summary *s)
{
    json_t *manifest = cli_json_manifest(s->result);
    json_t *phases = json_object_get(manifest, "multicanonical");

    if (phases)
        cli_json_put(o, "multicanonical", json_incref(phases));
    json_decref(manifest);
}

static void print_json(const struct summary *s)
{
    const hiss_run_info *info = &s->report.info;
    json_t *o = cli_json_object(), *warnings = cli_json_array();

    cli_json_put_text(o, "version", hiss_version());
    cli_json_put_text(o, "file", s->arguments->common.words[0]);
    cli_json_put_text(o, "model", hiss_result_text(s->result, "model"));
    cli_json_put_text(o, "reads_as", hiss_result_text(s->result, "reads_as"));
    cli_json_put_text(o, "sampler", hiss_result_text(s->result, "sampler"));
    cli_json_put_bool(o, "exact", info->is_exact != 0);
    cli_json_put_whole(o, "dim", info->dim);
    cli_json_put_whole(o, "chains", info->chains);
    cli_json_put_whole(o, "samples", info->samples);
    cli_json_put_real(o, "ess_min", s->report.figures.ess_min);
    cli_json_put_real(o, "rhat_max", s->report.figures.rhat_max);
    put_log_p(o, s);
    put_phases(o, s);
    cli_json_put(o, "coordinates", coordinates_json(s));
    cli_json_put(o, "observables",
                 cli_observables_json(&s->report.observables));
    cli_json_put(o, "modes",
                 cli_mode_list_json(s->report.look.modes, s->result));
    if (!s->model)
        cli_json_put_text(o, "no_modes", s->why);
    if (s->report.look.note)
        cli_json_put_text(o, "modes_note", s->report.look.note);
    for (int w = 0; w < s->report.warnings.count; w++)
        cli_json_add(warnings, cli_json_text(s->report.warnings.at[w]));
    cli_json_put(o, "warnings", warnings);
    cli_json_put_text(
        o, "verdict",
        hiss_opinion_word(hiss_diagnosis_opinion(s->report.figures.diagnosis)));
    cli_json_put_text(o, "advice",
                      cli_warnings_advice(s->report.figures.diagnosis));
    cli_json_print(o);
}

static void print_fact(const char *label, const char *text)
{
    int limit = cli_terminal_table_width();

    if (!text)
        return;
    printf("%-*s", LABEL, label);
    cli_terminal_wrap(stdout, text, LABEL, LABEL, limit ? limit : 1 << 20);
}

static void print_text(const struct summary *s)
{
    const hiss_run_info *info = &s->report.info;
    char *run = cli_text("%d chains x %lld draws of %d coordinates, warm-up "
                         "%lld, thin %lld, seed %llu, %.3g s",
                         info->chains, (long long)info->samples, info->dim,
                         (long long)info->warmup, (long long)info->thin,
                         (unsigned long long)info->seed, info->seconds);
    char *sampler = cli_load_sampler(s->result);

    print_fact("model", hiss_result_text(s->result, "model"));
    print_fact("sampler", sampler);
    print_fact("run", run);
    print_fact("tuned", hiss_result_tuning(s->result));
    putchar('\n');
    cli_report_marginals(&s->report, CLI_REPORT_ROWS);
    cli_observables_print(&s->report.observables, CLI_REPORT_ALL);
    if (s->report.look.modes) {
        putchar('\n');
        cli_mode_list_print(s->report.look.modes, s->result);
    } else if (!s->model) {
        printf("\nmodes: no search: %s\n", s->why);
    }
    if (s->report.look.note)
        printf("%smodes: %s\n", s->report.look.modes ? "" : "\n",
               s->report.look.note);
    cli_report_warnings(&s->report);
    free(run);
    free(sampler);
}

static int run_summary(const void *arguments)
{
    struct summary s = {.arguments = arguments};
    int code = cli_mode_depth_read(&cli_command_summary, s.arguments->modes,
                                   CLI_MODES_QUICK, &s.depth);

    if (code == CLI_DONE)
        code = cli_load_result(s.arguments->common.words[0], &s.result);

    if (code == CLI_DONE)
        code = look(&s);
    if (code == CLI_DONE)
        code = cli_observables_init(&s.report.observables, s.result, s.model,
                                    s.arguments->observable);
    if (code == CLI_DONE && s.arguments->common.json)
        print_json(&s);
    else if (code == CLI_DONE)
        print_text(&s);
    clear(&s);
    return code;
}

const cli_command cli_command_summary = {
    .name = "summary",
    .words = "FILE",
    .least_words = 1,
    .most_words = 1,
    .summary = "means, errors and effective draws of a result file",
    .about =
        "Reads FILE, a .nc or .csv that hiss sample wrote, and prints for "
        "every coordinate and log p the mean, its Monte Carlo error, "
        "bulk and tail effective draws and R-hat, as ArviZ computes them; "
        "and the modes, where the model is at hand: those that a second, or "
        "half of the time of the run, is enough for (--modes).",
    .examples = "  hiss summary run.nc\n"
                "  hiss summary run.nc --observable 'mean(x);mean(x)^2' "
                "--json\n",
    .options = options,
    .size = sizeof(struct arguments),
    .run = run_summary,
};
