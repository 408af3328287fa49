/* page_sampler.c - acceptance, adaptation and exchanges; and how to repeat the
 * run. */
#include "cli/page/page.h"

#include <math.h>
#include <stdlib.h>

#include "cli/page/html.h"
#include "cli/plot/plot.h"
#include "cli/print/json.h"

enum {
    PARTS = 24,
    LEVELS = 64
};

/* Draws the mean acceptance of each part of the run, a line per chain. */
static void acceptance(const cli_page *p, const float *accept)
{
    int parts = p->info.samples < PARTS ? (int)p->info.samples : PARTS;
    int shown =
        p->info.chains < CLI_PAGE_CHAINS ? p->info.chains : CLI_PAGE_CHAINS;
    char caption[80];
    cli_plot plot;

    snprintf(caption, sizeof caption, "Acceptance rate along the run%s",
             shown == 1               ? ""
             : shown < p->info.chains ? ", a line for each of the first chains"
                                      : ", a line for each chain");
    cli_plot_begin(&plot, p->to, caption, 150, 44, 1, (double)p->info.samples,
                   0, 1);
    plot.counts_x = true;
    cli_plot_y_axis(&plot);
    cli_plot_x_axis(&plot, "draw");
    for (int c = 0; c < shown; c++) {
        double x[PARTS], y[PARTS];

        for (int k = 0; k < parts; k++) {
            int64_t first = k * p->info.samples / parts;
            int64_t last = (k + 1) * p->info.samples / parts;

            x[k] = (double)(first + 1 + last) / 2;
            y[k] = 0;
            for (int64_t n = first; n < last; n++)
                y[k] += (double)accept[c * p->info.samples + n] /
                        (double)(last - first);
        }
        cli_plot_line(&plot, parts, x, y, c % CLI_PLOT_COLORS);
    }
    cli_plot_end(&plot);
}

static void kernels(const cli_page *p)
{
    static const char *const heads[] = {"kernel", "#accepted"};
    const char *name;
    double rate;

    cli_html_table(p->to, "Acceptance after warm-up, at the target", 2, heads);
    for (int n = 0; hiss_result_acceptance(p->result, n, &name, &rate); n++) {
        cli_html_row(p->to);
        cli_html_cell(p->to, false, "%s", name);
        cli_html_decimals(p->to, 4, rate);
        cli_html_row_end(p->to);
    }
    cli_html_table_end(p->to);
}

/* Draws rates of exchange between neighbors. */
static void exchanges(const cli_page *p, int levels)
{
    hiss_level level = HISS_INIT(hiss_level);
    cli_plot plot;

    cli_plot_begin(&plot, p->to,
                   "Exchanges between neighboring temperature levels that "
                   "were accepted; a gap stops the flow",
                   150, 44, 0, levels - 1, 0, 1);
    plot.counts_x = true;
    cli_plot_y_axis(&plot);
    cli_plot_x_axis(&plot, "level");
    for (int j = 0; j + 1 < levels && hiss_result_level(p->result, j, &level);
         j++)
        if (!isnan(level.swap))
            cli_plot_bar(&plot, j + 0.1, j + 0.9, 0, level.swap, 0);
    cli_plot_end(&plot);
}

static bool has_tuning(const cli_page *p, int levels)
{
    hiss_level level = HISS_INIT(hiss_level);

    for (int j = 0; j < levels && hiss_result_level(p->result, j, &level); j++)
        if (level.tuning)
            return true;
    return false;
}

static void level_table(const cli_page *p, int levels)
{
    static const char *const heads[] = {"#level", "#temperature", "#accepted",
                                        "#exchanged", "tuned"};
    hiss_level level = HISS_INIT(hiss_level);
    bool is_tuned = has_tuning(p, levels);

    cli_html_table(p->to, "Temperature levels; level 0 is the target",
                   is_tuned ? 5 : 4, heads);
    for (int j = 0; j < levels && hiss_result_level(p->result, j, &level);
         j++) {
        cli_html_row(p->to);
        cli_html_cell(p->to, true, "%d", j);
        cli_html_digits(p->to, 4, level.temperature);
        cli_html_decimals(p->to, 4, level.accept);
        cli_html_decimals(p->to, 4, level.swap);
        if (is_tuned)
            cli_html_cell(p->to, false, "%s", level.tuning ? level.tuning : "");
        cli_html_row_end(p->to);
    }
    cli_html_table_end(p->to);
}

