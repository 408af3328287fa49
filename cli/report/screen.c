/* screen.c - the summary of a run on a screen of 24 lines of 80 columns.
 *
 * It has the verdict, the run, observables or modes, the three worst
 * coordinates, the cost and advice.  Long lines are cut; --full prints
 * everything. */
#include "cli/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print/state.h"
#include "cli/print/terminal.h"

enum {
    WIDTH = 80,
    LABEL = 10,
    COORDINATES = 3,
    OBSERVABLES = 8,
    MODES = 5,
    LESS = 3 /* rows of either if there are warnings */
};

/* Prints one line, cut if it is too long; frees the text. */
static void line(const char *label, char *text)
{
    int room = cli_terminal_table_width() - (*label ? LABEL : 0);

    if ((int)strlen(text) > room)
        memcpy(text + room - 3, "...", 4);
    printf("%-*s%s\n", *label ? LABEL : 0, label, text);
    free(text);
}

/* Prints the verdict of the quick check, or the command that gives one. */
static void print_headline(const cli_report *r)
{
    const hiss_diagnosis *d = r->figures.diagnosis;
    hiss_opinion opinion = hiss_diagnosis_opinion(d);

    if (opinion != HISS_NOT_DECIDED || r->is_judged)
        line("", cli_text("%s", hiss_diagnosis_headline(d)));
    else if (r->output)
        line("", cli_text("not judged: run `hiss diagnose %s`", r->output));
    else
        line("", cli_text("not judged: save the draws with -o FILE and run "
                          "`hiss diagnose FILE`"));
}

static void print_run(const cli_report *r)
{
    const hiss_run_info *info = &r->info;
    const char *ran = hiss_result_resolved(r->result);
    char *kinds = cli_state_kinds(r->model), beta[40] = "";

    if (hiss_model_beta(r->model) != 1)
        snprintf(beta, sizeof beta, ", at beta %.6g",
                 hiss_model_beta(r->model));
    line("model", cli_text("%s, %s%s", hiss_model_name(r->model), kinds, beta));
    line("sampler",
         cli_text("%s%s%s", ran ? ran : hiss_sampler_spec(r->sampler),
                  r->is_default ? " (default)" : "",
                  info->is_exact ? "" : " (NOT EXACT)"));
    line("run", cli_text("%d chains x %lld draws, warm-up %lld, thin %lld, "
                         "seed %llu",
                         info->chains, (long long)info->samples,
                         (long long)info->warmup, (long long)info->thin,
                         (unsigned long long)info->seed));
    line("cost", cli_text("%.3g s, %.4g evaluations", info->seconds,
                          info->energy_evals + info->gradient_evals));
    free(kinds);
}

/* Prints one warning and one remedy, a line each, because the others may follow
 * from them. */
static void print_warnings(const cli_report *r)
{
    const cli_warnings *w = &r->warnings;
    const char *advice = cli_warnings_advice(r->figures.diagnosis);

    if (w->count == 0)
        return;
    line("warning", cli_text("%s", w->at[0]));
    if (w->count > 1)
        line("", cli_text("%*s(%d more: --full)", LABEL, "", w->count - 1));
    if (advice)
        line("to do", cli_text("%s", advice));
}

hiss_status cli_report_screen(cli_report *r, hiss_error *err)
{
    bool has_warnings = r->warnings.count > 0;
    hiss_status status = HISS_OK;

    cli_terminal_limit(WIDTH);
    print_headline(r);
    print_run(r);
    cli_observables_print(&r->observables, has_warnings ? LESS : OBSERVABLES);
    if (r->observables.count == 0)
        status = cli_report_modes(r, has_warnings ? LESS : MODES, err);
    putchar('\n');
    cli_report_marginals(r, COORDINATES);
    print_warnings(r);
    if (r->output)
        line("", cli_text("draws written to %s", r->output));
    cli_terminal_limit(0);
    return status;
}
