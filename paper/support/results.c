/* results.c - reading, merging and writing the two files. */
#include "paper/support/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/print/json.h"
#include "paper/support/experiment.h"

enum {
    DIGITS = 17
};

/* An object from a file; *out is a new one when there is no such file. */
static int load(const cli_folder *folder, const char *name, bool is_forced,
                json_t **out)
{
    char *path = cli_folder_file(folder, "%s", name);
    json_error_t where;
    json_t *found = NULL;
    int code = CLI_DONE;

    *out = NULL;
    if (access(path, F_OK) == 0) {
        found = json_load_file(path, 0, &where);
        if (found && json_is_object(found))
            *out = json_incref(found);
        else if (!is_forced && !found)
            code = cli_fail(CLI_BAD_CALL, "%s:%d:%d: %s; --force begins anew",
                            path, where.line, where.column, where.text);
        else if (!is_forced)
            code = cli_fail(CLI_BAD_CALL,
                            "%s:1:1: expected an object; --force begins anew",
                            path);
    }
    if (!*out)
        *out = cli_json_object();
    json_decref(found);
    free(path);
    return code;
}

int paper_results_load(paper_results *results, const cli_folder *folder,
                       bool is_forced)
{
    json_t *file = NULL;
    int code = load(folder, PAPER_RESULTS, is_forced, &results->data);

    results->state = NULL;
    if (code == CLI_DONE)
        code = load(folder, PAPER_STATE, is_forced, &file);
    if (json_is_object(json_object_get(file, "experiments")))
        results->state = json_incref(json_object_get(file, "experiments"));
    else
        results->state = cli_json_object();
    json_decref(file);
    return code;
}

void paper_results_clear(paper_results *results)
{
    json_decref(results->data);
    json_decref(results->state);
    *results = (paper_results){0};
}

/* The experiments of `from` in the order of the list, others after them. */
static json_t *in_order(json_t *from)
{
    json_t *out = cli_json_object(), *value;
    const char *key;

    for (const paper_experiment *const *e = paper_experiments; *e; e++) {
        value = json_object_get(from, (*e)->name);
        if (value)
            cli_json_put(out, (*e)->name, json_incref(value));
    }
    json_object_foreach(from, key, value)
    {
        if (!json_object_get(out, key))
            cli_json_put(out, key, json_incref(value));
    }
    return out;
}

static int save(const cli_folder *folder, const char *name, json_t *value)
{
    char *text = json_dumps(value, JSON_INDENT(1) | JSON_PRESERVE_ORDER |
                                       JSON_REAL_PRECISION(DIGITS));
    char *line;
    int code;

    json_decref(value);
    if (!text)
        return cli_fail(CLI_FAULT, "out of memory");
    line = cli_text("%s\n", text);
    code = cli_folder_write(folder, name, line);
    free(line);
    free(text);
    return code;
}

int paper_results_claim(const paper_results *results, const cli_folder *folder)
{
    json_t *state = cli_json_object();

    cli_json_put_text(state, "about", "written by hiss reproduce");
    cli_json_put(state, "experiments", in_order(results->state));
    return save(folder, PAPER_STATE, state);
}

int paper_results_save(const paper_results *results, const cli_folder *folder)
{
    int code = save(folder, PAPER_RESULTS, in_order(results->data));

    return code == CLI_DONE ? paper_results_claim(results, folder) : code;
}

void paper_results_put(paper_results *results, const char *experiment,
                       json_t *rows, json_t *state)
{
    cli_json_put(results->data, experiment, rows);
    cli_json_put(results->state, experiment, state);
}

bool paper_results_has(const paper_results *results, const char *experiment,
                       const char *settings)
{
    const json_t *state = json_object_get(results->state, experiment);
    const char *found = json_string_value(json_object_get(state, "settings"));

    return found && strcmp(found, settings) == 0 &&
           json_is_object(json_object_get(results->data, experiment));
}

const char *paper_results_left_out(const paper_results *results,
                                   const char *experiment)
{
    const json_t *state = json_object_get(results->state, experiment);

    return json_string_value(json_object_get(state, "left_out"));
}

json_t *paper_results_metric(const json_t *data, const char *experiment,
                             const char *row, const char *metric)
{
    return json_object_get(
        json_object_get(json_object_get(data, experiment), row), metric);
}

double paper_results_number(const json_t *metric, const char *key)
{
    const json_t *value = json_object_get(metric, key);

    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

double paper_results_mean(const json_t *data, const char *experiment,
                          const char *row, const char *metric)
{
    return paper_results_number(
        paper_results_metric(data, experiment, row, metric), "mean");
}

double paper_results_se(const json_t *data, const char *experiment,
                        const char *row, const char *metric)
{
    return paper_results_number(
        paper_results_metric(data, experiment, row, metric), "se");
}
