/* option.c - reads the command line by a table. */
#include "cli/args/option.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args/names.h"
#include "cli/print/number.h"

enum {
    NAMES_MAX = 64
};

static const double SECONDS_MAX = 1e9; /* thirty years */

#define AT(field) offsetof(cli_common, field)

const cli_option cli_common_options[] = {
    {"json", 0, CLI_FLAG, AT(json), NULL, 0, 0,
     "one JSON object on standard output"},
    {"seed", 0, CLI_LONG, AT(seed), "1", 0, INT64_MAX,
     "N  same seed, same draws"},
    {"threads", 0, CLI_INT, AT(threads), "0", 0, 1024,
     "N  processors to use, 0: all; never changes a draw"},
    {"force", 0, CLI_FLAG, AT(force), NULL, 0, 0, "replace existing files"},
    {"format", 0, CLI_TEXT, AT(format), NULL, 0, 0,
     "FORMAT  of the model's file, as in 'qubo(sense=max)'; usually found"},
    {"quiet", 0, CLI_FLAG, AT(quiet), NULL, 0, 0,
     "no progress and no notes on standard error"},
    {"help", 'h', CLI_FLAG, AT(help), NULL, 0, 0, "this text"},
    {0},
};

struct parse {
    const cli_command *command;
    int argc;
    char *const *argv;
    int next; /* next argument */
    cli_common *out;
};

int cli_usage_fail(const cli_command *command, const char *format, ...)
{
    va_list arguments;
    char *text = NULL;

    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    cli_fail(CLI_BAD_CALL, "%s", text ? text : "bad call");
    free(text);
    if (cli_fail_is_held())
        return CLI_BAD_CALL;
    fprintf(stderr,
            "usage: hiss %s%s%s [OPTION ...]  (hiss %s --help says more)\n",
            command->name, *command->words ? " " : "", command->words,
            command->name);
    return CLI_BAD_CALL;
}

static const cli_option *find_in(const cli_option *table, const char *name,
                                 size_t length, char letter)
{
    for (const cli_option *o = table; o->name; o++) {
        bool is_it = letter ? o->letter == letter
                            : strncmp(o->name, name, length) == 0 &&
                                  o->name[length] == '\0';
        if (is_it)
            return o;
    }
    return NULL;
}

static const cli_option *find(const cli_command *command, const char *name,
                              size_t length, char letter)
{
    const cli_option *o = find_in(command->options, name, length, letter);

    return o ? o : find_in(cli_common_options, name, length, letter);
}

static int unknown_option(const cli_command *command, const char *word)
{
    const cli_option *tables[] = {command->options, cli_common_options};
    const char *names[NAMES_MAX];
    int length = (int)strcspn(word, "=");
    char given[NAMES_MAX], hint[HISS_SUGGESTION_MAX];
    int count = 0;

    for (int t = 0; t < 2; t++)
        for (const cli_option *o = tables[t]; o->name; o++)
            if (count < NAMES_MAX - 1)
                names[count++] = o->name;
    names[count] = NULL;
    snprintf(given, sizeof given, "%.*s", length, word);
    hiss_suggestion(hint, given + strspn(given, "-"), names, "--", "");
    return cli_usage_fail(command, "%s: unknown option %.*s%s", command->name,
                          length, word, hint);
}

static int bad_number(const cli_command *command, const cli_option *option,
                      const char *text, cli_number wrong)
{
    const char *is = wrong == CLI_NUMBER_OUT ? "out of range" : "not a time";

    if (option->type == CLI_SECONDS)
        return cli_usage_fail(command,
                              "--%s: '%.64s' is %s, expected a time above 0 "
                              "such as 60, 60s, 2m or 1h",
                              option->name, text, is);
    if (wrong == CLI_NUMBER_BAD)
        is = "not a whole number";
    return cli_usage_fail(command, "--%s: '%.64s' is %s, expected %lld .. %lld",
                          option->name, text, is, (long long)option->least,
                          (long long)option->most);
}

static int store(const cli_command *command, const cli_option *option,
                 const char *text, cli_common *out)
{
    char *place = (char *)out + option->at;
    int64_t whole = 0;
    double seconds = 0;
    cli_number wrong;

    switch (option->type) {
    case CLI_FLAG:
        *(bool *)place = true;
        return CLI_DONE;
    case CLI_TEXT:
        memcpy(place, &text, sizeof text);
        return CLI_DONE;
    case CLI_SECONDS:
        wrong = cli_number_seconds(text, SECONDS_MAX, &seconds);
        memcpy(place, &seconds, sizeof seconds);
        break;
    default:
        wrong = cli_number_whole(text, option->least, option->most, &whole);
        if (option->type == CLI_INT)
            *(int *)(void *)place = (int)whole;
        else if (option->type == CLI_LONG)
            *(int64_t *)(void *)place = whole;
        else
            *(double *)(void *)place = (double)whole;
    }
    return wrong ? bad_number(command, option, text, wrong) : CLI_DONE;
}

