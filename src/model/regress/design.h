/* design.h - the data of a regression: a response and candidate variables, read
 * from a CSV file with a header. */
#ifndef HS_MODEL_REGRESS_DESIGN_H
#define HS_MODEL_REGRESS_DESIGN_H

#include <hiss/status.h>

#define HS_DESIGN_TERMS_MAX 100000
#define HS_DESIGN_ROWS_MAX  10000000
#define HS_DESIGN_LANES     8 /* columns are padded with zeros to a multiple */

typedef struct hs_design {
    int rows, terms;
    int stride;     /* rows, padded */
    double *y;      /* owned, [stride] */
    double *x;      /* owned, [terms][stride]: column after column */
    char **name;    /* owned, [terms]: "age", "age:tax" */
    char *response; /* owned */
} hs_design;

/* Columns that the formula does not use may contain anything.  HISS_EPARSE with
 * the place of a value that is not a number. */
hiss_status hs_design_read(hs_design *out, const char *path,
                           const char *formula, hiss_error *err);
void hs_design_clear(hs_design *d);

static inline double *hs_design_column(const hs_design *d, int term)
{
    return d->x + (size_t)term * (size_t)d->stride;
}

/* Centers all columns and the response and scales them so that their squares
 * sum to 1.  Drops constant columns and says so in *note (owned by the caller,
 * else unchanged).  HISS_EARG if none is left or the response is constant. */
hiss_status hs_design_prepare(hs_design *d, char **note, hiss_error *err);

#endif
