/* summary.c - summary.md: verdicts and main numbers, without figures. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "claims.h"
#include "experiment.h"
#include "html.h"
#include "report.h"

enum {
    COLUMNS_MAX = 5
};

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

/* A bar would end the cell of a table. */
static void put_cell(FILE *out, const char *text)
{
    fputs(" ", out);
    for (; *text; text++)
        fputs(*text == '|' ? "\\|" : (char[]){*text, '\0'}, out);
    fputs(" |", out);
}

static void put_claims(FILE *out, const json_t *data, const char *experiment)
{
    const paper_claim *claim;

    for (int n = 0; (claim = paper_claim_at(n)); n++) {
        char *evidence;
        paper_verdict verdict;

        if (strcmp(claim->experiment, experiment) != 0)
            continue;
        verdict = paper_claim_judge(claim, data, &evidence);
        fprintf(out,
                "**%s (%s): %s** %s\n\n- Claim: %s\n- Evidence: %s\n"
                "- Reason: %s\n\n",
                claim->id, claim->where, paper_verdict_text(verdict), "",
                claim->claim, evidence, claim->reason);
        free(evidence);
    }
}

/* Rows that have the first metric of a table, with up to five columns. */
static void put_table(FILE *out, json_t *rows, const json_t *state,
                      json_t *first)
{
    const char *names[COLUMNS_MAX], *name, *row;
    json_t *metrics;
    const json_t *metric;
    int count = 0;

    json_object_foreach(first, name, metric)
    {
        if (count < COLUMNS_MAX)
            names[count++] = name;
    }
    fputs("| row |", out);
    for (int c = 0; c < count; c++)
        put_cell(out, paper_html_metric(names[c]));
    fputs(" repetitions | evaluations |\n|---|", out);
    for (int c = 0; c < count + 2; c++)
        fputs("---:|", out);
    fputs("\n", out);
    json_object_foreach(rows, row, metrics)
    {
        if (!json_object_get(metrics, names[0]))
            continue;
        fprintf(out, "| `%s` %s |", row,
                text_of(json_object_get(state, "titles"), row));
        for (int c = 0; c < count; c++)
            put_cell(out, paper_spell(
                              paper_results_number(
                                  json_object_get(metrics, names[c]), "mean"),
                              paper_results_number(
                                  json_object_get(metrics, names[c]), "se")));
        metric = json_object_get(metrics, names[0]);
        put_cell(out,
                 paper_spell(paper_results_number(metric, "repetitions"), NAN));
        put_cell(out,
                 paper_spell(paper_results_number(metric, "evaluations"), NAN));
        fputs("\n", out);
    }
    fputs("\n", out);
}

/* A table for each first metric that occurs. */
static void put_tables(FILE *out, json_t *rows, const json_t *state)
{
    const char *row;
    json_t *metrics;

    json_object_foreach(rows, row, metrics)
    {
        const char *first = json_object_iter_key(json_object_iter(metrics)),
                   *other;
        json_t *earlier;
        bool is_done = false;

        json_object_foreach(rows, other, earlier)
        {
            if (earlier == metrics)
                break;
            is_done |= json_object_get(earlier, first) != NULL;
        }
        if (!is_done)
            put_table(out, rows, state, metrics);
    }
}

static void put_verdicts(FILE *out, const json_t *data)
{
    const paper_claim *claim;

    fputs("| claim | verdict |\n|---|---|\n", out);
    for (int n = 0; (claim = paper_claim_at(n)); n++) {
        paper_verdict verdict = paper_claim_judge(claim, data, NULL);

        fputs("|", out);
        fprintf(out, " %s:", claim->id);
        put_cell(out, claim->claim);
        put_cell(out, paper_verdict_text(verdict));
        fputs("\n", out);
    }
    fputs("\n", out);
}

static void put_times(FILE *out, const paper_results *results)
{
    double total = 0;

    fputs("| experiment | seconds | command |\n|---|---:|---|\n", out);
    for (const paper_experiment *const *e = paper_experiments; *e; e++) {
        const json_t *state = json_object_get(results->state, (*e)->name);
        double seconds = json_number_value(json_object_get(state, "seconds"));

        if (!state)
            continue;
        fprintf(out, "| %s | %.0f | `%s` |\n", (*e)->name, seconds,
                text_of(state, "command"));
        total += seconds;
    }
    fprintf(out, "| all | %.0f | |\n\n", total);
}

int paper_summary_write(const paper_folder *folder,
                        const paper_results *results)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    int code;

    if (!out)
        return cli_fail(CLI_FAULT, "out of memory");
    fputs("# The paper, reproduced\n\n"
          "Made by `hiss reproduce` (its `summary.md`); `report.html` beside "
          "it has the figures\nand the command of every number. Numbers are "
          "means \u00b1 one standard error over\nrepetitions; evaluations are "
          "those of U and of its gradient in one repetition.\n\n",
          out);
    put_verdicts(out, results->data);
    fputs("## Run times\n\n", out);
    put_times(out, results);
    for (const paper_experiment *const *e = paper_experiments; *e; e++) {
        json_t *rows = json_object_get(results->data, (*e)->name);

        if (!rows)
            continue;
        fprintf(out, "## %s\n\n%s\n\n", (*e)->title, (*e)->about);
        put_claims(out, results->data, (*e)->name);
        put_tables(out, rows, json_object_get(results->state, (*e)->name));
    }
    if (fclose(out) != 0)
        return cli_fail(CLI_FAULT, "out of memory");
    code = paper_folder_write(folder, "summary.md", text);
    free(text);
    return code;
}
