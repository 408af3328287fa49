/* gnuplot.h - drawing by gnuplot, where there is one. */
#ifndef HISS_CLI_PRINT_GNUPLOT_H
#define HISS_CLI_PRINT_GNUPLOT_H

#include <stdio.h>

typedef struct cli_gnuplot {
    const char *script; /* a file, or "-": it reads the input */
    const char *folder; /* to work in; NULL: this one */
    const char *log;    /* a file there for its messages; NULL: none */
    int input, output;  /* descriptors, -1: none */
} cli_gnuplot;

/* Its exit status, or -1 (perhaps 127) when there is no gnuplot. */
int cli_gnuplot_run(const cli_gnuplot *g);

/* A text in single quotes, inside which a quote is written as two. */
void cli_gnuplot_text(FILE *to, const char *text);

#endif
