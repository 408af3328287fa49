/* chart.c - charts for the tools that write docs: a JSON list of charts on
 * stdin, one SVG file on stdout.
 *
 * A chart has the members of cli_chart (cli/plot/chart.h): title, width,
 * height, mark, x and y with label, log, low, high, ticks [[at, text]],
 * reversed, strips; series with title, style ("points", "rows"), color, x, y,
 * text. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plot/chart.h"
#include "cli/print/fail.h"

static double *numbers(const json_t *list)
{
    size_t count = json_array_size(list);
    double *out = cli_alloc(count + 1, sizeof *out);

    for (size_t i = 0; i < count; i++)
        out[i] = json_number_value(json_array_get(list, i));
    return out;
}

static const char **texts(const json_t *list)
{
    size_t count = json_array_size(list);
    const char **out = cli_alloc(count + 1, sizeof *out);

    for (size_t i = 0; i < count; i++)
        out[i] = json_string_value(json_array_get(list, i));
    return out;
}

static cli_chart_axis axis_of(const json_t *from)
{
    const json_t *list = json_object_get(from, "ticks");
    const json_t *low = json_object_get(from, "low");
    const json_t *high = json_object_get(from, "high");
    size_t count = json_array_size(list);
    cli_chart_tick *ticks = cli_alloc(count + 1, sizeof *ticks);

    for (size_t t = 0; t < count; t++) {
        const json_t *pair = json_array_get(list, t);

        ticks[t].at = json_number_value(json_array_get(pair, 0));
        ticks[t].text = json_string_value(json_array_get(pair, 1));
    }
    return (cli_chart_axis){
        .label = json_string_value(json_object_get(from, "label")),
        .is_log = json_is_true(json_object_get(from, "log")),
        .has_low = low,
        .low = json_number_value(low),
        .has_high = high,
        .high = json_number_value(high),
        .ticks = list ? ticks : NULL,
        .tick_count = (int)count,
        .is_reversed = json_is_true(json_object_get(from, "reversed")),
        .has_strips = json_is_true(json_object_get(from, "strips"))};
}

static cli_chart_series series_of(const json_t *from)
{
    const char *style = json_string_value(json_object_get(from, "style"));
    const json_t *x = json_object_get(from, "x");
    const json_t *text = json_object_get(from, "text");

    return (cli_chart_series){
        .title = json_string_value(json_object_get(from, "title")),
        .style = style && strcmp(style, "rows") == 0 ? CLI_CHART_ROWS
                                                     : CLI_CHART_POINTS,
        .color = (int)json_integer_value(json_object_get(from, "color")),
        .x = numbers(x),
        .y = numbers(json_object_get(from, "y")),
        .text = text ? texts(text) : NULL,
        .count = (int)json_array_size(x)};
}

static cli_chart chart_of(const json_t *from)
{
    const char *title = json_string_value(json_object_get(from, "title"));
    const json_t *list = json_object_get(from, "series");
    const json_t *mark = json_object_get(from, "mark");
    size_t count = json_array_size(list);
    cli_chart_series *series = cli_alloc(count + 1, sizeof *series);

    for (size_t s = 0; s < count; s++)
        series[s] = series_of(json_array_get(list, s));
    return (cli_chart){
        .title = title ? title : "",
        .shows_title = title,
        .x = axis_of(json_object_get(from, "x")),
        .y = axis_of(json_object_get(from, "y")),
        .series = series,
        .count = (int)count,
        .width = (int)json_integer_value(json_object_get(from, "width")),
        .height = (int)json_integer_value(json_object_get(from, "height")),
        .mark_x = json_number_value(mark),
        .has_mark = mark};
}

int main(void)
{
    json_error_t err;
    json_t *list = json_loadf(stdin, 0, &err);
    size_t count = json_array_size(list);
    cli_chart *charts;

    if (count == 0) {
        fprintf(stderr, "bench_chart: line %d: %s, expected a list of charts\n",
                list ? 1 : err.line, list ? "an empty list" : err.text);
        return 2;
    }
    charts = cli_alloc(count, sizeof *charts);
    for (size_t c = 0; c < count; c++)
        charts[c] = chart_of(json_array_get(list, c));
    cli_chart_write_all(stdout, charts, (int)count);
    return fflush(stdout) == 0 ? 0 : 3;
}
