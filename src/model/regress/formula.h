/*  x1 + x2 + x1:x2`. ~ x1 + x2 + x1:x2`.
 *
 * The notation of R, as far as sets of terms go:
 *     formula := name '~' term { ('+' | '-') term }
 *     term    := '.' | '.^2' | '1' | product { '*' product }
 *     product := name { ':' name }
 * `.` is every other column, `.^2` these and all their pairs, `a*b` is
 * a + b + a:b, `1` the intercept, which every model has.  A name with signs or
 * spaces stands in `backquotes`.  A term that comes twice counts once. */
#ifndef HS_MODEL_REGRESS_FORMULA_H
#define HS_MODEL_REGRESS_FORMULA_H

#include <hiss/status.h>

#define HS_TERM_ORDER 4       /* most columns of a product */
#define HS_TERMS_MAX  1000000 /* most products of a formula */

/* A product of columns, in ascending order; at[k] is -1 past the last. */
typedef struct hs_term {
    int at[HS_TERM_ORDER];
} hs_term;

typedef struct hs_formula {
    int response; /* a column */
    int count;
    hs_term *term; /* owned, [count] */
} hs_formula;

/* names are those of the columns; `file` is named in messages.  HISS_EARG with
 * the formula and a caret at the error. */
hiss_status hs_formula_parse(hs_formula *out, const char *text,
                             const char *const *names, int count,
                             const char *file, hiss_error *err);
void hs_formula_clear(hs_formula *f);

#endif
