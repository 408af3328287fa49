/* html.c - writing one self-contained page. */
#include "cli/page/html.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Colours that stay apart for those who see fewer of them [Okabe, Ito]. */
static const char style[] =
    ":root{color-scheme:light dark;--bg:#fff;--fg:#1b1f24;--dim:#57606a;"
    "--line:#d0d7de;--soft:#f3f5f8;--good:#116329;--goodbg:#dafbe1;"
    "--bad:#a40e26;--badbg:#ffebe9;--warn:#7d4e00;--warnbg:#fff4d6;"
    "--c0:#0072b2;--c1:#d55e00;--c2:#009e73;--c3:#cc79a7;--c4:#b58900;"
    "--c5:#3a8fc7;--c6:#6b4e9b;--c7:#444c56}\n"
    "@media(prefers-color-scheme:dark){:root{--bg:#0f1419;--fg:#e6e9ed;"
    "--dim:#9aa4b0;--line:#343d48;--soft:#1a212a;--good:#7ee2a0;"
    "--goodbg:#0f2c1a;--bad:#ff9d98;--badbg:#3b1216;--warn:#f2cc60;"
    "--warnbg:#332701;--c0:#56b4e9;--c1:#f0883e;--c2:#3fc79a;--c3:#e6a3c8;"
    "--c4:#e3c34b;--c5:#8ccbf2;--c6:#b79ae6;--c7:#adb7c2}}\n"
    "*{box-sizing:border-box}html{-webkit-text-size-adjust:100%}\n"
    "body{margin:0;background:var(--bg);color:var(--fg);font:16px/1.5 "
    "system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}\n"
    "main{max-width:72rem;margin:0 auto;padding:1rem}\n"
    "h1{font-size:1.5rem;line-height:1.25;margin:.5rem 0;"
    "overflow-wrap:anywhere}\n"
    "h2{font-size:1.2rem;margin:2rem 0 .5rem;padding-bottom:.25rem;"
    "border-bottom:1px solid var(--line)}\n"
    "p{margin:.5rem 0}.dim,figcaption{color:var(--dim);font-size:.9rem}\n"
    ".verdict{padding:.75rem 1rem;border-radius:.5rem;font-size:1.1rem;"
    "font-weight:600;border:1px solid currentColor}\n"
    ".trusted{color:var(--good);background:var(--goodbg)}"
    ".untrusted{color:var(--bad);background:var(--badbg)}\n"
    ".findings{list-style:none;padding:0;margin:.75rem 0}"
    ".findings li{padding:.4rem 0;border-bottom:1px solid var(--line)}\n"
    ".tag{display:inline-block;min-width:4.6em;text-align:center;"
    "border-radius:.3rem;padding:0 .4em;margin-right:.5em;font-size:.85rem;"
    "font-weight:600;border:1px solid currentColor}\n"
    ".passed{color:var(--good)}.failed{color:var(--bad)}"
    ".doubt{color:var(--warn)}.skipped{color:var(--dim)}\n"
    ".remedy{display:block;color:var(--dim);margin-left:.5rem}\n"
    ".figures{display:grid;gap:1rem;margin:1rem 0;"
    "grid-template-columns:repeat(auto-fill,minmax(min(20rem,100%),1fr))}\n"
    "figure{margin:0}figure svg{display:block;width:100%;height:auto;"
    "background:var(--soft);border-radius:.4rem}\n"
    ".wide{max-width:100%;overflow-x:auto}\n"
    "table{border-collapse:collapse;font-size:.9rem;margin:.5rem 0}"
    "caption{text-align:left;color:var(--dim);padding:.25rem 0}\n"
    "th,td{padding:.2rem .6rem;border-bottom:1px solid var(--line);"
    "text-align:left;vertical-align:top}"
    "td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}\n"
    "td{overflow-wrap:anywhere}td.n{white-space:nowrap}"
    "td.s{min-width:16rem;font-family:ui-monospace,'DejaVu Sans Mono',"
    "monospace}\n"
    "pre{background:var(--soft);padding:.75rem;border-radius:.4rem;"
    "white-space:pre-wrap;overflow-wrap:anywhere;font-size:.9rem}\n"
    "nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;list-style:none;"
    "padding:0;margin:.5rem 0}a{color:var(--c0)}\n"
    "summary{cursor:pointer;padding:.4rem 0}"
    ":focus-visible{outline:3px solid var(--c1);outline-offset:2px}\n"
    ".skip{position:absolute;left:-99rem}.skip:focus{left:1rem}\n"
    "svg text{fill:var(--dim);font:11px system-ui,-apple-system,'Segoe UI',"
    "Roboto,'DejaVu Sans',sans-serif}svg .strong{fill:var(--fg)}"
    "svg .axis,svg .tick{stroke:var(--line);fill:none}"
    "svg .mark{stroke:var(--fg);fill:none;stroke-dasharray:3 3}\n"
    "svg .band{fill:var(--dim);opacity:.15}svg .bar{opacity:.85}"
    "svg .lines{fill:none;stroke-width:1.1;stroke-linejoin:round}\n"
    "@media print{:root{--bg:#fff;--fg:#000;--soft:#fff;--dim:#333;"
    "--line:#bbb}nav,.skip{display:none}body{font-size:10.5pt}"
    "figure,li,tr{break-inside:avoid}h2{break-after:avoid}"
    "main{max-width:none;padding:0}}\n";

