/* values.c - possible words of the command line. */
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

/* Names in the help that stand for a few words. */
static const struct {
    const char *name, *words;
} choices[] = {{"START", "random best"},
               {"KIND", "csv nc npz json"},
               {"HOW", "no quick full"},
               {"DEVICE", "cpu cuda auto"}};

static bool is(const char *text, int length, const char *name)
{
    return (int)strlen(name) == length &&
           strncmp(text, name, (size_t)length) == 0;
}

/* Adds one name of the help; a lower-case word stands for itself. */
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
    else if (islower((unsigned char)*piece))
        add(v, piece, length);
    for (size_t n = 0; n < sizeof choices / sizeof *choices; n++)
        if (is(piece, length, choices[n].name))
            add(v, choices[n].words, (int)strlen(choices[n].words));
}

static const char marks[] = " |[];";

/* Whether the piece occurs earlier in the text, as twice in
 * "SPEC|MODEL|FILE|MODEL SPEC". */
static bool is_repeated(const char *text, const char *piece, int length)
{
    for (text += strspn(text, marks); text < piece;
         text += strspn(text, marks)) {
        int other = (int)strcspn(text, marks);

        if (other == length && strncmp(text, piece, (size_t)length) == 0)
            return true;
        text += other;
    }
    return false;
}

void cli_values_of(const char *text, const char *const *names, cli_values *out)
{
    const char *at = text;

    *out = (cli_values){0};
    for (at += strspn(at, marks); *at; at += strspn(at, marks)) {
        int length = (int)strcspn(at, marks);

        if (!is_repeated(text, at, length))
            add_piece(out, at, length, names);
        at += length;
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
