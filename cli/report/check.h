/* check.h - can the draws be believed?  The figures behind the warnings. */
#ifndef HISS_CLI_REPORT_CHECK_H
#define HISS_CLI_REPORT_CHECK_H

#include <hiss/hiss.h>

#include <stdbool.h>

typedef struct cli_checked {
    int coordinate;
    hiss_column column;
    bool is_certain; /* constant, and the exact law says so */
} cli_checked;

typedef struct cli_check {
    cli_checked *columns; /* owned */
    int count;            /* coordinates that were looked at */
    hiss_column energy;
    double energy_max;
    double ess_min, rhat_max; /* of energy and coordinates; NaN: undefined */
    int ess_at;               /* where, -1: the energy */
    double
        apart; /* the largest R-hat that chance does not explain; NaN: none */
    int apart_at;
    int varying, constant, certain, stuck; /* of count */
} cli_check;

/* Looks at all coordinates or, unless has_all, at evenly spaced ones when they
 * are many.  exact may be NULL.  A stuck column leaves ess_min and rhat_max
 * undefined, because nothing finite would be true. */
hiss_status cli_check_init(cli_check *check, const hiss_result *result,
                           const hiss_exact *exact, bool has_all, int threads,
                           hiss_error *err);
void cli_check_clear(cli_check *check);

/* "varies", "certain", "constant so far", "stuck" */
const char *cli_check_word(hiss_column_state state, bool is_certain);

#endif
