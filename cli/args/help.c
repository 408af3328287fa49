/* help.c - help wrapped to the terminal, at least CLI_WIDTH_MIN wide. */
#include "cli/args/help.h"

#include <stdlib.h>
#include <string.h>

#include "cli/print/fail.h"
#include "cli/print/terminal.h"

enum {
    HELP_COLUMN = 24
};

static int width_of(FILE *stream)
{
    int width = cli_terminal_width(stream);

    return width < CLI_WIDTH_MIN ? CLI_WIDTH_MIN : width;
}

/* Paragraphs, one per line of text. */
static void print_about(FILE *stream, const char *text, int width)
{
    while (*text) {
        int length = (int)strcspn(text, "\n");
        char *line = cli_text("%.*s", length, text);

        cli_terminal_wrap(stream, line, 0, 0, width);
        free(line);
        text += length;
        text += *text == '\n';
    }
}

/* "its effect (1 ..  4096; default 4)" */
static char *help_of(const cli_option *option, const char *what)
{
    bool is_whole = option->type == CLI_INT || option->type == CLI_LONG;
    bool is_bounded = is_whole && option->most < CLI_HUGE;

    if (is_bounded && option->standard)
        return cli_text("%s (%lld .. %lld; default %s)", what,
                        (long long)option->least, (long long)option->most,
                        option->standard);
    if (is_bounded)
        return cli_text("%s (%lld .. %lld)", what, (long long)option->least,
                        (long long)option->most);
    if (option->standard)
        return cli_text("%s (default %s)", what, option->standard);
    return cli_text("%s", what);
}

static void print_option(FILE *stream, const cli_option *option, int width)
{
    const char *what = option->help;
    char *help, *head;
    int at, value = 0;

    if (option->type != CLI_FLAG) {
        value = (int)(strstr(what, "  ") - what);
        what += value + 2;
    }
    head = cli_text("  %c%c%c --%s%s%.*s", option->letter ? '-' : ' ',
                    option->letter ? option->letter : ' ',
                    option->letter ? ',' : ' ', option->name, value ? " " : "",
                    value, option->help);
    at = fprintf(stream, "%s", head);
    if (at + 2 > HELP_COLUMN) {
        fputc('\n', stream);
        at = 0;
    }
    at += fprintf(stream, "%*s", HELP_COLUMN - at, "");
    help = help_of(option, what);
    cli_terminal_wrap(stream, help, at, HELP_COLUMN, width);
    free(help);
    free(head);
}

static void print_options(FILE *stream, const char *title,
                          const cli_option *table, int width)
{
    if (!table->name)
        return;
    fprintf(stream, "\n%s\n", title);
    for (const cli_option *o = table; o->name; o++)
        print_option(stream, o, width);
}

void cli_help_command(FILE *stream, const cli_command *command)
{
    int width = width_of(stream);
    char *usage = cli_text("usage: hiss %s%s%s [OPTION ...]", command->name,
                           *command->words ? " " : "", command->words);

    cli_terminal_wrap(stream, usage, 0, 11, width);
    free(usage);
    fputc('\n', stream);
    print_about(stream, command->about, width);
    print_options(stream, "Options:", command->options, width);
    print_options(stream, "Options of every command:", cli_common_options,
                  width);
    fprintf(stream, "\nExamples:\n%s", command->examples);
}

void cli_help_all(FILE *stream, const cli_command *const *commands)
{
    int width = width_of(stream);

    fputs("usage: hiss COMMAND [ARGUMENT ...] [OPTION ...]\n\n", stream);
    print_about(stream,
                "Samples multimodal discrete distributions: models with "
                "binary, spin, ordinal and categorical coordinates.",
                width);
    fputs("\nCommands:\n", stream);
    for (const cli_command *const *c = commands; *c; c++) {
        int at = fprintf(stream, "  %-13s", (*c)->name);

        cli_terminal_wrap(stream, (*c)->summary, at, at, width);
    }
    fprintf(stream, "  %-13s%s\n", "help", "help, or help COMMAND");
    fputs("\nOptions:\n"
          "  -h, --help            this text; every command has it\n"
          "  -V, --version         the version\n"
          "\nExit codes: 0 done, 1 a check failed, 2 usage or bad input,\n"
          "3 an I/O or resource fault, 4 not decided, 130 after Ctrl-C.\n",
          stream);
}
