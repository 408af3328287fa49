/* figure.c - the series of a figure, its numbers and its SVG as files. */
#include "paper/support/figure.h"

#include <stdlib.h>
#include <string.h>

#include "cli/print/json.h"
#include "cli/print/text_file.h"
#include "paper/support/results.h"

enum {
    TRACE_POINTS = 80 /* of a curve that is drawn; more only take room */
};

paper_color paper_color_of(const char *row)
{
    static const struct {
        const char *name;
        paper_color color;
    } known[] = {
        {"hiss", PAPER_BLUE}, {"pt", PAPER_BROWN},   {"dmala", PAPER_ORANGE},
        {"gwg", PAPER_GREEN}, {"acs", PAPER_VIOLET}, {"gibbs", PAPER_INDIGO},
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(row, known[i].name, strlen(known[i].name)) == 0)
            return known[i].color;
    return PAPER_GRAY;
}

/* Lines of one color differ by their dashes. */
static int dashes_of(const paper_figure *figure, int color)
{
    int before = 0;

    for (int i = 0; i < figure->count; i++)
        before += figure->series[i].color == color &&
                  figure->series[i].style == CLI_CHART_LINE;
    return before;
}

void paper_figure_add(paper_figure *figure, const char *title,
                      cli_chart_style style, paper_color color, const double *x,
                      const double *y, const double *se, int count)
{
    int dashes = style == CLI_CHART_LINE ? dashes_of(figure, (int)color) : 0;
    size_t size = (size_t)count * sizeof *x;
    int n = figure->count;
    double *own;

    if (n == PAPER_SERIES_MAX)
        return;
    own = figure->numbers[n] = cli_alloc(3 * (size_t)count, sizeof *own);
    memcpy(own, x, size);
    memcpy(own + count, y, size);
    if (se)
        memcpy(own + 2 * count, se, size);
    figure->titles[n] = cli_text("%s", title);
    figure->series[n] = (cli_chart_series){
        .title = figure->titles[n],
        .style = style,
        .color = (int)color,
        .x = own,
        .y = own + count,
        .se = se ? own + 2 * count : NULL,
        .count = count,
        .dashes = dashes,
    };
    figure->count++;
}

void paper_figure_add_trace(paper_figure *figure, const char *title,
                            cli_chart_style style, paper_color color,
                            const paper_trace *trace, paper_metric metric,
                            double scale)
{
    double x[TRACE_POINTS], y[TRACE_POINTS], se[TRACE_POINTS];
    int last = trace->points - 1, used = 0, before = -1;

    for (int i = 0; i < TRACE_POINTS; i++) {
        double share = (double)i / (TRACE_POINTS - 1);
        int draw = (int)lround(pow(trace->at[last], share)), p = before + 1;
        paper_mean mean;

        while (p < last && trace->at[p] < draw)
            p++;
        if (p > last)
            break;
        mean = paper_trace_at(trace, metric, p);
        x[used] = trace->at[p] * scale;
        y[used] = mean.mean;
        se[used++] = mean.se;
        before = p;
    }
    paper_figure_add(figure, title, style, color, x, y, se, used);
}

void paper_figure_add_level(paper_figure *figure, const char *title, double y,
                            double low, double high)
{
    double x[2] = {low, high}, both[2] = {y, y};

    paper_figure_add(figure, title, CLI_CHART_DASHES, PAPER_GRAY, x, both, NULL,
                     2);
}

void paper_figure_clear(paper_figure *figure)
{
    for (int i = 0; i < figure->count; i++) {
        free(figure->titles[i]);
        free(figure->numbers[i]);
    }
    figure->count = 0;
}

/* Blocks of "x y se", two empty lines between them; free() it. */
static char *data_of(const paper_figure *figure)
{
    cli_text_file file;
    FILE *out;

    cli_text_file_open(&file);
    out = file.to;
    fprintf(out, "# %s: x, y, standard error\n", figure->title);
    for (int i = 0; i < figure->count; i++) {
        const cli_chart_series *s = &figure->series[i];

        fprintf(out, "%s# %s\n", i ? "\n\n" : "", s->title);
        for (int p = 0; p < s->count; p++)
            fprintf(out, "%.10g %.10g %.10g\n", s->x[p], s->y[p],
                    s->se && isfinite(s->se[p]) ? s->se[p] : 0.0);
    }
    return cli_text_file_close(&file);
}

/* The SVG; free() it. */
static char *svg_of(const paper_figure *figure)
{
    cli_chart chart = {.title = figure->title,
                       .x = figure->x,
                       .y = figure->y,
                       .series = figure->series,
                       .count = figure->count,
                       .is_nested = figure->is_nested,
                       .is_map = figure->is_map,
                       .wide = figure->wide};
    cli_text_file file;

    cli_text_file_open(&file);
    cli_chart_write(file.to, &chart);
    return cli_text_file_close(&file);
}

static void remember(const paper_figure *figure, paper_run *run)
{
    json_t *entry = cli_json_object();

    cli_json_put_text(entry, "name", figure->name);
    cli_json_put_text(entry, "title", figure->title);
    cli_json_put_text(entry, "caption", figure->caption);
    cli_json_add(run->figures, entry);
}

int paper_figure_draw(paper_figure *figure, paper_run *run)
{
    char *data = data_of(figure), *svg = svg_of(figure);
    char *data_name = cli_text(PAPER_DATA "/%s.dat", figure->name);
    char *svg_name = cli_text(PAPER_FIGURES "/%s.svg", figure->name);
    int code = cli_folder_write(run->folder, data_name, data);

    if (code == CLI_DONE)
        code = cli_folder_write(run->folder, svg_name, svg);
    if (code == CLI_DONE)
        remember(figure, run);
    paper_figure_clear(figure);
    free(data);
    free(svg);
    free(data_name);
    free(svg_name);
    return code;
}
