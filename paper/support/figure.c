/* figure.c - numbers, a script, gnuplot. */
#include "paper/support/figure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/print/gnuplot.h"
#include "cli/print/interrupt.h"
#include "cli/print/json.h"
#include "paper/support/results.h"

enum {
    TRACE_POINTS = 80, /* of a curve that is drawn; more only weigh */
    MANY = 40,         /* points that are drawn small */
    ONE_COLUMN = 21,   /* bytes of a title that leaves no room beside it */
    LEGEND_ROW = 23    /* pixels */
};

/* After Okabe and Ito, told apart by most eyes; the blue is lighter, so that it
 * can be seen on dark ground. */
static const char *const COLORS[PAPER_COLORS] = {
    "#2387C8", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#888888",
};

paper_color paper_color_of(const char *row)
{
    static const struct {
        const char *name;
        paper_color color;
    } known[] = {
        {"hiss", PAPER_BLUE}, {"pt", PAPER_RED},   {"dmala", PAPER_ORANGE},
        {"gwg", PAPER_GREEN}, {"acs", PAPER_PINK}, {"gibbs", PAPER_SKY},
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(row, known[i].name, strlen(known[i].name)) == 0)
            return known[i].color;
    return PAPER_GREY;
}

static double *copied(const double *from, int count)
{
    double *to;

    if (!from)
        return NULL;
    to = cli_alloc((size_t)count, sizeof *to);
    if (count > 0)
        memcpy(to, from, (size_t)count * sizeof *to);
    return to;
}

void paper_figure_add(paper_figure *figure, const char *title,
                      paper_style style, paper_color color, const double *x,
                      const double *y, const double *se, int count)
{
    paper_series *s = &figure->series[figure->count];

    if (figure->count == PAPER_SERIES_MAX)
        return;
    figure->count++;
    *s = (paper_series){
        cli_text("%s", title), style, color, copied(x, count), copied(y, count),
        copied(se, count),     count};
}

void paper_figure_add_trace(paper_figure *figure, const char *title,
                            paper_style style, paper_color color,
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

    paper_figure_add(figure, title, PAPER_DASHES, PAPER_GREY, x, both, NULL, 2);
}

void paper_figure_clear(paper_figure *figure)
{
    for (int i = 0; i < figure->count; i++) {
        free(figure->series[i].title);
        free(figure->series[i].x);
        free(figure->series[i].y);
        free(figure->series[i].se);
    }
    figure->count = 0;
}

static FILE *memory(char **text, size_t *length)
{
    FILE *out = open_memstream(text, length);

    if (!out)
        exit(cli_fail(CLI_FAULT, "out of memory"));
    return out;
}

static char *closed(FILE *out, char **text)
{
    if (fclose(out) != 0)
        exit(cli_fail(CLI_FAULT, "out of memory"));
    return *text;
}

/* Blocks of "x y se", two empty lines between them; free() it. */
static char *data_of(const paper_figure *figure)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = memory(&text, &length);

    fprintf(out, "# %s: x, y, standard error\n", figure->title);
    for (int i = 0; i < figure->count; i++) {
        const paper_series *s = &figure->series[i];

        fprintf(out, "%s# %s\n", i ? "\n\n" : "", s->title);
        for (int p = 0; p < s->count; p++)
            fprintf(out, "%.10g %.10g %.10g\n", s->x[p], s->y[p],
                    s->se && isfinite(s->se[p]) ? s->se[p] : 0.0);
    }
    return closed(out, &text);
}

static void put_title(FILE *out, const char *title)
{
    if (!*title) {
        fputs(" notitle", out);
        return;
    }
    fputs(" title ", out);
    cli_gnuplot_text(out, title);
}

/* Lines of one colour differ by their dashes. */
static int dashes_of(const paper_figure *figure, int number)
{
    int before = 0;

    for (int i = 0; i < number; i++)
        before += figure->series[i].color == figure->series[number].color &&
                  figure->series[i].style == PAPER_LINE;
    return before + 1;
}

/* Wide below, thin above: all of them can be seen. */
static double width_of(const paper_figure *figure, int number)
{
    static const double nested[] = {6, 3.5, 1.5};

    return figure->is_nested ? nested[number < 3 ? number : 2] : 2;
}

