/* zsh.c - the completions of zsh, for its function _arguments. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complete/complete.h"

/* Escapes a text inside quotes and, there, inside brackets or before a
 * colon. */
static void print_escaped(FILE *to, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", to);
        else if (strchr("[]:\\", *text))
            fprintf(to, "\\%c", *text);
        else
            fputc(*text, to);
    }
}

/* Prints the action of _arguments for values: "(a b)", "_files", or both. */
static void print_action(FILE *to, const cli_values *v)
{
    const char *files = v->is_folder ? "_files -/" : "_files";
    bool has_files = v->is_file || v->is_folder;

    if (*v->words && has_files)
        fprintf(to, "{_alternative \"names:name:(%s)\" \"files:file:%s\"}",
                v->words, files);
    else if (*v->words)
        fprintf(to, "(%s)", v->words);
    else
        fputs(has_files ? files : " ", to);
}

static void print_options(FILE *to, const cli_option *table)
{
    for (const cli_option *o = table; o->name; o++) {
        int length;
        const char *name = cli_value_name(o, &length);
        char *text = cli_text("%.*s", length, name);
        cli_values v;

        if (o->letter)
            fprintf(to, "            '(-%c --%s)'{-%c%s,--%s%s}'[", o->letter,
                    o->name, o->letter, length ? "+" : "", o->name,
                    length ? "=" : "");
        else
            fprintf(to, "            '--%s%s[", o->name, length ? "=" : "");
        print_escaped(to, cli_value_help(o));
        fputc(']', to);
        if (length) {
            cli_values_of(text, NULL, &v);
            fprintf(to, ":%s:", text);
            print_action(to, &v);
        }
        fputs("' \\\n", to);
        free(text);
    }
}

static void print_words(FILE *to, const cli_command *c)
{
    cli_values v;

    if (c->most_words == 0)
        return;
    cli_values_of(c->words, c->names, &v);
    fputs("            '*:", to);
    print_escaped(to, c->words);
    fputc(':', to);
    print_action(to, &v);
    fputs("' \\\n", to);
}

void cli_complete_zsh(FILE *to, const cli_command *const *commands)
{
    fputs("#compdef hiss\n# made by: hiss completions zsh\n_hiss()\n{\n"
          "    local -a commands\n    commands=(\n",
          to);
    for (const cli_command *const *c = commands; *c; c++) {
        fprintf(to, "        '%s:", (*c)->name);
        print_escaped(to, (*c)->summary);
        fputs("'\n", to);
    }
    fputs("        'help:help, or help COMMAND'\n    )\n"
          "    if ((CURRENT == 2)); then\n"
          "        _describe command commands\n        return\n    fi\n"
          "    local command=$words[2]\n"
          "    shift words\n    ((CURRENT--))\n    case $command in\n",
          to);
    for (const cli_command *const *c = commands; *c; c++) {
        fprintf(to, "    %s)\n        _arguments \\\n", (*c)->name);
        print_options(to, (*c)->options);
        print_options(to, cli_common_options);
        print_words(to, *c);
        fputs("            ;;\n", to);
    }
    fputs(
        "    help)\n        _describe command commands\n        ;;\n    esac\n"
        "}\n_hiss \"$@\"\n",
        to);
}
