/* page_observables.c - observables of a lattice, and the distributions of
 * some.
 *
 * P(q) is that of the overlap of pairs of independent chains.  If the model is
 * unchanged when all spins flip, it is symmetric. */
#include "cli/page/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/page/html.h"
#include "cli/plot/plot.h"

enum {
    BINS = 41,
    HEIGHT = 190,
    MANY = 16,
    NAME = 64
};

/* Writes the series of an observable; returns the number of its pairs or
 * chains, 0 if it has none. */
static int series(const cli_page *p, const char *name, double *out)
{
    int chains = 0;

    return hiss_result_series(p->result, p->model, name, out, &chains, NULL) ==
                   HISS_OK
               ? chains
               : 0;
}

static void histogram(const cli_page *p, const char *name, const char *caption,
                      int color, double *room)
{
    int64_t count = series(p, name, room) * p->info.samples;
    double bins[BINS] = {0}, most = 0, width = 2.0 / BINS;
    cli_plot plot;

    for (int64_t n = 0; n < count; n++) {
        int b = (int)floor((room[n] + 1) / width);

        b = b < 0 ? 0 : b < BINS ? b : BINS - 1;
        bins[b] += 1 / ((double)count * width);
        most = fmax(most, bins[b]);
    }
    if (count == 0)
        return;
    cli_plot_begin(&plot, p->to, caption, HEIGHT, cli_plot_room(0, most), -1, 1,
                   0, 1.05 * most);
    cli_plot_y_axis(&plot);
    cli_plot_x_axis(&plot, name);
    for (int b = 0; b < BINS; b++)
        if (bins[b] > 0)
            cli_plot_bar(&plot, -1 + (b + 0.05) * width,
                         -1 + (b + 0.95) * width, 0, bins[b], color);
    cli_plot_end(&plot);
}

/* Statistics of one observable. */
struct known {
    char name[NAME];
    hiss_column column;
};

static int describe(const cli_page *p, const char *names, double *room,
                    struct known *out)
{
    int count = 0;

    for (const char *at = names; *at && count < MANY;) {
        size_t length = strcspn(at, ";");
        struct known *k = &out[count];
        int chains;

        *k = (struct known){.column = HISS_INIT(hiss_column)};
        snprintf(k->name, sizeof k->name, "%.*s", (int)length, at);
        chains = series(p, k->name, room);
        if (chains > 0 && hiss_describe(room, chains, p->info.samples,
                                        &k->column, NULL) == HISS_OK)
            count++;
        at += length + (at[length] == ';');
    }
    return count;
}

static void table(const cli_page *p, const struct known *known, int count)
{
    static const char *const heads[] = {"name", "#mean", "#error", "#ESS",
                                        "#R-hat"};
    bool has_rhat = false;

    for (int n = 0; n < count; n++)
        has_rhat = has_rhat || !isnan(known[n].column.rhat);
    cli_html_table(p->to, "Means over all draws, with Monte Carlo errors",
                   has_rhat ? 5 : 4, heads);
    for (int n = 0; n < count; n++) {
        const hiss_column *c = &known[n].column;

        cli_html_row(p->to);
        cli_html_cell(p->to, false, "%s", known[n].name);
        cli_html_digits(p->to, 6, c->mean);
        cli_html_digits(p->to, 2, c->mcse);
        cli_html_decimals(p->to, 0, c->ess_bulk);
        if (has_rhat)
            cli_html_decimals(p->to, 3, c->rhat);
        cli_html_row_end(p->to);
    }
    cli_html_table_end(p->to);
}

static bool has(const char *names, const char *name)
{
    size_t length = strlen(name);

    for (const char *at = names; at; at = strchr(at, ';')) {
        at += *at == ';';
        if (strncmp(at, name, length) == 0 &&
            (!at[length] || at[length] == ';'))
            return true;
    }
    return false;
}

bool cli_page_has_observables(const cli_page *p)
{
    return p->info.samples > 1 &&
           hiss_result_observables(p->result, p->model) != NULL;
}

void cli_page_observables(const cli_page *p)
{
    const char *names = hiss_result_observables(p->result, p->model);
    struct known known[MANY];
    double *room;

    if (!cli_page_has_observables(p))
        return;
    room = cli_alloc((size_t)p->info.chains * (size_t)p->info.samples,
                     sizeof *room);
    cli_html_section(p->to, "observables", "Observables");
    table(p, known, describe(p, names, room, known));
    cli_html_figures(p->to);
    histogram(p, "m", "P(m): distribution of the magnetization", 0, room);
    if (has(names, "q"))
        histogram(p, "q", "P(q): distribution of the overlap of two chains", 1,
                  room);
    cli_html_figures_end(p->to);
    cli_html_section_end(p->to);
    free(room);
}
