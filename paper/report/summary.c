/* summary.c - summary.md: verdicts and main numbers, without figures.
 *
 * docs/measurements/reproduction.md is this file of a full run, but for the
 * verdicts.  Lines of prose are broken at WIDTH bytes, rows of tables are
 * not. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paper/claims/claims.h"
#include "paper/report/html.h"
#include "paper/report/readings.h"
#include "paper/report/report.h"
#include "paper/support/experiment.h"

enum {
    COLUMNS_MAX = 12,
    WIDTH = 100
};

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

/* A bar would end the cell of a table, a star begin emphasis. */
static void put_plain(FILE *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        fprintf(out, strchr("|*", text[i]) ? "\\%c" : "%c", text[i]);
}

static void put_cell(FILE *out, const char *text)
{
    fputs(" ", out);
    put_plain(out, text, strlen(text));
    fputs(" |", out);
}

/* Words of prose, with the indent before every line but the first. */
static void put_prose(FILE *out, const char *first, const char *indent,
                      const char *text)
{
    size_t at = strlen(first);

    fputs(first, out);
    while (*text) {
        size_t length = strcspn(text, " ");

        if (at + length > WIDTH) {
            fprintf(out, "\n%s", indent);
            at = strlen(indent);
        }
        put_plain(out, text, length);
        at += length + 1;
        text += length;
        text += strspn(text, " ");
        if (*text && at + strcspn(text, " ") <= WIDTH)
            fputs(" ", out);
    }
    fputs("\n", out);
}

/* --- claims -------------------------------------------------------------- */

static void put_claims(FILE *out, const json_t *data, const char *experiment,
                       const char *command)
{
    const paper_claim *claim;

    for (int n = 0; (claim = paper_claim_at(n)); n++) {
        char *evidence;
        paper_verdict verdict;

        if (strcmp(claim->experiment, experiment) != 0)
            continue;
        verdict = paper_claim_judge(claim, data, &evidence);
        fprintf(out, "**%s (%s): %s**\n\n", claim->id, claim->where,
                paper_verdict_text(verdict));
        put_prose(out, "- Claim: ", "  ", claim->claim);
        put_prose(out, "- Judged by: ", "  ", claim->by);
        put_prose(out, "- Evidence: ", "  ", evidence);
        put_prose(out, "- Reason: ", "  ", claim->reason);
        fprintf(out, "- Command: `%s`\n\n", command);
        free(evidence);
    }
}

static void put_verdicts(FILE *out, const json_t *data)
{
    const paper_claim *claim;

    fputs("| | claim of the paper | verdict |\n|---|---|---|\n", out);
    for (int n = 0; (claim = paper_claim_at(n)); n++) {
        paper_verdict verdict = paper_claim_judge(claim, data, NULL);

        if (verdict == PAPER_NOT_RUN)
            continue;
        fprintf(out, "| %s |", claim->id);
        put_cell(out, claim->claim);
        put_cell(out, paper_verdict_text(verdict));
        fputs("\n", out);
    }
    fputs("\n", out);
}

/* --- tables -------------------------------------------------------------- */

/* A metric; beside it what the paper prints, where it prints anything. */
struct column {
    const char *name;
    bool has_paper;
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

static bool is_told(const json_t *metric, const char *key, double least)
{
    return paper_results_number(metric, key) > least ||
           paper_results_number(metric, key) < -least;
}

/* The metrics of the rows of a table; *last: of the columns repetitions and
 * evaluations, those in which something stands. */
static int collect(json_t *rows, const char *first, struct column *columns,
                   bool last[2])
{
    json_t *metrics;
    const json_t *metric;
    const char *row, *name;
    int count = 0;

    last[0] = last[1] = false;
    json_object_foreach(rows, row, metrics)
    {
        if (!belongs(metrics, first))
            continue;
        json_object_foreach(metrics, name, metric)
        {
            int c = 0;

            while (c < count && strcmp(columns[c].name, name) != 0)
                c++;
            if (c == COLUMNS_MAX)
                continue;
            if (c == count)
                columns[count++] = (struct column){.name = name};
            columns[c].has_paper |= is_told(metric, "paper", 0);
            last[0] |= is_told(metric, "repetitions", 1);
            last[1] |= is_told(metric, "evaluations", 0);
        }
    }
    return count;
}

static void put_head(FILE *out, const struct column *columns, int count,
                     const bool last[2])
{
    int cells = 0;

    fputs("| row |", out);
    for (int c = 0; c < count; c++) {
        put_cell(out, paper_html_metric(columns[c].name));
        if (columns[c].has_paper)
            put_cell(out, "paper");
        cells += 1 + columns[c].has_paper;
    }
    fprintf(out, "%s%s\n|---|", last[0] ? " repetitions |" : "",
            last[1] ? " evaluations |" : "");
    for (int c = 0; c < cells + last[0] + last[1]; c++)
        fputs("---:|", out);
    fputs("\n", out);
}

static void put_number(FILE *out, const json_t *metric, const char *key)
{
    double value = paper_results_number(metric, key);

    put_cell(out, isnan(value) ? "" : paper_spell(value, NAN));
}

static void put_row(FILE *out, const char *row, const char *title,
                    const json_t *metrics, const struct column *columns,
                    int count)
{
    fprintf(out, "| `%s` %s |", row, title);
    for (int c = 0; c < count; c++) {
        const json_t *metric = json_object_get(metrics, columns[c].name);
        double mean = paper_results_number(metric, "mean");

        put_cell(out,
                 isnan(mean)
                     ? ""
                     : paper_spell(mean, paper_results_number(metric, "se")));
        if (columns[c].has_paper)
            put_number(out, metric, "paper");
    }
}

static void put_table(FILE *out, json_t *rows, const json_t *state,
                      const char *first)
{
    struct column columns[COLUMNS_MAX];
    bool last[2];
    int count = collect(rows, first, columns, last);
    const char *row;
    json_t *metrics;

    put_head(out, columns, count, last);
    json_object_foreach(rows, row, metrics)
    {
        const json_t *metric = json_object_get(metrics, first);

        if (!belongs(metrics, first))
            continue;
        put_row(out, row, text_of(json_object_get(state, "titles"), row),
                metrics, columns, count);
        if (last[0])
            put_number(out, metric, "repetitions");
        if (last[1])
            put_number(out, metric, "evaluations");
        fputs("\n", out);
    }
    fputs("\n", out);
}

/* A table for each first metric that occurs. */
static void put_tables(FILE *out, json_t *rows, const json_t *state)
{
    const char *row, *other;
    json_t *metrics, *earlier;

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
            put_table(out, rows, state, first);
    }
}

