/* text.c - who is best where, for a terminal. */
#include <stdio.h>
#include <stdlib.h>

#include "arena/report/report.h"
#include "cli/print/table.h"

/* "cluster, 4100": the best and its effective draws. */
static void put_best(cli_table *t, const arena_row *best)
{
    if (best)
        cli_table_cell(t, "%s, %.0f", best->contestant, best->ess.mean);
    else
        cli_table_cell(t, "-");
}

static int count_wrong(const arena_report *r, const arena_entry *e)
{
    int wrong = 0;

    for (int n = 0; n < r->table.count; n++) {
        const arena_row *row = &r->table.rows[n];

        wrong += row->entry == e && row->race == ARENA_EVALS && row->runs > 0 &&
                 arena_row_is_wrong(row);
    }
    return wrong;
}

static void print_winners(const arena_report *r)
{
    const cli_column columns[] = {
        {"target", true, false, 0},
        {"at equal evaluations", true, false, 0},
        {"at equal seconds", true, false, 0},
        {"wrong", false, false, 1},
    };
    cli_table t;

    cli_table_init(&t, columns, 4);
    for (const arena_entry *e = arena_catalogue; e->name; e++) {
        if (!arena_plan_has_target(r->plan, e))
            continue;
        cli_table_cell(&t, "%s", e->name);
        put_best(&t, arena_table_best(&r->table, e, ARENA_EVALS));
        put_best(&t, arena_table_best(&r->table, e, ARENA_SECONDS));
        cli_table_cell(&t, "%d", count_wrong(r, e));
    }
    cli_table_print(&t, 0);
    cli_table_clear(&t);
}

/* All contestants, where there is one target. */
static void print_rows(const arena_report *r)
{
    const cli_column columns[] = {
        {"contestant", true, false, 0}, {"race", true, false, 0},
        {"ESS", false, false, 0},       {"DISCS' ESS", false, false, 1},
        {"marginals", false, false, 1}, {"modes", false, false, 1},
        {"draws are", true, false, 0},  {"diagnose", true, false, 2},
    };
    cli_table t;

    cli_table_init(&t, columns, 8);
    for (int n = 0; n < r->table.count; n++) {
        const arena_row *row = &r->table.rows[n];
        char *opinion = arena_row_opinion(row);

        cli_table_cell(&t, "%s", row->contestant);
        cli_table_cell(&t, "%s", arena_race_names[row->race]);
        cli_table_number(&t, row->ess.mean, 1);
        cli_table_number(&t, row->discs.mean, 1);
        cli_table_number(&t, row->marginals.mean, 4);
        cli_table_number(&t, row->modes.mean, 4);
        cli_table_cell(&t, "%s", arena_row_state(row));
        cli_table_cell(&t, "%s", opinion);
        free(opinion);
    }
    cli_table_print(&t, 0);
    cli_table_clear(&t);
}

void arena_report_text(const arena_report *r)
{
    int targets = 0;

    for (const arena_entry *e = arena_catalogue; e->name; e++)
        targets += arena_plan_has_target(r->plan, e);
    if (targets > 1)
        print_winners(r);
    else
        print_rows(r);
    puts("effective draws by known means; wrong: farther from the truth than "
         "its own errors\nallow, a mode missed, not exact, or a law that is "
         "broken (docs/arena.md)");
    for (int n = 0; n < r->table.count; n++) {
        const arena_row *row = &r->table.rows[n];

        if (row->is_foreign && row->keeps == HISS_BROKEN)
            printf("%s on %s does not keep the law: %s\n", row->contestant,
                   row->entry->name, row->broken);
        if (row->is_foreign && row->runs == 0 && row->fault)
            printf("%s on %s: %s\n", row->contestant, row->entry->name,
                   row->fault);
    }
}
