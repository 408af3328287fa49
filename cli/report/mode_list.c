/* mode_list.c - the modes of a result as a table and as JSON.
 *
 * The share of a mode is the mean of an indicator, with the error and the
 * effective draws of one. */
#include "cli/report/mode_list.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/print/fail.h"
#include "cli/print/json.h"
#include "cli/print/state.h"
#include "cli/print/table.h"
#include "cli/report/columns.h"

enum {
    LISTED_MAX = 16,
    JSON_MAX = 64,
    DIGITS = 4
};

char *cli_mode_list_state(const hiss_result *result, const double *values)
{
    hiss_run_info info = HISS_INIT(hiss_run_info);
    hiss_kind kind = hiss_result_kind(result, 0);

    hiss_result_info(result, &info);
    for (int i = 1; i < info.dim; i++)
        if (hiss_result_kind(result, i) != kind)
            kind = HISS_ORDINAL;
    return cli_values_text(values, info.dim, kind);
}

/* Diagnostics of the mode's indicator. */
static hiss_column describe(const hiss_modes *modes, int64_t number, int chains)
{
    int64_t looked = hiss_modes_looked(modes);
    double *column = cli_alloc((size_t)chains * (size_t)looked, sizeof *column);
    hiss_column out = {
        .size = sizeof out, .mcse = NAN, .ess_bulk = NAN, .rhat = NAN};

    hiss_modes_column(modes, number, column);
    hiss_describe(column, chains, looked, &out, NULL);
    free(column);
    return out;
}

static json_t *mode_json(const hiss_modes *modes, const hiss_result *result,
                         int64_t number, const hiss_run_info *info,
                         double *values)
{
    json_t *o, *state = cli_json_array(), *shares = cli_json_array();
    hiss_column column = describe(modes, number, info->chains);
    char *name = cli_text("mode %lld", (long long)number + 1);
    cli_objective in = cli_objective_of_result(result);
    hiss_mode mode = HISS_INIT(hiss_mode);

    hiss_modes_get(modes, number, &mode, values);
    o = cli_column_json(name, &column, false);
    cli_json_put_real(o, "mass", mode.mass);
    cli_json_put_real(o, "exact", mode.exact);
    cli_json_put_real(o, "log_p", mode.u);
    cli_json_put_real(o, "u", mode.u);
    cli_json_put_real(o, "objective", cli_objective_value(&in, mode.u));
    cli_json_put_whole(o, "chains", mode.chains);
    for (int c = 0; c < info->chains; c++)
        cli_json_add(shares, cli_json_real(hiss_modes_share(modes, number, c)));
    cli_json_put(o, "shares", shares);
    cli_json_put_whole(o, "distance", hiss_modes_distance(modes, 0, number));
    for (int i = 0; i < info->dim; i++)
        cli_json_add(state, cli_json_number(values[i]));
    cli_json_put(o, "representative", state);
    free(name);
    return o;
}

json_t *cli_mode_list_json(const hiss_modes *modes, const hiss_result *result)
{
    json_t *array = cli_json_array();
    hiss_run_info info = HISS_INIT(hiss_run_info);
    double *values;

    if (!modes)
        return array;
    hiss_result_info(result, &info);
    values = cli_alloc((size_t)info.dim, sizeof *values);
    for (int64_t n = 0; n < hiss_modes_count(modes) && n < JSON_MAX; n++)
        cli_json_add(array, mode_json(modes, result, n, &info, values));
    free(values);
    return array;
}

static void add_row(cli_table *table, const hiss_modes *modes,
                    const hiss_result *result, int64_t number,
                    const hiss_run_info *info, double *values)
{
    hiss_column column = describe(modes, number, info->chains);
    hiss_mode mode = HISS_INIT(hiss_mode);
    char *state;

    hiss_modes_get(modes, number, &mode, values);
    state = cli_mode_list_state(result, values);
    cli_table_cell(table, "%lld", (long long)number + 1);
    cli_table_number(table, mode.u, DIGITS);
    cli_table_number(table, mode.mass, DIGITS);
    cli_table_number(table, column.mcse, DIGITS);
    cli_table_number(table, mode.exact, DIGITS);
    cli_table_number(table, column.ess_bulk, 0);
    cli_table_number(table, column.rhat, 3);
    cli_table_cell(table, "%d", mode.chains);
    cli_table_cell(table, "%d", hiss_modes_distance(modes, 0, number));
    cli_table_cell(table, "%s", state);
    free(state);
}

void cli_mode_list_print(const hiss_modes *modes, const hiss_result *result)
{
    static const cli_column columns[] = {
        {"mode", false, false, 0},  {"log p", false, false, 0},
        {"share", false, false, 0}, {"mcse", false, false, 3},
        {"exact", false, false, 3}, {"ESS", false, false, 2},
        {"R-hat", false, false, 2}, {"chains", false, false, 4},
        {"apart", false, false, 5}, {"state", true, true, 1},
    };
    hiss_run_info info = HISS_INIT(hiss_run_info);
    double *values;
    cli_table table;

    if (!modes)
        return;
    hiss_result_info(result, &info);
    values = cli_alloc((size_t)info.dim, sizeof *values);
    cli_table_init(&table, columns, sizeof columns / sizeof *columns);
    for (int64_t n = 0; n < hiss_modes_count(modes) && n < LISTED_MAX; n++)
        add_row(&table, modes, result, n, &info, values);
    cli_table_print(&table, 0);
    cli_table_clear(&table);
    free(values);
    printf("(%lld modes, the heaviest first; apart: coordinates that differ "
           "from mode 1; %.4g changes of mode per 1000 draws)\n",
           (long long)hiss_modes_found(modes), hiss_modes_transitions(modes));
}
