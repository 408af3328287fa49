/* figure.c - a separate figure as SVG. */
#include "cli/plot/figure.h"

#include <stdlib.h>
#include <string.h>

#include "cli/files/output.h"
#include "cli/print/markup.h"

void cli_figure_begin(cli_figure *f, const char *path, int width, int height,
                      const char *title)
{
    *f = (cli_figure){.path = path, .width = width, .height = height};
    cli_text_file_open(&f->text);
    fprintf(f->text.to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
            "width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
            "font-size=\"12\" role=\"img\">\n<title>",
            width, height, width, height);
    cli_html_text(f->text.to, title);
    fprintf(f->text.to,
            "</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
            width, height);
    cli_figure_text(f, 8, 18, "start", title);
}

void cli_figure_text(cli_figure *f, double x, double y, const char *anchor,
                     const char *text)
{
    fprintf(f->text.to,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"#222\">", x,
            y, anchor);
    cli_html_text(f->text.to, text);
    fputs("</text>\n", f->text.to);
}

void cli_figure_box(cli_figure *f, double x, double y, double width,
                    double height, double opacity)
{
    fprintf(f->text.to,
            "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
            "fill=\"#2458a6\" fill-opacity=\"%.3f\"/>\n",
            x, y, width, height, opacity);
}

void cli_figure_line(cli_figure *f, double x0, double y0, double x1, double y1)
{
    fprintf(f->text.to, "<path d=\"M%.2f %.2fL%.2f %.2f\" stroke=\"#222\"/>\n",
            x0, y0, x1, y1);
}

int cli_figure_end(cli_figure *f, bool is_forced)
{
    char *text;
    int code;

    fputs("</svg>\n", f->text.to);
    text = cli_text_file_close(&f->text);
    code = cli_output_write(f->path, is_forced, text, strlen(text));
    free(text);
    return code;
}
