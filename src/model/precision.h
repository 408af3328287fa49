/* precision.h - whether single precision is enough for a model.
 *
 * Let S_i be the sum of |coefficients| of coordinate i, in units of the change
 * of U. Floats suffice in two cases:
 *     exact     every coefficient is a whole multiple of one power of two and
 *               S_i is below 2^23 of them: no sum is rounded, nor half of one;
 *     rounded   S_i < 64.  However many terms of either sign there are, their
 *               sum as floats is off by 0.2 S_i 2^-24 (root mean square), which
 *               is below 1e-6 then.
 * Otherwise the model is *wide*: it stores and adds its coefficients in double,
 * and only the result, a row or a difference, is a float. */
#ifndef HS_MODEL_PRECISION_H
#define HS_MODEL_PRECISION_H

#include <stdbool.h>

#include <hiss/status.h>

typedef enum hs_precision_kind {
    HS_PRECISION_OWN,     /* no coefficients: the default */
    HS_PRECISION_EXACT,   /* floats, without rounding */
    HS_PRECISION_ROUNDED, /* floats, rounded by less than 1e-6 */
    HS_PRECISION_UNIFORM, /* floats: changes of U are multiples of one number,
                             and only that number is rounded */
    HS_PRECISION_DOUBLE,
} hs_precision_kind;

typedef struct hs_precision {
    hs_precision_kind kind;
    double most; /* the largest S_i */
    int unit;    /* HS_PRECISION_EXACT: coefficients are multiples of 2^unit */
} hs_precision;

/* Sums of |coefficients| by coordinate. */
typedef struct hs_gauge {
    double *sum; /* owned, [dim] */
    int dim;
    int unit;    /* 2^unit divides every coefficient */
    double last; /* the last one seen; the next one is often equal */
} hs_gauge;

hiss_status hs_gauge_init(hs_gauge *g, int dim, hiss_error *err);
void hs_gauge_clear(hs_gauge *g);

/* hs_gauge_add adds a finite coefficient of coordinate i; hs_gauge_see adds one
 * of which only the unit counts, which may be infinite. */
void hs_gauge_add(hs_gauge *g, int i, double coefficient);
void hs_gauge_see(hs_gauge *g, double coefficient);

/* Returns the decision; step: change of U per unit of the coefficients, a power
 * of two. */
hs_precision hs_gauge_read(const hs_gauge *g, double step);

/* Whether a number is exactly a float. */
static inline bool hs_is_single(double value)
{
    return (double)(float)value == value;
}

#define HS_PRECISION_TEXT 128
/* Describes the precision for people. */
void hs_precision_print(const hs_precision *p, char text[HS_PRECISION_TEXT]);

#endif
