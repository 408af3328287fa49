/* explain.c - `hiss explain`: what a sampler spec means, in words. */
#include <hiss/hiss.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "json.h"
#include "open.h"
#include "option.h"

struct arguments {
    cli_common common;
};

static const cli_option options[] = {{0}};

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

static void print_json(const hiss_sampler *sampler, char *tree)
{
    json_t *o = cli_json_object();

    cli_json_put_text(o, "version", hiss_version());
    cli_json_put_text(o, "sampler", hiss_sampler_spec(sampler));
    cli_json_put_bool(o, "exact", hiss_sampler_is_exact(sampler) != 0);
    cli_json_put_bool(o, "reversible",
                      hiss_sampler_is_reversible(sampler) != 0);
    cli_json_put_whole(o, "replicas", hiss_sampler_replicas(sampler));
    cli_json_put(o, "tree", lines_json(tree));
    cli_json_print(o);
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

static int run_explain(const void *arguments)
{
    const struct arguments *a = arguments;
    hiss_sampler *sampler = NULL;
    int code = cli_open_sampler(a->common.words[0], &sampler);
    char *tree = NULL;

    if (code == CLI_DONE) {
        tree = hiss_sampler_explain(sampler);
        if (!tree)
            code = cli_fail(CLI_FAULT, "out of memory");
        else if (a->common.json)
            print_json(sampler, tree);
        else
            print_text(sampler, tree);
    }
    hiss_free(tree);
    hiss_sampler_destroy(sampler);
    return code;
}

const cli_command cli_command_explain = {
    .name = "explain",
    .words = "SPEC",
    .least_words = 1,
    .most_words = 1,
    .summary = "what a sampler spec means: its tree, defaults and promises",
    .about = "Prints the spec of a sampler with every default written out, "
             "its tree in words, and whether it is exact and reversible.",
    .examples = "  hiss explain 'pt(base=hiss(inner=gwg))'\n",
    .options = options,
    .size = sizeof(struct arguments),
    .run = run_explain,
};
