/* price_fit.h - rows of the table of prices from measured steps. */
#ifndef BENCH_PRICE_FIT_H
#define BENCH_PRICE_FIT_H

#include <stdio.h>

#define PRICE_UNITS 5 /* step, coordinate, value, term, the kernel's own */

/* One kernel on one model. */
typedef struct price_sample {
    char kernel[16], variant[16], family[16];
    double unit[PRICE_UNITS];
    double cost;   /* nanoseconds */
    double weight; /* one over what was measured, of which cost is a part */
} price_sample;

/* The prices of units, none negative, that predict best: least squares of the
 * logarithm of what is predicted over what was measured, about, with as few
 * units as do nearly as well. */
void price_fit(const price_sample *s, int count, double *price);

/* The table: samples are gathered, and written as a row for each kernel,
 * variant and family.  read and write return 0, or say why not. */
void price_table_add(const price_sample *s);
void price_table_print(FILE *f, const price_sample *s);
int price_table_read(FILE *f); /* as they were printed; skips other lines */
int price_table_write(const char *path);

#endif
