/* page_flat.c - the histogram of log p by multicanonical sampling: that of the
 * target on a logarithmic scale, its phases, and that under the weights. */
#include "cli/page/page.h"

#include <math.h>
#include <stdlib.h>

#include "cli/page/html.h"
#include "cli/plot/plot.h"
#include "cli/print/json.h"

enum {
    HEIGHT = 230
};

/* Probabilities this far below the highest one, as a logarithm, are not
 * drawn. */
static const double DEPTH = 20.0;

static double real(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static int copy(const json_t *object, const char *key, double **out)
{
    const json_t *list = json_object_get(object, key);
    int count = (int)json_array_size(list);

    *out = calloc((size_t)count + 1, sizeof **out);
    for (int n = 0; *out && n < count; n++)
        (*out)[n] = json_number_value(json_array_get(list, (size_t)n));
    return *out ? count : 0;
}

/* Computes ln of numbers relative to the largest; 0 or less than DEPTH is a
 * gap. */
static void logarithms(double *at, int count)
{
    double top = 0.0;

    for (int n = 0; n < count; n++)
        top = fmax(top, at[n]);
    for (int n = 0; n < count; n++)
        at[n] = fmax(at[n] > 0.0 ? log(at[n] / top) : -DEPTH, -DEPTH);
}

static void draw(const cli_page *p, const json_t *f, const double *u,
                 const double *target, const double *flat, int count)
{
    double low = 0.0;
    cli_plot plot;

    for (int n = 0; n < count; n++)
        low = fmin(low, target[n]);
    cli_html_figures(p->to);
    cli_plot_begin_wide(&plot, p->to,
                        "ln of the probability of log p, relative to its "
                        "highest: the target, and under the weights",
                        CLI_PLOT_ACROSS, HEIGHT, 2.0 * cli_plot_room(low, 0.0),
                        u[0], u[count - 1], low, 0.5);
    cli_plot_y_axis(&plot);
    cli_plot_x_axis(&plot, "log p");
    if (json_object_get(f, "phases"))
        cli_plot_mark(&plot, real(f, "valley"), 0.0);
    cli_plot_line(&plot, count, u, target, 0);
    cli_plot_line(&plot, count, u, flat, 1);
    cli_plot_end(&plot);
    cli_html_figures_end(p->to);
}

static void describe(const cli_page *p, const json_t *f)
{
    const json_t *phases = json_object_get(f, "phases");

    if (!phases) {
        cli_html_paragraph(p->to, NULL,
                           "log p has one maximum; replicas went %.0f times "
                           "from one end of its range to the other and back.",
                           real(f, "round_trips"));
        return;
    }
    cli_html_paragraph(
        p->to, NULL,
        "log p has two phases, at %.5g and %.5g, and is least likely at %.5g "
        "between them. The free-energy barrier is %.3g. The phase above has "
        "%.4f of the draws, with error %.2g. Replicas made %.0f round trips.",
        json_number_value(json_array_get(phases, 0)),
        json_number_value(json_array_get(phases, 1)), real(f, "valley"),
        real(f, "barrier"), real(f, "share"), real(f, "share_se"),
        real(f, "round_trips"));
}

void cli_page_flat(const cli_page *p)
{
    json_t *manifest = cli_json_manifest(p->result);
    const json_t *f = json_object_get(manifest, "multicanonical");
    double *u = NULL, *target = NULL, *flat = NULL;
    int count;

    if (f) {
        cli_html_section(p->to, "phases", "Phases");
        describe(p, f);
        count = copy(f, "u", &u);
        if (count > 1 && copy(f, "target", &target) == count &&
            copy(f, "histogram", &flat) == count) {
            logarithms(target, count);
            logarithms(flat, count);
            draw(p, f, u, target, flat, count);
        }
        cli_html_section_end(p->to);
    }
    free(u);
    free(target);
    free(flat);
    json_decref(manifest);
}
