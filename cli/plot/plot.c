/* plot.c - small figures as SVG inside a page. */
#include "cli/plot/plot.h"

#include <math.h>

#include "cli/plot/palette.h"
#include "cli/plot/scale.h"
#include "cli/print/markup.h"

enum {
    FOOT = 22,
    LABEL = 15, /* below the area */
    ACROSS = 6, /* extra units below a plot across the page */
    HEAD = 8,
    SIDE = 10,
    TICKS = 4
};

void cli_plot_begin(cli_plot *p, FILE *to, const char *caption, double height,
                    double left, double x_low, double x_high, double y_low,
                    double y_high)
{
    cli_plot_begin_wide(p, to, caption, CLI_PLOT_WIDTH, height, left, x_low,
                        x_high, y_low, y_high);
}

void cli_plot_begin_wide(cli_plot *p, FILE *to, const char *caption, int width,
                         double height, double left, double x_low,
                         double x_high, double y_low, double y_high)
{
    bool is_across = width == CLI_PLOT_ACROSS,
         is_small = width < CLI_PLOT_WIDTH;
    double foot = is_across ? FOOT + ACROSS : is_small ? HEAD : FOOT;

    if (!(x_high > x_low)) {
        x_low -= 0.5;
        x_high += 0.5;
    }
    if (!(y_high > y_low)) {
        y_low -= 0.5;
        y_high += 0.5;
    }
    *p = (cli_plot){.to = to,
                    .caption = caption,
                    .left = left,
                    .right = width - (is_small ? HEAD : SIDE),
                    .top = HEAD,
                    .bottom = height - foot,
                    .label = is_across ? LABEL + ACROSS : LABEL,
                    .x_low = x_low,
                    .x_high = x_high,
                    .y_low = y_low,
                    .y_high = y_high};
    fprintf(to,
            "<figure%s><svg viewBox=\"0 0 %d %g\" role=\"img\" "
            "aria-label=\"",
            is_across ? " class=\"across\"" : "", width, height);
    cli_html_text(to, caption);
    fputs("\">\n", to);
}

void cli_plot_end(cli_plot *p)
{
    fputs("</svg><figcaption aria-hidden=\"true\">", p->to);
    cli_html_text(p->to, p->caption);
    fputs("</figcaption></figure>\n", p->to);
}

static double at_x(const cli_plot *p, double x)
{
    return p->left +
           (x - p->x_low) / (p->x_high - p->x_low) * (p->right - p->left);
}

static double at_y(const cli_plot *p, double y)
{
    return p->bottom -
           (y - p->y_low) / (p->y_high - p->y_low) * (p->bottom - p->top);
}

double cli_plot_room(double y_low, double y_high)
{
    double step = cli_scale_step(y_low, y_high, TICKS, false);
    int longest = 4;

    for (double y = ceil(y_low / step - 1e-9) * step; y <= y_high; y += step) {
        char text[32];
        int length = cli_scale_number(text, sizeof text, y, step);

        longest = length > longest ? length : longest;
    }
    return 10 + 6.6 * longest;
}

void cli_plot_x_axis(const cli_plot *p, const char *label)
{
    double step = cli_scale_step(p->x_low, p->x_high, TICKS, p->counts_x);

    fprintf(p->to, "<path class=\"axis\" d=\"M%.1f %.1fH%.1f\"/>\n", p->left,
            p->bottom, p->right);
    for (double x = ceil(p->x_low / step - 1e-9) * step;
         x <= p->x_high + 1e-9 * step; x += step) {
        bool is_last = at_x(p, x) > p->right - 8;
        char text[32];

        cli_scale_number(text, sizeof text, x, step);
        fprintf(p->to,
                "<path class=\"tick\" d=\"M%.1f %.1fv4\"/>"
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n",
                at_x(p, x), p->bottom, at_x(p, x), p->bottom + p->label,
                is_last ? "end" : "middle", text);
    }
    if (label) {
        fprintf(p->to, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"start\">",
                2.0, p->bottom + p->label);
        cli_html_text(p->to, label);
        fputs("</text>\n", p->to);
    }
}

