/* page_energy.c - traces and ranks of the energy.
 *
 * All chains share one picture of traces, and each has a small one of ranks,
 * so that sixteen fit on a screen.  A trace of many draws shows the least and
 * the largest of every POINTS-th part, so that no excursion is lost.  Ranks are
 * taken over all chains; draws of equal energy share their ranks evenly. */
#include "cli/page/page.h"

#include <math.h>
#include <stdlib.h>

#include "cli/page/html.h"
#include "cli/plot/plot.h"

enum {
    DRAWS_MIN = 4, /* with fewer draws ranks are not shown */
    POINTS = 160,
    BINS = 20,
    HEIGHT = 230,
    SMALL = 70
};

/* The text of a plot across the page is larger on a phone. */
static const double ROOM = 1.9;

static void trace(const cli_page *p, const cli_plot *plot, int chain)
{
    const double *lp = hiss_result_lp(p->result) + chain * p->info.samples;
    int64_t samples = p->info.samples;
    int parts = samples < 2 * POINTS ? (int)samples : POINTS, count = 0;
    double x[2 * POINTS], y[2 * POINTS];

    for (int k = 0; k < parts; k++) {
        int64_t first = k * samples / parts, last = (k + 1) * samples / parts;
        int64_t least = first, most = first;

        for (int64_t n = first; n < last; n++) {
            least = lp[n] < lp[least] ? n : least;
            most = lp[n] > lp[most] ? n : most;
        }
        x[count] = 1 + (double)(least < most ? least : most);
        y[count++] = lp[least < most ? least : most];
        if (parts == POINTS && least != most) {
            x[count] = 1 + (double)(least < most ? most : least);
            y[count++] = lp[least < most ? most : least];
        }
    }
    cli_plot_line(plot, count, x, y, chain % CLI_PLOT_COLORS);
    if (count == 1 && isfinite(y[0]))
        cli_plot_dot(plot, x[0], y[0], 2.6, chain % CLI_PLOT_COLORS, 1);
}

static void traces(const cli_page *p, int shown, double low, double high)
{
    char caption[96];
    cli_plot plot;

    snprintf(caption, sizeof caption, "log p, draw by draw%s%s",
             shown > 1 ? ", a line for each chain" : "",
             shown > CLI_PLOT_COLORS ? "; colors repeat" : "");
    cli_plot_begin_wide(&plot, p->to, caption, CLI_PLOT_ACROSS, HEIGHT,
                        ROOM * cli_plot_room(low, high), 1,
                        (double)p->info.samples, low, high);
    plot.counts_x = true;
    cli_plot_y_axis(&plot);
    cli_plot_x_axis(&plot, "draw");
    for (int c = 0; c < shown; c++)
        trace(p, &plot, c);
    cli_plot_end(&plot);
}

/* For sorting draws by energy. */
struct draw {
    double lp;
    int chain;
};

static int by_energy(const void *a, const void *b)
{
    double p = ((const struct draw *)a)->lp, q = ((const struct draw *)b)->lp;

    return (p > q) - (p < q);
}

/* Adds the ranks first <= r < last, shared by that many draws of which `own`
 * are the chain's, to the bins. */
static void share(double *bins, double total, double first, double last,
                  double own)
{
    double width = total / BINS;

    for (int b = (int)(first / width); b < BINS && b * width < last; b++) {
        double low = fmax(first, b * width);
        double high = fmin(last, (b + 1) * width);

        if (high > low)
            bins[b] += own * (high - low) / (last - first);
    }
}

/* Computes histograms of the ranks of every chain, [chains][BINS]. */
static double *rank_bins(const cli_page *p)
{
    int64_t total = p->info.chains * p->info.samples;
    const double *lp = hiss_result_lp(p->result);
    double *bins = cli_alloc((size_t)p->info.chains * BINS, sizeof *bins);
    double *own = cli_alloc((size_t)p->info.chains, sizeof *own);
    struct draw *draws = cli_alloc((size_t)total, sizeof *draws);

    for (int64_t n = 0; n < total; n++)
        draws[n] = (struct draw){lp[n], (int)(n / p->info.samples)};
    qsort(draws, (size_t)total, sizeof *draws, by_energy);
    for (int64_t first = 0, last; first < total; first = last) {
        for (last = first; last < total && draws[last].lp == draws[first].lp;)
            own[draws[last++].chain] += 1;
        for (int c = 0; c < p->info.chains; c++) {
            if (own[c] > 0)
                share(bins + (size_t)c * BINS, (double)total, (double)first,
                      (double)last, own[c]);
            own[c] = 0;
        }
    }
    free(draws);
    free(own);
    return bins;
}

