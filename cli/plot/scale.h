/* scale.h - positions along an axis, and its ticks. */
#ifndef HISS_CLI_PLOT_SCALE_H
#define HISS_CLI_PLOT_SCALE_H

#include <stdbool.h>
#include <stddef.h>

enum {
    CLI_SCALE_TICKS = 24 /* at most */
};

typedef struct cli_scale {
    double low, high; /* low < high; positive if is_log */
    double from, to;  /* positions in units of the figure */
    bool is_log;
} cli_scale;

/* The position of a number, which may be outside. */
double cli_scale_at(const cli_scale *s, double value);

/* A step of 1, 2 or 5 times a power of ten, for about `ticks` ticks; whole
 * numbers if counts. */
double cli_scale_step(double low, double high, int ticks, bool counts);

/* Prints the number of a tick; digits past the tenth would be rounding. */
int cli_scale_number(char *out, size_t size, double at, double step);

/* Fills ticks[CLI_SCALE_TICKS] and returns their number.  A logarithmic axis
 * has ticks at powers of ten, and at 2 and 5 times them if it is short. */
int cli_scale_ticks(const cli_scale *s, int about, double *ticks);

#endif
