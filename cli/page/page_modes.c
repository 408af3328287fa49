/* page_modes.c - a map of the modes and who visits them.
 *
 * The map puts modes near each other that differ in few coordinates: the two
 * leading directions of classical scaling of their Hamming distances. */
#include "cli/page/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/page/html.h"
#include "cli/page/plot.h"
#include "cli/report/mode_list.h"

enum {
    SHOWN = 24,
    TABLE = 12,
    ROUNDS = 200,
    STATE = 80
};

/* b <- -1/2 J D^2 J, [count][count]. */
static void centre(double *b, int count)
{
    double all = 0, row[SHOWN] = {0};

    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            row[i] += b[i * count + j] / count;
    for (int i = 0; i < count; i++)
        all += row[i] / count;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            b[i * count + j] =
                -0.5 * (b[i * count + j] - row[i] - row[j] + all);
}

/* The leading eigenvector, scaled by the root of its value, and taken off. */
static void leading(double *b, int count, double *out)
{
    double v[SHOWN], w[SHOWN], value = 0;

    for (int i = 0; i < count; i++)
        v[i] = 1 + 0.3 * sin(1 + 2.3 * i);
    for (int n = 0; n < ROUNDS; n++) {
        double length = 0;

        for (int i = 0; i < count; i++) {
            w[i] = 0;
            for (int j = 0; j < count; j++)
                w[i] += b[i * count + j] * v[j];
            length += w[i] * w[i];
        }
        value = sqrt(length);
        for (int i = 0; i < count; i++)
            v[i] = value > 0 ? w[i] / value : 0;
    }
    for (int i = 0; i < count; i++) {
        out[i] = sqrt(value) * v[i];
        for (int j = 0; j < count; j++)
            b[i * count + j] -= value * v[i] * v[j];
    }
}

static void map(const cli_page *p, int count)
{
    double b[SHOWN * SHOWN], x[SHOWN], y[SHOWN], reach = 0.5;
    cli_plot plot;

    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            double d = hiss_modes_distance(p->modes, i, j);

            b[i * count + j] = d * d;
        }
    centre(b, count);
    leading(b, count, x);
    leading(b, count, y);
    for (int i = 0; i < count; i++)
        reach = fmax(reach, fmax(fabs(x[i]), fabs(y[i])));
    cli_plot_begin(&plot, p->to,
                   "Map of the heaviest modes: distance is the number of "
                   "coordinates that differ, area is the share of the draws",
                   300, 30, -1.2 * reach, 1.2 * reach, -1.2 * reach,
                   1.2 * reach);
    for (int i = count - 1; i >= 0; i--) {
        hiss_mode mode = HISS_INIT(hiss_mode);
        char label[16];

        hiss_modes_get(p->modes, i, &mode, NULL);
        cli_plot_dot(&plot, x[i], y[i], 4 + 34 * sqrt(mode.mass), i, 0.55);
        snprintf(label, sizeof label, "%d", i + 1);
        if (i < TABLE)
            cli_plot_text(&plot, x[i], y[i], label, true);
    }
    cli_plot_end(&plot);
}

/* A bar per chain, divided among the modes. */
static void visits(const cli_page *p, int count)
{
    int chains = p->info.chains < 2 * CLI_PAGE_CHAINS ? p->info.chains
                                                      : 2 * CLI_PAGE_CHAINS;
    cli_plot plot;

    cli_plot_begin(&plot, p->to,
                   "Share of each chain's draws in the modes; chains that mix "
                   "have equal bars (light: all other modes)",
                   40 + 18.0 * chains, 56, 0, 1, 0, chains);
    for (int c = 0; c < chains; c++) {
        double from = 0, line = chains - c - 0.5;
        char word[24];

        for (int m = 0; m < count; m++) {
            double share = hiss_modes_share(p->modes, m, c);

            cli_plot_bar(&plot, from, from + share, line - 0.4, line + 0.4, m);
            from += share;
        }
        snprintf(word, sizeof word, "chain %d", c + 1);
        cli_plot_y_word(&plot, line, word);
    }
    cli_plot_x_axis(&plot, NULL);
    cli_plot_end(&plot);
}

static void shorten(char *state)
{
    if (strlen(state) > STATE)
        memcpy(state + STATE - 3, "...", 4);
}

static void table(const cli_page *p, int count)
{
    static const char *const heads[] = {"#mode",   "#U",     "#share", "#exact",
                                        "#chains", "#apart", "state"};
    double *values = cli_alloc((size_t)p->info.dim, sizeof *values);

    cli_html_table(p->to,
                   "Modes by their share of the draws; apart: coordinates "
                   "that differ from mode 1",
                   7, heads);
    for (int m = 0; m < count && m < TABLE; m++) {
        hiss_mode mode = HISS_INIT(hiss_mode);
        char *state;

        hiss_modes_get(p->modes, m, &mode, values);
        state = cli_mode_list_state(p->result, values);
        cli_html_row(p->to);
        cli_html_cell(p->to, true, "%d", m + 1);
        cli_html_cell(p->to, true, "%.5g", mode.u);
        cli_html_cell(p->to, true, "%.4f", mode.mass);
        if (isnan(mode.exact))
            cli_html_cell(p->to, true, "-");
        else
            cli_html_cell(p->to, true, "%.4f", mode.exact);
        cli_html_cell(p->to, true, "%d", mode.chains);
        cli_html_cell(p->to, true, "%d", hiss_modes_distance(p->modes, 0, m));
        shorten(state);
        cli_html_code(p->to, state);
        cli_html_row_end(p->to);
        free(state);
    }
    cli_html_table_end(p->to);
    free(values);
}

void cli_page_modes(const cli_page *p)
{
    int64_t found = p->modes ? hiss_modes_found(p->modes) : 0;
    int count = found < SHOWN ? (int)found : SHOWN;

    cli_html_section(p->to, "modes", "Modes");
    if (!p->modes) {
        cli_html_paragraph(p->to, NULL, "Modes were not looked for: %s",
                           p->no_model ? p->no_model
                                       : "it would take too long.");
        cli_html_section_end(p->to);
        return;
    }
    cli_html_paragraph(p->to, NULL,
                       "Every draw belongs to the local optimum that it "
                       "reaches by best single changes. %lld were found; the "
                       "draws change between them %.4g times in 1000.",
                       (long long)found, hiss_modes_transitions(p->modes));
    cli_html_figures(p->to);
    if (count > 1)
        map(p, count);
    visits(p, count < CLI_PLOT_COLORS ? count : CLI_PLOT_COLORS);
    cli_html_figures_end(p->to);
    table(p, count);
    cli_html_section_end(p->to);
}
