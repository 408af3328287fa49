/* report.c - report.html: claims with verdicts, figures, tables. */
#include "paper/report/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/page/html.h"
#include "cli/plot/chart.h"
#include "paper/claims/claims.h"
#include "paper/report/html.h"
#include "paper/report/readings.h"
#include "paper/support/experiment.h"

#define SPACE "\u00a0" /* that does not break */

enum {
    VERDICTS = PAPER_NO_CLAIM + 1,
    COMMANDS_MAX = 8,
    COLUMNS_MAX = 16
};

struct page {
    FILE *out;
    const cli_folder *folder;
    const paper_results *results;
};

static const char *class_of(paper_verdict verdict)
{
    static const char *const classes[VERDICTS] = {"none",  "holds", "other",
                                                  "fails", "other", "none"};

    return classes[verdict];
}

/* --- claims -------------------------------------------------------------- */

static void put_badge(FILE *out, paper_verdict verdict)
{
    fprintf(out, "<span class=\"badge %s\">%s</span>", class_of(verdict),
            paper_verdict_text(verdict));
}

static void put_counts(struct page *page)
{
    static const paper_verdict shown[] = {PAPER_HOLDS,    PAPER_OTHER_NUMBER,
                                          PAPER_IN_PART,  PAPER_FAILS,
                                          PAPER_NO_CLAIM, PAPER_NOT_RUN};
    int counts[VERDICTS] = {0};
    const paper_claim *claim;

    for (int n = 0; (claim = paper_claim_at(n)); n++)
        counts[paper_claim_judge(claim, page->results->data, NULL)]++;
    fputs("<ul class=\"counts\">\n", page->out);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        if (counts[shown[i]] > 0)
            fprintf(page->out, "<li class=\"%s\"><b>%d</b>%s</li>\n",
                    class_of(shown[i]), counts[shown[i]],
                    paper_verdict_text(shown[i]));
    fputs("</ul>\n", page->out);
}

static bool was_run(const struct page *page, const char *experiment)
{
    return json_object_get(page->results->data, experiment) &&
           json_object_get(page->results->state, experiment);
}

/* A claim leads to its evidence, or to the experiment that would give it. */
static void put_glance(struct page *page)
{
    const paper_claim *claim;

    fputs("<section id=\"claims\">\n<h2>The claims at a glance</h2>\n"
          "<div class=\"table\"><table class=\"glance\">\n<thead><tr>"
          "<th></th><th>claim of the paper</th><th>verdict</th></tr></thead>\n"
          "<tbody>\n",
          page->out);
    for (int n = 0; (claim = paper_claim_at(n)); n++) {
        fprintf(page->out, "<tr><td><a href=\"#%s\">%s</a></td><td>",
                was_run(page, claim->experiment) ? claim->id
                                                 : claim->experiment,
                claim->id);
        paper_html_prose(page->out, claim->claim);
        fputs("</td><td>", page->out);
        put_badge(page->out,
                  paper_claim_judge(claim, page->results->data, NULL));
        fputs("</td></tr>\n", page->out);
    }
    fputs("</tbody></table></div>\n</section>\n", page->out);
}

static void put_claim(struct page *page, const paper_claim *claim,
                      const char *command)
{
    FILE *out = page->out;
    char *evidence;
    paper_verdict verdict =
        paper_claim_judge(claim, page->results->data, &evidence);

    fprintf(out, "<article class=\"claim\" id=\"%s\"><div class=\"head\">",
            claim->id);
    put_badge(out, verdict);
    fprintf(out, "<span>%s, %s</span></div>\n<p class=\"said\">", claim->id,
            claim->where);
    paper_html_prose(out, claim->claim);
    fputs("</p>\n<p class=\"note\">Judged by: ", out);
    paper_html_prose(out, claim->by);
    fputs("</p>\n<p>", out);
    paper_html_prose(out, evidence);
    fputs("</p>\n<p class=\"note\">", out);
    paper_html_prose(out, claim->reason);
    fputs("</p>\n<p class=\"note\"><code>", out);
    cli_html_text(out, command);
    fputs("</code></p></article>\n", out);
    free(evidence);
}

