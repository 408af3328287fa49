/* bnn_parts.c - what a long experiment has found before it is done.
 *
 * DIR/data/bnn-parts.json is written anew after every part; a later call with
 * the same settings goes on from there, and the last part removes it. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/print/json.h"
#include "paper/networks/bnn.h"
#include "paper/support/results.h"

#define FILE_NAME PAPER_DATA "/bnn-parts.json"

static char *settings_of(const paper_run *run)
{
    return paper_experiment_print(run->experiment, run->mode, run->seed);
}

void bnn_parts_open(bnn_parts *parts, const paper_run *run)
{
    char *path = cli_folder_file(run->folder, "%s", FILE_NAME);
    char *settings = settings_of(run);
    json_t *file = run->is_forced ? NULL : json_load_file(path, 0, NULL);
    const char *known = json_string_value(json_object_get(file, "settings"));

    parts->run = run;
    if (known && strcmp(known, settings) == 0)
        parts->found = json_incref(json_object_get(file, "parts"));
    if (!json_is_object(parts->found))
        parts->found = cli_json_object();
    json_decref(file);
    free(settings);
    free(path);
}

void bnn_parts_close(bnn_parts *parts)
{
    json_decref(parts->found);
    hiss_model_destroy(parts->model);
    free(parts->spec);
}

json_t *bnn_parts_find(const bnn_parts *parts, const char *part)
{
    return json_object_get(parts->found, part);
}

int bnn_parts_add(bnn_parts *parts, const char *part, json_t *numbers)
{
    char *settings = settings_of(parts->run), *text;
    json_t *file = cli_json_object();
    int code;

    cli_json_put(parts->found, part, numbers);
    cli_json_put_text(file, "settings", settings);
    cli_json_put(file, "parts", json_incref(parts->found));
    text = json_dumps(file, JSON_INDENT(1));
    code = text ? cli_folder_write(parts->run->folder, FILE_NAME, text)
                : cli_fail(CLI_FAULT, "out of memory");
    free(text);
    free(settings);
    json_decref(file);
    return code;
}

void bnn_parts_remove(const bnn_parts *parts)
{
    char *path = cli_folder_file(parts->run->folder, "%s", FILE_NAME);

    unlink(path);
    free(path);
}
