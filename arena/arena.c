/* arena.c - `hiss arena`: a race of samplers on targets whose answers are
 * known. */
#include <hiss/hiss.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/report/report.h"
#include "cli/commands/commands.h"
#include "cli/files/folder.h"
#include "cli/print/interrupt.h"
#include "cli/print/table.h"

enum {
    JOBS_MAX = 256
};

struct arguments {
    cli_common common;
    const char *out, *only, *contestant, *draws, *race;
    bool is_quick, is_list, is_report;
    int seeds;
    double seconds;
};

#define AT(field) offsetof(struct arguments, field)

static const cli_option options[] = {
    {"out", 'o', CLI_TEXT, AT(out), NULL, 0, 0,
     "DIR  folder of the results; made if it is missing"},
    {"quick", 0, CLI_FLAG, AT(is_quick), NULL, 0, 0,
     "fewer targets, fewer evaluations: minutes instead of an hour"},
    {"only", 0, CLI_TEXT, AT(only), NULL, 0, 0,
     "NAMES  of targets, groups of targets and contestants, with commas"},
    {"list", 0, CLI_FLAG, AT(is_list), NULL, 0, 0,
     "say which targets and contestants there are, and run nothing"},
    {"report", 0, CLI_FLAG, AT(is_report), NULL, 0, 0,
     "write the files anew from the cells that are there, and run nothing"},
    {"seeds", 0, CLI_INT, AT(seeds), NULL, 1, 64,
     "N  runs of each cell, for the error bars; 3, with --quick 2"},
    {"race", 0, CLI_TEXT, AT(race), "both", 0, 0,
     "RACE  evals: at equal evaluations; seconds: at equal seconds; both"},
    {"time", 0, CLI_SECONDS, AT(seconds), NULL, 0, 0,
     "TIME  of a run at equal seconds; 1s, with --quick 0.15s"},
    {"contestant", 0, CLI_TEXT, AT(contestant), NULL, 0, 0,
     "NAME=COMMAND  a program that moves states takes part, as in hiss verify "
     "--kernel; NAME(evals=E,format=text)=COMMAND: a state costs E "
     "evaluations per call.  May be given several times"},
    {"draws", 0, CLI_TEXT, AT(draws), NULL, 0, 0,
     "NAME=FILE@TARGET  draws of another program take part.  May be given "
     "several times"},
    {0},
};

/* --- who takes part ------------------------------------------------ */

/* Adds every value of an option on the command line. */
static int add_all(const cli_common *common, const char *option,
                   int (*add)(arena_field *field, const char *text),
                   arena_field *field)
{
    size_t length = strlen(option);
    int code = CLI_DONE;

    for (int n = 2; n < common->argc && code == CLI_DONE; n++) {
        const char *word = common->argv[n];

        if (strcmp(word, "--") == 0)
            break;
        if (strncmp(word, option, length) != 0)
            continue;
        if (word[length] == '=')
            code = add(field, word + length + 1);
        else if (word[length] == '\0' && n + 1 < common->argc)
            code = add(field, common->argv[++n]);
    }
    return code;
}

static int fill(const struct arguments *a, arena_field *field)
{
    int code;

    arena_field_fill(field);
    code = add_all(&a->common, "--contestant", arena_field_add_kernel, field);
    if (code == CLI_DONE)
        code = add_all(&a->common, "--draws", arena_field_add_draws, field);
    return code;
}

/* --- the list ------------------------------------------------ */

static void list_json(const arena_plan *plan)
{
    json_t *o = cli_json_object(), *targets = cli_json_array();
    json_t *contestants = cli_json_array();

    for (const arena_entry *e = arena_catalogue; e->name; e++)
        cli_json_add(targets, arena_entry_json(e));
    for (int n = 0; n < plan->field->count; n++) {
        json_t *c = cli_json_object();

        cli_json_put_text(c, "name", plan->field->at[n].name);
        cli_json_put_text(c, "spec", plan->field->at[n].spec);
        cli_json_add(contestants, c);
    }
    cli_json_put(o, "targets", targets);
    cli_json_put(o, "contestants", contestants);
    cli_json_print(o);
}

