/* chart.c - a chart as an SVG file: its layout, axes and legend. */
#include "cli/plot/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plot/chart_parts.h"
#include "cli/plot/palette.h"
#include "cli/print/fail.h"
#include "cli/print/markup.h"

enum {
    WIDTH = 540,
    HEIGHT = 340,
    TOP = 14,
    TITLE = 26,
    RIGHT = 18,
    FOOT = 24,  /* ticks of the x axis */
    LABEL = 22, /* label of an axis */
    LEGEND = 19,
    SAMPLE = 34, /* sample of a series, in the legend */
    TICKS = 5,
    GAP = 8,
    SLANT = 9 /* most characters of a horizontal tick label */
};

#define LIGHT(name, light, dark)                                               \
  ".chart .s" name "{stroke:" light "}.chart .f" name "{fill:" light "}"
#define DARK(name, light, dark)                                                \
  ".chart .s" name "{stroke:" dark "}.chart .f" name "{fill:" dark "}"

#define COLORS_LIGHT CLI_PALETTE_COLORS(LIGHT) CLI_PALETTE_GRAY(LIGHT)
#define COLORS_DARK  CLI_PALETTE_COLORS(DARK) CLI_PALETTE_GRAY(DARK)

const char cli_chart_css[] =
    ".chart text{font:13px system-ui,'Segoe UI',Roboto,'DejaVu Sans',"
    "sans-serif;fill:#57606a}.chart .head{font-weight:600;fill:#1b1f24}"
    ".chart .ground{fill:#fff}.chart .strip{fill:#f0f2f5}"
    ".chart .grid{stroke:#d8dee4;fill:none}"
    ".chart .axis{stroke:#8a949e;fill:none}"
    ".chart .line{fill:none;stroke-linejoin:round}"
    ".chart .band{opacity:.22}.chart .open{fill:none;"
    "stroke-width:1.6}" COLORS_LIGHT
    "@media screen and (prefers-color-scheme:dark){"
    ".chart text{fill:#9aa4b0}.chart .head{fill:#e6e9ed}"
    ".chart .ground{fill:#0f1419}.chart .strip{fill:#1a212a}"
    ".chart .grid{stroke:#2b343e}.chart .axis{stroke:#6b7682}" COLORS_DARK "}";

/* --- ranges -------------------------------------------------------------- */

static void include(double value, bool is_log, double *low, double *high)
{
    if (!isfinite(value) || (is_log && value <= 0))
        return;
    *low = fmin(*low, value);
    *high = fmax(*high, value);
}

static void data_range(const cli_chart *c, bool is_x, double *low, double *high)
{
    bool is_log = is_x ? c->x.is_log : c->y.is_log;

    for (int i = 0; i < c->count; i++) {
        const cli_chart_series *s = &c->series[i];
        const double *values = is_x ? s->x : s->y;
        bool has_error = s->se && s->is_across == is_x;
        double half = is_x && s->style == CLI_CHART_BARS ? 0.6 * c->wide : 0;

        for (int p = 0; p < s->count; p++) {
            double error = has_error && isfinite(s->se[p]) ? s->se[p] : 0;

            include(values[p], is_log, low, high);
            include(values[p] - error - half, is_log, low, high);
            include(values[p] + error + half, is_log, low, high);
        }
        if (!is_log &&
            (is_x ? s->style == CLI_CHART_ROWS : s->style == CLI_CHART_BARS))
            include(0, is_log, low, high);
    }
}

/* Ends that the axis does not give are those of the data, with a margin. */
static cli_scale scale_of(const cli_chart *c, bool is_x)
{
    const cli_chart_axis *axis = is_x ? &c->x : &c->y;
    double low = HUGE_VAL, high = -HUGE_VAL, margin;
    bool is_line = is_x && c->count && c->series[0].style == CLI_CHART_LINE;

    data_range(c, is_x, &low, &high);
    low = axis->has_low ? axis->low : low;
    high = axis->has_high ? axis->high : high;
    if (!(high >= low)) /* no numbers, or ends in the wrong order */
        low = axis->is_log ? 0.1 : 0, high = 1;
    if (high == low) {
        low = axis->is_log ? low / 2 : low - 0.5;
        high = axis->is_log ? high * 2 : high + 0.5;
    }
    margin = is_line ? 0 : 0.04;
    if (axis->is_log) {
        double factor = pow(high / low, margin);

        low = axis->has_low ? low : low / factor;
        high = axis->has_high ? high : high * factor;
    } else {
        double more = margin * (high - low);

        low = axis->has_low || low == 0 ? low : low - more;
        high = axis->has_high ? high : high + more;
    }
    return (cli_scale){.low = low, .high = high, .is_log = axis->is_log};
}