void cli_plot_y_axis(const cli_plot *p)
{
    double step = cli_scale_step(p->y_low, p->y_high, TICKS, p->counts_y);

    for (double y = ceil(p->y_low / step - 1e-9) * step;
         y <= p->y_high + 1e-9 * step; y += step) {
        char text[32];

        cli_scale_number(text, sizeof text, y, step);
        fprintf(p->to,
                "<path class=\"tick\" d=\"M%.1f %.1fH%.1f\"/>"
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
                p->left, at_y(p, y), p->right, p->left - 4, at_y(p, y) + 4,
                text);
    }
}

void cli_plot_y_word(const cli_plot *p, double y, const char *word)
{
    fprintf(p->to, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">",
            p->left - 5, at_y(p, y) + 4);
    cli_html_text(p->to, word);
    fputs("</text>\n", p->to);
}

/* Numbers up to CLI_PLOT_COLORS have different colors. */
static const char *ink(int color)
{
    static const char *const inks[CLI_PLOT_COLORS] = {
#define INK(name, light, dark) "var(--c" name ")",
        CLI_PALETTE_COLORS(INK)
#undef INK
    };

    return color >= 0 && color < CLI_PLOT_COLORS ? inks[color] : "var(--rest)";
}

void cli_plot_line(const cli_plot *p, int count, const double *x,
                   const double *y, int color)
{
    bool is_on = false;

    fprintf(p->to, "<path class=\"lines\" stroke=\"%s\" d=\"", ink(color));
    for (int n = 0; n < count; n++) {
        if (!isfinite(y[n])) {
            is_on = false;
            continue;
        }
        fprintf(p->to, "%c%.1f %.1f", is_on ? 'L' : 'M', at_x(p, x[n]),
                at_y(p, y[n]));
        is_on = true;
    }
    fputs("\"/>\n", p->to);
}

void cli_plot_bar(const cli_plot *p, double x_low, double x_high, double y_low,
                  double y_high, int color)
{
    double x = at_x(p, x_low), y = at_y(p, y_high);

    fprintf(p->to,
            "<rect class=\"bar\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
            "height=\"%.1f\" fill=\"%s\"/>\n",
            x, y, at_x(p, x_high) - x, at_y(p, y_low) - y, ink(color));
}

void cli_plot_band(const cli_plot *p, double y_low, double y_high)
{
    double top = at_y(p, y_high < p->y_high ? y_high : p->y_high);
    double bottom = at_y(p, y_low > p->y_low ? y_low : p->y_low);

    fprintf(p->to,
            "<rect class=\"band\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
            "height=\"%.1f\"/>\n",
            p->left, top, p->right - p->left, bottom - top);
}

void cli_plot_level(const cli_plot *p, double y)
{
    fprintf(p->to, "<path class=\"mark\" d=\"M%.1f %.1fH%.1f\"/>\n", p->left,
            at_y(p, y), p->right);
}

void cli_plot_mark(const cli_plot *p, double x, double y)
{
    fprintf(p->to,
            "<path class=\"mark\" style=\"stroke-dasharray:none\" "
            "d=\"M%.1f %.1fv10\"/>\n",
            at_x(p, x), at_y(p, y) - 5);
}

void cli_plot_dot(const cli_plot *p, double x, double y, double radius,
                  int color, double opacity)
{
    fprintf(p->to,
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\" "
            "opacity=\"%.2f\"/>\n",
            at_x(p, x), at_y(p, y), radius, ink(color), opacity);
}

void cli_plot_interval(const cli_plot *p, double x_low, double x_high, double y,
                       int color)
{
    fprintf(p->to,
            "<path class=\"lines\" style=\"stroke-width:2\" "
            "stroke=\"%s\" d=\"M%.1f %.1fH%.1f\"/>\n",
            ink(color), at_x(p, fmax(x_low, p->x_low)), at_y(p, y),
            at_x(p, fmin(x_high, p->x_high)));
}

void cli_plot_text(const cli_plot *p, double x, double y, const char *text,
                   bool is_middle)
{
    fprintf(p->to,
            "<text class=\"strong\" x=\"%.1f\" y=\"%.1f\" "
            "text-anchor=\"%s\">",
            at_x(p, x), at_y(p, y) + 4, is_middle ? "middle" : "start");
    cli_html_text(p->to, text);
    fputs("</text>\n", p->to);
}