static void put_claims(struct page *page, const char *experiment,
                       const char *command)
{
    const paper_claim *claim;

    fputs("<div class=\"claims\">\n", page->out);
    for (int n = 0; (claim = paper_claim_at(n)); n++)
        if (strcmp(claim->experiment, experiment) == 0)
            put_claim(page, claim, command);
    fputs("</div>\n", page->out);
}

/* --- figures ------------------------------------------------------------- */

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

static void put_figure(struct page *page, const json_t *figure,
                       const char *command)
{
    FILE *out = page->out;
    const char *name = text_of(figure, "name");
    char *path = cli_folder_file(page->folder, PAPER_FIGURES "/%s.svg", name);

    fputs("<figure><div role=\"img\" aria-label=\"", out);
    cli_html_text(out, text_of(figure, "title"));
    fputs("\">", out);
    if (!paper_html_svg(out, path))
        fputs("<p class=\"note\">The file of this figure is missing.</p>", out);
    fputs("</div>\n<figcaption><b>", out);
    paper_html_prose(out, text_of(figure, "title"));
    fputs(".</b> ", out);
    paper_html_prose(out, text_of(figure, "caption"));
    fputs("<code>", out);
    cli_html_text(out, command);
    fputs("</code></figcaption></figure>\n", out);
    free(path);
}

static void put_figures(struct page *page, const json_t *state)
{
    const json_t *figure;
    size_t i;

    fputs("<div class=\"figures\">\n", page->out);
    json_array_foreach(json_object_get(state, "figures"), i, figure)
    {
        put_figure(page, figure, text_of(state, "command"));
    }
    fputs("</div>\n", page->out);
}

/* --- tables -------------------------------------------------------------- */

static void put_label(FILE *out, const char *label)
{
    fputs("<td data-label=\"", out);
    cli_html_text(out, label);
    fputs("\">", out);
}

/* The error below the number. */
static void put_spelled(FILE *out, const char *text)
{
    const char *error = strstr(text, SPACE "\u00b1");
    char *mean =
        cli_text("%.*s", error ? (int)(error - text) : (int)strlen(text), text);

    paper_html_prose(out, mean);
    if (error) {
        fputs("<small>", out);
        paper_html_prose(out, error + strlen(SPACE));
        fputs("</small>", out);
    }
    free(mean);
}

static void put_cell(FILE *out, const char *name, const json_t *metric)
{
    double paper = paper_results_number(metric, "paper");

    if (!metric) {
        fputs("<td></td>", out);
        return;
    }
    put_label(out, paper_html_metric(name));
    fputs("<span>", out);
    put_spelled(out, paper_spell(paper_results_number(metric, "mean"),
                                 paper_results_number(metric, "se")));
    if (!isnan(paper)) {
        fputs("<small>paper ", out);
        paper_html_prose(out, paper_spell(paper, NAN));
        fputs("</small>", out);
    }
    fputs("</span></td>", out);
}

/* The largest of a key over the metrics of a row; NaN: none has it. */
static double largest(json_t *metrics, const char *key)
{
    double most = NAN;
    const json_t *metric;
    const char *name;

    json_object_foreach(metrics, name, metric)
    {
        double value = paper_results_number(metric, key);

        if (!(value <= most) && !isnan(value))
            most = value;
    }
    return most;
}

/* The metrics of all rows of a table, in order of appearance. */
struct columns {
    const char *names[COLUMNS_MAX];
    int count;
    bool has_repetitions, has_evaluations; /* else nothing would stand there */
};

static const char *first_of(json_t *metrics)
{
    return json_object_iter_key(json_object_iter(metrics));
}

/* Rows that share their first metric share a table. */
static bool belongs(json_t *metrics, const char *first)
{
    return strcmp(first_of(metrics), first) == 0;
}