/* --- text ---------------------------------------------------------------- */

/* Estimated width of a text of size 13, in units. */
static double width_of(const char *text)
{
    int letters = 0;

    for (; *text; text++)
        letters += ((unsigned char)*text & 0xc0) != 0x80;
    return 7.2 * letters;
}

static void put_text(FILE *to, double x, double y, const char *anchor,
                     const char *text)
{
    fprintf(to, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y,
            anchor);
    cli_html_text(to, text);
    fputs("</text>\n", to);
}

/* Powers of ten far from 1 are printed as such. */
static bool has_powers(const cli_scale *s)
{
    return s->is_log && (s->low < 1e-4 || s->high > 2e5);
}

static void number_text(char *out, size_t size, const cli_scale *s, double at)
{
    if (has_powers(s))
        snprintf(out, size, "10%g", round(log10(at)));
    else
        cli_scale_number(out, size, at, s->is_log ? at : s->high - s->low);
}

static void put_number(FILE *to, double x, double y, const char *anchor,
                       const cli_scale *s, double at)
{
    char text[32];

    if (!has_powers(s)) {
        number_text(text, sizeof text, s, at);
        put_text(to, x, y, anchor, text);
        return;
    }
    snprintf(text, sizeof text, "%.0f", fabs(round(log10(at))));
    fprintf(to,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">10<tspan "
            "dy=\"-5\" font-size=\"10\" style=\"font-size:10px\">%s%s"
            "</tspan></text>\n",
            x, y, anchor, at < 0.5 ? "\u2212" : "", text);
}

/* --- layout -------------------------------------------------------------- */

/* The layout of a chart, computed from the numbers alone. */
struct layout {
    cli_scale x, y;
    double ticks_x[CLI_SCALE_TICKS], ticks_y[CLI_SCALE_TICKS];
    int count_x, count_y;
    bool is_slanted;
    int columns, rows; /* columns and rows of the legend */
    double column;
    double width, height, bottom, foot;
};

static double y_room(const cli_chart *c, const struct layout *l)
{
    double widest = 0;
    char text[32];

    for (int t = 0; t < c->y.tick_count; t++)
        widest = fmax(widest, width_of(c->y.ticks[t].text));
    for (int t = 0; !c->y.ticks && t < l->count_y; t++) {
        number_text(text, sizeof text, &l->y, l->ticks_y[t]);
        widest = fmax(widest, width_of(text));
    }
    return widest + 2 * GAP + (c->y.label ? LABEL : 0);
}

static double x_foot(const cli_chart *c, struct layout *l)
{
    double longest = 0, all = 0;

    for (int t = 0; t < c->x.tick_count; t++) {
        longest = fmax(longest, width_of(c->x.ticks[t].text));
        all += width_of(c->x.ticks[t].text) + GAP;
    }
    l->is_slanted = all > l->x.to - l->x.from && longest > SLANT;
    return (l->is_slanted ? 0.6 * longest + FOOT : FOOT) +
           (c->x.label ? LABEL : 0);
}

static void lay_legend(const cli_chart *c, struct layout *l)
{
    double widest = 0;
    int titles = 0;

    for (int i = 0; i < c->count; i++)
        if (c->series[i].title && *c->series[i].title) {
            widest = fmax(widest, width_of(c->series[i].title));
            titles++;
        }
    l->column = widest + SAMPLE + 2 * GAP;
    l->columns = (int)((l->width - 2 * GAP) / l->column);
    l->columns = l->columns < 1 ? 1 : l->columns > titles ? titles : l->columns;
    l->rows = titles > 1 ? (titles + l->columns - 1) / l->columns : 0;
}

