/* values.c - what a word of the command line may be. */
#include <hiss/hiss.h>

#include <ctype.h>
#include <string.h>

#include "cli/complete/complete.h"

static void add(cli_values *v, const char *word, int length)
{
    size_t used = strlen(v->words);

    if (used + (size_t)length + 2 < sizeof v->words)
        snprintf(v->words + used, sizeof v->words - used, "%s%.*s",
                 used ? " " : "", length, word);
}

static void add_types(cli_values *v, int (*type)(int, hiss_type_info *))
{
    hiss_type_info info = HISS_INIT(hiss_type_info);

    for (int n = 0; type(n, &info); n++)
        add(v, info.name, (int)strlen(info.name));
}

static void add_formats(cli_values *v)
{
    hiss_file_format info = HISS_INIT(hiss_file_format);

    for (int n = 0; hiss_format_info(n, &info); n++)
        add(v, info.name, (int)strlen(info.name));
}

static void add_names(cli_values *v, const char *const *names)
{
    for (; names && *names; names++)
        add(v, *names, (int)strlen(*names));
}

static void add_kinds(cli_values *v)
{
    static const char *const kinds[] = {"csv", "nc", "npz", "json", NULL};

    add_names(v, kinds);
}

static bool is(const char *text, int length, const char *name)
{
    return (int)strlen(name) == length &&
           strncmp(text, name, (size_t)length) == 0;
}

/* One name of the help: a word in small letters stands for itself. */
static void add_piece(cli_values *v, const char *piece, int length,
                      const char *const *names)
{
    if (is(piece, length, "FILE") || strncmp(piece, "FILE.", 5) == 0 ||
        is(piece, length, "IN") || is(piece, length, "OUT") ||
        is(piece, length, "MODEL") || is(piece, length, "START"))
        v->is_file = true;
    if (is(piece, length, "DIR"))
        v->is_folder = true;
    if (is(piece, length, "MODEL"))
        add_types(v, hiss_model_info);
    else if (is(piece, length, "SPEC") || is(piece, length, "SPECS"))
        add_types(v, hiss_sampler_info);
    else if (is(piece, length, "FORMAT"))
        add_formats(v);
    else if (is(piece, length, "EXPERIMENT") || is(piece, length, "COMMAND"))
        add_names(v, names);
    else if (is(piece, length, "START"))
        add(v, "random best", (int)strlen("random best"));
    else if (is(piece, length, "KIND"))
        add_kinds(v);
    else if (islower((unsigned char)*piece))
        add(v, piece, length);
}

void cli_values_of(const char *text, const char *const *names, cli_values *out)
{
    static const char marks[] = " |[];";
    bool has_model = false;

    *out = (cli_values){0};
    for (text += strspn(text, marks); *text; text += strspn(text, marks)) {
        int length = (int)strcspn(text, marks);

        /* "MODEL|FILE|MODEL SPEC" names it twice */
        if (!is(text, length, "MODEL") || !has_model)
            add_piece(out, text, length, names);
        has_model = has_model || is(text, length, "MODEL");
        text += length;
    }
}

const char *cli_value_name(const cli_option *option, int *length)
{
    const char *end = strstr(option->help, "  ");

    *length = option->type == CLI_FLAG || !end ? 0 : (int)(end - option->help);
    return option->help;
}

const char *cli_value_help(const cli_option *option)
{
    int length;
    const char *name = cli_value_name(option, &length);

    return length ? name + length + 2 : name;
}
