/* convert.c - `hiss convert`: converts a model's file to another format. */
#include <hiss/hiss.h>

#include <string.h>

#include "cli/args/option.h"
#include "cli/commands/commands.h"
#include "cli/print/json.h"

struct arguments {
    cli_common common;
    const char *to;
};

#define AT(field) offsetof(struct arguments, field)

static const cli_option options[] = {
    {"to", 0, CLI_TEXT, AT(to), NULL, 0, 0,
     "FORMAT  of OUT, perhaps with options; usually from its suffix"},
    {0},
};

static int run_convert(const void *arguments)
{
    const struct arguments *a = arguments;
    const char *in = a->common.words[0], *out = a->common.words[1];
    hiss_error err = {0};
    char *note = NULL, *reads_as = NULL;
    hiss_status status;

    if (strcmp(out, "-") == 0)
        out = "/dev/stdout";
    status = hiss_convert_reads_as(in, a->common.format, out, a->to,
                                   a->common.force, &reads_as, &note, &err);
    if (status != HISS_OK)
        return cli_fail_status(status, &err);
    if (a->common.json) {
        json_t *object = cli_json_object();

        cli_json_put_text(object, "version", hiss_version());
        cli_json_put_text(object, "input", in);
        cli_json_put_text(object, "output", out);
        cli_json_put_text(object, "reads_as", reads_as);
        cli_json_put_text(object, "note", note);
        cli_json_print(object);
    }
    if (reads_as && !a->common.quiet)
        cli_note("%s", reads_as);
    if (note && !a->common.quiet)
        cli_note("%s", note);
    hiss_free(reads_as);
    hiss_free(note);
    return CLI_DONE;
}

const cli_command cli_command_convert = {
    .name = "convert",
    .words = "IN OUT",
    .least_words = 2,
    .most_words = 2,
    .summary = "a model's file in another format",
    .about = "Writes the model of the file IN to the file OUT in another "
             "format, read back and compared before it appears. The formats "
             "are found, IN's from its content, OUT's from its suffix; "
             "`hiss list formats` shows all. A name that ends in .gz is "
             "compressed; - is standard input or output.",
    .examples = "  hiss convert G1.txt G1.qubo\n"
                "  hiss convert G1.qubo G1.txt --to rudy\n"
                "  hiss convert - - --to qubo < G1.txt\n"
                "  hiss convert --format 'qubo-sparse(sense=max,"
                "offdiagonal=twice)' bqp.sparse bqp.coo.gz\n",
    .options = options,
    .size = sizeof(struct arguments),
    .run = run_convert,
};