static double number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static void log_z_text(const cli_page *p, bool is_absolute, double log_z,
                       double se)
{
    const char *what = is_absolute ? "" : "relative to the hottest level: ";

    if (isnan(se))
        cli_html_paragraph(p->to, NULL,
                           "log Z %s%.6g, without an error that could be "
                           "given: one chain, or too few round trips.",
                           what, log_z);
    else
        cli_html_paragraph(p->to, NULL, "log Z %s%.6g with error %.2g.", what,
                           log_z, se);
}

/* Writes, from the manifest, the round trips of replicas and log Z. */
static void travels(const cli_page *p)
{
    json_t *manifest = cli_json_manifest(p->result);
    const json_t *t = json_object_get(manifest, "tempering");
    double log_z = number(t, "log_z"), se = number(t, "log_z_se");

    if (t)
        cli_html_paragraph(p->to, NULL,
                           "Replicas made %.4g round trip%s between the target "
                           "and the hottest level; the barrier between them "
                           "is %.3g (about twice as many levels are enough).",
                           number(t, "round_trips"),
                           number(t, "round_trips") == 1 ? "" : "s",
                           number(t, "barrier"));
    if (!isnan(log_z))
        log_z_text(p, json_is_true(json_object_get(t, "absolute")), log_z, se);
    json_decref(manifest);
}

static double mean_of(const json_t *object, const char *key)
{
    const json_t *list = json_object_get(object, key), *one;
    double sum = 0.0;
    size_t n;

    json_array_foreach(list, n, one)
    {
        sum += json_number_value(one);
    }
    return sum / (double)json_array_size(list);
}

/* Writes, from the manifest, the final populations and log Z. */
static void populations(const cli_page *p)
{
    json_t *manifest = cli_json_manifest(p->result);
    const json_t *t = json_object_get(manifest, "population");

    if (t) {
        cli_html_paragraph(p->to, NULL,
                           "Every chain is a population of %.0f replicas that "
                           "went through %.0f temperatures; %.4g families are "
                           "left of each on average, of mean squared size "
                           "rho_t %.3g.",
                           number(t, "replicas"), number(t, "temperatures"),
                           mean_of(t, "families"), mean_of(t, "rho_t"));
        log_z_text(p, true, number(t, "log_z"), number(t, "log_z_se"));
    }
    json_decref(manifest);
}

/* Writes, from the manifest, the size of a network and log Z. */
static void networks(const cli_page *p)
{
    json_t *manifest = cli_json_manifest(p->result);
    const json_t *t = json_object_get(manifest, "network");

    if (t) {
        cli_html_paragraph(p->to, NULL,
                           "Proposals came from a tensor network with bonds of "
                           "at most %.0f; %.3f of them were accepted, and %.3f "
                           "of %.0f count as weighted draws.",
                           number(t, "bond"), number(t, "acceptance"),
                           number(t, "effective"), number(t, "proposals"));
        log_z_text(p, true, number(t, "log_z"), number(t, "log_z_se"));
    }
    json_decref(manifest);
}

static bool has_rates(const float *accept, int64_t count)
{
    for (int64_t n = 0; accept && n < count; n++)
        if (isfinite(accept[n]))
            return true;
    return false;
}

static void sampler_text(const cli_page *p)
{
    const char *pilot_text = hiss_result_text(p->result, "pilot");
    const char *spec =
        hiss_result_text(p->result, pilot_text ? "resolved" : "sampler");

    if (!spec)
        return;
    fputs("<p>The chains ran <code>", p->to);
    cli_html_spec(p->to, spec);
    fputs("</code></p>\n", p->to);
}

