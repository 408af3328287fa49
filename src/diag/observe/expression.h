/* expression.h - a number of every draw, from a text such as `mean(x == 1)`.
 *
 *     compare := sum [ ( < | <= | > | >= | == | != ) sum ]
 *     sum     := product { ( + | - ) product }
 *     product := power { ( * | / ) power }
 *     power   := factor [ ^ power ]
 *     factor  := - factor | number | ( compare ) | lp
 *              | x | x.3 | x[3] | x[2:5] | function ( compare )
 * x is all coordinates, counted from 1; lp is U.  Operations go entry by entry,
 * a single number with each entry of a list; a comparison is 1 or 0.  sum,
 * mean, min and max turn a list into a number; abs, sqrt, exp and log do not.
 * The whole must be one number. */
#ifndef HS_DIAG_OBSERVE_EXPRESSION_H
#define HS_DIAG_OBSERVE_EXPRESSION_H

#include <hiss/status.h>

typedef struct hs_expression hs_expression;

/* For draws of dim coordinates.  HISS_EARG with the column of the fault. */
hiss_status hs_expression_create(hs_expression **out, const char *text, int dim,
                                 hiss_error *err);
void hs_expression_destroy(hs_expression *e);

/* Of one draw. */
double hs_expression_value(hs_expression *e, const double *x, double lp);

#endif
