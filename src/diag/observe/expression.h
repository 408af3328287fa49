/* expression.h - a number of every draw, from a text such as `mean(x == 1)`.
 *
 *     compare := sum [ ( < | <= | > | >= | == | != ) sum ]
 *     sum     := product { ( + | - ) product }
 *     product := power { ( * | / ) power }
 *     power   := factor [ ^ power ]
 *     factor  := - factor | number | ( compare ) | '|' compare '|' | name
 *              | x | x.3 | x[3] | x[2:5] | function ( compare )
 * x is all coordinates, counted from 1; a name is one of lp or U (log p), E, m,
 * q, q_link, C, chi, binder and cluster (named.h).  Operations go entry by
 * entry, a single number with each entry of a list; a comparison is 1 or 0.
 * sum, mean, min and max turn a list into a number; abs, sqrt, exp and log do
 * not.
 * The whole must be one number. */
#ifndef HS_DIAG_OBSERVE_EXPRESSION_H
#define HS_DIAG_OBSERVE_EXPRESSION_H

#include <stdbool.h>

#include <hiss/status.h>

typedef struct hs_expression hs_expression;

/* Numbers of a draw that the caller computes. */
typedef enum hs_name {
    HS_NAME_E,
    HS_NAME_M,
    HS_NAME_Q,
    HS_NAME_Q_LINK,
    HS_NAME_C,
    HS_NAME_CHI,
    HS_NAME_BINDER,
    HS_NAME_CLUSTER,
    HS_NAMES,
} hs_name;

/* Parses for draws of dim coordinates.  HISS_EARG with the column of the
 * fault. */
hiss_status hs_expression_create(hs_expression **out, const char *text, int dim,
                                 hiss_error *err);
void hs_expression_destroy(hs_expression *e);

/* The names in the expression, as a set of bits 1 << name. */
unsigned hs_expression_names(const hs_expression *e);

/* Whether it reads coordinates itself. */
bool hs_expression_reads_values(const hs_expression *e);

/* The value for one draw; x may be NULL if it is not read; named: [HS_NAMES],
 * of which those in the set are read. */
double hs_expression_value(hs_expression *e, const double *x, double lp,
                           const double *named);

#endif
