/* page_marginals.c - probabilities with intervals of two standard errors.
 *
 * Two-valued coordinates have one row, the others one for each of their first
 * values.  Of many rows the least certain are drawn and as many as fit are
 * listed. */
#include "cli/page/page.h"

#include <math.h>
#include <stdlib.h>

#include "cli/page/html.h"
#include "cli/page/plot.h"

enum {
    DRAWN = 60,
    COLUMN = 20, /* rows of one picture */
    LISTED = 400,
    VALUES = 6
};

struct row {
    int coordinate;
    int state;
    double value, p, error, exact;
    const hiss_column *column;
    bool is_certain;
};

/* All rows; *count of them.  free() it. */
static struct row *rows_of(const cli_page *p, int *count)
{
    const cli_check *check = p->check;
    struct row *rows = cli_alloc((size_t)check->count * VALUES, sizeof *rows);

    *count = 0;
    for (int n = 0; n < check->count; n++) {
        const cli_checked *c = &check->columns[n];
        int states = hiss_result_states(p->result, c->coordinate);
        double *share = cli_alloc((size_t)states, sizeof *share);
        const double *exact =
            p->exact ? hiss_exact_marginal(p->exact, c->coordinate) : NULL;
        double ess = c->column.ess_bulk;

        hiss_result_marginal(p->result, c->coordinate, share);
        for (int s = states == 2 ? 1 : 0; s < states && s < VALUES; s++)
            rows[(*count)++] = (struct row){
                .coordinate = c->coordinate,
                .state = s,
                .value = hiss_result_value(p->result, c->coordinate, s),
                .p = share[s],
                .error = ess > 0 ? sqrt(share[s] * (1 - share[s]) / ess) : 0,
                .exact = exact ? exact[s] : (double)NAN,
                .column = &c->column,
                .is_certain = c->is_certain};
        free(share);
    }
    return rows;
}

static int by_error(const void *a, const void *b)
{
    const struct row *p = a, *q = b;

    if (p->error != q->error)
        return p->error > q->error ? -1 : 1;
    return p->coordinate != q->coordinate ? p->coordinate - q->coordinate
                                          : p->state - q->state;
}

static int by_place(const void *a, const void *b)
{
    const struct row *p = a, *q = b;

    return p->coordinate != q->coordinate ? p->coordinate - q->coordinate
                                          : p->state - q->state;
}

static void draw(const cli_page *p, const struct row *rows, int count)
{
    char caption[160];
    cli_plot plot;

    snprintf(caption, sizeof caption,
             "x.%d to x.%d: probability, bar = 2 standard errors either way%s",
             rows[0].coordinate + 1, rows[count - 1].coordinate + 1,
             p->exact ? ", stroke = exact" : "");
    cli_plot_begin(&plot, p->to, caption, 36 + 15.0 * count, 76, 0, 1, 0,
                   count);
    for (int n = 0; n < count; n++) {
        double y = count - n - 0.5;
        char word[48];

        snprintf(word, sizeof word, "x.%d = %g", rows[n].coordinate + 1,
                 rows[n].value);
        cli_plot_y_word(&plot, y, word);
        cli_plot_interval(&plot, rows[n].p - 2 * rows[n].error,
                          rows[n].p + 2 * rows[n].error, y, 0);
        cli_plot_dot(&plot, rows[n].p, y, 2.6, 0, 1);
        if (!isnan(rows[n].exact))
            cli_plot_mark(&plot, rows[n].exact, y);
    }
    cli_plot_x_axis(&plot, "P");
    cli_plot_end(&plot);
}

static void list(const cli_page *p, const struct row *rows, int count)
{
    static const char *const heads[] = {"value", "#P",     "#error", "#exact",
                                        "#ESS",  "#R-hat", "state"};

    cli_html_details(p->to, "All figures as a table");
    cli_html_table(p->to, "Probabilities of values", 7, heads);
    for (int n = 0; n < count && n < LISTED; n++) {
        const struct row *r = &rows[n];

        cli_html_row(p->to);
        cli_html_cell(p->to, false, "x.%d = %g", r->coordinate + 1, r->value);
        cli_html_cell(p->to, true, "%.5f", r->p);
        cli_html_cell(p->to, true, "%.2g", r->error);
        if (isnan(r->exact))
            cli_html_cell(p->to, true, "-");
        else
            cli_html_cell(p->to, true, "%.5f", r->exact);
        if (isnan(r->column->ess_bulk)) {
            cli_html_cell(p->to, true, "-");
            cli_html_cell(p->to, true, "-");
        } else {
            cli_html_cell(p->to, true, "%.0f", r->column->ess_bulk);
            cli_html_cell(p->to, true, "%.3f", r->column->rhat);
        }
        cli_html_cell(p->to, false, "%s",
                      cli_check_word(r->column->state, r->is_certain));
        cli_html_row_end(p->to);
    }
    cli_html_table_end(p->to);
    if (count > LISTED)
        cli_html_paragraph(p->to, "dim",
                           "%d of %d rows; hiss summary %s has "
                           "all.",
                           LISTED, count, p->file);
    cli_html_details_end(p->to);
}

void cli_page_marginals(const cli_page *p)
{
    int count, drawn;
    struct row *rows = rows_of(p, &count);

    drawn = count < DRAWN ? count : DRAWN;
    cli_html_section(p->to, "marginals", "Marginals");
    cli_html_paragraph(p->to, NULL,
                       "%d of %d coordinates vary, %d never changed, %d are "
                       "certain, %d are stuck. %s",
                       p->check->varying, p->check->count, p->check->constant,
                       p->check->certain, p->check->stuck,
                       drawn < count ? "The least certain are drawn." : "");
    if (drawn < count) {
        qsort(rows, (size_t)count, sizeof *rows, by_error);
        qsort(rows, (size_t)drawn, sizeof *rows, by_place);
    }
    cli_html_figures(p->to);
    for (int n = 0; n < drawn; n += COLUMN)
        draw(p, rows + n, drawn - n < COLUMN ? drawn - n : COLUMN);
    cli_html_figures_end(p->to);
    list(p, rows, count);
    cli_html_section_end(p->to);
    free(rows);
}
