/* figures.h - figures of U and of the coordinates, and their verdict. */
#ifndef HISS_CLI_REPORT_FIGURES_H
#define HISS_CLI_REPORT_FIGURES_H

#include <hiss/hiss.h>

#include <stdbool.h>

typedef struct cli_coordinate {
    int number;
    hiss_column column;
    bool is_certain; /* constant, also by the exact distribution */
} cli_coordinate;

typedef struct cli_figures {
    hiss_diagnosis *diagnosis; /* owned: of a quick check */
    cli_coordinate *columns;   /* owned */
    int count;                 /* number of checked coordinates */
    hiss_column energy;
    double energy_max;
    double ess_min, rhat_max; /* of U and coordinates; NaN if undefined */
    int varying, constant, certain, stuck; /* of count */
} cli_figures;

/* The data to check; all borrowed. */
typedef struct cli_figures_of {
    const hiss_result *result;
    const hiss_model *model; /* or NULL */
    const hiss_exact *exact; /* or NULL */
    bool has_all; /* every coordinate, not only evenly spaced ones of many */
    int threads;
} cli_figures_of;

/* A stuck column leaves ess_min and rhat_max undefined, because any finite
 * value would be wrong. */
hiss_status cli_figures_init(cli_figures *figures, const cli_figures_of *what,
                             hiss_error *err);
void cli_figures_clear(cli_figures *figures);

/* "varies", "certain", "constant so far", "stuck" */
const char *cli_column_word(hiss_column_state state, bool is_certain);

#endif
