/* row.c - the cells of a contestant on a target, over its seeds.
 *
 * Who is best has the most effective draws, by known means, of those whose
 * draws are not wrong in any run. */
#include "arena/report/row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print/fail.h"

/* Adds a value to sums that are kept in a figure. */
static void add(arena_figure *f, int *count, double value)
{
    if (isnan(value))
        return;
    f->mean += value;
    f->se += value * value;
    ++*count;
}

static void finish(arena_figure *f, int count)
{
    double n = count, mean = f->mean / n;

    if (count == 0) {
        *f = (arena_figure){(double)NAN, (double)NAN};
        return;
    }
    f->se = count > 1 ? sqrt(fmax(f->se / n - mean * mean, 0.0) / (n - 1.0))
                      : (double)NAN;
    f->mean = mean;
}

/* The figures of a row, and those of a score. */
struct sums {
    int evals, seconds, ess, energy, discs, marginals, modes, log_z;
};

static void add_cell(arena_row *row, struct sums *n, const arena_cell *cell)
{
    const arena_score *s = &cell->score;

    row->command = cell->command;
    if (*s->fault) {
        row->fault = s->fault;
        return;
    }
    row->runs++;
    row->sampler = *s->sampler ? s->sampler : row->sampler;
    add(&row->evals, &n->evals, s->evals);
    add(&row->seconds, &n->seconds, s->seconds);
    add(&row->ess, &n->ess, s->ess);
    add(&row->energy, &n->energy, s->energy);
    add(&row->discs, &n->discs, s->discs);
    add(&row->marginals, &n->marginals, s->marginals);
    add(&row->modes, &n->modes, s->modes);
    add(&row->log_z, &n->log_z, fabs(s->log_z));
    row->missed += s->missed > 0;
    row->wrong += s->is_wrong;
    row->over += s->is_over;
    row->is_exact = s->is_exact;
    row->judged += s->opinion >= 0;
    row->trusted += s->opinion == HISS_TRUSTED || s->opinion == HISS_PROVED;
    if (s->opinion >= 0 && row->judged == 1)
        row->opinion = s->opinion;
    else if (s->opinion >= 0 && row->opinion != s->opinion)
        row->opinion = -1;
    row->called_wrong += s->opinion == HISS_WRONG;
    if (*s->verdict && (!row->verdict || s->opinion == HISS_WRONG))
        row->verdict = s->verdict;
}

/* One test of a foreign kernel serves both races. */
static void add_law(arena_row *row, const arena_cell *cell)
{
    if (!cell || cell->score.keeps < 0)
        return;
    row->keeps = cell->score.keeps;
    row->broken = cell->score.broken;
}

/* Of all seeds that the plan has; false: there is no cell. */
static bool make_row(arena_row *row, const arena_plan *plan,
                     const arena_store *store, const arena_entry *e,
                     const arena_contestant *c, arena_race race)
{
    struct sums n = {0};
    bool has_cell = false;

    *row = (arena_row){.entry = e,
                       .contestant = c->name,
                       .spec = c->spec,
                       .race = race,
                       .is_foreign = c->kind != ARENA_SAMPLER,
                       .is_exact = -1,
                       .keeps = -1};
    for (int seed = 1; seed <= plan->seeds; seed++) {
        const arena_cell *cell =
            arena_store_find(store, e->name, c->name, race, seed, NULL);

        add_law(row, arena_store_find(store, e->name, c->name, ARENA_EVALS,
                                      seed, NULL));
        if (!cell)
            continue;
        add_cell(row, &n, cell);
        has_cell = true;
    }
    finish(&row->evals, n.evals);
    finish(&row->seconds, n.seconds);
    finish(&row->ess, n.ess);
    finish(&row->energy, n.energy);
    finish(&row->discs, n.discs);
    finish(&row->marginals, n.marginals);
    finish(&row->modes, n.modes);
    finish(&row->log_z, n.log_z);
    return has_cell;
}

bool arena_row_is_wrong(const arena_row *row)
{
    return row->wrong > 0 || row->missed > 0 || row->keeps == HISS_BROKEN ||
           row->is_exact == 0;
}

bool arena_row_is_poor(const arena_row *row)
{
    return row->runs > 0 && !(row->ess.mean >= ARENA_FEW);
}

