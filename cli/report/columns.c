/* columns.c - a column's diagnostics as JSON. */
#include "cli/report/columns.h"

#include <math.h>

#include "cli/print/json.h"
#include "cli/report/figures.h"

json_t *cli_column_json(const char *name, const hiss_column *column,
                        bool is_certain)
{
    json_t *o = cli_json_object();

    if (name)
        cli_json_put_text(o, "name", name);
    cli_json_put_real(o, "mean", column->mean);
    cli_json_put_real(o, "sd", column->sd);
    cli_json_put_real(o, "mcse", column->mcse);
    cli_json_put_real(o, "ess_bulk", column->ess_bulk);
    cli_json_put_real(o, "ess_tail", column->ess_tail);
    cli_json_put_real(o, "rhat", column->rhat);
    cli_json_put_real(o, "tau", column->tau);
    cli_json_put_text(o, "state", cli_column_word(column->state, is_certain));
    return o;
}

json_t *cli_column_objective(const cli_objective *in, const hiss_column *log_p,
                             double best)
{
    json_t *o = cli_json_object();

    cli_json_put_real(o, "mean", cli_objective_value(in, log_p->mean));
    cli_json_put_real(o, "mcse", fabs(in->scale) * log_p->mcse);
    cli_json_put_real(o, "sd", fabs(in->scale) * log_p->sd);
    cli_json_put_real(o, "best", cli_objective_value(in, best));
    return o;
}
