/* explain.c - `hiss explain`: what a sampler spec means, in words. */
#include <hiss/hiss.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/args/option.h"
#include "cli/commands/commands.h"
#include "cli/files/load.h"
#include "cli/files/open.h"
#include "cli/print/fail.h"
#include "cli/print/json.h"
#include "cli/print/state.h"

struct arguments {
    cli_common common;
};

#define COLUMNS 80 /* width of a terminal */
#define LINES   15 /* what was found and why, on one page */

static const cli_option options[] = {CLI_BETA_OPTIONS, {0}};

/* The lines of a text, which is spoiled. */
static json_t *lines_json(char *text)
{
    json_t *array = cli_json_array();
    char *rest = NULL;

    for (char *line = strtok_r(text, "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest))
        cli_json_add(array, cli_json_text(line));
    return array;
}

/* Adds the requested sampler and the lines of the pilot. */
static void add_choice(json_t *o, const hiss_result *result)
{
    const char *pilot = hiss_result_text(result, "pilot");
    char *copy = pilot ? strdup(pilot) : NULL;

    cli_json_put_text(o, "asked", hiss_result_text(result, "sampler"));
    if (copy)
        cli_json_put(o, "pilot", lines_json(copy));
    free(copy);
}

/* Lines "KERNEL: PATH" as objects; the text is spoiled. */
static json_t *paths_json(char *text)
{
    json_t *array = cli_json_array();
    char *rest = NULL;

    for (char *line = strtok_r(text, "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest)) {
        char *path = strstr(line, ": ");
        json_t *o = cli_json_object();

        if (path) {
            *path = '\0';
            path += 2;
        }
        cli_json_put_text(o, "kernel", line);
        cli_json_put_text(o, "path", path);
        cli_json_add(array, o);
    }
    return array;
}

/* paths: NULL without a model, which a result may be then. */
static void print_json(const hiss_sampler *sampler, char *tree,
                       const hiss_result *result, const hiss_model *model,
                       char *paths)
{
    json_t *o = cli_json_object();

    cli_json_put_text(o, "version", hiss_version());
    if (paths) {
        cli_json_put_text(o, "model", hiss_model_name(model));
        cli_json_put_text(o, "reads_as", hiss_model_reads_as(model));
        cli_json_put(o, "paths", paths_json(paths));
    }
    if (result)
        add_choice(o, result);
    cli_json_put_text(o, "sampler", hiss_sampler_spec(sampler));
    cli_json_put_bool(o, "exact", hiss_sampler_is_exact(sampler) != 0);
    cli_json_put_bool(o, "reversible",
                      hiss_sampler_is_reversible(sampler) != 0);
    cli_json_put_whole(o, "replicas", hiss_sampler_replicas(sampler));
    cli_json_put(o, "tree", lines_json(tree));
    cli_json_print(o);
}

/* Prints a spec after a word, in at most this many lines of a terminal, broken
 * behind commas.  Omits the rest, which --json has. */
static void print_spec(const char *word, const char *spec, int most)
{
    const char *indent = word;

    for (int line = 1; *spec; line++, indent = "  ") {
        size_t room = COLUMNS - strlen(indent), length = strlen(spec);
        bool is_cut = length > room && line == most;
        size_t end = length < room ? length : room - (is_cut ? 3 : 0);

        while (end < length && end > 0 && spec[end - 1] != ',')
            end--;
        end = end > 0 ? end : length;
        printf("%s%.*s%s\n", indent, (int)end, spec, is_cut ? "..." : "");
        spec += is_cut ? length : end;
    }
}

/* Prints a run in at most 15 lines: the request, the findings of a pilot, what
 * it compared and chose.  The sampler gets the remaining lines. */
static void print_run(const hiss_sampler *sampler, const hiss_result *result)
{
    const char *pilot = hiss_result_text(result, "pilot");
    const char *spec = hiss_result_text(result, "resolved");
    int replicas = hiss_sampler_replicas(sampler), lines = 2;

    spec = spec && *spec ? spec : hiss_sampler_spec(sampler);
    print_spec("Requested: ", hiss_result_text(result, "sampler"), 1);
    while (pilot && *pilot) {
        size_t length = strcspn(pilot, "\n");

        printf("  %.*s\n", (int)length, pilot);
        pilot += length + (pilot[length] == '\n');
        lines++;
    }
    print_spec("Sampler used: ", spec, lines + 2 > LINES ? 1 : 2);
    printf("%s; %s; %d replica%s per chain\n",
           hiss_sampler_is_exact(sampler)
               ? "exact: the law of the model is kept"
               : "NOT exact: the draws follow another law than the model's",
           hiss_sampler_is_reversible(sampler) ? "reversible"
                                               : "not reversible",
           replicas, replicas == 1 ? "" : "s");
}

static void print_paths(const hiss_model *model, const char *paths)
{
    printf("on %s\n", hiss_model_name(model));
    if (!*paths)
        printf("path        nothing to choose\n");
    while (*paths) {
        size_t length = strcspn(paths, "\n");

        printf("path        %.*s\n", (int)length, paths);
        paths += length + (paths[length] == '\n');
    }
}

static void print_text(const hiss_sampler *sampler, const char *tree)
{
    bool is_exact = hiss_sampler_is_exact(sampler) != 0;
    size_t length = strlen(tree);

    printf("%s\n\n%s%s\n", hiss_sampler_spec(sampler), tree,
           length && tree[length - 1] == '\n' ? "" : "\n");
    printf("exact       %s\n",
           is_exact ? "yes, the law of the model is kept"
                    : "NO, the draws follow another law than the model's");
    printf("reversible  %s\n",
           hiss_sampler_is_reversible(sampler) ? "yes" : "no");
    printf("replicas    %d per chain\n", hiss_sampler_replicas(sampler));
}

/* Whether the word begins with the name of a sampler. */
static bool is_sampler(const char *word)
{
    size_t length = strcspn(word, "(");
    hiss_type_info info = HISS_INIT(hiss_type_info);

    for (int n = 0; hiss_sampler_info(n, &info); n++)
        if (strlen(info.name) == length &&
            strncmp(info.name, word, length) == 0)
            return true;
    return false;
}

/* Whether it is a model: a name of one, or a file. */
static bool is_model(const char *word)
{
    size_t length = strcspn(word, "(");
    hiss_type_info info = HISS_INIT(hiss_type_info);

    if (is_sampler(word))
        return false;
    for (int n = 0; hiss_model_info(n, &info); n++)
        if (strlen(info.name) == length &&
            strncmp(info.name, word, length) == 0)
            return true;
    return access(word, R_OK) == 0;
}

static int explain_model(const cli_common *common)
{
    hiss_model *model = NULL;
    char *precision = NULL, *kinds = NULL;
    int code = cli_open_model(common, &model);

    if (code == CLI_DONE) {
        precision = hiss_model_precision(model);
        kinds = cli_state_kinds(model);
        if (!precision || !kinds)
            code = cli_fail(CLI_FAULT, "out of memory");
    }
    if (code == CLI_DONE && common->json) {
        json_t *o = cli_json_object();

        cli_json_put_text(o, "version", hiss_version());
        cli_json_put_text(o, "model", hiss_model_name(model));
        cli_json_put_text(o, "reads_as", hiss_model_reads_as(model));
        cli_json_put_whole(o, "dimension", hiss_model_dim(model));
        cli_json_put_text(o, "note", hiss_model_note(model));
        cli_json_put_text(o, "precision", precision);
        cli_json_print(o);
    } else if (code == CLI_DONE) {
        printf("%s, %s\n", hiss_model_name(model), kinds);
        if (hiss_model_reads_as(model))
            printf("read as     %s\n", hiss_model_reads_as(model));
        if (hiss_model_note(model))
            printf("note        %s\n", hiss_model_note(model));
        printf("precision   %s\n", precision);
    }
    free(kinds);
    hiss_free(precision);
    hiss_model_destroy(model);
    return code;
}

/* Whether a .csv begins like draws.  An unreadable one counts as draws, so that
 * the message is about these. */
static bool has_draws(const char *path)
{
    char head[256];
    FILE *file = fopen(path, "rb");
    size_t length;

    if (!file)
        return true;
    length = fread(head, 1, sizeof head - 1, file);
    fclose(file);
    head[length] = '\0';
    head[strcspn(head, "\r\n")] = '\0';
    return head[0] == '#' || head[0] == '\0' || strstr(head, "chain");
}

/* Whether it is a file of results, not a spec. */
static bool is_result(const char *word)
{
    const char *suffix = strrchr(word, '.');

    return suffix && !strchr(word, '(') &&
           (strcmp(suffix, ".nc") == 0 ||
            (strcmp(suffix, ".csv") == 0 && has_draws(word)));
}

static int open_paths(const hiss_sampler *sampler, const hiss_model *model,
                      char **paths)
{
    hiss_error err = {0};
    hiss_status status = hiss_sampler_paths(sampler, model, paths, &err);

    return status == HISS_OK ? CLI_DONE : cli_fail_status(status, &err);
}

/* Explains a sampler on a model: its properties, and the paths of its steps. */
static int explain_paths(const cli_common *common)
{
    hiss_model *model = NULL;
    hiss_sampler *sampler = NULL;
    char *tree = NULL, *paths = NULL;
    int code = cli_open_model(common, &model);

    if (code == CLI_DONE)
        code = cli_open_sampler(common->words[1], NULL, &sampler);
    if (code == CLI_DONE)
        code = open_paths(sampler, model, &paths);
    if (code == CLI_DONE) {
        tree = hiss_sampler_explain(sampler);
        if (!tree)
            code = cli_fail(CLI_FAULT, "out of memory");
    }
    if (code == CLI_DONE && common->json) {
        print_json(sampler, tree, NULL, model, paths);
    } else if (code == CLI_DONE) {
        print_text(sampler, tree);
        print_paths(model, paths);
    }
    hiss_free(tree);
    hiss_free(paths);
    hiss_sampler_destroy(sampler);
    hiss_model_destroy(model);
    return code;
}

static int run_explain(const void *arguments)
{
    const struct arguments *a = arguments;
    const char *word = a->common.words[0];
    hiss_sampler *sampler = NULL;
    hiss_result *result = NULL;
    char *tree = NULL;
    int code;

    if (a->common.words[1])
        return explain_paths(&a->common);
    if (!is_result(word) && is_model(word))
        return explain_model(&a->common);
    code = is_result(word) ? cli_load_result(word, &result) : CLI_DONE;

    if (code == CLI_DONE)
        code = cli_open_sampler(result ? hiss_result_text(result, "resolved")
                                       : word,
                                NULL, &sampler);
    if (code == CLI_DONE) {
        tree = hiss_sampler_explain(sampler);
        if (!tree)
            code = cli_fail(CLI_FAULT, "out of memory");
        else if (a->common.json)
            print_json(sampler, tree, result, NULL, NULL);
        else if (result)
            print_run(sampler, result);
        else
            print_text(sampler, tree);
    }
    hiss_free(tree);
    hiss_sampler_destroy(sampler);
    hiss_result_destroy(result);
    return code;
}

const cli_command cli_command_explain = {
    .name = "explain",
    .words = "SPEC|MODEL|FILE|MODEL SPEC",
    .least_words = 1,
    .most_words = 2,
    .summary = "what a sampler spec means: its tree, defaults and promises",
    .about = "Prints the spec of a sampler with every default written out, "
             "its tree in words, and whether it is exact and reversible. Of a "
             "FILE of results (.nc, .csv) it is the sampler that was run, "
             "after everything that a pilot found and decided. Of a MODEL, a "
             "spec or a file, it is the precision in which it is computed. Of "
             "a MODEL and a sampler, it is also the path that each kernel "
             "takes there: of several ways to make the same step, the fastest "
             "that the model's structure allows.",
    .examples = "  hiss explain 'pt(base=hiss(inner=gwg))'\n"
                "  hiss explain draws.nc\n"
                "  hiss explain 'ising(side=24,beta=0.4407)'\n"
                "  hiss explain 'ising(side=24,beta=0.4407)' dmala\n",
    .options = options,
    .size = sizeof(struct arguments),
    .run = run_explain,
};