/* --- how ----------------------------------------------------------------- */

/* The first command of a row that is not the one of the whole experiment. */
static const char *command_of(json_t *metrics, const char *usual)
{
    const json_t *metric;
    const char *name;

    json_object_foreach(metrics, name, metric)
    {
        const char *command = text_of(metric, "command");

        if (*command && strcmp(command, usual) != 0)
            return command;
    }
    return NULL;
}

static void put_commands(FILE *out, json_t *rows, const json_t *state)
{
    const char *usual = text_of(state, "command"), *row;
    json_t *metrics;
    bool has_more = false;

    fprintf(out, "All of it: `%s`.", usual);
    json_object_foreach(rows, row, metrics)
    {
        const char *command = command_of(metrics, usual);

        if (!command)
            continue;
        if (!has_more)
            fputs(" The draws of a row alone:\n\n```sh\n", out);
        fprintf(out, "# %s\n%s\n", row, command);
        has_more = true;
    }
    fputs(has_more ? "```\n\n" : "\n\n", out);
}

static void put_times(FILE *out, const paper_results *results)
{
    double total = 0, cpu_total = 0;

    fputs("| experiment | seconds | processor seconds | threads | command |\n"
          "|---|---:|---:|---:|---|\n",
          out);
    for (const paper_experiment *const *e = paper_experiments; *e; e++) {
        const json_t *state = json_object_get(results->state, (*e)->name);
        double seconds = json_number_value(json_object_get(state, "seconds"));
        double cpu =
            json_number_value(json_object_get(state, "processor_seconds"));

        if (!state)
            continue;
        fprintf(out, "| %s | %.0f | %.0f | %.0f | `%s` |\n", (*e)->name,
                seconds, cpu,
                json_number_value(json_object_get(state, "threads")),
                text_of(state, "command"));
        total += seconds;
        cpu_total += cpu;
    }
    fprintf(out, "| all | %.0f | %.0f | | |\n\n", total, cpu_total);
}

static void put_top(FILE *out, const paper_results *results)
{
    fputs("# The paper, reproduced\n\n", out);
    put_prose(
        out, "", "",
        "The experiments of \u201cSlithering Through Gaps: Capturing "
        "Discrete Isolated Modes via Logistic Bridging\u201d (Mohanty and "
        "Zhang, 2026), run again with correct algorithms, fairly tuned "
        "baselines and exact references. This is the `summary.md` that "
        "`hiss reproduce` writes; `report.html` of the same run has the "
        "figures, `results.json` every number at full length. To "
        "repeat it: `hiss reproduce all --out DIR`; with `--quick` the "
        "same report has fewer repetitions and takes minutes.");
    fputs("\n", out);
    put_prose(
        out, "", "",
        "Numbers are means \u00b1 one standard error over repetitions; "
        "those without an error are computed, or are diagnostics. "
        "Evaluations are those of U and of its gradient together, of one "
        "repetition, warm-up included. Rows named after a sampler have "
        "the paper's settings, `_tuned` rows their step sizes, ladders "
        "and schedules tuned by a pilot; `hiss_l0` is HiSS without "
        "refinement at about the same evaluations. The column \"paper\" "
        "is what the paper prints. Numbers depend on the seed alone, "
        "times on the machine. Commands that read data files find them in "
        "`data`, a folder or a link beside them.");
    fputs("\n## Verdicts\n\n", out);
    put_verdicts(out, results->data);
    paper_readings_markdown(out, results->data);
    fputs("## Run times\n\n", out);
    put_prose(out, "", "",
              "Seconds are those of the clock, with whatever else the machine "
              "had to do; processor seconds are added up over threads.");
    fputs("\n", out);
    put_times(out, results);
}

int paper_summary_write(const cli_folder *folder, const paper_results *results)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    int code;

    if (!out)
        return cli_fail(CLI_FAULT, "out of memory");
    put_top(out, results);
    for (const paper_experiment *const *e = paper_experiments; *e; e++) {
        json_t *rows = json_object_get(results->data, (*e)->name);
        const json_t *state = json_object_get(results->state, (*e)->name);

        if (!rows)
            continue;
        fprintf(out, "## %s\n\n", (*e)->title);
        put_prose(out, "", "", (*e)->about);
        fputs("\n", out);
        if (*text_of(state, "left_out")) {
            put_prose(out, "Left out: ", "", text_of(state, "left_out"));
            fputs("\n", out);
        }
        put_claims(out, results->data, (*e)->name, text_of(state, "command"));
        put_tables(out, rows, state);
        put_commands(out, rows, state);
    }
    if (fclose(out) != 0)
        return cli_fail(CLI_FAULT, "out of memory");
    code = cli_folder_write(folder, "summary.md", text);
    free(text);
    return code;
}
