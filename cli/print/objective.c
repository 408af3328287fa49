/* objective.c - the objective of a model's file: an energy, a cut. */
#include "cli/print/objective.h"

#include "cli/print/json.h"

static cli_objective named(const char *name, double scale, double shift)
{
    if (!name)
        return (cli_objective){.name = "log p", .scale = 1};
    return (cli_objective){
        .name = name, .scale = scale, .shift = shift, .has_own = true};
}

cli_objective cli_objective_of(const hiss_model *model)
{
    double scale, shift;
    const char *name = hiss_model_objective(model, &scale, &shift);

    return named(name, scale, shift);
}

cli_objective cli_objective_of_result(const hiss_result *result)
{
    double scale, shift;
    const char *name = hiss_result_objective(result, &scale, &shift);

    return named(name, scale, shift);
}

double cli_objective_value(const cli_objective *o, double log_p)
{
    return o->scale * log_p + o->shift;
}

void cli_objective_put(json_t *to, const cli_objective *o, double beta)
{
    cli_json_put_text(to, "objective_name", o->name);
    cli_json_put_text(to, "sense", o->scale < 0 ? "min" : "max");
    cli_json_put_real(to, "beta", beta);
}
