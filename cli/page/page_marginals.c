/* page_marginals.c - probabilities with intervals of two standard errors.
 *
 * Two-valued coordinates have one row, others one for each of their first
 * values.  Of many rows the least certain are drawn, and as many as fit are
 * listed. */
#include "cli/page/page.h"

#include <math.h>
#include <stdlib.h>

#include "cli/page/html.h"
#include "cli/plot/plot.h"
#include "cli/print/state.h"

enum {
    DRAWN = 60,
    COLUMN = 20, /* rows of one picture; two share more rows */
    LISTED = 400,
    VALUES = 10
};

struct row {
    int coordinate;
    int state;
    double p, error, exact;
    const hiss_column *column;
    bool is_certain;
};

/* For a coordinate that never changed, 0 as far as known; unknown for too few
 * draws. */
static double error_of(double share, const hiss_column *column)
{
    if (column->ess_bulk > 0)
        return sqrt(share * (1 - share) / column->ess_bulk);
    return column->state == HISS_CONSTANT ? 0 : (double)NAN;
}

/* Returns all rows and their number *count; free() it. */
static struct row *rows_of(const cli_page *p, int *count)
{
    const cli_figures *figures = p->figures;
    struct row *rows = cli_alloc((size_t)figures->count * VALUES, sizeof *rows);

    *count = 0;
    for (int n = 0; n < figures->count; n++) {
        const cli_coordinate *c = &figures->columns[n];
        int states = hiss_result_states(p->result, c->number);
        double *share = cli_alloc((size_t)states, sizeof *share);
        const double *exact =
            p->exact ? hiss_exact_marginal(p->exact, c->number) : NULL;

        hiss_result_marginal(p->result, c->number, share);
        for (int s = states == 2 ? 1 : 0; s < states && s < VALUES; s++)
            rows[(*count)++] =
                (struct row){.coordinate = c->number,
                             .state = s,
                             .p = share[s],
                             .error = error_of(share[s], &c->column),
                             .exact = exact ? exact[s] : (double)NAN,
                             .column = &c->column,
                             .is_certain = c->is_certain};
        free(share);
    }
    return rows;
}

static int by_place(const void *a, const void *b)
{
    const struct row *p = a, *q = b;

    return p->coordinate != q->coordinate ? p->coordinate - q->coordinate
                                          : p->state - q->state;
}

/* The least certain first. */
static int by_error(const void *a, const void *b)
{
    double p = ((const struct row *)a)->error;
    double q = ((const struct row *)b)->error;

    p = isnan(p) ? HUGE_VAL : p;
    q = isnan(q) ? HUGE_VAL : q;
    return p > q ? -1 : p < q ? 1 : by_place(a, b);
}

/* The end of the axis, because probabilities of many values are small. */
static double reach(const struct row *rows, int count)
{
    static const double ends[] = {0.1, 0.2, 0.5};
    double most = 0;

    for (int n = 0; n < count; n++) {
        /* unknown errors, NaN, do not count */
        most = fmax(most, rows[n].p);
        most = fmax(most, rows[n].p + 2 * rows[n].error);
        most = fmax(most, rows[n].exact);
    }
    for (int n = 0; n < 3; n++)
        if (most <= ends[n])
            return ends[n];
    return 1;
}

/* Returns "Alarm = true", "x.3 = 1"; free() it. */
static char *row_name(const cli_page *p, const struct row *r)
{
    char *name = cli_result_coordinate(p->result, r->coordinate);
    char *value = cli_result_value(p->result, r->coordinate, r->state);
    char *both = cli_text("%s = %s", name, value);

    free(name);
    free(value);
    return both;
}

static void draw(const cli_page *p, const struct row *rows, int count,
                 double high)
{
    int first = rows[0].coordinate + 1, last = rows[count - 1].coordinate + 1;
    char range[48], caption[160];
    cli_plot plot;

    snprintf(range, sizeof range, first == last ? "x.%d" : "x.%d to x.%d",
             first, last);
    snprintf(caption, sizeof caption,
             "%s: probability, bar = 2 standard errors either way%s", range,
             p->exact ? ", stroke = exact" : "");
    cli_plot_begin(&plot, p->to, caption, 36 + 15.0 * count, 92, 0, high, 0,
                   count);
    for (int n = 0; n < count; n++) {
        double y = count - n - 0.5;
        char *word = row_name(p, &rows[n]);

        cli_plot_y_word(&plot, y, word);
        free(word);
        if (!isnan(rows[n].error))
            cli_plot_interval(&plot, rows[n].p - 2 * rows[n].error,
                              rows[n].p + 2 * rows[n].error, y, 0);
        cli_plot_dot(&plot, rows[n].p, y, 2.6, 0, 1);
        if (!isnan(rows[n].exact))
            cli_plot_mark(&plot, rows[n].exact, y);
    }
    cli_plot_x_axis(&plot, "P");
    cli_plot_end(&plot);
}

