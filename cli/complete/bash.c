/* bash.c - the completions of bash: one function, made of tables. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complete/complete.h"

static void print_options(FILE *to, const cli_option *table)
{
    for (const cli_option *o = table; o->name; o++) {
        if (o->letter)
            fprintf(to, " -%c", o->letter);
        fprintf(to, " --%s", o->name);
    }
}

static void print_values(FILE *to, const cli_values *v)
{
    fprintf(to, "words='%s' files=%s", v->words,
            v->is_file     ? "-f"
            : v->is_folder ? "-d"
                           : "''");
}

/* Prints the values of a table of options, of `command` or, with "*", of
 * all. */
static void print_table(FILE *to, const char *command, const cli_option *table)
{
    for (const cli_option *o = table; o->name; o++) {
        int length;
        const char *name = cli_value_name(o, &length);
        char *text = cli_text("%.*s", length, name);
        cli_values v;

        if (length) {
            cli_values_of(text, NULL, &v);
            fprintf(to, "    %s' --%s'", command, o->name);
            if (o->letter)
                fprintf(to, "|%s' -%c'", command, o->letter);
            fputs(") value=yes ", to);
            print_values(to, &v);
            fputs(" ;;\n", to);
        }
        free(text);
    }
}

static void print_commands(FILE *to, const cli_command *const *commands)
{
    fputs("    case $command in\n", to);
    for (const cli_command *const *c = commands; *c; c++) {
        cli_values v;

        cli_values_of((*c)->words, (*c)->names, &v);
        fprintf(to, "    %s) options='", (*c)->name);
        print_options(to, (*c)->options);
        print_options(to, cli_common_options);
        fputs("' ", to);
        print_values(to, &v);
        fputs(" ;;\n", to);
    }
    fputs("    help) words=$commands ;;\n    esac\n", to);
}

void cli_complete_bash(FILE *to, const cli_command *const *commands)
{
    fputs("# made by: hiss completions bash\n_hiss()\n{\n    local commands='",
          to);
    for (const cli_command *const *c = commands; *c; c++)
        fprintf(to, "%s ", (*c)->name);
    fputs("help'\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}\n"
          "    local prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
          "    local options='' words='' files='' value=''\n"
          "    COMPREPLY=()\n"
          "    # --name=value is three words here\n"
          "    if [[ $cur == = ]]; then\n        cur=''\n"
          "    elif [[ $prev == = ]]; then\n"
          "        prev=${COMP_WORDS[COMP_CWORD - 2]}\n    fi\n"
          "    if ((COMP_CWORD == 1)); then\n"
          "        COMPREPLY=($(compgen -W \"$commands --help --version\" -- "
          "\"$cur\"))\n"
          "        return\n    fi\n",
          to);
    print_commands(to, commands);
    fputs("    case \"$command $prev\" in\n", to);
    for (const cli_command *const *c = commands; *c; c++)
        print_table(to, (*c)->name, (*c)->options);
    print_table(to, "*", cli_common_options);
    fputs("    esac\n"
          "    if [[ $cur == -* && -z $value ]]; then\n"
          "        words=$options files=''\n    fi\n"
          "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
          "    if [[ -n $files ]]; then\n"
          "        compopt -o filenames 2>/dev/null\n"
          "        while IFS='' read -r; do COMPREPLY+=(\"$REPLY\"); done < "
          "<(compgen $files -- \"$cur\")\n"
          "    fi\n}\ncomplete -F _hiss hiss\n",
          to);
}