static void collect(json_t *rows, const char *first, struct columns *columns)
{
    json_t *metrics;
    const json_t *metric;
    const char *row, *name;

    *columns = (struct columns){.count = 0};
    json_object_foreach(rows, row, metrics)
    {
        if (!belongs(metrics, first))
            continue;
        columns->has_repetitions |= largest(metrics, "repetitions") > 1;
        columns->has_evaluations |= !isnan(largest(metrics, "evaluations"));
        json_object_foreach(metrics, name, metric)
        {
            bool is_new = columns->count < COLUMNS_MAX;

            for (int i = 0; i < columns->count; i++)
                is_new &= strcmp(columns->names[i], name) != 0;
            if (is_new)
                columns->names[columns->count++] = name;
        }
    }
}

/* The commands of a row that are not the one of the whole experiment. */
static int commands_of(json_t *metrics, const char *usual,
                       const char *out[COMMANDS_MAX])
{
    const json_t *metric;
    const char *name;
    int count = 0;

    json_object_foreach(metrics, name, metric)
    {
        const char *command = text_of(metric, "command");
        bool is_new = strcmp(command, usual) != 0;

        for (int i = 0; i < count; i++)
            is_new &= strcmp(command, out[i]) != 0;
        if (is_new && count < COMMANDS_MAX)
            out[count++] = command;
    }
    return count;
}

static void put_count(FILE *out, const char *key, json_t *metrics)
{
    put_label(out, key);
    fprintf(out, "%s</td>", paper_spell(largest(metrics, key), NAN));
}

static void put_row(struct page *page, const char *row, json_t *metrics,
                    const json_t *state, const struct columns *columns)
{
    const char *commands[COMMANDS_MAX];
    int count = commands_of(metrics, text_of(state, "command"), commands);
    const char *title = text_of(json_object_get(state, "titles"), row);
    FILE *out = page->out;

    fprintf(out, "<tr%s><th scope=\"row\">", count ? " class=\"has\"" : "");
    paper_html_prose(out, *title ? title : row);
    fprintf(out, "<br><code>%s</code></th>", row);
    for (int c = 0; c < columns->count; c++)
        put_cell(out, columns->names[c],
                 json_object_get(metrics, columns->names[c]));
    if (columns->has_repetitions)
        put_count(out, "repetitions", metrics);
    if (columns->has_evaluations)
        put_count(out, "evaluations", metrics);
    fputs("</tr>\n", out);
    if (count) {
        fprintf(out, "<tr class=\"command\"><td colspan=\"%d\">",
                columns->count + 3);
        for (int i = 0; i < count; i++) {
            fputs(i ? "<br><code>" : "<code>", out);
            cli_html_text(out, commands[i]);
            fputs("</code>", out);
        }
        fputs("</td></tr>\n", out);
    }
}

static void put_table(struct page *page, json_t *rows, const json_t *state,
                      const char *first)
{
    struct columns columns;
    json_t *metrics;
    const char *row;

    collect(rows, first, &columns);
    fputs("<div class=\"table\"><table>\n<thead><tr><th></th>", page->out);
    for (int c = 0; c < columns.count; c++) {
        fputs("<th>", page->out);
        paper_html_prose(page->out, paper_html_metric(columns.names[c]));
        fputs("</th>", page->out);
    }
    fprintf(page->out, "%s%s</tr></thead>\n<tbody>\n",
            columns.has_repetitions ? "<th>repetitions</th>" : "",
            columns.has_evaluations ? "<th>evaluations</th>" : "");
    json_object_foreach(rows, row, metrics)
    {
        if (belongs(metrics, first))
            put_row(page, row, metrics, state, &columns);
    }
    fputs("</tbody></table></div>\n", page->out);
}

/* A table for each first metric, where it first occurs. */
static void put_tables(struct page *page, json_t *rows, const json_t *state)
{
    json_t *metrics, *earlier;
    const char *row, *other;

    fputs("<h3>Numbers</h3>\n", page->out);
    json_object_foreach(rows, row, metrics)
    {
        const char *first = first_of(metrics);
        bool is_done = false;

        json_object_foreach(rows, other, earlier)
        {
            if (earlier == metrics)
                break;
            is_done |= belongs(earlier, first);
        }
        if (!is_done)
            put_table(page, rows, state, first);
    }
}

/* --- the page ------------------------------------------------------------ */

