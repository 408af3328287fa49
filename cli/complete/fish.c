/* fish.c - the completions of fish: a line each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complete/complete.h"

static void print_quoted(FILE *to, const char *text)
{
    fputc('\'', to);
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            fputc('\\', to);
        fputc(*text, to);
    }
    fputc('\'', to);
}

static void print_values(FILE *to, const cli_values *v)
{
    if (v->is_file)
        fputs(" -F", to);
    if (v->is_folder)
        fputs(" -a '(__fish_complete_directories)'", to);
    if (*v->words)
        fprintf(to, " -a '%s'", v->words);
}

static void print_options(FILE *to, const char *condition,
                          const cli_option *table)
{
    for (const cli_option *o = table; o->name; o++) {
        int length;
        const char *name = cli_value_name(o, &length);
        char *text = cli_text("%.*s", length, name);
        cli_values v;

        fprintf(to, "complete -c hiss -n '%s' -l %s", condition, o->name);
        if (o->letter)
            fprintf(to, " -s %c", o->letter);
        if (length) {
            cli_values_of(text, NULL, &v);
            fputs(v.is_file ? " -r" : " -x", to);
            print_values(to, &v);
        }
        fputs(" -d ", to);
        print_quoted(to, cli_value_help(o));
        fputc('\n', to);
        free(text);
    }
}

static void print_command(FILE *to, const cli_command *c)
{
    char *condition = cli_text("__fish_seen_subcommand_from %s", c->name);
    cli_values v;

    fprintf(to, "complete -c hiss -n __fish_use_subcommand -a %s -d ", c->name);
    print_quoted(to, c->summary);
    fputc('\n', to);
    print_options(to, condition, c->options);
    cli_values_of(c->words, c->names, &v);
    if (v.is_file || *v.words) {
        fprintf(to, "complete -c hiss -n '%s'", condition);
        print_values(to, &v);
        fputc('\n', to);
    }
    free(condition);
}

void cli_complete_fish(FILE *to, const cli_command *const *commands)
{
    fputs("# made by: hiss completions fish\ncomplete -c hiss -f\n", to);
    for (const cli_command *const *c = commands; *c; c++)
        print_command(to, *c);
    fputs("complete -c hiss -n __fish_use_subcommand -a help -d 'help, or help "
          "COMMAND'\n"
          "complete -c hiss -n __fish_use_subcommand -l version -s V -d 'the "
          "version'\n"
          "complete -c hiss -n '__fish_seen_subcommand_from help' -a '",
          to);
    for (const cli_command *const *c = commands; *c; c++)
        fprintf(to, "%s%s", c == commands ? "" : " ", (*c)->name);
    fputs("'\n", to);
    print_options(to, "not __fish_use_subcommand", cli_common_options);
}
