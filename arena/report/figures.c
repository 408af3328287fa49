/* figures.c - the pictures of the page, as SVG.
 *
 * Colors are those of the page (cli/page/style.c): 0 for what is right, 1 for
 * what is wrong. */
#include "arena/report/figures.h"

#include <math.h>
#include <string.h>

#include "cli/page/html.h"

enum {
    WIDTH = 340, /* of a figure among others, in units */
    LEFT = 92,   /* for the names of contestants */
    RIGHT = 20,  /* for half a number */
    LINE = 15,
    FOOT = 34,
    CELL = 17, /* of the map */
    NAMES = 118,
    HEADS = 84,
    SQUARE = 300, /* the area of the last figure */
};

void arena_put_number(FILE *to, double number, int digits)
{
    double size = fabs(number), unit;

    if (isnan(number)) {
        fputs("-", to);
    } else if (size < pow(10.0, digits)) {
        fprintf(to, "%.*g", digits, number);
    } else {
        unit = pow(10.0, floor(log10(size)) - digits + 1.0);
        fprintf(to, "%.0f", unit * round(number / unit));
    }
}

/* Where a number stands on an axis of `decades` powers of ten from 1 on. */
static double place(double number, int decades)
{
    return fmin(fmax(log10(fmax(number, 1e-9)) / decades, 0.0), 1.0);
}

static int decades_of(double most)
{
    int n = (int)ceil(log10(fmax(most, 10.0)) - 1e-9);

    return n < 2 ? 2 : n;
}

static const char *power_text(int power)
{
    static const char *const texts[] = {"1",    "10",   "100", "1000",
                                        "10^4", "10^5", "10^6"};

    return power < 7 ? texts[power] : "10^7";
}

static void begin(FILE *to, int width, int height, const char *label,
                  const char *style)
{
    fprintf(to,
            "<figure%s><svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"",
            style, width, height);
    cli_html_text(to, label);
    fputs("\">\n", to);
}

static void end(FILE *to, const char *caption)
{
    fputs("</svg><figcaption>", to);
    cli_html_text(to, caption);
    fputs("</figcaption></figure>\n", to);
}

/* --- one race ---------------------------------------------- */

static bool is_of(const arena_row *row, const arena_entry *e, arena_race race)
{
    return row->entry == e && row->race == race && row->runs > 0;
}

static void race_axis(FILE *to, int decades, double bottom)
{
    double room = WIDTH - LEFT - RIGHT;

    for (int n = 0; n <= decades; n++) {
        double x = LEFT + room * n / decades;

        fprintf(to,
                "<line class=\"tick\" x1=\"%.1f\" x2=\"%.1f\" y1=\"6\" "
                "y2=\"%.1f\"/><text x=\"%.1f\" y=\"%.1f\" "
                "text-anchor=\"middle\">%s</text>\n",
                x, x, bottom, x, bottom + 13.0, power_text(n));
    }
    fprintf(to,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">effective "
            "draws</text>\n",
            LEFT + room / 2.0, bottom + 28.0);
}

static void race_line(FILE *to, const arena_row *row, int decades, double y)
{
    double room = WIDTH - LEFT - RIGHT;
    double x = LEFT + room * place(row->ess.mean, decades);
    double ring = LEFT + room * place(row->discs.mean, decades);
    const char *color = arena_row_is_wrong(row) ? "1" : "0";

    fputs("<g><title>", to);
    cli_html_text(to, row->contestant);
    fputs(": ", to);
    arena_put_number(to, row->ess.mean, 3);
    fputs(" effective draws, by DISCS' definition ", to);
    arena_put_number(to, row->discs.mean, 3);
    fprintf(to, "; %s</title>", arena_row_state(row));
    fprintf(to, "<text%s x=\"%d\" y=\"%.1f\" text-anchor=\"end\">",
            row->is_best ? " class=\"strong\"" : "", LEFT - 8, y + 4.0);
    cli_html_text(to, row->contestant);
    fprintf(to,
            "</text><line stroke=\"var(--c%s)\" opacity=\".4\" "
            "stroke-width=\"2\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" "
            "y2=\"%.1f\"/>",
            color, x, ring, y, y);
    if (!isnan(row->discs.mean))
        fprintf(to,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"none\" "
                "stroke=\"var(--dim)\" stroke-width=\"1.3\"/>",
                ring, y);
    fprintf(to,
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" "
            "fill=\"var(--c%s)\"/></g>\n",
            x, y, color);
}