static void list_text(const arena_plan *plan)
{
    const cli_column targets[] = {
        {"target", true, false, 0},  {"group", true, false, 0},
        {"quick", true, false, 2},   {"what it is", true, true, 1},
        {"truth by", true, true, 2},
    };
    const cli_column contestants[] = {
        {"contestant", true, false, 0},
        {"as it takes part", true, true, 0},
    };
    cli_table t;

    cli_table_init(&t, targets, 5);
    for (const arena_entry *e = arena_catalogue; e->name; e++) {
        cli_table_cell(&t, "%s", e->name);
        cli_table_cell(&t, "%s", e->group);
        cli_table_cell(&t, "%s", e->is_quick ? "yes" : "");
        cli_table_cell(&t, "%s", e->title);
        cli_table_cell(&t, "%s", e->truth);
    }
    cli_table_print(&t, 0);
    cli_table_clear(&t);
    putchar('\n');
    cli_table_init(&t, contestants, 2);
    for (int n = 0; n < plan->field->count; n++) {
        cli_table_cell(&t, "%s", plan->field->at[n].name);
        cli_table_cell(&t, "%s", plan->field->at[n].spec);
    }
    cli_table_print(&t, 0);
    cli_table_clear(&t);
}

/* --- the results ------------------------------------------------ */

/* A race without a contestant is no race. */
static int check_absent(const arena_table *table)
{
    const arena_row *row = arena_table_absent(table);

    if (row)
        return cli_fail(CLI_CHECK_FAILED, "%s on %s: %s", row->contestant,
                        row->entry->name, row->fault);
    if (table->count == 0)
        return cli_fail(CLI_CHECK_FAILED,
                        "no cell: none of the contestants was run on these "
                        "targets");
    return CLI_DONE;
}

typedef void put_report(const arena_report *r, FILE *to);

static int write_one(const cli_folder *folder, const char *name,
                     put_report *put, const arena_report *r)
{
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    int code;

    if (!to)
        return cli_fail(CLI_FAULT, "out of memory");
    put(r, to);
    if (fclose(to) != 0)
        code = cli_fail(CLI_FAULT, "out of memory");
    else
        code = cli_folder_write(folder, name, text);
    free(text);
    return code;
}

static void put_json(const arena_report *r, FILE *to)
{
    json_t *o = arena_report_json(r);
    char *text = cli_json_string(o);

    fprintf(to, "%s\n", text);
    free(text);
    json_decref(o);
}

static int write_all(const cli_folder *folder, const arena_report *r)
{
    int code = write_one(folder, "arena.json", put_json, r);

    if (code == CLI_DONE)
        code = write_one(folder, "arena.csv", arena_report_csv, r);
    if (code == CLI_DONE)
        code = write_one(folder, "arena.html", arena_report_page, r);
    return code;
}

/* The words of the command line, for the page. */
static char *command_of(const cli_common *common)
{
    char *text = cli_text("hiss");

    for (int n = 1; n < common->argc; n++) {
        const char *word = common->argv[n];
        bool is_plain = strpbrk(word, " \t\n'\"$&|;()<>*?[]#~`\\!") == NULL;
        char *longer = cli_text("%s %s%s%s", text, is_plain ? "" : "'", word,
                                is_plain ? "" : "'");

        free(text);
        text = longer;
    }
    return text;
}

static int show(const struct arguments *a, const cli_folder *folder,
                const arena_plan *plan, const arena_store *store)
{
    char *command = command_of(&a->common);
    arena_report report = {.plan = plan, .store = store, .command = command};
    int code;

    arena_table_make(&report.table, plan, store);
    code = write_all(folder, &report);
    if (code == CLI_DONE && a->common.json)
        cli_json_print(arena_report_json(&report));
    else if (code == CLI_DONE)
        arena_report_text(&report);
    if (code == CLI_DONE && !cli_interrupt_signal())
        code = check_absent(&report.table);
    arena_table_clear(&report.table);
    free(command);
    return code;
}

/* --- the command ------------------------------------------------ */

