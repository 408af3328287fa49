/* price_fit.h - rows of the table of prices from measured steps. */
#ifndef BENCH_PRICE_FIT_H
#define BENCH_PRICE_FIT_H

#define PRICE_UNITS 5 /* step, coordinate, value, term, the kernel's own */

typedef struct price_sample {
    double unit[PRICE_UNITS];
    double cost;   /* nanoseconds */
    double weight; /* one over what was measured, of which cost is a part */
} price_sample;

/* The prices of units, none negative, that predict best: least squares of
 * weighted errors, with as few units as do nearly as well. */
void price_fit(const price_sample *s, int count, double *price);

#endif
