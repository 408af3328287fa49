/* check.c - diagnostics of the energy and of the coordinates.
 *
 * A column costs a few sorts of its values; COORDINATES_MAX and VALUES_MAX
 * bound the whole to about a second. */
#include "cli/report/check.h"

#include <math.h>
#include <stdlib.h>

#include "cli/print/fail.h"

enum {
    COORDINATES_MAX = 1000,
    COORDINATES_MIN = 16
};

static const double VALUES_MAX = 4e6;
static const double SURE = 1 - 1e-12; /* the marginal of a certain value */

static int count_of(const hiss_run_info *info)
{
    double draws = (double)info->chains * (double)info->samples;
    double most = VALUES_MAX / (draws > 1 ? draws : 1);
    int count = info->dim;

    if (most > COORDINATES_MAX)
        most = COORDINATES_MAX;
    if (most < COORDINATES_MIN)
        most = COORDINATES_MIN;
    return count > most ? (int)most : count;
}

static bool is_certain(const hiss_result *result, const hiss_exact *exact,
                       const cli_checked *c)
{
    const double *p;

    if (!exact || c->column.state != HISS_CONSTANT)
        return false;
    p = hiss_exact_marginal(exact, c->coordinate);
    for (int s = 0; s < hiss_result_states(result, c->coordinate); s++)
        if (hiss_result_value(result, c->coordinate, s) == c->column.mean)
            return p[s] >= SURE;
    return false;
}

static void take_worst(cli_check *check, const hiss_column *column, int where)
{
    if (!isnan(column->ess_bulk) && !(column->ess_bulk >= check->ess_min)) {
        check->ess_min = column->ess_bulk;
        check->ess_at = where;
    }
    if (!isnan(column->rhat) && !(column->rhat <= check->rhat_max))
        check->rhat_max = column->rhat;
    if (column->state == HISS_VARIES && !(column->rhat <= check->apart) &&
        column->chance * (check->count + 1) < HISS_CHANCE_DOUBT) {
        check->apart = column->rhat;
        check->apart_at = where;
    }
}

static double largest(const double *values, double count)
{
    double most = -INFINITY;

    for (int64_t n = 0; n < (int64_t)count; n++)
        most = values[n] > most ? values[n] : most;
    return most;
}

static void count_states(cli_check *check)
{
    for (int n = 0; n < check->count; n++) {
        const cli_checked *c = &check->columns[n];

        check->varying += c->column.state == HISS_VARIES;
        check->stuck += c->column.state == HISS_STUCK;
        check->certain += c->is_certain;
        check->constant += c->column.state == HISS_CONSTANT && !c->is_certain;
    }
    if (check->stuck || check->energy.state == HISS_STUCK)
        check->ess_min = check->rhat_max = NAN;
}

/* All columns at once, by all threads. */
static hiss_status look(cli_check *check, const hiss_result *result,
                        int threads, hiss_error *err)
{
    size_t count = (size_t)check->count;
    int *which = cli_alloc(count, sizeof *which);
    hiss_column *columns = cli_alloc(count, sizeof *columns);
    hiss_status status;

    for (size_t n = 0; n < count; n++)
        which[n] = check->columns[n].coordinate;
    for (size_t n = 0; n < count; n++)
        columns[n] = HISS_INIT(hiss_column);
    status = hiss_result_coordinates(result, check->count, which, threads,
                                     columns, err);
    for (size_t n = 0; n < count; n++)
        check->columns[n].column = columns[n];
    free(which);
    free(columns);
    return status;
}

hiss_status cli_check_init(cli_check *check, const hiss_result *result,
                           const hiss_exact *exact, bool has_all, int threads,
                           hiss_error *err)
{
    hiss_status status;
    hiss_run_info info = HISS_INIT(hiss_run_info);

    hiss_result_info(result, &info);
    *check = (cli_check){.ess_min = NAN,
                         .rhat_max = NAN,
                         .apart = NAN,
                         .energy.size = sizeof check->energy};
    check->count = has_all ? info.dim : count_of(&info);
    check->columns = cli_alloc((size_t)check->count, sizeof *check->columns);
    for (int n = 0; n < check->count; n++)
        check->columns[n].coordinate =
            (int)((int64_t)n * info.dim / check->count);
    check->energy_max = largest(hiss_result_lp(result),
                                (double)info.chains * (double)info.samples);
    status = hiss_result_energy(result, &check->energy, err);
    take_worst(check, &check->energy, -1);
    if (status == HISS_OK)
        status = look(check, result, threads, err);
    for (int n = 0; n < check->count && status == HISS_OK; n++) {
        cli_checked *c = &check->columns[n];

        c->is_certain = is_certain(result, exact, c);
        take_worst(check, &c->column, c->coordinate);
    }
    count_states(check);
    if (status != HISS_OK)
        cli_check_clear(check);
    return status;
}

void cli_check_clear(cli_check *check)
{
    free(check->columns);
    *check = (cli_check){0};
}

const char *cli_check_word(hiss_column_state state, bool is_certain_too)
{
    switch (state) {
    case HISS_VARIES:
        return "varies";
    case HISS_CONSTANT:
        return is_certain_too ? "certain" : "constant so far";
    case HISS_STUCK:
        return "stuck";
    case HISS_TOO_SHORT:
        return "too short";
    case HISS_NOT_FINITE:
        return "not finite";
    }
    return "";
}