/* Columns of the table that are not empty. */
struct columns {
    bool error, exact, ess, rhat;
};

static struct columns columns_of(const cli_page *p, const struct row *rows,
                                 int count)
{
    struct columns has = {.exact = p->exact != NULL};

    for (int n = 0; n < count; n++) {
        has.error = has.error || !isnan(rows[n].error);
        has.ess = has.ess || !isnan(rows[n].column->ess_bulk);
        has.rhat = has.rhat || !isnan(rows[n].column->rhat);
    }
    return has;
}

static void list_row(const cli_page *p, const struct row *r,
                     const struct columns *has)
{
    cli_html_row(p->to);
    char *word = row_name(p, r);

    cli_html_cell(p->to, false, "%s", word);
    free(word);
    cli_html_decimals(p->to, 5, r->p);
    if (has->error)
        cli_html_digits(p->to, 2, r->error);
    if (has->exact)
        cli_html_decimals(p->to, 5, r->exact);
    if (has->ess)
        cli_html_decimals(p->to, 0, r->column->ess_bulk);
    if (has->rhat)
        cli_html_decimals(p->to, 3, r->column->rhat);
    cli_html_cell(p->to, false, "%s",
                  cli_column_word(r->column->state, r->is_certain));
    cli_html_row_end(p->to);
}

static void list(const cli_page *p, const struct row *rows, int count)
{
    int listed = count < LISTED ? count : LISTED, columns = 0;
    struct columns has = columns_of(p, rows, listed);
    const char *heads[7];

    heads[columns++] = "value";
    heads[columns++] = "#P";
    if (has.error)
        heads[columns++] = "#error";
    if (has.exact)
        heads[columns++] = "#exact";
    if (has.ess)
        heads[columns++] = "#ESS";
    if (has.rhat)
        heads[columns++] = "#R-hat";
    heads[columns++] = "state";
    cli_html_details(p->to, "All figures as a table");
    cli_html_table(p->to, "Probabilities of values", columns, heads);
    for (int n = 0; n < listed; n++)
        list_row(p, &rows[n], &has);
    cli_html_table_end(p->to);
    if (count > LISTED)
        cli_html_paragraph(p->to, "dim",
                           "%d of %d rows; hiss summary %s has "
                           "all.",
                           LISTED, count, p->file);
    cli_html_details_end(p->to);
}

/* Writes ", 3 never changed", if there are any. */
static void tally(const cli_page *p, int count, const char *words)
{
    if (count)
        fprintf(p->to, ", %d %s", count, words);
}

static void words(const cli_page *p, bool is_cut)
{
    const cli_figures *figures = p->figures;
    int cut = 0;

    for (int n = 0; n < figures->count; n++)
        cut +=
            hiss_result_states(p->result, figures->columns[n].number) > VALUES;
    fprintf(p->to, "<p>%d of %d coordinates %s", figures->varying,
            figures->count, figures->count == 1 ? "varies" : "vary");
    tally(p, figures->constant, "never changed");
    tally(p, figures->certain,
          figures->certain == 1 ? "is certain" : "are certain");
    tally(p, figures->stuck, figures->stuck == 1 ? "is stuck" : "are stuck");
    fputc('.', p->to);
    if (figures->count < p->info.dim)
        fprintf(p->to, " %d of %d coordinates were checked.", figures->count,
                p->info.dim);
    if (cut)
        fprintf(p->to, " Of each coordinate the first %d values are shown.",
                VALUES);
    fprintf(p->to, "%s</p>\n", is_cut ? " The least certain are drawn." : "");
}

void cli_page_marginals(const cli_page *p)
{
    int count, drawn, half;
    struct row *rows = rows_of(p, &count);

    drawn = count < DRAWN ? count : DRAWN;
    cli_html_section(p->to, "marginals", "Marginals");
    words(p, drawn < count);
    if (drawn < count) {
        qsort(rows, (size_t)count, sizeof *rows, by_error);
        qsort(rows, (size_t)drawn, sizeof *rows, by_place);
    }
    cli_html_figures(p->to);
    half = drawn > COLUMN ? (drawn + 1) / 2 : drawn;
    draw(p, rows, half, reach(rows, drawn));
    if (drawn > half)
        draw(p, rows + half, drawn - half, reach(rows, drawn));
    cli_html_figures_end(p->to);
    list(p, rows, count);
    cli_html_section_end(p->to);
    free(rows);
}
