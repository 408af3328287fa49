/* data.c - what the arena found, as JSON and CSV. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arena/report/report.h"
#include "cli/print/fail.h"

static const struct {
    const char *key;
    size_t at;
} figures[] = {
    {"ess", offsetof(arena_row, ess)},
    {"energy_ess", offsetof(arena_row, energy)},
    {"discs_ess", offsetof(arena_row, discs)},
    {"marginal_error", offsetof(arena_row, marginals)},
    {"mode_error", offsetof(arena_row, modes)},
    {"log_z_error", offsetof(arena_row, log_z)},
    {"evals", offsetof(arena_row, evals)},
    {"seconds", offsetof(arena_row, seconds)},
};

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const arena_figure *figure(const arena_row *row, size_t k)
{
    return (const arena_figure *)((const char *)row + figures[k].at);
}

const char *arena_row_state(const arena_row *row)
{
    if (row->runs == 0)
        return "no draws";
    if (row->keeps == HISS_BROKEN)
        return "wrong: law broken";
    if (row->is_exact == 0)
        return "not exact";
    if (row->missed)
        return "wrong: mode missed";
    if (row->wrong)
        return "wrong";
    return arena_row_is_poor(row) ? "too few" : "right";
}

char *arena_row_opinion(const arena_row *row)
{
    if (row->judged == 0)
        return cli_text("-");
    if (row->called_wrong)
        return row->judged == 1 ? cli_text("wrong")
                                : cli_text("wrong in %d of %d",
                                           row->called_wrong, row->judged);
    if (row->opinion >= 0)
        return cli_text("%s", hiss_opinion_word((hiss_opinion)row->opinion));
    return cli_text("trusted in %d of %d", row->trusted, row->judged);
}

static json_t *row_json(const arena_row *row)
{
    json_t *o = cli_json_object();
    char *opinion = arena_row_opinion(row);

    cli_json_put_text(o, "target", row->entry->name);
    cli_json_put_text(o, "group", row->entry->group);
    cli_json_put_text(o, "contestant", row->contestant);
    cli_json_put_text(o, "race", arena_race_names[row->race]);
    cli_json_put_text(o, "spec", row->spec);
    cli_json_put_text(o, "sampler", row->sampler);
    cli_json_put_bool(o, "foreign", row->is_foreign);
    cli_json_put_whole(o, "runs", row->runs);
    for (size_t k = 0; k < COUNT(figures); k++) {
        char *se = cli_text("%s_se", figures[k].key);

        cli_json_put_real(o, figures[k].key, figure(row, k)->mean);
        cli_json_put_real(o, se, figure(row, k)->se);
        free(se);
    }
    cli_json_put_text(o, "state", arena_row_state(row));
    cli_json_put_bool(o, "right", row->runs > 0 && !arena_row_is_wrong(row));
    cli_json_put_whole(o, "wrong_runs", row->wrong);
    cli_json_put_whole(o, "missed_runs", row->missed);
    cli_json_put_whole(o, "over_time", row->over);
    cli_json_put_text(o, "diagnose", row->judged ? opinion : NULL);
    cli_json_put_text(o, "finding", row->verdict);
    cli_json_put_text(o, "law",
                      row->keeps == HISS_KEPT     ? "kept"
                      : row->keeps == HISS_BROKEN ? "broken"
                      : row->keeps < 0            ? NULL
                                                  : "undecided");
    cli_json_put_text(o, "law_reason", row->broken);
    cli_json_put_text(o, "fault", row->fault);
    cli_json_put_bool(o, "best", row->is_best);
    cli_json_put_bool(o, "tied", row->is_tied);
    cli_json_put_text(o, "command", row->command);
    free(opinion);
    return o;
}

json_t *arena_entry_json(const arena_entry *e)
{
    json_t *o = cli_json_object();

    cli_json_put_text(o, "name", e->name);
    cli_json_put_text(o, "group", e->group);
    cli_json_put_text(o, "title", e->title);
    cli_json_put_text(o, "about", e->about);
    cli_json_put_text(o, "truth", e->truth);
    cli_json_put_text(o, "model", e->model);
    cli_json_put_number(o, "evals", e->evals);
    cli_json_put_bool(o, "quick", e->is_quick);
    return o;
}

static json_t *target_json(const arena_report *r, const arena_entry *e)
{
    json_t *o = arena_entry_json(e);

    for (int race = 0; race < ARENA_RACES; race++) {
        const arena_row *best =
            arena_table_best(&r->table, e, (arena_race)race);
        char *key = cli_text("best_%s", arena_race_names[race]);

        cli_json_put_text(o, key, best ? best->contestant : NULL);
        free(key);
        best = arena_table_best_chain(&r->table, e, (arena_race)race);
        key = cli_text("best_chain_%s", arena_race_names[race]);
        cli_json_put_text(o, key, best ? best->contestant : NULL);
        free(key);
    }
    return o;
}

json_t *arena_report_json(const arena_report *r)
{
    json_t *o = cli_json_object(), *targets = cli_json_array();
    json_t *rows = cli_json_array();

    for (const arena_entry *e = arena_catalogue; e->name; e++)
        if (arena_plan_has_target(r->plan, e))
            cli_json_add(targets, target_json(r, e));
    for (int n = 0; n < r->table.count; n++)
        cli_json_add(rows, row_json(&r->table.rows[n]));
    cli_json_put_text(o, "version", hiss_version());
    cli_json_put_text(o, "instructions", hiss_isa());
    cli_json_put_text(o, "command", r->command);
    cli_json_put_bool(o, "quick", r->plan->is_quick);
    cli_json_put_whole(o, "seeds", r->plan->seeds);
    cli_json_put(o, "targets", targets);
    cli_json_put(o, "rows", rows);
    return o;
}

/* A field in quotes, with those in it doubled. */
static void put_text(FILE *to, const char *text)
{
    fputc('"', to);
    for (; text && *text; text++) {
        if (*text == '"')
            fputc('"', to);
        fputc(*text == '\n' ? ' ' : *text, to);
    }
    fputc('"', to);
}

static void put_number(FILE *to, double number)
{
    fputc(',', to);
    if (!isnan(number))
        fprintf(to, "%.6g", number);
}

void arena_report_csv(const arena_report *r, FILE *to)
{
    fputs("target,group,contestant,race,runs,state,diagnose,best", to);
    for (size_t k = 0; k < COUNT(figures); k++)
        fprintf(to, ",%s,%s_se", figures[k].key, figures[k].key);
    fputs(",sampler,fault,command\n", to);
    for (int n = 0; n < r->table.count; n++) {
        const arena_row *row = &r->table.rows[n];
        char *opinion = arena_row_opinion(row);

        fprintf(to, "%s,%s,%s,%s,%d,%s,%s,%d", row->entry->name,
                row->entry->group, row->contestant, arena_race_names[row->race],
                row->runs, arena_row_state(row), opinion, row->is_best);
        for (size_t k = 0; k < COUNT(figures); k++) {
            put_number(to, figure(row, k)->mean);
            put_number(to, figure(row, k)->se);
        }
        fputc(',', to);
        put_text(to, row->sampler ? row->sampler : row->spec);
        fputc(',', to);
        put_text(to, row->fault);
        fputc(',', to);
        put_text(to, row->command);
        fputc('\n', to);
        free(opinion);
    }
}