static int race_of(const char *word, arena_race *race)
{
    for (int n = 0; n < ARENA_RACES; n++)
        if (strcmp(word, arena_race_names[n]) == 0) {
            *race = (arena_race)n;
            return CLI_DONE;
        }
    *race = ARENA_RACES;
    if (strcmp(word, "both") == 0)
        return CLI_DONE;
    return cli_fail(CLI_BAD_CALL,
                    "--race: '%.64s': expected evals, seconds or both", word);
}

/* "a, b" means "a,b": no name has blanks. */
static char *without_blanks(const char *text)
{
    char *copy = cli_text("%s", text), *to = copy;

    for (const char *from = copy; *from; from++)
        if (!strchr(" \t\n", *from))
            *to++ = *from;
    *to = '\0';
    return copy;
}

static int plan_of(const struct arguments *a, const arena_field *field,
                   const char *only, arena_plan *plan)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);

    *plan = (arena_plan){
        .field = field,
        .only = only,
        .is_quick = a->is_quick,
        .seeds = a->seeds      ? a->seeds
                 : a->is_quick ? 2
                               : 3,
        .jobs = a->common.threads > 0 ? a->common.threads : (int)processors,
        .seconds = a->seconds,
        .is_quiet = a->common.quiet,
    };
    if (plan->jobs > JOBS_MAX)
        plan->jobs = JOBS_MAX;
    if (plan->jobs < 1)
        plan->jobs = 1;
    return race_of(a->race, &plan->race);
}

static int race(const struct arguments *a, arena_plan *plan)
{
    cli_folder folder;
    arena_store store;
    int code = cli_folder_open(&folder, a->out, ARENA_CELLS, a->common.force);

    if (code != CLI_DONE)
        return code;
    plan->folder = &folder;
    code = arena_store_open(&store, folder.path);
    cli_interrupt_defer(a->common.quiet);
    if (code == CLI_DONE && !a->is_report)
        code = arena_plan_run(plan, &store);
    if (code == CLI_DONE)
        code = show(a, &folder, plan, &store);
    if (code == CLI_DONE && cli_interrupt_signal())
        code = cli_fail(CLI_SIGNAL + cli_interrupt_signal(),
                        "stopped; what is finished is kept, and the same call "
                        "goes on from there");
    arena_store_close(&store);
    cli_folder_close(&folder);
    return code;
}

static int run_arena(const void *arguments)
{
    const struct arguments *a = arguments;
    arena_field field = {0};
    arena_plan plan;
    char *only = a->only ? without_blanks(a->only) : NULL;
    int code = fill(a, &field);

    if (code == CLI_DONE)
        code = plan_of(a, &field, only, &plan);
    if (code == CLI_DONE && a->is_list) {
        if (a->common.json)
            list_json(&plan);
        else
            list_text(&plan);
    } else if (code == CLI_DONE) {
        code = arena_plan_check(&plan);
        if (code == CLI_DONE && !a->is_report)
            code = arena_field_check_files(&field);
        if (code == CLI_DONE && !a->out)
            code = cli_usage_fail(&cli_command_arena, "--out DIR is missing");
        if (code == CLI_DONE)
            code = race(a, &plan);
    }
    arena_field_clear(&field);
    free(only);
    return code;
}

const cli_command cli_command_arena = {
    .name = "arena",
    .words = "",
    .summary = "a race of samplers on targets whose answers are known",
    .about =
        "Runs every sampler of the library, and contestants of your own, on "
        "targets whose answers are exact: at equal evaluations and at equal "
        "seconds, pilots and tuning included. For every cell: effective draws "
        "by known means and by DISCS' definition, errors of marginals, of "
        "masses of modes and of log Z, and what hiss diagnose says. DIR gets "
        "arena.json, arena.csv and arena.html.\n"
        "Every cell is kept in DIR as soon as it is finished: the same call "
        "again goes on where the last one was stopped.",
    .examples =
        "  hiss arena --quick --out quick\n"
        "  hiss arena --only lattices,cluster,gibbs,pt --out lattices\n"
        "  hiss arena --only torus3 --contestant mine='python3 kernel.py' \\\n"
        "      --out mine\n",
    .options = options,
    .size = sizeof(struct arguments),
    .run = run_arena,
};
