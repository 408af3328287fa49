/* sample_modes.c - the table of modes: local optima that draws ascend to.
 *
 * Ascending costs about dim^2 for each draw; beyond WORK_MAX, a second, it
 * is left out and said so. */
#include "cli/report/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/print/state.h"
#include "cli/print/table.h"

enum {
    DIM_MAX = 4096,
    LISTED_MAX = 12,
    DIGITS = 4
};

static const double MASS_ENOUGH = 0.99, WORK_MAX = 5e9;

static const cli_column columns[] = {
    {"mode", false, false, 0},    {"U", false, false, 0},
    {"sampled", false, false, 0}, {"exact", false, false, 3},
    {"chains", false, false, 2},  {"state", true, true, 1},
};

enum {
    COLUMNS = sizeof columns / sizeof *columns
};

static void print_table(const cli_report *r, const hiss_modes *modes)
{
    int64_t found = hiss_modes_found(modes);
    double *values = cli_alloc((size_t)r->info.dim, sizeof *values);
    cli_table table;

    cli_table_init(&table, columns, COLUMNS);
    for (int64_t m = 0; m < found && m < LISTED_MAX; m++) {
        hiss_mode mode = HISS_INIT(hiss_mode);
        char *state;

        hiss_modes_get(modes, m, &mode, values);
        state = cli_state_text(r->model, values);
        cli_table_cell(&table, "%lld", (long long)m + 1);
        cli_table_number(&table, mode.u, DIGITS);
        cli_table_number(&table, mode.mass, DIGITS);
        cli_table_number(&table, mode.exact, DIGITS);
        cli_table_cell(&table, "%d", mode.chains);
        cli_table_cell(&table, "%s", state);
        free(state);
    }
    cli_table_print(&table, 0);
    cli_table_clear(&table);
    free(values);
    if (found > LISTED_MAX)
        printf("(%d of %lld modes, the heaviest first)\n", LISTED_MAX,
               (long long)found);
}

/* What the modes that were found hold of the law, when that is known. */
static void judge_mass(cli_report *r, const hiss_modes *modes)
{
    double mass = 0;

    for (int64_t m = 0; m < hiss_modes_found(modes); m++) {
        hiss_mode mode = HISS_INIT(hiss_mode);

        hiss_modes_get(modes, m, &mode, NULL);
        mass += mode.exact;
    }
    if (isnan(mass))
        return;
    printf("basins of the modes found hold %.4f of the law\n", mass);
    if (mass < MASS_ENOUGH) {
        cli_warnings_add(&r->warnings,
                         "the modes found hold only %.3f of the law", mass);
        cli_report_lacks(r, HISS_NEED_MODES, 0);
    }
}

hiss_status cli_report_modes(cli_report *report, hiss_error *err)
{
    int dim = report->info.dim;
    double draws = (double)report->info.chains * (double)report->info.samples;
    hiss_modes *modes;
    hiss_status status;

    if (dim > DIM_MAX || draws * dim * dim > WORK_MAX) {
        printf("\nmodes: not looked for, %.0f draws of %d coordinates would "
               "take too long\n",
               draws, dim);
        return HISS_OK;
    }
    status = hiss_modes_create(&modes, report->result, report->model,
                               report->exact, err);
    if (status == HISS_OK) {
        putchar('\n');
        print_table(report, modes);
        judge_mass(report, modes);
        hiss_modes_destroy(modes);
    }
    return status;
}
