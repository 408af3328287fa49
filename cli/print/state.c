/* state.c - prints states. */
#include "cli/print/state.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/print/fail.h"
#include "cli/print/json.h"
#include "cli/print/text_file.h"

static bool all_are(const hiss_model *model, hiss_kind kind)
{
    for (int i = 0; i < hiss_model_dim(model); i++)
        if (hiss_model_kind(model, i) != kind)
            return false;
    return true;
}

char *cli_values_text(const double *values, int dim, hiss_kind kind)
{
    cli_text_file file;

    cli_text_file_open(&file);
    for (int i = 0; i < dim; i++) {
        if (kind == HISS_BINARY)
            fputc(values[i] > 0 ? '1' : '0', file.to);
        else if (kind == HISS_SPIN)
            fputc(values[i] > 0 ? '+' : '-', file.to);
        else
            fprintf(file.to, "%s%.10g", i ? " " : "", values[i]);
    }
    return cli_text_file_close(&file);
}

char *cli_state_text(const hiss_model *model, const double *values)
{
    hiss_kind kind = hiss_model_kind(model, 0);

    return cli_values_text(values, hiss_model_dim(model),
                           all_are(model, kind) ? kind : HISS_ORDINAL);
}

json_t *cli_state_json(const hiss_model *model, const double *values)
{
    json_t *array = cli_json_array();

    for (int i = 0; i < hiss_model_dim(model); i++)
        cli_json_add(array, cli_json_number(values[i]));
    return array;
}

static char *coordinate(const char *name, int i)
{
    return name ? cli_text("%s", name) : cli_text("x.%d", i + 1);
}

static char *value(const char *name, double number)
{
    return name ? cli_text("%s", name) : cli_text("%.10g", number);
}

char *cli_model_coordinate(const hiss_model *model, int i)
{
    return coordinate(hiss_model_coordinate_name(model, i), i);
}

char *cli_model_value(const hiss_model *model, int i, int index)
{
    return value(hiss_model_state_name(model, i, index),
                 hiss_model_value(model, i, index));
}

char *cli_result_coordinate(const hiss_result *result, int i)
{
    return coordinate(hiss_result_coordinate_name(result, i), i);
}

char *cli_result_value(const hiss_result *result, int i, int index)
{
    return value(hiss_result_state_name(result, i, index),
                 hiss_result_value(result, i, index));
}

double cli_state_count(const hiss_model *model)
{
    bool is_tour = all_are(model, HISS_PERMUTATION);
    double count = 1;

    for (int i = 0; i < hiss_model_dim(model); i++)
        count *= is_tour ? i + 1 : hiss_model_states(model, i);
    return count;
}

char *cli_state_kinds(const hiss_model *model)
{
    int dim = hiss_model_dim(model);
    hiss_kind kind = hiss_model_kind(model, 0);
    const char *name = all_are(model, kind) ? hiss_kind_name(kind) : "mixed";

    return cli_text("%d %s coordinate%s", dim, name, dim == 1 ? "" : "s");
}
