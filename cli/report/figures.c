/* figures.c - figures of U and of the coordinates, by a quick check of the
 * library, which also judges them. */
#include "cli/report/figures.h"

#include <math.h>
#include <stdlib.h>

#include "cli/print/fail.h"

static const double SURE = 1 - 1e-12; /* smallest marginal of a certain value */

static bool is_certain(const cli_figures_of *what, const cli_coordinate *c)
{
    const double *p;

    if (!what->exact || c->column.state != HISS_CONSTANT)
        return false;
    p = hiss_exact_marginal(what->exact, c->number);
    for (int s = 0; s < hiss_result_states(what->result, c->number); s++)
        if (hiss_result_value(what->result, c->number, s) == c->column.mean)
            return p[s] >= SURE;
    return false;
}

static void take_worst(cli_figures *f, const hiss_column *column)
{
    if (!isnan(column->ess_bulk) && !(column->ess_bulk >= f->ess_min))
        f->ess_min = column->ess_bulk;
    if (!isnan(column->rhat) && !(column->rhat <= f->rhat_max))
        f->rhat_max = column->rhat;
}

static double largest(const double *values, double count)
{
    double most = -INFINITY;

    for (int64_t n = 0; n < (int64_t)count; n++)
        most = values[n] > most ? values[n] : most;
    return most;
}

static void count_states(cli_figures *f)
{
    for (int n = 0; n < f->count; n++) {
        const cli_coordinate *c = &f->columns[n];

        f->varying += c->column.state == HISS_VARIES;
        f->stuck += c->column.state == HISS_STUCK;
        f->certain += c->is_certain;
        f->constant += c->column.state == HISS_CONSTANT && !c->is_certain;
    }
    if (f->stuck || f->energy.state == HISS_STUCK)
        f->ess_min = f->rhat_max = NAN;
}

static hiss_status look(cli_figures *f, const cli_figures_of *what, int dim,
                        hiss_error *err)
{
    hiss_diagnose_settings settings;

    hiss_diagnose_settings_init(&settings);
    settings.quick = 1;
    settings.most = what->has_all ? dim : 0;
    settings.threads = what->threads;
    return hiss_diagnose(&f->diagnosis, what->result, what->model, &settings,
                         err);
}

hiss_status cli_figures_init(cli_figures *f, const cli_figures_of *what,
                             hiss_error *err)
{
    hiss_status status;
    hiss_run_info info = HISS_INIT(hiss_run_info);
    int coordinate;

    hiss_result_info(what->result, &info);
    *f = (cli_figures){
        .ess_min = NAN, .rhat_max = NAN, .energy = HISS_INIT(hiss_column)};
    status = look(f, what, info.dim, err);
    if (status != HISS_OK)
        return status;
    f->columns = cli_alloc((size_t)info.dim, sizeof *f->columns);
    f->energy_max = largest(hiss_result_lp(what->result),
                            (double)info.chains * (double)info.samples);
    hiss_diagnosis_column(f->diagnosis, 0, &coordinate, &f->energy);
    take_worst(f, &f->energy);
    for (; f->count < info.dim; f->count++) {
        cli_coordinate *c = &f->columns[f->count];

        c->column = HISS_INIT(hiss_column);
        if (!hiss_diagnosis_column(f->diagnosis, f->count + 1, &c->number,
                                   &c->column))
            break;
        c->is_certain = is_certain(what, c);
        take_worst(f, &c->column);
    }
    count_states(f);
    return HISS_OK;
}

void cli_figures_clear(cli_figures *f)
{
    hiss_diagnosis_destroy(f->diagnosis);
    free(f->columns);
    *f = (cli_figures){0};
}

const char *cli_column_word(hiss_column_state state, bool is_certain)
{
    switch (state) {
    case HISS_VARIES:
        return "varies";
    case HISS_CONSTANT:
        return is_certain ? "certain" : "constant so far";
    case HISS_STUCK:
        return "stuck";
    case HISS_TOO_SHORT:
        return "too short";
    case HISS_NOT_FINITE:
        return "not finite";
    }
    return "";
}
