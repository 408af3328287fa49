/* marginals.c - the table of coordinates.
 *
 * Numeric coordinates have one row, their mean.  Categorical ones have a row
 * for each label, its share with the error sqrt(p (1 - p) / ESS).  If there is
 * not enough room, the worst coordinates are listed: stuck ones, then by
 * falling R-hat. */
#include "cli/report/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/print/objective.h"
#include "cli/print/state.h"
#include "cli/print/table.h"

enum {
    LABELS_MAX = 8,
    DIGITS = 4
};

static const cli_column columns[] = {
    {"coordinate", true, false, 0}, {"mean", false, false, 0},
    {"mcse", false, false, 2},      {"exact", false, false, 3},
    {"ESS", false, false, 1},       {"R-hat", false, false, 0},
    {"state", true, false, 4},
};

enum {
    COLUMNS = sizeof columns / sizeof *columns
};

/* Share of the draws with one label of a coordinate, over all chains. */
static double share_of(const cli_report *r, int coordinate, double label)
{
    const void *draws = hiss_result_draws(r->result);
    int64_t total = (int64_t)r->info.chains * r->info.samples, hits = 0;

    for (int64_t n = 0; n < total; n++) {
        int64_t at = n * r->info.dim + coordinate;
        double value = r->info.element == HISS_INT8
                           ? (double)((const int8_t *)draws)[at]
                       : r->info.element == HISS_INT16
                           ? (double)((const int16_t *)draws)[at]
                           : (double)((const float *)draws)[at];

        hits += value == label;
    }
    return (double)hits / (double)(total ? total : 1);
}

static void add_diagnostics(cli_table *t, const hiss_column *c, bool is_certain)
{
    cli_table_number(t, c->ess_bulk, 0);
    cli_table_number(t, c->rhat, 3);
    cli_table_cell(t, "%s", cli_column_word(c->state, is_certain));
}

static double exact_mean(const cli_report *r, int i)
{
    const double *p;
    double mean = 0;

    if (!r->exact)
        return NAN;
    p = hiss_exact_marginal(r->exact, i);
    for (int s = 0; s < hiss_result_states(r->result, i); s++)
        mean += p[s] * hiss_result_value(r->result, i, s);
    return mean;
}

static void add_numeric(const cli_report *r, cli_table *t,
                        const cli_coordinate *c)
{
    char *name = cli_result_coordinate(r->result, c->number);

    cli_table_cell(t, "%s", name);
    free(name);
    cli_table_number(t, c->column.mean, DIGITS);
    cli_table_number(t, c->column.mcse, DIGITS);
    cli_table_number(t, exact_mean(r, c->number), DIGITS);
    add_diagnostics(t, &c->column, c->is_certain);
}

static void add_labels(const cli_report *r, cli_table *t,
                       const cli_coordinate *c, int most)
{
    int i = c->number, labels = hiss_result_states(r->result, i);
    const double *p = r->exact ? hiss_exact_marginal(r->exact, i) : NULL;

    for (int s = 0; s < labels && s < LABELS_MAX && s < most; s++) {
        double label = hiss_result_value(r->result, i, s);
        double share = share_of(r, i, label);

        char *name = cli_result_coordinate(r->result, i);
        char *value = cli_result_value(r->result, i, s);

        cli_table_cell(t, "%s = %s", name, value);
        free(name);
        free(value);
        cli_table_number(t, share, DIGITS);
        cli_table_number(t, sqrt(share * (1 - share) / c->column.ess_bulk),
                         DIGITS);
        cli_table_number(t, p ? p[s] : (double)NAN, DIGITS);
        if (s == 0) {
            add_diagnostics(t, &c->column, c->is_certain);
            continue;
        }
        for (int blank = 0; blank < 3; blank++)
            cli_table_cell(t, "%s", "");
    }
}

static bool has_labels(const cli_report *r, int i)
{
    hiss_kind kind = hiss_result_kind(r->result, i);

    return kind == HISS_CATEGORICAL || kind == HISS_PERMUTATION;
}

static int rows_of(const cli_report *r, int i)
{
    int labels = hiss_result_states(r->result, i);

    if (!has_labels(r, i))
        return 1;
    return labels < LABELS_MAX ? labels : LABELS_MAX;
}

/* The worst first, ties by number. */
static int by_fault(const void *left, const void *right)
{
    const cli_coordinate *a = left, *b = right;
    bool a_stuck = a->column.state == HISS_STUCK;
    bool b_stuck = b->column.state == HISS_STUCK;
    double a_rhat = isnan(a->column.rhat) ? 0 : a->column.rhat;
    double b_rhat = isnan(b->column.rhat) ? 0 : b->column.rhat;

    if (a_stuck != b_stuck)
        return a_stuck ? -1 : 1;
    if (a_rhat != b_rhat)
        return a_rhat > b_rhat ? -1 : 1;
    return a->number - b->number;
}

static void add_log_p(const cli_report *r, cli_table *t)
{
    const hiss_column *c = &r->figures.energy;

    cli_table_cell(t, "log p");
    cli_table_number(t, c->mean, DIGITS);
    cli_table_number(t, c->mcse, DIGITS);
    cli_table_number(t, r->exact ? hiss_exact_mean_u(r->exact) : (double)NAN,
                     DIGITS);
    add_diagnostics(t, c, false);
}

/* Adds the objective of the model's own file. */
static void add_objective(const cli_report *r, cli_table *t)
{
    const hiss_column *c = &r->figures.energy;
    cli_objective in = cli_objective_of_result(r->result);

    if (!in.has_own)
        return;
    cli_table_cell(t, "%s", in.name);
    cli_table_number(t, cli_objective_value(&in, c->mean), DIGITS);
    cli_table_number(t, fabs(in.scale) * c->mcse, DIGITS);
    cli_table_number(t,
                     r->exact
                         ? cli_objective_value(&in, hiss_exact_mean_u(r->exact))
                         : (double)NAN,
                     DIGITS);
    add_diagnostics(t, c, false);
}

void cli_report_marginals(const cli_report *report, int most)
{
    const cli_figures *figures = &report->figures;
    int rows = 0, listed = 0;
    cli_table table;

    for (int n = 0; n < figures->count; n++)
        rows += rows_of(report, figures->columns[n].number);
    if (rows > most)
        qsort(figures->columns, (size_t)figures->count,
              sizeof *figures->columns, by_fault);
    cli_table_init(&table, columns, COLUMNS);
    for (rows = 0; listed < figures->count; listed++) {
        const cli_coordinate *c = &figures->columns[listed];

        rows += rows_of(report, c->number);
        if (rows > most && listed > 0)
            break;
        if (has_labels(report, c->number))
            add_labels(report, &table, c, most);
        else
            add_numeric(report, &table, c);
    }
    add_log_p(report, &table);
    add_objective(report, &table);
    cli_table_print(&table, 0);
    cli_table_clear(&table);
    if (listed < report->info.dim)
        printf("(%d of %d coordinates, the worst first; %d were checked)\n",
               listed, report->info.dim, figures->count);
}
