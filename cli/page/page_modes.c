/* page_modes.c - a map of the modes and the chains that visit them.
 *
 * The map puts modes near each other that differ in few coordinates: the two
 * leading directions of classical scaling of their Hamming distances.  The
 * heaviest modes have a color each, the same in the map and in the bars. */
#include "cli/page/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/page/html.h"
#include "cli/plot/plot.h"
#include "cli/report/mode_list.h"

enum {
    SHOWN = 24,
    TABLE = 12,
    ROUNDS = 200,
    STATE = 80
};

static const double LABEL_APART = 14; /* units between numbers on the map */

/* Computes b <- -1/2 J D^2 J, [count][count]. */
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

/* Finds the leading eigenvector, scaled by the root of its eigenvalue, and
 * subtracts it. */
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

/* Numbers the modes; a lighter mode whose number would overlap that of a
 * heavier one has none. */
static void number_modes(const cli_plot *plot, const double *x, const double *y,
                         int count)
{
    double scale = (plot->bottom - plot->top) / (plot->y_high - plot->y_low);
    bool has_label[SHOWN] = {false};

    for (int i = 0; i < count && i < TABLE; i++) {
        char label[16];

        has_label[i] = true;
        for (int j = 0; j < i; j++)
            if (has_label[j] &&
                scale * hypot(x[i] - x[j], y[i] - y[j]) < LABEL_APART)
                has_label[i] = false;
        snprintf(label, sizeof label, "%d", i + 1);
        if (has_label[i])
            cli_plot_text(plot, x[i], y[i], label, true);
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
                   CLI_PLOT_WIDTH - 20, 10, -1.2 * reach, 1.2 * reach,
                   -1.2 * reach, 1.2 * reach);
    for (int i = count - 1; i >= 0; i--) {
        hiss_mode mode = HISS_INIT(hiss_mode);

        hiss_modes_get(p->modes, i, &mode, NULL);
        cli_plot_dot(&plot, x[i], y[i], 4 + 34 * sqrt(mode.mass), i, 0.7);
    }
    number_modes(&plot, x, y, count);
    cli_plot_end(&plot);
}

/* Draws a bar per chain, divided among the modes. */
static void visits(const cli_page *p, int count)
{
    int chains =
        p->info.chains < CLI_PAGE_CHAINS ? p->info.chains : CLI_PAGE_CHAINS;
    char caption[160];
    cli_plot plot;

    snprintf(caption, sizeof caption,
             "Share of the draws%s in the modes%s (grey: all other modes)",
             chains < p->info.chains ? " of the first chains" : "",
             chains > 1 ? "; chains that mix have equal bars" : "");
    cli_plot_begin(&plot, p->to, caption, 40 + 18.0 * chains, 60, 0, 1, 0,
                   chains);
    for (int c = 0; c < chains; c++) {
        double from = 0, line = chains - c - 0.5;
        char word[24];

        for (int m = 0; m < count; m++) {
            double share = hiss_modes_share(p->modes, m, c);

            cli_plot_bar(&plot, from, from + share, line - 0.4, line + 0.4, m);
            from += share;
        }
        if (from < 1)
            cli_plot_bar(&plot, from, 1, line - 0.4, line + 0.4, CLI_PLOT_REST);
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

static bool has_masses(const cli_page *p, int count)
{
    hiss_mode mode = HISS_INIT(hiss_mode);

    for (int m = 0; m < count && m < TABLE; m++) {
        hiss_modes_get(p->modes, m, &mode, NULL);
        if (!isnan(mode.exact))
            return true;
    }
    return false;
}

static void table(const cli_page *p, int count)
{
    static const char *const heads[] = {"#mode",   "#log p", "#share",
                                        "#chains", "#apart", "state"};
    static const char *const compared[] = {
        "#mode", "#log p", "#share", "#exact", "#chains", "#apart", "state"};
    bool has_exact = has_masses(p, count);
    double *values = cli_alloc((size_t)p->info.dim, sizeof *values);

    cli_html_table(p->to,
                   "Modes by their share of the draws; apart: coordinates "
                   "that differ from mode 1",
                   has_exact ? 7 : 6, has_exact ? compared : heads);
    for (int m = 0; m < count && m < TABLE; m++) {
        hiss_mode mode = HISS_INIT(hiss_mode);
        char *state;

        hiss_modes_get(p->modes, m, &mode, values);
        state = cli_mode_list_state(p->result, values);
        cli_html_row(p->to);
        cli_html_cell(p->to, true, "%d", m + 1);
        cli_html_digits(p->to, 5, mode.u);
        cli_html_decimals(p->to, 4, mode.mass);
        if (has_exact)
            cli_html_decimals(p->to, 4, mode.exact);
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

/* Whether almost every draw is its own mode, so that modes mean nothing. */
static bool is_scattered(const cli_page *p, int64_t found)
{
    int64_t looked = p->info.chains * hiss_modes_looked(p->modes);

    return found > SHOWN && 4 * found > looked;
}

void cli_page_modes(const cli_page *p)
{
    int64_t found = p->modes ? hiss_modes_found(p->modes) : 0;
    int count = found < SHOWN ? (int)found : SHOWN;

    cli_html_section(p->to, "modes", "Modes");
    if (!p->modes) {
        cli_html_paragraph(p->to, NULL, "No search for modes: %s",
                           p->no_model ? p->no_model
                                       : "it would take too long.");
        cli_html_section_end(p->to);
        return;
    }
    cli_html_paragraph(p->to, NULL,
                       "Every draw belongs to the local optimum that it "
                       "reaches by best single changes. %lld %s found; the "
                       "draws change between them %.4g times in 1000.",
                       (long long)found, found == 1 ? "was" : "were",
                       hiss_modes_transitions(p->modes));
    if (hiss_modes_ended(p->modes) != HISS_ENDED_DONE)
        cli_html_paragraph(p->to, NULL,
                           "%lld of %lld draws of each chain were checked, "
                           "evenly spaced; hiss modes --all checks all.",
                           (long long)hiss_modes_looked(p->modes),
                           (long long)p->info.samples);
    if (is_scattered(p, found)) {
        cli_html_paragraph(
            p->to, NULL,
            "Most modes have only one or two draws. There are too "
            "many local optima to draw a map.");
        cli_html_section_end(p->to);
        return;
    }
    if (count > 1) {
        cli_html_figures(p->to);
        map(p, count);
        visits(p, count < CLI_PLOT_COLORS ? count : CLI_PLOT_COLORS);
        cli_html_figures_end(p->to);
    }
    table(p, count);
    cli_html_section_end(p->to);
}