static void put_experiment(struct page *page, const paper_experiment *e)
{
    json_t *rows = json_object_get(page->results->data, e->name);
    const json_t *state = json_object_get(page->results->state, e->name);
    FILE *out = page->out;

    fprintf(out, "<section id=\"%s\">\n<h2>", e->name);
    paper_html_prose(out, e->title);
    fputs("</h2>\n<p>", out);
    paper_html_prose(out, e->about);
    fputs("</p>\n", out);
    if (!rows || !state) {
        fprintf(out,
                "<p class=\"meta\">Not run yet: <code>hiss reproduce %s"
                "</code></p>\n</section>\n",
                e->name);
        return;
    }
    fputs("<p class=\"meta\">All of this section: <code>", out);
    cli_html_text(out, text_of(state, "command"));
    fprintf(out,
            "</code>, %.0f seconds (%.0f of processor time), hiss %s (%s)"
            "</p>\n",
            json_number_value(json_object_get(state, "seconds")),
            json_number_value(json_object_get(state, "processor_seconds")),
            text_of(state, "version"), text_of(state, "instructions"));
    if (*text_of(state, "left_out")) {
        fputs("<p class=\"meta\">Left out: ", out);
        cli_html_text(out, text_of(state, "left_out"));
        fputs("</p>\n", out);
    }
    put_claims(page, e->name, text_of(state, "command"));
    put_figures(page, state);
    put_tables(page, rows, state);
    fputs("</section>\n", out);
}

static void put_top(struct page *page)
{
    FILE *out = page->out;

    fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n"
          "<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
          "content=\"width=device-width,initial-scale=1\">\n"
          "<title>HiSS, reproduced</title>\n<style>\n",
          out);
    fputs(paper_html_style, out);
    fputs(cli_chart_css, out);
    fputs(
        "</style>\n</head>\n<body>\n<header>\n<h1>HiSS, reproduced</h1>\n"
        "<p class=\"lead\">The sampling experiments, ablations and theory of "
        "\u201cSlithering Through Gaps: Capturing Discrete Isolated Modes via "
        "Logistic Bridging\u201d (Mohanty and Zhang, 2026), run again with "
        "correct algorithms, fairly tuned baselines and exact references. Each "
        "claim has its evidence, a verdict and a reason.</p>\n",
        out);
    put_counts(page);
    fputs("<nav aria-label=\"Experiments\">", out);
    for (const paper_experiment *const *e = paper_experiments; *e; e++)
        fprintf(out, "<a href=\"#%s\">%s</a>", (*e)->name, (*e)->name);
    fputs("</nav>\n</header>\n<main>\n", out);
}

static void put_bottom(FILE *out)
{
    fputs("</main>\n<footer>\n<p>Numbers are means over repetitions \u00b1 one "
          "standard error; numbers without one are computed, or are "
          "diagnostics (R-hat, effective draws, p values, rates of swaps). "
          "Rows named after a sampler have the paper\u2019s settings, <code>"
          "_tuned</code> rows have their step sizes, ladders and schedules "
          "tuned by a pilot. Evaluations are those of U and of its gradient "
          "together, of one repetition, warm-up included. log MAE is "
          "ln\u00a0(1/S)\u00a0\u03a3|p\u2212p\u0302| of each chain, TVD is "
          "\u00bd\u00a0\u03a3|p\u2212p\u0302|, coverage the share of states "
          "visited, the initial state not counted. Every command repeats its "
          "number; only run times depend on the machine.</p>\n</footer>\n"
          "</body>\n</html>\n",
          out);
}

int paper_report_write(const cli_folder *folder, const paper_results *results)
{
    char *text = NULL;
    size_t length = 0;
    struct page page = {open_memstream(&text, &length), folder, results};
    int code;

    if (!page.out)
        return cli_fail(CLI_FAULT, "out of memory");
    put_top(&page);
    put_glance(&page);
    paper_readings_html(page.out, results->data);
    for (const paper_experiment *const *e = paper_experiments; *e; e++)
        put_experiment(&page, *e);
    put_bottom(page.out);
    if (fclose(page.out) != 0)
        return cli_fail(CLI_FAULT, "out of memory");
    code = cli_folder_write(folder, PAPER_REPORT, text);
    free(text);
    return code;
}