static void ranks(const cli_page *p, int chain, const double *bins, double high)
{
    double even = (double)p->info.samples / BINS;
    /* otherwise the autocorrelation time does not show chance differences */
    bool is_mixed = p->figures->energy.rhat <= HISS_RHAT_DOUBT ||
                    p->figures->energy.chance >= HISS_CHANCE_DOUBT;
    double tau = is_mixed ? p->figures->energy.tau : 1;
    double spread = 2 * sqrt(even * (tau > 1 ? tau : 1));
    char caption[32];
    cli_plot plot;

    snprintf(caption, sizeof caption, "Ranks of chain %d", chain + 1);
    cli_plot_begin_wide(&plot, p->to, caption, CLI_PLOT_SMALL, SMALL, 8, 0, 1,
                        0, high);
    cli_plot_band(&plot, even - spread, even + spread);
    for (int b = 0; b < BINS; b++)
        cli_plot_bar(&plot, (b + 0.08) / BINS, (b + 0.92) / BINS, 0, bins[b],
                     chain % CLI_PLOT_COLORS);
    cli_plot_level(&plot, even);
    cli_plot_end(&plot);
}

/* Considers finite energies only. */
static void range(const cli_page *p, double *low, double *high)
{
    const double *lp = hiss_result_lp(p->result);
    double margin;

    *low = INFINITY;
    *high = -INFINITY;
    for (int64_t n = 0; n < p->info.chains * p->info.samples; n++)
        if (isfinite(lp[n])) {
            *low = lp[n] < *low ? lp[n] : *low;
            *high = lp[n] > *high ? lp[n] : *high;
        }
    if (!(*low <= *high))
        *low = *high = 0;
    margin = *high > *low ? 0.05 * (*high - *low) : 0.5;
    *low -= margin;
    *high += margin;
}

static void figures(const cli_page *p)
{
    const hiss_column *c = &p->figures->energy;
    char rhat[32] = "";

    if (!isnan(c->rhat))
        snprintf(rhat, sizeof rhat, ", R-hat %.3f", c->rhat);
    if (isnan(c->ess_bulk))
        cli_html_paragraph(
            p->to, NULL,
            "Mean of log p %.6g, standard deviation %.4g; the draws "
            "have no Monte Carlo error (%s).",
            c->mean, c->sd, cli_column_word(c->state, false));
    else
        cli_html_paragraph(p->to, NULL,
                           "Mean of log p %.6g with Monte Carlo error %.2g, "
                           "standard deviation %.4g; %.0f effective draws%s.",
                           c->mean, c->mcse, c->sd, c->ess_bulk, rhat);
}

void cli_page_energy(const cli_page *p)
{
    bool has_ranks = p->info.chains > 1 && p->info.samples >= DRAWS_MIN;
    int shown =
        p->info.chains < CLI_PAGE_CHAINS ? p->info.chains : CLI_PAGE_CHAINS;
    double low, high, most = 0, *bins = rank_bins(p);

    range(p, &low, &high);
    for (int b = 0; b < shown * BINS; b++)
        most = bins[b] > most ? bins[b] : most;
    cli_html_section(p->to, "energy", "log p");
    figures(p);
    if (shown < p->info.chains)
        cli_html_paragraph(p->to, "dim", "%d of %d chains are shown.", shown,
                           p->info.chains);
    cli_html_figures(p->to);
    traces(p, shown, low, high);
    cli_html_figures_end(p->to);
    if (has_ranks) {
        cli_html_paragraph(p->to, NULL,
                           "Chains that mix look alike: no steps, no drift. "
                           "Each picture below counts where log p of "
                           "one chain ranks among those of all chains, the "
                           "lowest at the left. Chains that mix fill all bins "
                           "evenly; the gray band is what chance allows.");
        cli_html_multiples(p->to);
        for (int n = 0; n < shown; n++)
            ranks(p, n, bins + (size_t)n * BINS, most * 1.1);
        cli_html_figures_end(p->to);
    }
    cli_html_section_end(p->to);
    free(bins);
}