void arena_figure_race(const arena_report *r, FILE *to, const arena_entry *e,
                       arena_race race)
{
    double most = 10.0;
    int lines = 0, at = 0, decades;
    const char *what =
        race == ARENA_EVALS ? "At equal evaluations" : "At equal seconds";

    for (int n = 0; n < r->table.count; n++)
        if (is_of(&r->table.rows[n], e, race)) {
            most = fmax(most, fmax(r->table.rows[n].ess.mean,
                                   r->table.rows[n].discs.mean));
            lines++;
        }
    if (lines == 0)
        return;
    decades = decades_of(most);
    begin(to, WIDTH, 8 + LINE * lines + FOOT, what, "");
    race_axis(to, decades, 8.0 + LINE * lines);
    for (int n = 0; n < r->table.count; n++)
        if (is_of(&r->table.rows[n], e, race))
            race_line(to, &r->table.rows[n], decades, 8.0 + LINE * (at++ + .5));
    end(to, what);
}

/* --- the map ---------------------------------------------- */

static const arena_row *find(const arena_report *r, const arena_entry *e,
                             const char *contestant, arena_race race)
{
    for (int n = 0; n < r->table.count; n++) {
        const arena_row *row = &r->table.rows[n];

        if (row->entry == e && row->race == race &&
            strcmp(row->contestant, contestant) == 0)
            return row;
    }
    return NULL;
}

/* 1 for the best, 0 for a thousandth of it or less. */
static double shade(const arena_row *row, const arena_row *best)
{
    if (!best || !(row->ess.mean > 0.0))
        return 0.0;
    return fmin(fmax(1.0 + log10(row->ess.mean / best->ess.mean) / 3.0, 0.0),
                1.0);
}

static void map_cell(FILE *to, const arena_row *row, const arena_row *best,
                     double x, double y)
{
    bool is_wrong = arena_row_is_wrong(row);

    fputs("<g><title>", to);
    cli_html_text(to, row->contestant);
    fprintf(to, " on %s: ", row->entry->name);
    if (row->runs == 0) {
        cli_html_text(to, row->fault ? row->fault : "no draws");
    } else {
        arena_put_number(to, row->ess.mean, 3);
        fprintf(to, " effective draws, %s", arena_row_state(row));
    }
    fputs("</title>", to);
    if (row->runs == 0)
        fprintf(to,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"1.2\" "
                "fill=\"var(--rest)\"/>",
                x + CELL / 2.0, y + CELL / 2.0);
    else
        fprintf(to,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" "
                "rx=\"2\" fill=\"var(--c%d)\" opacity=\"%.2f\"/>",
                x + .5, y + .5, CELL - 1, CELL - 1, is_wrong,
                is_wrong ? 0.55 : 0.08 + 0.92 * shade(row, best));
    if (is_wrong && row->runs > 0)
        fprintf(to,
                "<path d=\"M%.1f %.1fl7 7m0-7l-7 7\" "
                "stroke=\"var(--fg)\" fill=\"none\"/>",
                x + 5.0, y + 5.0);
    else if (row->is_best)
        fprintf(to,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" "
                "fill=\"var(--bg)\"/>",
                x + CELL / 2.0, y + CELL / 2.0);
    fputs("</g>\n", to);
}

static void map_heads(const arena_report *r, FILE *to, const bool *is_shown)
{
    int column = 0;

    for (int c = 0; c < r->plan->field->count; c++) {
        double x = NAMES + CELL * column + CELL / 2.0 + 4.0;

        if (!is_shown[c])
            continue;
        column++;
        fprintf(to,
                "<text x=\"%.1f\" y=\"%d\" "
                "transform=\"rotate(-90 %.1f %d)\">",
                x, HEADS - 6, x, HEADS - 6);
        cli_html_text(to, r->plan->field->at[c].name);
        fputs("</text>\n", to);
    }
}

static void map_line(const arena_report *r, FILE *to, const arena_entry *e,
                     arena_race race, const bool *is_shown, double y)
{
    const arena_row *best = arena_table_best(&r->table, e, race);
    int column = 0;

    fprintf(to,
            "<a href=\"#t-%s\"><text x=\"%d\" y=\"%.1f\" "
            "text-anchor=\"end\">%s</text></a>\n",
            e->name, NAMES - 6, y + CELL / 2.0 + 4.0, e->name);
    for (int c = 0; c < r->plan->field->count; c++) {
        const arena_row *row;

        if (!is_shown[c])
            continue;
        row = find(r, e, r->plan->field->at[c].name, race);
        if (row)
            map_cell(to, row, best, NAMES + CELL * column, y);
        column++;
    }
}

