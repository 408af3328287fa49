/* table.c - observables against beta: a table, JSON, CSV.
 *
 * Errors are Monte Carlo errors of one temperature.  Neighboring temperatures
 * come from the same run, so their errors are not independent. */
#include "cli/scan/scan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print/fail.h"
#include "cli/print/json.h"
#include "cli/print/objective.h"
#include "cli/print/table.h"
#include "cli/print/text_file.h"

enum {
    CELL = 40
};

bool cli_scan_is_named(const char *path, const char *suffix)
{
    size_t length = strlen(path), end = strlen(suffix);

    return length > end && strcmp(path + length - end, suffix) == 0;
}

static json_t *row_json(const cli_scan *scan, int k)
{
    json_t *o = cli_json_object();

    cli_json_put_real(o, "beta", scan->beta[k]);
    cli_json_put_real(o, "temperature", 1 / scan->beta[k]);
    cli_json_put(o, "observables", cli_observables_json(&scan->at[k]));
    return o;
}

json_t *cli_scan_json(const cli_scan *scan)
{
    json_t *o = cli_json_object(), *rows = cli_json_array();
    cli_objective in = cli_objective_of(scan->model);

    cli_json_put_text(o, "version", hiss_version());
    cli_json_put_text(o, "model", hiss_model_name(scan->model));
    cli_json_put_text(o, "reads_as", hiss_model_reads_as(scan->model));
    cli_json_put_text(o, "sampler", scan->sampler);
    cli_json_put_whole(o, "dim", scan->info.dim);
    cli_json_put_whole(o, "chains", scan->info.chains);
    cli_json_put_whole(o, "samples", scan->info.samples);
    cli_json_put_whole(o, "warmup", scan->info.warmup);
    cli_json_put_whole(o, "thin", scan->info.thin);
    cli_json_put_whole(o, "seed", (int64_t)scan->info.seed);
    cli_json_put_real(o, "seconds", scan->info.seconds);
    if (in.has_own)
        cli_json_put_text(o, "objective_name", in.name);
    for (int k = 0; k < scan->count; k++)
        cli_json_add(rows, row_json(scan, k));
    cli_json_put(o, "rows", rows);
    return o;
}

/* Prints 1.2346(12): two digits of the error, in units of the last digit. */
static void value_text(char out[CELL], const hiss_column *c)
{
    int digits;

    if (!(c->mcse > 0) || !isfinite(c->mean)) {
        snprintf(out, CELL, "%.6g", c->mean);
        return;
    }
    digits = 1 - (int)floor(log10(c->mcse));
    if (digits < 0 || digits > 9)
        snprintf(out, CELL, "%.4g +- %.2g", c->mean, c->mcse);
    else
        snprintf(out, CELL, "%.*f(%.0f)", digits, c->mean,
                 c->mcse * pow(10, digits));
}

void cli_scan_print(const cli_scan *scan)
{
    cli_column columns[CLI_TABLE_COLUMNS] = {{"beta", false, false, 0}};
    int shown = scan->at[0].count;
    char text[CELL];
    cli_table table;

    shown = shown < CLI_TABLE_COLUMNS ? shown : CLI_TABLE_COLUMNS - 1;
    for (int n = 0; n < shown; n++)
        columns[n + 1] = (cli_column){scan->at[0].at[n].text, false, false, n};
    cli_table_init(&table, columns, shown + 1);
    for (int k = 0; k < scan->count; k++) {
        cli_table_cell(&table, "%.6g", scan->beta[k]);
        for (int n = 0; n < shown; n++) {
            value_text(text, &scan->at[k].at[n].column);
            cli_table_cell(&table, "%s", text);
        }
    }
    cli_table_print(&table, 0);
    cli_table_clear(&table);
}

/* Writes a name as a CSV field. */
static void put_name(FILE *to, const char *name, const char *suffix)
{
    bool is_quoted = strpbrk(name, ",\"\n") != NULL;

    fputs(is_quoted ? ",\"" : ",", to);
    for (const char *c = name; *c; c++) {
        if (*c == '"')
            fputc('"', to);
        fputc(*c, to);
    }
    fputs(suffix, to);
    if (is_quoted)
        fputc('"', to);
}

char *cli_scan_csv(const cli_scan *scan)
{
    cli_text_file file;

    cli_text_file_open(&file);
    fprintf(file.to, "# hiss scan, version %s\n# model: %s\n# sampler: %s\n",
            hiss_version(), hiss_model_name(scan->model), scan->sampler);
    fprintf(file.to, "# chains: %d, samples: %lld, seed: %llu\n",
            scan->info.chains, (long long)scan->info.samples,
            (unsigned long long)scan->info.seed);
    fputs("beta,temperature", file.to);
    for (int n = 0; n < scan->at[0].count; n++) {
        put_name(file.to, scan->at[0].at[n].text, "");
        put_name(file.to, scan->at[0].at[n].text, "_mcse");
        put_name(file.to, scan->at[0].at[n].text, "_ess");
    }
    fputc('\n', file.to);
    for (int k = 0; k < scan->count; k++) {
        fprintf(file.to, "%.17g,%.17g", scan->beta[k], 1 / scan->beta[k]);
        for (int n = 0; n < scan->at[k].count; n++) {
            const hiss_column *c = &scan->at[k].at[n].column;

            fprintf(file.to, ",%.10g,%.4g,%.5g", c->mean, c->mcse, c->ess_bulk);
        }
        fputc('\n', file.to);
    }
    return cli_text_file_close(&file);
}
