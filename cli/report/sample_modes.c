/* sample_modes.c - the table of modes: local optima to which draws climb. */
#include "cli/report/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print/state.h"
#include "cli/print/table.h"

enum {
    STATE_MAX = 256, /* bytes of a state's text; `hiss modes` prints all */
    DIGITS = 4
};

static const cli_column columns[] = {
    {"mode", false, false, 0},    {"log p", false, false, 0},
    {"sampled", false, false, 0}, {"exact", false, false, 3},
    {"chains", false, false, 2},  {"state", true, true, 1},
};

enum {
    COLUMNS = sizeof columns / sizeof *columns
};

static void print_table(const cli_report *r, const hiss_modes *modes, int most)
{
    int64_t found = hiss_modes_found(modes);
    double *values = cli_alloc((size_t)r->info.dim, sizeof *values);
    cli_table table;

    cli_table_init(&table, columns, COLUMNS);
    for (int64_t m = 0; m < found && m < most; m++) {
        hiss_mode mode = HISS_INIT(hiss_mode);
        char *state;

        hiss_modes_get(modes, m, &mode, values);
        state = cli_state_text(r->model, values);
        cli_table_cell(&table, "%lld", (long long)m + 1);
        cli_table_number(&table, mode.u, DIGITS);
        cli_table_number(&table, mode.mass, DIGITS);
        cli_table_number(&table, mode.exact, DIGITS);
        cli_table_cell(&table, "%d", mode.chains);
        cli_table_cell(&table, "%.*s%s", STATE_MAX, state,
                       strlen(state) > STATE_MAX ? "..." : "");
        free(state);
    }
    cli_table_print(&table, 0);
    cli_table_clear(&table);
    free(values);
    if (found > most)
        printf("(%d of %lld modes, the heaviest first)\n", most,
               (long long)found);
}

/* Prints the probability of the found modes, if known. */
static void print_mass(const hiss_modes *modes)
{
    double mass = 0;

    for (int64_t m = 0; m < hiss_modes_found(modes); m++) {
        hiss_mode mode = HISS_INIT(hiss_mode);

        hiss_modes_get(modes, m, &mode, NULL);
        mass += mode.exact;
    }
    if (!isnan(mass))
        printf("basins of the modes found hold %.4f of the law\n", mass);
}

hiss_status cli_report_modes(cli_report *report, int most, hiss_error *err)
{
    cli_mode_look *look = &report->look;
    hiss_status status = cli_mode_look_make(look, err);

    if (status == HISS_OK && look->modes) {
        putchar('\n');
        print_table(report, look->modes, most);
        print_mass(look->modes);
    }
    if (status == HISS_OK && look->note)
        printf("%smodes: %s\n", look->modes ? "" : "\n", look->note);
    cli_mode_look_clear(look);
    return status;
}