void arena_figure_map(const arena_report *r, FILE *to, arena_race race)
{
    bool is_shown[512] = {false};
    int columns = 0, lines = 0;
    char style[64];

    for (int c = 0; c < r->plan->field->count && c < 512; c++) {
        for (int n = 0; n < r->table.count && !is_shown[c]; n++)
            is_shown[c] = r->table.rows[n].runs > 0 &&
                          strcmp(r->table.rows[n].contestant,
                                 r->plan->field->at[c].name) == 0;
        columns += is_shown[c];
    }
    for (const arena_entry *e = arena_catalogue; e->name; e++)
        lines += arena_plan_has_target(r->plan, e);
    snprintf(style, sizeof style, " style=\"width:%dpx\"",
             NAMES + CELL * columns + 4);
    fputs("<div class=\"wide\" tabindex=\"0\" role=\"region\" "
          "aria-label=\"All cells\">\n",
          to);
    begin(to, NAMES + CELL * columns + 4, HEADS + CELL * lines + 4, "All cells",
          style);
    map_heads(r, to, is_shown);
    lines = 0;
    for (const arena_entry *e = arena_catalogue; e->name; e++)
        if (arena_plan_has_target(r->plan, e))
            map_line(r, to, e, race, is_shown, HEADS + CELL * lines++);
    end(to, race == ARENA_EVALS ? "At equal evaluations" : "At equal seconds");
    fputs("</div>\n", to);
}

/* --- who is fooled ---------------------------------------------- */

static void fooled_axes(FILE *to, int decades)
{
    for (int n = 0; n <= decades; n++) {
        double at = (double)SQUARE * n / decades;

        fprintf(to,
                "<line class=\"tick\" x1=\"%.1f\" x2=\"%.1f\" y1=\"10\" "
                "y2=\"%d\"/><line class=\"tick\" x1=\"50\" x2=\"%d\" "
                "y1=\"%.1f\" y2=\"%.1f\"/>",
                50 + at, 50 + at, 10 + SQUARE, 50 + SQUARE, 10 + SQUARE - at,
                10 + SQUARE - at);
        fprintf(to,
                "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>"
                "<text x=\"44\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
                50 + at, 24 + SQUARE, power_text(n), 14 + SQUARE - at,
                power_text(n));
    }
    fprintf(to,
            "<line class=\"mark\" x1=\"50\" y1=\"%d\" x2=\"%d\" y2=\"10\"/>"
            "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">effective draws "
            "by DISCS' definition</text>"
            "<text x=\"12\" y=\"%d\" text-anchor=\"middle\" "
            "transform=\"rotate(-90 12 %d)\">by known means</text>\n",
            10 + SQUARE, 50 + SQUARE, 50 + SQUARE / 2, 42 + SQUARE,
            10 + SQUARE / 2, 10 + SQUARE / 2);
}

void arena_figure_fooled(const arena_report *r, FILE *to)
{
    double most = 10.0;
    int decades;

    for (int n = 0; n < r->table.count; n++)
        most = fmax(
            most, fmax(r->table.rows[n].ess.mean, r->table.rows[n].discs.mean));
    decades = decades_of(most);
    begin(to, 80 + SQUARE, 50 + SQUARE, "Two definitions of effective draws",
          "");
    fooled_axes(to, decades);
    for (int pass = 0; pass < 2; pass++)
        for (int n = 0; n < r->table.count; n++) {
            const arena_row *row = &r->table.rows[n];

            if (row->runs == 0 || isnan(row->discs.mean) ||
                arena_row_is_wrong(row) != (pass == 1))
                continue;
            fprintf(to,
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.2\" "
                    "fill=\"var(--c%d)\" opacity=\".6\"><title>",
                    50 + SQUARE * place(row->discs.mean, decades),
                    10 + SQUARE * (1.0 - place(row->ess.mean, decades)), pass);
            cli_html_text(to, row->contestant);
            fprintf(to, " on %s</title></circle>\n", row->entry->name);
        }
    end(to, "Every contestant on every target. Below the dashed line the "
            "common definition promises more than was had; orange: the draws "
            "are wrong.");
}