static void set_defaults(const cli_command *command, const cli_option *table,
                         cli_common *out)
{
    for (const cli_option *o = table; o->name; o++)
        if (o->standard)
            store(command, o, o->standard, out);
}

/* The option's value follows '=' or the letter, or is the next word. */
static int take_option(struct parse *p, const cli_option *option,
                       const char *value)
{
    const cli_command *command = p->command;

    if (option->type == CLI_FLAG) {
        if (value)
            return cli_usage_fail(command, "--%s takes no value", option->name);
    } else if (!value) {
        value = p->next < p->argc ? p->argv[p->next] : NULL;
        if (!value || strncmp(value, "--", 2) == 0)
            return cli_usage_fail(command, "--%s needs a value (%.*s)",
                                  option->name, (int)strcspn(option->help, " "),
                                  option->help);
        p->next++;
    }
    for (int row = 0; command->options[row].name; row++)
        if (&command->options[row] == option)
            p->out->given |= (uint64_t)1 << row;
    return store(command, option, value, p->out);
}

static int take_long(struct parse *p, const char *word)
{
    const char *name = word + 2, *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    const cli_option *option = find(p->command, name, length, 0);

    if (!option)
        return unknown_option(p->command, word);
    return take_option(p, option, equals ? equals + 1 : NULL);
}

/* "-n": letters are few, so perhaps a whole word was meant, "-samples". */
static int unknown_letter(const cli_command *command, const char *word)
{
    const cli_option *tables[] = {command->options, cli_common_options};
    char letters[NAMES_MAX] = "";

    if (word[1] && word[2] && word[2] != '=' && word[1] != '-')
        return unknown_option(command, word);
    for (int t = 0; t < 2; t++)
        for (const cli_option *o = tables[t]; o->name; o++)
            if (o->letter && strlen(letters) + 4 < sizeof letters)
                snprintf(letters + strlen(letters), 5, "%s-%c",
                         *letters ? ", " : "", o->letter);
    return cli_usage_fail(command,
                          "%s: unknown option %.2s: of one letter there are "
                          "only %s",
                          command->name, word, letters);
}

static int take_letter(struct parse *p, const char *word)
{
    const cli_option *option = find(p->command, NULL, 0, word[1]);

    if (!option)
        return unknown_letter(p->command, word);
    return take_option(p, option, word[2] ? word + 2 : NULL);
}

static int unexpected(const cli_command *command, const char *word)
{
    bool has_sampler = find_in(command->options, "sampler", 7, 0) != NULL;

    if (cli_is_piece(word))
        return cli_usage_fail(command,
                              "%s: unexpected argument '%.64s': a spec with "
                              "options is one word, in quotes, such as "
                              "'ising(side=8,beta=0.4)'",
                              command->name, word);
    if (has_sampler && cli_is_sampler(word))
        return cli_usage_fail(command,
                              "%s: unexpected argument '%.64s'; did you mean "
                              "--sampler %.64s?",
                              command->name, word, word);
    return cli_usage_fail(
        command, "%s: unexpected argument '%.64s', it takes %s", command->name,
        word, *command->words ? command->words : "none");
}

static int take_word(struct parse *p, const char *word)
{
    const cli_command *command = p->command;

    if (p->out->word_count == command->most_words)
        return unexpected(command, word);
    p->out->words[p->out->word_count++] = word;
    return CLI_DONE;
}

int cli_option_parse(const cli_command *command, int argc, char *const *argv,
                     cli_common *arguments)
{
    struct parse p = {command, argc, argv, 0, arguments};
    bool only_words = false;
    int code = CLI_DONE;

    set_defaults(command, command->options, arguments);
    set_defaults(command, cli_common_options, arguments);
    while (p.next < argc && code == CLI_DONE && !arguments->help) {
        const char *word = argv[p.next++];

        if (!only_words && strcmp(word, "--") == 0)
            only_words = true;
        else if (!only_words && strncmp(word, "--", 2) == 0)
            code = take_long(&p, word);
        else if (!only_words && word[0] == '-' && word[1])
            code = take_letter(&p, word);
        else
            code = take_word(&p, word);
    }
    if (code == CLI_DONE && !arguments->help &&
        arguments->word_count < command->least_words)
        code = cli_usage_fail(command, "%s: %s is missing", command->name,
                              command->words);
    return code;
}

bool cli_option_is_given(const cli_command *command,
                         const cli_common *arguments, const char *name)
{
    const cli_option *option = find_in(command->options, name, strlen(name), 0);

    return option && arguments->given >> (option - command->options) & 1;
}
