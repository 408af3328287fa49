/* chart_parts.c - lines, bands, points and bars of a chart. */
#include "cli/plot/chart_parts.h"

#include <math.h>

#include "cli/print/markup.h"

enum {
    MANY = 40 /* more points than this are drawn small */
};

#define SHAPES 5

/* The area, to which positions are clipped. */
struct area {
    FILE *to;
    const cli_chart *chart;
    const cli_scale *x, *y;
    double left, right, top, bottom;
};

/* --- attributes ---------------------------------------------------------- */

static double stroke_of(const cli_chart *c, int number)
{
    static const double nested[] = {6, 3.5, 1.5};

    return c->is_nested ? nested[number < 3 ? number : 2] : 2;
}

static const char *dashes_of(const cli_chart_series *s)
{
    static const char *const dashes[] = {"", "7 4", "2 3", "9 3 2 3"};

    if (s->style == CLI_CHART_DASHES && s->dashes == 0)
        return "5 4";
    return dashes[s->dashes < 4 ? s->dashes : 3];
}

static void begin_line(FILE *to, const cli_chart *c, int number)
{
    const cli_chart_series *s = &c->series[number];
    double wide = s->style == CLI_CHART_DASHES ? 1.5 : stroke_of(c, number);

    fprintf(to, "<path class=\"line s%d\" stroke-width=\"%g\"", s->color, wide);
    if (*dashes_of(s))
        fprintf(to, " stroke-dasharray=\"%s\"", dashes_of(s));
    fputs(" d=\"", to);
}

/* Draws a marker, with a different shape for each series. */
static void put_mark(FILE *to, const cli_chart_series *s, int number, double x,
                     double y, double r)
{
    bool is_open = s->style == CLI_CHART_OPEN;

    fprintf(to, "<path class=\"%s%d\" d=\"", is_open ? "open s" : "f",
            s->color);
    switch (number % SHAPES) {
    case 0:
        fprintf(to, "M%.1f %.1fa%.1f %.1f 0 1 0 %.1f 0a%.1f %.1f 0 1 0 %.1f 0z",
                x - r, y, r, r, 2 * r, r, r, -2 * r);
        break;
    case 1:
        fprintf(to, "M%.1f %.1fh%.1fv%.1fh%.1fz", x - r * 0.9, y - r * 0.9,
                1.8 * r, 1.8 * r, -1.8 * r);
        break;
    case 2:
        fprintf(to, "M%.1f %.1fl%.1f %.1fh%.1fz", x, y - 1.2 * r, 1.15 * r,
                2 * r, -2.3 * r);
        break;
    case 3:
        fprintf(to, "M%.1f %.1fl%.1f %.1fh%.1fz", x, y + 1.2 * r, 1.15 * r,
                -2 * r, -2.3 * r);
        break;
    default:
        fprintf(to, "M%.1f %.1fl%.1f %.1fl%.1f %.1fl%.1f %.1fz", x, y - 1.3 * r,
                1.3 * r, 1.3 * r, -1.3 * r, 1.3 * r, -1.3 * r, -1.3 * r);
    }
    fputs("\"/>\n", to);
}

/* --- lines --------------------------------------------------------------- */

/* The box of begin_area clips positions outside the area; numbers far outside
 * are drawn near it. */
static double place(const cli_scale *s, double value)
{
    double at = s->is_log && !(value > 0) ? s->from - (s->to - s->from)
                                          : cli_scale_at(s, value);

    return fmax(-1e4, fmin(1e4, at));
}

static void put_line(const struct area *a, int number)
{
    const cli_chart_series *s = &a->chart->series[number];
    bool is_on = false;

    begin_line(a->to, a->chart, number);
    for (int p = 0; p < s->count; p++) {
        bool is_there = isfinite(s->x[p]) && isfinite(s->y[p]);

        if (is_there)
            fprintf(a->to, "%c%.1f %.1f", is_on ? 'L' : 'M',
                    place(a->x, s->x[p]), place(a->y, s->y[p]));
        is_on = is_there;
    }
    fputs("\"/>\n", a->to);
}

static void put_band(const struct area *a, int number)
{
    const cli_chart_series *s = &a->chart->series[number];
    bool is_on = false;

    if (!s->se)
        return;
    fprintf(a->to, "<path class=\"band f%d\" d=\"", s->color);
    for (int way = 1; way >= -1; way -= 2)
        for (int n = 0; n < s->count; n++) {
            int p = way > 0 ? n : s->count - 1 - n;

            if (!isfinite(s->x[p]) || !isfinite(s->y[p]) || !isfinite(s->se[p]))
                continue;
            fprintf(a->to, "%c%.1f %.1f", is_on ? 'L' : 'M',
                    place(a->x, s->x[p]),
                    place(a->y, s->y[p] + way * s->se[p]));
            is_on = true;
        }
    fputs(is_on ? "z\"/>\n" : "\"/>\n", a->to);
}

/* --- points and bars ----------------------------------------------------- */

static bool is_inside(const struct area *a, double x, double y)
{
    return x >= a->left - 1 && x <= a->right + 1 && y >= a->top - 1 &&
           y <= a->bottom + 1;
}

