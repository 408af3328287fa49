/* report.c - `hiss report`: a result file as a web page. */
#include <hiss/hiss.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args/option.h"
#include "cli/commands/commands.h"
#include "cli/files/load.h"
#include "cli/files/output.h"
#include "cli/files/standard.h"
#include "cli/page/html.h"
#include "cli/page/page.h"
#include "cli/print/text_file.h"
#include "cli/report/figures.h"
#include "cli/report/mode_look.h"

/* Seconds of the verdict, unless the run took longer; as in hiss diagnose. */

struct arguments {
    cli_common common;
    cli_given given;
    const char *output; /* NULL for a file beside the result */
};

#define AT(field) offsetof(struct arguments, field)

static const cli_option options[] = {
    {"output", 'o', CLI_TEXT, AT(output), NULL, 0, 0,
     "FILE  the page, .html, or - for standard output; otherwise NAME.html for "
     "the result NAME.nc"},
    CLI_LOAD_OPTIONS(AT(given)),
    {0},
};

/* The contents of the page, owned. */
struct material {
    hiss_result *result;
    hiss_model *model;
    hiss_exact *exact;
    cli_mode_look look; /* for modes */
    hiss_diagnosis *diagnosis;
    cli_figures figures;
    char *why;
};

static void clear(struct material *m)
{
    cli_figures_clear(&m->figures);
    hiss_diagnosis_destroy(m->diagnosis);
    cli_mode_look_clear(&m->look);
    hiss_exact_destroy(m->exact);
    hiss_model_destroy(m->model);
    hiss_result_destroy(m->result);
    free(m->why);
}

static hiss_status gather(struct material *m, const struct arguments *a,
                          hiss_error *err)
{
    hiss_diagnose_settings settings;
    hiss_status status = HISS_OK;

    hiss_diagnose_settings_init(&settings);
    settings.threads = a->common.threads;
    status = hiss_diagnose(&m->diagnosis, m->result, m->model, &settings, err);
    if (status == HISS_OK && m->model)
        status = hiss_exact_quick(&m->exact, m->model, a->common.threads, err);
    m->look = (cli_mode_look){.result = m->result,
                              .model = m->model,
                              .exact = m->exact,
                              .depth = CLI_MODES_QUICK,
                              .is_quiet = a->common.quiet};
    if (status == HISS_OK && m->model)
        status = cli_mode_look_make(&m->look, err);
    if (status == HISS_OK)
        status =
            cli_figures_init(&m->figures,
                             &(cli_figures_of){.result = m->result,
                                               .exact = m->exact,
                                               .threads = a->common.threads},
                             err);
    return status;
}

static int write_page(const struct material *m, const struct arguments *a,
                      const char *output)
{
    cli_text_file file;
    char *text, *title;
    cli_page page = {.file = a->common.words[0],
                     .result = m->result,
                     .model = m->model,
                     .diagnosis = m->diagnosis,
                     .modes = m->look.modes,
                     .exact = m->exact,
                     .no_model = m->why,
                     .figures = &m->figures};
    int code;

    cli_text_file_open(&file);
    page.to = file.to;
    page.info = HISS_INIT(hiss_run_info);
    hiss_result_info(m->result, &page.info);
    title = cli_text("hiss report: %s", a->common.words[0]);
    cli_html_begin(page.to, title);
    cli_page_verdict(&page);
    cli_page_energy(&page);
    cli_page_observables(&page);
    cli_page_modes(&page);
    cli_page_marginals(&page);
    cli_page_flat(&page);
    cli_page_sampler(&page);
    cli_page_repeat(&page);
    cli_html_end(page.to);
    free(title);
    text = cli_text_file_close(&file);
    cli_page_hide_folders(&page, text);
    code = cli_output_write(output, a->common.force, text, strlen(text));
    if (code == CLI_DONE && !a->output && !a->common.quiet)
        cli_note("the page is %s", output);
    free(text);
    return code;
}

/* Returns run.html for run.nc; free() it. */
static char *usual_output(const char *file)
{
    const char *slash = strrchr(file, '/'), *dot = strrchr(file, '.');
    int length = (int)strlen(file);

    if (dot && dot > (slash ? slash + 1 : file))
        length = (int)(dot - file);
    return cli_text("%.*s.html", length, file);
}

static int check_output(const char *output, bool is_forced)
{
    size_t length = strlen(output);

    if (cli_is_standard(output))
        return CLI_DONE;
    if (length < 6 || strcmp(output + length - 5, ".html") != 0)
        return cli_fail(CLI_BAD_CALL,
                        "%s: expected a file name that ends in .html", output);
    return cli_output_check(output, is_forced);
}

static int run_report(const void *arguments)
{
    const struct arguments *a = arguments;
    struct material m = {0};
    hiss_error err = {0};
    hiss_status status;
    char *output = a->output ? cli_text("%s", a->output)
                             : usual_output(a->common.words[0]);
    int code = check_output(output, a->common.force);

    if (code == CLI_DONE)
        code = cli_load_result(a->common.words[0], &m.result);
    if (code == CLI_DONE)
        code = cli_load_model(m.result, &a->given, &m.model, &m.why);
    if (m.model && !a->given.model && !a->common.quiet)
        cli_load_tell(a->common.words[0], m.model);
    if (code == CLI_DONE) {
        status = gather(&m, a, &err);
        code = status == HISS_OK ? write_page(&m, a, output)
                                 : cli_fail_status(status, &err);
    }
    clear(&m);
    free(output);
    return code;
}

const cli_command cli_command_report = {
    .name = "report",
    .words = "FILE",
    .least_words = 1,
    .most_words = 1,
    .summary = "a result file as one page: verdict, traces, modes, marginals",
    .about =
        "Reads FILE, a .nc or .csv that hiss sample wrote, and writes one "
        "self-contained HTML page: the verdict first, then traces of log p "
        "and ranks, observables of lattices, a map of the modes, marginals "
        "with intervals, acceptance, adaptation, exchanges of temperature "
        "levels, and "
        "the command that repeats the run.",
    .examples = "  hiss report run.nc               # writes run.html\n"
                "  hiss report run.nc -o page.html\n",
    .options = options,
    .size = sizeof(struct arguments),
    .run = run_report,
};