static void lay(const cli_chart *c, struct layout *l)
{
    double height = c->height ? c->height : HEIGHT, left;

    *l = (struct layout){.x = scale_of(c, true), .y = scale_of(c, false)};
    l->width = c->width ? c->width : WIDTH;
    l->y.to = TOP + (c->shows_title ? TITLE : 0);
    l->count_y = cli_scale_ticks(&l->y, TICKS, l->ticks_y);
    left = c->is_map ? TOP : y_room(c, l);
    l->x.from = left;
    l->x.to = l->width - RIGHT;
    l->count_x = cli_scale_ticks(&l->x, TICKS, l->ticks_x);
    l->foot = c->is_map ? TOP : x_foot(c, l);
    l->bottom = l->y.from = l->y.to + height - TOP - l->foot;
    if (c->is_map) {
        double unit = fmin((l->x.to - l->x.from) / (l->x.high - l->x.low),
                           (l->y.from - l->y.to) / (l->y.high - l->y.low));

        l->x.from = (l->width - unit * (l->x.high - l->x.low)) / 2;
        l->x.to = l->width - l->x.from;
        l->y.to = l->y.from - unit * (l->y.high - l->y.low);
    }
    if (c->y.is_reversed) {
        double top = l->y.to;

        l->y.to = l->y.from;
        l->y.from = top;
    }
    lay_legend(c, l);
    l->height = l->bottom + l->foot + (l->rows ? LEGEND * l->rows + GAP : GAP);
}

/* --- axes ---------------------------------------------------------------- */

static double top_of(const struct layout *l)
{
    return fmin(l->y.from, l->y.to);
}

static void put_strips(FILE *to, const cli_chart *c, const struct layout *l)
{
    for (int t = 0; c->y.has_strips && t < c->y.tick_count; t += 2) {
        double a = cli_scale_at(&l->y, c->y.ticks[t].at - 0.5);
        double b = cli_scale_at(&l->y, c->y.ticks[t].at + 0.5);

        fprintf(to,
                "<rect class=\"strip\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                "height=\"%.1f\"/>\n",
                l->x.from, fmin(a, b), l->x.to - l->x.from, fabs(a - b));
    }
}

static void put_x_axis(FILE *to, const cli_chart *c, const struct layout *l)
{
    double y = l->bottom + FOOT - 6;
    int count = c->x.ticks ? c->x.tick_count : l->count_x;

    for (int t = 0; t < count; t++) {
        double at = c->x.ticks ? c->x.ticks[t].at : l->ticks_x[t];
        double x = cli_scale_at(&l->x, at);

        if (x < l->x.from - 1 || x > l->x.to + 1)
            continue;
        fprintf(to, "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>\n", x,
                top_of(l), l->bottom + 4);
        if (l->is_slanted)
            fprintf(to, "<g transform=\"translate(%.1f %.1f) rotate(-35)\">\n",
                    x + 4, l->bottom + 14);
        if (l->is_slanted)
            put_text(to, 0, 0, "end", c->x.ticks[t].text);
        else if (c->x.ticks)
            put_text(to, x, y, "middle", c->x.ticks[t].text);
        else
            put_number(to, x, y, "middle", &l->x, at);
        if (l->is_slanted)
            fputs("</g>\n", to);
    }
    if (c->x.label)
        put_text(to, (l->x.from + l->x.to) / 2, l->bottom + l->foot - 6,
                 "middle", c->x.label);
}

static void put_y_axis(FILE *to, const cli_chart *c, const struct layout *l)
{
    int count = c->y.ticks ? c->y.tick_count : l->count_y;

    for (int t = 0; t < count; t++) {
        double at = c->y.ticks ? c->y.ticks[t].at : l->ticks_y[t];
        double y = cli_scale_at(&l->y, at);

        if (y < top_of(l) - 1 || y > l->bottom + 1)
            continue;
        if (!c->y.has_strips)
            fprintf(to, "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>\n",
                    l->x.from - 4, y, l->x.to);
        if (c->y.ticks)
            put_text(to, l->x.from - GAP, y + 4.5, "end", c->y.ticks[t].text);
        else
            put_number(to, l->x.from - GAP, y + 4.5, "end", &l->y, at);
    }
    if (c->y.label) {
        fprintf(to, "<g transform=\"translate(15 %.1f) rotate(-90)\">\n",
                (l->y.from + l->y.to) / 2);
        put_text(to, 0, 0, "middle", c->y.label);
        fputs("</g>\n", to);
    }
}

