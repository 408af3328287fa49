/* precision.c - sums of |coefficients| and the precision that they need. */
#include "model/precision.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"

#define EXACT_UNITS  0x1p23 /* half of a sum must fit too */
#define ROUNDED_MOST 64.0
#define ROUNDING     (0.2 * 0x1p-24) /* error of a sum, relative to S_i */

hiss_status hs_gauge_init(hs_gauge *g, int dim, hiss_error *err)
{
    *g = (hs_gauge){.dim = dim, .unit = INT_MAX};
    g->sum = hs_alloc_array((size_t)dim, sizeof *g->sum);
    return g->sum ? HISS_OK : hs_fail_memory(err);
}

void hs_gauge_clear(hs_gauge *g)
{
    hs_free(g->sum);
    *g = (hs_gauge){0};
}

/* The largest e such that 2^e divides value, which is not 0.  Reads the bits,
 * because training makes the model anew at every step. */
static int unit_of(double value)
{
    uint64_t bits, hidden_bit = (uint64_t)1 << (DBL_MANT_DIG - 1);
    int exponent;

    memcpy(&bits, &value, sizeof bits);
    exponent = (int)(bits >> (DBL_MANT_DIG - 1) & 0x7ff);
    bits &= hidden_bit - 1;
    if (exponent > 0)
        bits |= hidden_bit;
    else
        exponent = 1; /* subnormal */
    return exponent + DBL_MIN_EXP - 1 - DBL_MANT_DIG + __builtin_ctzll(bits);
}

void hs_gauge_see(hs_gauge *g, double coefficient)
{
    if (coefficient != 0.0 && coefficient != g->last && isfinite(coefficient)) {
        int unit = unit_of(coefficient);

        g->unit = unit < g->unit ? unit : g->unit;
        g->last = coefficient;
    }
}

void hs_gauge_add(hs_gauge *g, int i, double coefficient)
{
    hs_gauge_see(g, coefficient);
    g->sum[i] += fabs(coefficient);
}

hs_precision hs_gauge_read(const hs_gauge *g, double step)
{
    hs_precision p = {.kind = HS_PRECISION_DOUBLE};
    double most = 0.0;

    for (int i = 0; i < g->dim; i++)
        most = fmax(most, g->sum[i]);
    p.most = step * most;
    if (most == 0.0 || ldexp(most, -g->unit) < EXACT_UNITS)
        p.kind = HS_PRECISION_EXACT;
    else if (p.most < ROUNDED_MOST)
        p.kind = HS_PRECISION_ROUNDED;
    if (p.kind == HS_PRECISION_EXACT && most > 0.0)
        p.unit = g->unit + ilogb(step);
    return p;
}

void hs_precision_print(const hs_precision *p, char text[HS_PRECISION_TEXT])
{
    switch (p->kind) {
    case HS_PRECISION_OWN:
        snprintf(text, HS_PRECISION_TEXT, "the model's own");
        break;
    case HS_PRECISION_EXACT:
        hs_snprintf(text, HS_PRECISION_TEXT,
                    "single, without rounding: changes of U are multiples of "
                    "2^%d up to %.3g",
                    p->unit, p->most);
        break;
    case HS_PRECISION_ROUNDED:
        hs_snprintf(text, HS_PRECISION_TEXT,
                    "single: changes of U up to %.3g, rounded by about %.0e",
                    p->most, ROUNDING * p->most);
        break;
    case HS_PRECISION_UNIFORM:
        hs_snprintf(
            text, HS_PRECISION_TEXT,
            "single: changes of U are multiples of one number, up to %.3g",
            p->most);
        break;
    case HS_PRECISION_DOUBLE:
        hs_snprintf(text, HS_PRECISION_TEXT,
                    "double: changes of U up to %.3g, which single precision "
                    "would round by about %.0e",
                    p->most, ROUNDING * p->most);
        break;
    }
}