/* Writes the lines of the pilot's report: its findings and reasons. */
static void pilot(const cli_page *p)
{
    const char *text = hiss_result_text(p->result, "pilot");

    if (!text)
        return;
    cli_html_paragraph(p->to, NULL,
                       "A pilot run chose it. What it found, what it tried "
                       "and, with > before it, what it took:");
    fputs("<pre tabindex=\"0\">", p->to);
    cli_html_text(p->to, text);
    fputs("</pre>\n", p->to);
}

static void tuning(const cli_page *p, int levels)
{
    const char *text = hiss_result_tuning(p->result);

    if (text && levels > 1 && has_tuning(p, levels))
        cli_html_paragraph(p->to, NULL,
                           "Tuned in warm-up, level by level, then frozen: "
                           "see the table of levels.");
    else if (text)
        cli_html_paragraph(p->to, NULL, "Tuned in warm-up, then frozen: %s.",
                           text);
    else
        cli_html_paragraph(p->to, NULL, "Nothing was tuned in warm-up.");
}

void cli_page_sampler(const cli_page *p)
{
    const float *accept = hiss_result_accept(p->result);
    int64_t total = p->info.chains * p->info.samples;
    int levels = 0;
    hiss_level level = HISS_INIT(hiss_level);

    while (levels < LEVELS && hiss_result_level(p->result, levels, &level))
        levels++;
    cli_html_section(p->to, "sampler", "Sampler");
    sampler_text(p);
    pilot(p);
    tuning(p, levels);
    cli_html_figures(p->to);
    if (p->info.samples > 1 && has_rates(accept, total))
        acceptance(p, accept);
    if (levels > 1)
        exchanges(p, levels);
    cli_html_figures_end(p->to);
    kernels(p);
    if (levels > 1) {
        travels(p);
        level_table(p, levels);
    }
    populations(p);
    networks(p);
    cli_html_section_end(p->to);
}

/* --- how to do it again ------------------------------------------------- */

static void inputs(const cli_page *p)
{
    static const char *const heads[] = {"file", "SHA-256"};
    const char *path, *digest;

    if (!hiss_result_input(p->result, 0, &path, &digest))
        return;
    cli_html_table(p->to, "Files that were read", 2, heads);
    for (int n = 0; hiss_result_input(p->result, n, &path, &digest); n++) {
        cli_html_row(p->to);
        cli_html_cell(p->to, false, "%s", path);
        cli_html_cell(p->to, false, "%s", digest);
        cli_html_row_end(p->to);
    }
    cli_html_table_end(p->to);
}

void cli_page_repeat(const cli_page *p)
{
    const char *command = hiss_result_text(p->result, "command");
    json_t *manifest = cli_json_manifest(p->result);
    char *text;

    json_object_del(manifest, "folder");
    text = cli_json_string(manifest);
    cli_html_section(p->to, "repeat", "Repeat it");
    if (command) {
        fputs("<pre tabindex=\"0\">", p->to);
        cli_html_text(p->to, command);
        fputs("</pre>\n", p->to);
    }
    cli_html_paragraph(p->to, NULL,
                       p->info.ended == HISS_ENDED_TIME
                           ? "A time limit ended the run; with --warmup %lld "
                             "--thin %lld --samples %lld instead of it the "
                             "same draws come out again."
                           : "The same command gives the same draws: warm-up "
                             "%lld, thin %lld, draws %lld.",
                       (long long)p->info.warmup, (long long)p->info.thin,
                       (long long)p->info.samples);
    inputs(p);
    cli_html_details(p->to, "Manifest");
    fputs("<pre tabindex=\"0\">", p->to);
    cli_html_text(p->to, text);
    fputs("</pre>\n", p->to);
    cli_html_details_end(p->to);
    cli_html_section_end(p->to);
    json_decref(manifest);
    free(text);
}