static void put_error(const struct area *a, const cli_chart_series *s, int p)
{
    double x = s->x[p], y = s->y[p], e = s->se[p];

    fprintf(a->to, "<path class=\"line s%d\" stroke-width=\"1.5\" d=\"",
            s->color);
    if (s->is_across)
        fprintf(a->to, "M%.1f %.1fH%.1f", fmax(a->left, place(a->x, x - e)),
                place(a->y, y), fmin(a->right, place(a->x, x + e)));
    else
        fprintf(a->to, "M%.1f %.1fV%.1f", place(a->x, x),
                fmin(a->bottom, place(a->y, y - e)),
                fmax(a->top, place(a->y, y + e)));
    fputs("\"/>\n", a->to);
}

static void put_points(const struct area *a, int number)
{
    const cli_chart_series *s = &a->chart->series[number];
    double r = s->count > MANY ? 2 : s->style == CLI_CHART_OPEN ? 4.5 : 3.5;

    for (int p = 0; p < s->count; p++) {
        double x = place(a->x, s->x[p]), y = place(a->y, s->y[p]);

        if (!isfinite(s->x[p]) || !isfinite(s->y[p]) || !is_inside(a, x, y))
            continue;
        if (s->se && s->se[p] > 0 && s->style != CLI_CHART_MARKED)
            put_error(a, s, p);
        put_mark(a->to, s, number, x, y, r);
    }
}

static void put_bar(FILE *to, int color, double x0, double y0, double x1,
                    double y1)
{
    fprintf(to,
            "<rect class=\"f%d\" opacity=\".85\" x=\"%.1f\" y=\"%.1f\" "
            "width=\"%.1f\" height=\"%.1f\"/>\n",
            color, fmin(x0, x1), fmin(y0, y1), fabs(x1 - x0), fabs(y1 - y0));
}

static void put_bars(const struct area *a, const cli_chart_series *s)
{
    double half = a->chart->wide / 2;

    for (int p = 0; p < s->count; p++)
        if (isfinite(s->y[p]))
            put_bar(a->to, s->color, place(a->x, s->x[p] - half), a->bottom,
                    place(a->x, s->x[p] + half),
                    fmax(a->top, place(a->y, s->y[p])));
}

/* Puts the number behind its bar, or behind the chart's mark if that would
 * cross it. */
static void put_rows(const struct area *a, const cli_chart_series *s)
{
    for (int p = 0; p < s->count; p++) {
        double end = fmin(a->right, place(a->x, s->x[p]));
        double y = place(a->y, s->y[p]), at = end;

        put_bar(a->to, s->color, a->left, place(a->y, s->y[p] - 0.36), end,
                place(a->y, s->y[p] + 0.36));
        if (!s->text)
            continue;
        if (a->chart->has_mark && s->x[p] < a->chart->mark_x)
            at = cli_scale_at(a->x, a->chart->mark_x);
        fprintf(a->to, "<text x=\"%.1f\" y=\"%.1f\">", at + 5, y + 4.5);
        cli_html_text(a->to, s->text[p]);
        fputs("</text>\n", a->to);
    }
}

/* --- all of them --------------------------------------------------------- */

/* Begins a box that clips lines at the area; the origin does not change. */
static void begin_area(const struct area *a)
{
    fprintf(a->to,
            "<svg x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
            "viewBox=\"%.1f %.1f %.1f %.1f\">\n",
            a->left, a->top, a->right - a->left, a->bottom - a->top, a->left,
            a->top, a->right - a->left, a->bottom - a->top);
}

void cli_chart_put_series(FILE *to, const cli_chart *c, const cli_scale *x,
                          const cli_scale *y)
{
    struct area a = {to,
                     c,
                     x,
                     y,
                     x->from,
                     x->to,
                     fmin(y->from, y->to),
                     fmax(y->from, y->to)};

    for (int i = 0; i < c->count; i++)
        if (c->series[i].style == CLI_CHART_BARS)
            put_bars(&a, &c->series[i]);
        else if (c->series[i].style == CLI_CHART_ROWS)
            put_rows(&a, &c->series[i]);
    begin_area(&a);
    for (int i = 0; i < c->count; i++)
        if (c->series[i].style == CLI_CHART_LINE)
            put_band(&a, i);
    for (int i = 0; i < c->count; i++)
        if (c->series[i].style == CLI_CHART_LINE ||
            c->series[i].style == CLI_CHART_DASHES ||
            c->series[i].style == CLI_CHART_MARKED)
            put_line(&a, i);
    fputs("</svg>\n", to);
    for (int i = 0; i < c->count; i++)
        if (c->series[i].style == CLI_CHART_POINTS ||
            c->series[i].style == CLI_CHART_OPEN ||
            c->series[i].style == CLI_CHART_MARKED)
            put_points(&a, i);
}

void cli_chart_put_sample(FILE *to, const cli_chart *c, int i, double x,
                          double y, double wide)
{
    const cli_chart_series *s = &c->series[i];
    bool has_line = s->style == CLI_CHART_LINE ||
                    s->style == CLI_CHART_DASHES ||
                    s->style == CLI_CHART_MARKED;

    if (has_line) {
        begin_line(to, c, i);
        fprintf(to, "M%.1f %.1fh%.1f\"/>\n", x, y, wide);
    }
    if (s->style == CLI_CHART_BARS || s->style == CLI_CHART_ROWS)
        put_bar(to, s->color, x, y - 5, x + wide, y + 5);
    else if (s->style != CLI_CHART_LINE && s->style != CLI_CHART_DASHES)
        put_mark(to, s, i, x + wide / 2, y, 3.5);
}