static void put_axes(FILE *to, const cli_chart *c, const struct layout *l)
{
    put_strips(to, c, l);
    put_y_axis(to, c, l);
    put_x_axis(to, c, l);
    fprintf(to, "<path class=\"axis\" d=\"M%.1f %.1fV%.1fH%.1f\"/>\n",
            l->x.from, top_of(l), l->bottom, l->x.to);
    if (c->has_mark)
        fprintf(to, "<path class=\"axis\" d=\"M%.1f %.1fV%.1f\"/>\n",
                cli_scale_at(&l->x, c->mark_x), top_of(l), l->bottom);
}

/* --- the whole ----------------------------------------------------------- */

static void put_legend(FILE *to, const cli_chart *c, const struct layout *l)
{
    double left = (l->width - l->columns * l->column) / 2 + GAP;
    int number = 0;

    for (int i = 0; l->rows && i < c->count; i++) {
        const cli_chart_series *s = &c->series[i];
        double x = left + l->column * (number % l->columns);
        double y = l->bottom + l->foot + GAP +
                   (double)LEGEND * (number / l->columns) + LEGEND / 2.0;

        if (!s->title || !*s->title)
            continue;
        cli_chart_put_sample(to, c, i, x, y, SAMPLE - GAP);
        put_text(to, x + SAMPLE, y + 4.5, "start", s->title);
        number++;
    }
}

static void put_chart(FILE *to, const cli_chart *c, const struct layout *l)
{
    if (c->shows_title) {
        fprintf(to,
                "<text class=\"head\" x=\"%.1f\" y=\"20\" "
                "text-anchor=\"middle\">",
                (l->x.from + l->x.to) / 2);
        cli_html_text(to, c->title);
        fputs("</text>\n", to);
    }
    if (!c->is_map)
        put_axes(to, c, l);
    cli_chart_put_series(to, c, &l->x, &l->y);
    put_legend(to, c, l);
}

static double wide_of(const cli_chart *c)
{
    return c->wide > 0 ? c->wide : 0.8;
}

/* Sets the positions of the charts of a grid and the total size. */
static void lay_grid(const cli_chart *charts, struct layout *l, int count,
                     int across, double size[2], double *top)
{
    double width = 0, height = 0;

    size[0] = size[1] = 0;
    for (int i = 0; i < count; i++) {
        cli_chart chart = charts[i];

        chart.wide = wide_of(&chart);
        lay(&chart, &l[i]);
        if (i % across == 0)
            width = height = 0;
        top[i] = size[1];
        width += l[i].width;
        height = fmax(height, l[i].height);
        size[0] = fmax(size[0], width);
        if (i % across == across - 1 || i == count - 1)
            size[1] += ceil(height);
    }
}

void cli_chart_write_grid(FILE *to, const cli_chart *charts, int count,
                          int across)
{
    struct layout *l = cli_alloc((size_t)count, sizeof *l);
    double *top = cli_alloc((size_t)count, sizeof *top), size[2], left = 0;

    lay_grid(charts, l, count, across, size, top);
    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" "
            "viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" "
            "role=\"img\">\n<title>",
            size[0], size[1], size[0], size[1]);
    cli_html_text(to, charts[0].title);
    fprintf(to,
            "</title>\n<style>%s</style>\n<rect class=\"ground\" "
            "width=\"%.0f\" height=\"%.0f\"/>\n",
            cli_chart_css, size[0], size[1]);
    for (int i = 0; i < count; i++) {
        cli_chart chart = charts[i];

        chart.wide = wide_of(&chart);
        left = i % across == 0 ? 0 : left;
        if (i > 0)
            fprintf(to, "<g transform=\"translate(%.0f %.0f)\">\n", left,
                    top[i]);
        put_chart(to, &chart, &l[i]);
        if (i > 0)
            fputs("</g>\n", to);
        left += l[i].width;
    }
    fputs("</svg>\n", to);
    free(top);
    free(l);
}

void cli_chart_write_all(FILE *to, const cli_chart *charts, int count)
{
    cli_chart_write_grid(to, charts, count, count);
}

void cli_chart_write(FILE *to, const cli_chart *chart)
{
    cli_chart_write_all(to, chart, 1);
}
