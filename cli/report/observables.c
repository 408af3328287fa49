/* observables.c - the user's observables of every draw. */
#include "cli/report/observables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print/fail.h"
#include "cli/print/json.h"
#include "cli/print/table.h"
#include "cli/report/columns.h"
#include "cli/report/figures.h"

enum {
    DIGITS = 4
};

static int add(cli_observables *o, const hiss_result *result,
               const hiss_model *model, char *text, double *room)
{
    cli_observable *one = &o->at[o->count];
    hiss_error err = {0};
    hiss_run_info info = HISS_INIT(hiss_run_info);
    hiss_status status;
    int chains = 0;

    hiss_result_info(result, &info);
    one->text = text;
    one->column = HISS_INIT(hiss_column);
    o->count++;
    status = hiss_result_series(result, model, text, room, &chains, &err);
    if (status == HISS_OK)
        status = hiss_describe(room, chains, info.samples, &one->column, &err);
    if (status == HISS_OK)
        return CLI_DONE;
    free(text);
    o->count--;
    return cli_fail_status(status, &err);
}

int cli_observables_check(const hiss_model *model, int chains, const char *text)
{
    hiss_status status = HISS_OK;
    hiss_error err = {0};

    while (text && *text && status == HISS_OK) {
        size_t length = strcspn(text, ";");
        char *one = cli_text("%.*s", (int)length, text);

        status = hiss_observable_check(model, chains, one, &err);
        free(one);
        text += length + (text[length] == ';');
    }
    return status == HISS_OK ? CLI_DONE : cli_fail_status(status, &err);
}

int cli_observables_init(cli_observables *o, const hiss_result *result,
                         const hiss_model *model, const char *text)
{
    hiss_run_info info = HISS_INIT(hiss_run_info);
    double *room;
    size_t most = 1;
    int code = CLI_DONE;

    *o = (cli_observables){0};
    if (!text)
        text = hiss_result_observables(result, model);
    if (!text)
        return CLI_DONE;
    hiss_result_info(result, &info);
    for (const char *c = text; *c; c++)
        most += *c == ';';
    *o = (cli_observables){.at = cli_alloc(most, sizeof *o->at)};
    room = cli_alloc((size_t)info.chains * (size_t)info.samples, sizeof *room);
    while (*text && code == CLI_DONE) {
        size_t length = strcspn(text, ";");

        code = add(o, result, model, cli_text("%.*s", (int)length, text), room);
        text += length + (text[length] == ';');
    }
    free(room);
    return code;
}

void cli_observables_clear(cli_observables *o)
{
    for (int n = 0; n < o->count; n++)
        free(o->at[n].text);
    free(o->at);
    *o = (cli_observables){0};
}

json_t *cli_observables_json(const cli_observables *o)
{
    json_t *array = cli_json_array();

    for (int n = 0; n < o->count; n++)
        cli_json_add(array,
                     cli_column_json(o->at[n].text, &o->at[n].column, false));
    return array;
}

void cli_observables_print(const cli_observables *o, int most)
{
    static const cli_column columns[] = {
        {"observable", true, true, 0}, {"mean", false, false, 0},
        {"mcse", false, false, 2},     {"sd", false, false, 3},
        {"ESS", false, false, 1},      {"R-hat", false, false, 0},
        {"state", true, false, 4},
    };
    cli_table table;

    if (o->count == 0 || most == 0)
        return;
    cli_table_init(&table, columns, sizeof columns / sizeof *columns);
    for (int n = 0; n < o->count && n < most; n++) {
        const hiss_column *c = &o->at[n].column;

        cli_table_cell(&table, "%s", o->at[n].text);
        cli_table_number(&table, c->mean, DIGITS);
        cli_table_number(&table, c->mcse, DIGITS);
        cli_table_number(&table, c->sd, DIGITS);
        cli_table_number(&table, c->ess_bulk, 0);
        cli_table_number(&table, c->rhat, 3);
        cli_table_cell(&table, "%s", cli_column_word(c->state, false));
    }
    putchar('\n');
    cli_table_print(&table, 0);
    cli_table_clear(&table);
}
