/* modes.c - the table of modes: local optima that draws ascend to.
 *
 * Ascending costs about dim^2 for each draw; beyond WORK_MAX, some seconds, it
 * is left out and said so. */
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "state.h"
#include "table.h"

enum {
    DIM_MAX = 4096,
    MODES_MAX = 1024,
    LISTED_MAX = 12,
    DIGITS = 4
};

static const double MASS_ENOUGH = 0.99, WORK_MAX = 5e10;

static const cli_column columns[] = {
    {"mode", false, false, 0},    {"U", false, false, 0},
    {"sampled", false, false, 0}, {"exact", false, false, 3},
    {"chains", false, false, 2},  {"state", true, true, 1},
};

enum {
    COLUMNS = sizeof columns / sizeof *columns
};

static void print_table(const cli_report *r, int count, const hiss_mode *modes,
                        const double *states)
{
    cli_table table;

    cli_table_init(&table, columns, COLUMNS);
    for (int m = 0; m < count && m < LISTED_MAX; m++) {
        char *state =
            cli_state_text(r->model, states + (size_t)m * (size_t)r->info.dim);

        cli_table_cell(&table, "%d", m + 1);
        cli_table_number(&table, modes[m].u, DIGITS);
        cli_table_number(&table, modes[m].mass, DIGITS);
        cli_table_number(&table, modes[m].exact, DIGITS);
        cli_table_cell(&table, "%d", modes[m].chains);
        cli_table_cell(&table, "%s", state);
        free(state);
    }
    cli_table_print(&table, 0);
    cli_table_clear(&table);
    if (count > LISTED_MAX)
        printf("(%d of %d%s modes, the heaviest first)\n", LISTED_MAX, count,
               count == MODES_MAX ? " or more" : "");
}

/* What the modes that were found hold of the law, when that is known. */
static void judge_mass(cli_report *r, int count, const hiss_mode *modes)
{
    double mass = 0;

    for (int m = 0; m < count; m++)
        mass += modes[m].exact;
    if (isnan(mass) || count == MODES_MAX)
        return;
    printf("basins of the modes found hold %.4f of the law\n", mass);
    if (mass < MASS_ENOUGH)
        cli_warnings_add(&r->warnings,
                         "the modes found hold only %.3f of the law: draw "
                         "more (--samples), use more chains, or a sampler "
                         "that crosses modes, such as pt(base=...)",
                         mass);
}

hiss_status cli_report_modes(cli_report *report, hiss_error *err)
{
    int dim = report->info.dim, count = 0;
    double draws = (double)report->info.chains * (double)report->info.samples;
    hiss_status status;
    hiss_mode *modes;
    double *states;

    if (dim > DIM_MAX || draws * dim * dim > WORK_MAX) {
        printf("\nmodes: not looked for, %.0f draws of %d coordinates would "
               "take too long\n",
               draws, dim);
        return HISS_OK;
    }
    modes = cli_alloc(MODES_MAX, sizeof *modes);
    states = cli_alloc((size_t)MODES_MAX * (size_t)dim, sizeof *states);
    status = hiss_result_modes(report->result, report->model, report->exact,
                               MODES_MAX, &count, modes, states, err);
    if (status == HISS_OK) {
        putchar('\n');
        print_table(report, count, modes, states);
        judge_mass(report, count, modes);
    }
    free(states);
    free(modes);
    return status;
}