static void put_series(FILE *out, const paper_figure *figure, int i)
{
    const paper_series *s = &figure->series[i];
    const char *color = COLORS[s->color];
    static const int points[] = {7, 5, 9, 11, 13, 6, 4};
    int point = points[i % (int)(sizeof points / sizeof *points)];

    fprintf(out, "%s \\\n '%s.dat' index %d ", i ? "," : "", figure->name, i);
    switch (s->style) {
    case PAPER_LINE:
        if (s->se)
            fprintf(out,
                    "using 1:($2-$3):($2+$3) with filledcurves fc rgb '%s' "
                    "fs transparent solid 0.25 noborder notitle, \\\n"
                    " '' index %d ",
                    color, i);
        fprintf(out, "using 1:2 with lines lw %g dt %d lc rgb '%s'",
                width_of(figure, i), dashes_of(figure, i), color);
        break;
    case PAPER_DASHES:
        fprintf(out, "using 1:2 with lines lw 1.5 dt 2 lc rgb '%s'", color);
        break;
    case PAPER_POINTS:
        fprintf(out, "using %s pt %d ps %s lc rgb '%s'",
                s->se ? "1:2:3 with yerrorbars" : "1:2 with points", point,
                s->count > MANY ? "0.35" : "0.7", color);
        break;
    case PAPER_OPEN:
        fprintf(out, "using 1:2 with points pt 8 ps 1.1 lw 1.5 lc rgb '%s'",
                color);
        break;
    case PAPER_MARKED:
        fprintf(out, "using 1:2 with linespoints lw 2 pt %d ps 0.7 lc rgb '%s'",
                point, color);
        break;
    case PAPER_BARS:
        fprintf(out, "using 1:2 with boxes lc rgb '%s'", color);
        break;
    }
    put_title(out, s->title);
}

/* A long legend does not take room from the plot.  gnuplot sets titles in as
 * many columns as their longest allows. */
static int height_of(const paper_figure *figure)
{
    size_t longest = 0;
    int titles = 0, rows;

    for (int i = 0; i < figure->count; i++) {
        size_t length = strlen(figure->series[i].title);

        titles += length > 0;
        longest = length > longest ? length : longest;
    }
    rows = longest > ONE_COLUMN ? titles : (titles + 1) / 2;
    return 395 + LEGEND_ROW * (rows > 1 ? rows - 1 : 0);
}

static char *script_of(const paper_figure *figure)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = memory(&text, &length);

    fprintf(out,
            "set encoding utf8\n"
            "set terminal svg size 540,%d dynamic enhanced font 'Helvetica,16' "
            "background '#ffffff'\n"
            "set output '../" PAPER_FIGURES "/%s.svg.part'\n"
            "set border 3 lw 1\n"
            "set tics nomirror out\n"
            "set grid lc '#999999' lw 0.5 dt 3\n"
            "set key below Left reverse samplen 2.5 height 1 font ',15'\n"
            "set style fill solid 0.7 noborder\n"
            "set pointintervalbox 0\n"
            "set xlabel '%s'\n"
            "set ylabel '%s'\n",
            height_of(figure), figure->name, figure->x, figure->y);
    if (figure->log_x)
        fputs("set logscale x\nset format x '10^{%L}'\nset autoscale xfix\n",
              out);
    if (figure->log_y)
        fputs("set logscale y\nset format y '10^{%L}'\n", out);
    if (figure->more)
        fprintf(out, "%s\n", figure->more);
    fputs("plot", out);
    for (int i = 0; i < figure->count; i++)
        put_series(out, figure, i);
    fputs("\n", out);
    return closed(out, &text);
}

/* The SVG under its name; a failure is noted once and costs the figure. */
static void make_svg(const paper_figure *figure, const paper_run *run)
{
    static bool is_told;
    char *data = cli_folder_file(run->folder, PAPER_DATA);
    char *script = cli_text("%s.gp", figure->name);
    char *svg =
        cli_folder_file(run->folder, PAPER_FIGURES "/%s.svg", figure->name);
    char *part = cli_text("%s.part", svg);
    bool is_made;
    int status;

    unlink(svg); /* of a former run */
    status =
        cli_gnuplot_run(&(cli_gnuplot){script, data, "gnuplot.log", -1, -1});
    is_made = status == 0 && rename(part, svg) == 0;
    if (!is_made)
        unlink(part);
    if (!is_made && !is_told && (status == -1 || status == 127))
        cli_note("gnuplot was not found (Debian: gnuplot-nox): results are "
                 "written, figures are left out; scripts are in %s",
                 data);
    else if (!is_made && !is_told)
        cli_note("gnuplot failed on %s/%s (see gnuplot.log there): figures are "
                 "left out",
                 data, script);
    is_told |= !is_made;
    free(data);
    free(script);
    free(svg);
    free(part);
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
    char *data = data_of(figure), *script = script_of(figure);
    char *data_name = cli_text(PAPER_DATA "/%s.dat", figure->name);
    char *script_name = cli_text(PAPER_DATA "/%s.gp", figure->name);
    int code = cli_folder_write(run->folder, data_name, data);

    if (code == CLI_DONE)
        code = cli_folder_write(run->folder, script_name, script);
    if (code == CLI_DONE) {
        make_svg(figure, run);
        remember(figure, run);
        if (cli_interrupt_signal()) /* it may have ended gnuplot as well */
            code = CLI_SIGNAL + cli_interrupt_signal();
    }
    paper_figure_clear(figure);
    free(data);
    free(script);
    free(data_name);
    free(script_name);
    return code;
}
