/* list.c - `hiss list`: models, samplers, file formats and devices. */
#include <hiss/hiss.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args/option.h"
#include "cli/commands/commands.h"
#include "cli/print/json.h"
#include "cli/print/table.h"
#include "cli/print/terminal.h"

struct arguments {
    cli_common common;
};

static const cli_option options[] = {{0}};

static int format_type(int number, hiss_type_info *out)
{
    hiss_file_format format = HISS_INIT(hiss_file_format);
    int found = hiss_format_info(number, &format);

    if (found) {
        out->name = format.name;
        out->summary = format.summary;
        out->options = format.options;
    }
    return found;
}

static int no_option(int number, int option, hiss_option_info *out)
{
    (void)number;
    (void)option;
    (void)out;
    return 0;
}

static const struct topic {
    const char *name;
    const char *title;
    int (*type)(int number, hiss_type_info *out);
    int (*option)(int number, int option, hiss_option_info *out);
    bool is_formats;
    bool is_asked_for; /* only by its name, because listing devices starts
                          them */
} topics[] = {
    {"models", "Models", hiss_model_info, hiss_model_option, false, false},
    {"samplers", "Samplers", hiss_sampler_info, hiss_sampler_option, false,
     false},
    {"formats", "Formats", format_type, hiss_format_option, true, false},
    {"devices", "Devices", hiss_device_info, no_option, false, true},
};

enum {
    TOPICS = sizeof topics / sizeof *topics
};

static json_t *options_json(const struct topic *topic, int number, int count)
{
    json_t *array = cli_json_array();
    hiss_option_info info = HISS_INIT(hiss_option_info);

    for (int o = 0; o < count && topic->option(number, o, &info); o++) {
        json_t *object = cli_json_object();

        cli_json_put_text(object, "name", info.name);
        cli_json_put_text(object, "type", info.type);
        cli_json_put_text(object, "default", info.standard);
        cli_json_put_text(object, "range", info.range);
        cli_json_put_text(object, "help", info.help);
        cli_json_add(array, object);
    }
    return array;
}

/* Words separated by blanks, as a JSON list. */
static json_t *words_json(const char *words)
{
    json_t *array = cli_json_array();

    while (*words) {
        int length = (int)strcspn(words, " ");
        char *word = cli_text("%.*s", length, words);

        cli_json_add(array, cli_json_text(word));
        free(word);
        words += length;
        words += *words == ' ';
    }
    return array;
}

static void put_format(json_t *object, int number)
{
    json_t *tested = cli_json_array();
    hiss_file_format format = HISS_INIT(hiss_file_format);

    hiss_format_info(number, &format);
    for (int n = 0; hiss_format_tested(number, n); n++)
        cli_json_add(tested, cli_json_text(hiss_format_tested(number, n)));
    cli_json_put(object, "suffixes", words_json(format.suffixes));
    cli_json_put_bool(object, "reads", format.reads != 0);
    cli_json_put_bool(object, "writes", format.writes != 0);
    cli_json_put(object, "tested_on", tested);
}

static json_t *topic_json(const struct topic *topic)
{
    json_t *array = cli_json_array();
    hiss_type_info info = HISS_INIT(hiss_type_info);

    for (int n = 0; topic->type(n, &info); n++) {
        json_t *object = cli_json_object();

        cli_json_put_text(object, "name", info.name);
        cli_json_put_text(object, "summary", info.summary);
        cli_json_put(object, "options", options_json(topic, n, info.options));
        if (topic->type == hiss_sampler_info)
            cli_json_put_bool(object, "baseline", info.group != NULL);
        if (topic->is_formats)
            put_format(object, n);
        cli_json_add(array, object);
    }
    return array;
}

static void print_options(const struct topic *topic, int number, int count)
{
    static const cli_column columns[] = {
        {"option", true, false, 0}, {"type", true, false, 0},
        {"default", true, true, 0}, {"range", true, false, 2},
        {"", true, true, 1},
    };
    hiss_option_info info = HISS_INIT(hiss_option_info);
    cli_table table;

    if (count == 0)
        return;
    cli_table_init(&table, columns, 5);
    for (int o = 0; o < count && topic->option(number, o, &info); o++) {
        cli_table_cell(&table, "%s", info.name);
        cli_table_cell(&table, "%s", info.type);
        cli_table_cell(&table, "%s",
                       info.standard ? info.standard : "(needed)");
        cli_table_cell(&table, "%s", info.range ? info.range : "");
        cli_table_cell(&table, "%s", info.help ? info.help : "");
    }
    cli_table_print(&table, 6);
    cli_table_clear(&table);
}

static void print_format(int number)
{
    hiss_file_format format = HISS_INIT(hiss_file_format);

    hiss_format_info(number, &format);
    printf("%14s%s; suffixes: %s\n", "",
           format.writes ? "read and written" : "read", format.suffixes);
}

static void print_topic(const struct topic *topic)
{
    int limit = cli_terminal_table_width();
    hiss_type_info info = HISS_INIT(hiss_type_info);
    const char *group = NULL;

    printf("%s:\n", topic->title);
    for (int n = 0; topic->type(n, &info); n++) {
        int at;

        if (info.group && !group)
            printf("\n%s, to be compared with:\n", info.group);
        group = info.group;
        at = printf("  %-11s ", info.name);

        cli_terminal_wrap(stdout, info.summary, at, 14,
                          limit ? limit : 1 << 20);
        if (topic->is_formats)
            print_format(n);
        print_options(topic, n, info.options);
    }
}

static int unknown_topic(const char *word)
{
    const char *names[TOPICS + 1] = {NULL};
    char hint[HISS_SUGGESTION_MAX];

    for (int t = 0; t < TOPICS; t++)
        names[t] = topics[t].name;
    return cli_usage_fail(&cli_command_list,
                          "list: there is no list of '%.64s', expected models, "
                          "samplers, formats or devices%s",
                          word, hiss_suggestion(hint, word, names, "", ""));
}

static int run_list(const void *arguments)
{
    const struct arguments *a = arguments;
    const char *word = a->common.word_count ? a->common.words[0] : NULL;
    json_t *object = a->common.json ? cli_json_object() : NULL;
    int shown = 0;

    for (int t = 0; t < TOPICS; t++) {
        if (word ? strcmp(word, topics[t].name) != 0 : topics[t].is_asked_for)
            continue;
        if (object) {
            cli_json_put(object, topics[t].name, topic_json(&topics[t]));
        } else {
            if (shown)
                putchar('\n');
            print_topic(&topics[t]);
        }
        shown++;
    }
    if (shown == 0) {
        json_decref(object);
        return unknown_topic(word);
    }
    if (object)
        cli_json_print(object);
    return CLI_DONE;
}

const cli_command cli_command_list = {
    .name = "list",
    .words = "[models|samplers|formats|devices]",
    .least_words = 0,
    .most_words = 1,
    .summary = "the models, samplers, file formats and devices there are",
    .about = "Lists the built-in models, the samplers and the file formats "
             "with their options, types, defaults and ranges, and the devices "
             "that --device may name.",
    .examples = "  hiss list samplers\n"
                "  hiss list formats --json\n",
    .options = options,
    .size = sizeof(struct arguments),
    .run = run_list,
};