/* Bytes of a sequence that is well formed at `at`, or 0. */
static int sequence(const unsigned char *at)
{
    int length = *at < 0x80   ? 1
                 : *at < 0xc2 ? 0
                 : *at < 0xe0 ? 2
                 : *at < 0xf0 ? 3
                 : *at < 0xf5 ? 4
                              : 0;

    for (int i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

void cli_html_char(FILE *to, char c)
{
    switch (c) {
    case '&':
        fputs("&amp;", to);
        break;
    case '<':
        fputs("&lt;", to);
        break;
    case '>':
        fputs("&gt;", to);
        break;
    case '"':
        fputs("&quot;", to);
        break;
    default:
        fputc(c, to);
    }
}

void cli_html_text(FILE *to, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;

    while (*at) {
        int length = sequence(at);

        if (length == 0)
            fputc('?', to);
        else if (length == 1)
            cli_html_char(to, (char)*at);
        else
            fwrite(at, 1, (size_t)length, to);
        at += length ? length : 1;
    }
}

void cli_html_begin(FILE *to, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
          "<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, "
          "initial-scale=1\">\n<title>",
          to);
    cli_html_text(to, title);
    fputs("</title>\n<style>\n", to);
    fputs(style, to);
    fputs("</style>\n</head>\n<body>\n"
          "<a class=\"skip\" href=\"#findings\">Skip to the findings</a>\n"
          "<main>\n",
          to);
}

void cli_html_end(FILE *to)
{
    fputs("</main>\n</body>\n</html>\n", to);
}

void cli_html_section(FILE *to, const char *id, const char *title)
{
    fprintf(to, "<section id=\"%s\" aria-labelledby=\"%s-title\">\n", id, id);
    fprintf(to, "<h2 id=\"%s-title\">", id);
    cli_html_text(to, title);
    fputs("</h2>\n", to);
}

void cli_html_section_end(FILE *to)
{
    fputs("</section>\n", to);
}

static void print(FILE *to, const char *format, va_list arguments)
    CLI_PRINTF(2, 0);

static void print(FILE *to, const char *format, va_list arguments)
{
    char *text = NULL;

    if (vasprintf(&text, format, arguments) < 0)
        exit(cli_fail(CLI_FAULT, "out of memory"));
    cli_html_text(to, text);
    free(text);
}

void cli_html_paragraph(FILE *to, const char *class_name, const char *format,
                        ...)
{
    va_list arguments;

    if (class_name)
        fprintf(to, "<p class=\"%s\">", class_name);
    else
        fputs("<p>", to);
    va_start(arguments, format);
    print(to, format, arguments);
    va_end(arguments);
    fputs("</p>\n", to);
}

void cli_html_table(FILE *to, const char *caption, int columns,
                    const char *const *heads)
{
    fputs("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"",
          to);
    cli_html_text(to, caption);
    fputs("\">\n<table><caption>", to);
    cli_html_text(to, caption);
    fputs("</caption>\n<thead><tr>", to);
    for (int c = 0; c < columns; c++) {
        bool is_number = heads[c][0] == '#'; /* "#title": numbers below */

        fprintf(to, "<th scope=\"col\"%s>", is_number ? " class=\"n\"" : "");
        cli_html_text(to, heads[c] + is_number);
        fputs("</th>", to);
    }
    fputs("</tr></thead>\n<tbody>\n", to);
}

void cli_html_row(FILE *to)
{
    fputs("<tr>", to);
}

void cli_html_cell(FILE *to, bool is_number, const char *format, ...)
{
    va_list arguments;

    fputs(is_number ? "<td class=\"n\">" : "<td>", to);
    va_start(arguments, format);
    print(to, format, arguments);
    va_end(arguments);
    fputs("</td>", to);
}

void cli_html_code(FILE *to, const char *text)
{
    fputs("<td class=\"s\">", to);
    cli_html_text(to, text);
    fputs("</td>", to);
}

void cli_html_row_end(FILE *to)
{
    fputs("</tr>\n", to);
}

void cli_html_table_end(FILE *to)
{
    fputs("</tbody></table>\n</div>\n", to);
}

void cli_html_figures(FILE *to)
{
    fputs("<div class=\"figures\">\n", to);
}

void cli_html_figures_end(FILE *to)
{
    fputs("</div>\n", to);
}

void cli_html_details(FILE *to, const char *title)
{
    fputs("<details><summary>", to);
    cli_html_text(to, title);
    fputs("</summary>\n", to);
}

void cli_html_details_end(FILE *to)
{
    fputs("</details>\n", to);
}
