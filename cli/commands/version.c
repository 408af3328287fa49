/* version.c - `hiss version`: the version of hiss and of its libraries. */
#include <hiss/hiss.h>

#include <stdio.h>

#include "cli/args/option.h"
#include "cli/commands/commands.h"
#include "cli/print/json.h"

struct arguments {
    cli_common common;
};

static const cli_option options[] = {{0}};

static int run_version(const void *arguments)
{
    const struct arguments *a = arguments;
    char *libraries = hiss_libraries();
    json_t *object;

    if (!libraries)
        return cli_fail(CLI_FAULT, "out of memory");
    if (a->common.json) {
        object = cli_json_object();
        cli_json_put_text(object, "version", hiss_version());
        cli_json_put_text(object, "isa", hiss_isa());
        cli_json_put_text(object, "libraries", libraries);
        cli_json_print(object);
    } else {
        printf("hiss %s (%s)\nlibraries: %s\n", hiss_version(), hiss_isa(),
               libraries);
    }
    hiss_free(libraries);
    return CLI_DONE;
}

const cli_command cli_command_version = {
    .name = "version",
    .words = "",
    .least_words = 0,
    .most_words = 0,
    .summary = "which hiss this is, and the libraries that it uses",
    .about = "Prints the version, the instruction set of the inner loops and "
             "the libraries; hiss --version prints the first line.",
    .examples = "  hiss version\n",
    .options = options,
    .size = sizeof(struct arguments),
    .run = run_version,
};
