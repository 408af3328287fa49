/* scale.h - where a number lies along an axis, and the ticks of the axis. */
#ifndef HISS_CLI_PLOT_SCALE_H
#define HISS_CLI_PLOT_SCALE_H

#include <stdbool.h>
#include <stddef.h>

enum {
    CLI_SCALE_TICKS = 24 /* at most */
};

typedef struct cli_scale {
    double low, high; /* low < high; above 0 if is_log */
    double from, to;  /* their places in units of the figure */
    bool is_log;
} cli_scale;

/* The place of a number, which may lie outside. */
double cli_scale_at(const cli_scale *s, double value);

/* 1, 2 or 5 times a power of ten, for about `ticks` of them; whole numbers
 * if counts. */
double cli_scale_step(double low, double high, int ticks, bool counts);

/* A tick's number; digits beyond the tenth would be those of rounding. */
int cli_scale_number(char *out, size_t size, double at, double step);

/* Fills ticks[CLI_SCALE_TICKS] and returns their count.  A logarithmic axis has
 * ticks at powers of ten, and at 2 and 5 times them if it is short. */
int cli_scale_ticks(const cli_scale *s, int about, double *ticks);

#endif
