/* sample_text.c - the run as text: model, sampler, cost, and warnings.
 *
 * The tables of marginals and modes have their own files. */
#include "cli/report/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print/state.h"
#include "cli/print/terminal.h"
#include "cli/report/tempering.h"

enum {
    LABEL = 10
};

/* "label     text", wrapped with a hanging indent on a terminal. */
void cli_report_fact(const char *label, char *text)
{
    int limit = cli_terminal_table_width();

    printf("%-*s", LABEL, label);
    cli_terminal_wrap(stdout, text, LABEL, LABEL, limit ? limit : 1 << 20);
    free(text);
}

static void print_run(const cli_report *report)
{
    const hiss_run_info *info = &report->info;
    const char *tuning = hiss_result_tuning(report->result);
    const char *device = hiss_result_device(report->result);
    char *kinds = cli_state_kinds(report->model);
    char ranks[32] = "";

    cli_report_fact("model",
                    cli_text("%s, %s", hiss_model_name(report->model), kinds));
    cli_report_fact("sampler",
                    cli_text("%s%s%s", hiss_sampler_spec(report->sampler),
                             report->is_default ? " (default)" : "",
                             info->is_exact ? "" : " (NOT EXACT)"));
    if (info->ranks > 1)
        snprintf(ranks, sizeof ranks, "ranks %d with ", info->ranks);
    cli_report_fact(
        "run", cli_text("%d chains x %lld draws, warm-up %lld, thin "
                        "%lld, seed %llu, %sthreads %d",
                        info->chains, (long long)info->samples,
                        (long long)info->warmup, (long long)info->thin,
                        (unsigned long long)info->seed, ranks, info->threads));
    if (device && strcmp(device, "cpu") != 0)
        cli_report_fact("device", cli_text("%s", device));
    cli_report_fact("cost", cli_text("%.3g s, %.0f energy and %.0f gradient "
                                     "evaluations",
                                     info->seconds, info->energy_evals,
                                     info->gradient_evals));
    if (tuning)
        cli_report_fact("tuned", cli_text("%s", tuning));
    cli_tempering_text(report->result, report->sampler, cli_report_fact);
    free(kinds);
}

static void print_acceptance(const hiss_result *result)
{
    const char *name;
    double rate;

    for (int n = 0; hiss_result_acceptance(result, n, &name, &rate); n++)
        if (isnan(rate))
            printf("%-*s%s -\n", LABEL, n ? "" : "accepted", name);
        else
            printf("%-*s%s %.4f\n", LABEL, n ? "" : "accepted", name, rate);
}

static void print_line(const char *label, const char *text)
{
    int limit = cli_terminal_table_width(), at = printf("%s: ", label);

    cli_terminal_wrap(stdout, text, at, at, limit ? limit : 1 << 20);
}

void cli_report_warnings(const cli_report *report)
{
    const cli_warnings *warnings = &report->warnings;
    const char *advice = cli_warnings_advice(report->figures.diagnosis);

    if (warnings->count)
        putchar('\n');
    for (int w = 0; w < warnings->count; w++)
        print_line("warning", warnings->at[w]);
    if (advice)
        print_line("what to do", advice);
}

/* Says so if exact answers would be quicker. */
static void print_exact(const cli_report *report)
{
    char *pointer =
        report->exact
            ? NULL
            : hiss_advice_exact(report->result, report->model, HISS_SHELL);

    if (pointer)
        cli_report_fact("exact", cli_text("%s", pointer));
    hiss_free(pointer);
}

hiss_status cli_report_look(cli_report *report, bool has_all, int threads,
                            hiss_error *err)
{
    hiss_status status =
        cli_figures_init(&report->figures,
                         &(cli_figures_of){report->result, report->model,
                                           report->exact, has_all, threads},
                         err);

    if (status != HISS_OK)
        return status;
    if (report->judged && *report->judged) {
        hiss_diagnosis_destroy(report->figures.diagnosis);
        report->figures.diagnosis = *report->judged;
        *report->judged = NULL;
        report->is_judged = true;
    }
    cli_warnings_of(&report->warnings, report->figures.diagnosis);
    cli_warnings_of_end(&report->warnings, report->result, report->asked);
    return HISS_OK;
}

void cli_report_clear(cli_report *report)
{
    cli_mode_look_clear(&report->look);
    cli_observables_clear(&report->observables);
    cli_figures_clear(&report->figures);
    cli_warnings_clear(&report->warnings);
}

hiss_status cli_report_text(cli_report *report, hiss_error *err)
{
    hiss_status status;

    print_run(report);
    print_acceptance(report->result);
    print_exact(report);
    putchar('\n');
    cli_report_marginals(report, CLI_REPORT_ROWS);
    cli_observables_print(&report->observables, CLI_REPORT_ALL);
    status = cli_report_modes(report, CLI_REPORT_MODES, err);
    cli_report_warnings(report);
    if (report->output)
        printf("\ndraws written to %s\n", report->output);
    return status;
}