bool arena_row_eliminates(const arena_row *row)
{
    return row->sampler && strncmp(row->sampler, "independent", 11) == 0;
}

/* Right ones before wrong ones, then by falling ESS; without draws last. */
static int order(const void *a, const void *b)
{
    const arena_row *p = a, *q = b;
    double x = p->runs ? p->ess.mean : -1.0, y = q->runs ? q->ess.mean : -1.0;

    if ((p->runs == 0) != (q->runs == 0))
        return p->runs == 0 ? 1 : -1;
    if (arena_row_is_wrong(p) != arena_row_is_wrong(q))
        return arena_row_is_wrong(p) ? 1 : -1;
    return x > y ? -1 : x < y ? 1 : strcmp(p->contestant, q->contestant);
}

/* The first of sorted rows is the best; others are tied with it that differ by
 * less than two standard errors of the difference, or by less than a
 * twentieth. */
static void mark(arena_row *rows, int count)
{
    if (count == 0 || rows->runs == 0 || arena_row_is_wrong(rows))
        return;
    rows->is_best = true;
    for (int n = 1; n < count; n++) {
        double gap = rows->ess.mean - rows[n].ess.mean;
        double se = hypot(rows->ess.se, rows[n].ess.se);

        rows[n].is_tied = rows[n].runs > 0 && !arena_row_is_wrong(&rows[n]) &&
                          (gap < 2.0 * se || gap < 0.05 * rows->ess.mean);
    }
}

void arena_table_make(arena_table *table, const arena_plan *plan,
                      const arena_store *store)
{
    int places = 0;

    for (const arena_entry *e = arena_catalogue; e->name; e++)
        places += ARENA_RACES * plan->field->count;
    *table = (arena_table){cli_alloc((size_t)places, sizeof *table->rows), 0};
    for (const arena_entry *e = arena_catalogue; e->name; e++) {
        if (!arena_plan_has_target(plan, e))
            continue;
        for (int race = 0; race < ARENA_RACES; race++) {
            arena_row *first = table->rows + table->count;
            int count = 0;

            for (int c = 0; c < plan->field->count; c++)
                if (arena_plan_has(plan, &plan->field->at[c], e))
                    count += make_row(first + count, plan, store, e,
                                      &plan->field->at[c], (arena_race)race);
            qsort(first, (size_t)count, sizeof *first, order);
            mark(first, count);
            table->count += count;
        }
    }
}

void arena_table_clear(arena_table *table)
{
    free(table->rows);
    *table = (arena_table){0};
}

const arena_row *arena_table_best(const arena_table *table,
                                  const arena_entry *e, arena_race race)
{
    for (int n = 0; n < table->count; n++)
        if (table->rows[n].entry == e && table->rows[n].race == race &&
            table->rows[n].is_best)
            return &table->rows[n];
    return NULL;
}

/* Whether it gave draws somewhere; NULL: whether anybody did. */
static bool drew(const arena_table *table, const char *contestant)
{
    for (int n = 0; n < table->count; n++)
        if (table->rows[n].runs > 0 &&
            (!contestant || strcmp(table->rows[n].contestant, contestant) == 0))
            return true;
    return false;
}

const arena_row *arena_table_absent(const arena_table *table)
{
    bool is_empty = !drew(table, NULL);

    for (int n = 0; n < table->count; n++) {
        const arena_row *row = &table->rows[n];

        if (is_empty || (row->is_foreign && !drew(table, row->contestant)))
            return row;
    }
    return NULL;
}

bool arena_table_has(const arena_table *table, arena_race race)
{
    for (int n = 0; n < table->count; n++)
        if (table->rows[n].race == race && table->rows[n].runs > 0)
            return true;
    return false;
}

/* Rows are sorted: the first that fits. */
const arena_row *arena_table_best_chain(const arena_table *table,
                                        const arena_entry *e, arena_race race)
{
    for (int n = 0; n < table->count; n++) {
        const arena_row *row = &table->rows[n];

        if (row->entry == e && row->race == race && row->runs > 0 &&
            !arena_row_is_wrong(row) && !arena_row_eliminates(row))
            return row;
    }
    return NULL;
}
