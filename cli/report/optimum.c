/* optimum.c - prints the best states found. */
#include "cli/report/optimum.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/print/fail.h"
#include "cli/print/json.h"
#include "cli/print/objective.h"
#include "cli/print/state.h"
#include "cli/print/table.h"
#include "cli/report/report.h"

enum {
    SHOWN_MAX = 120 /* most coordinates of a state printed for people */
};

/* The row whose restarts reach the target soonest, by the pessimistic end of
 * the interval, which does not favor small numbers of restarts; 0 (false) if
 * none did. */
static int best_row(const hiss_optimum *found, hiss_search_row *out)
{
    hiss_search_row row = HISS_INIT(hiss_search_row);
    int any = 0;

    for (int n = 0; hiss_optimum_row(found, n, &row); n++)
        if (!row.is_bred && row.hits > 0 &&
            (!any || row.tts_high < out->tts_high)) {
            *out = row;
            any = 1;
        }
    return any;
}

static json_t *row_json(const hiss_search_row *row)
{
    json_t *o = cli_json_object();

    cli_json_put_text(o, "kind", row->is_bred ? "bred" : "plain");
    cli_json_put_whole(o, "sweeps", row->sweeps);
    cli_json_put_whole(o, "restarts", row->restarts);
    cli_json_put_whole(o, "hits", row->hits);
    cli_json_put_real(o, "evals", row->evals);
    if (!row->is_bred) {
        cli_json_put_real(o, "tts99_evals", row->tts);
        cli_json_put_real(o, "tts99_evals_low", row->tts_low);
        cli_json_put_real(o, "tts99_evals_high", row->tts_high);
    }
    return o;
}

static json_t *rows_json(const hiss_optimum *found)
{
    json_t *array = cli_json_array();
    hiss_search_row row = HISS_INIT(hiss_search_row);

    for (int n = 0; hiss_optimum_row(found, n, &row); n++)
        cli_json_add(array, row_json(&row));
    return array;
}

/* Converts evaluations to seconds at the rate of this run. */
static json_t *time_json(const hiss_optimum *found,
                         const hiss_search_info *info)
{
    double each = info->seconds / info->evals;
    hiss_search_row row = HISS_INIT(hiss_search_row);
    json_t *o;

    if (!best_row(found, &row))
        return json_null();
    o = row_json(&row);
    cli_json_put_real(o, "seconds", row.tts * each);
    cli_json_put_real(o, "seconds_low", row.tts_low * each);
    cli_json_put_real(o, "seconds_high", row.tts_high * each);
    return o;
}

static json_t *solution_json(const hiss_model *model, const hiss_optimum *found,
                             int number, double *values)
{
    cli_objective in = cli_objective_of(model);
    json_t *o = cli_json_object();
    int64_t hits;
    double u;

    hiss_optimum_solution(found, number, values, &u, &hits);
    cli_json_put_number(o, "objective", cli_objective_value(&in, u));
    cli_json_put_number(o, "log_p", u);
    cli_json_put_number(o, "u", u);
    cli_json_put_whole(o, "hits", hits);
    cli_json_put(o, "state", cli_state_json(model, values));
    return o;
}

void cli_optimum_json(const hiss_model *model, const hiss_optimum *found,
                      const char *output)
{
    int dim = hiss_model_dim(model);
    double *values = cli_alloc((size_t)dim, sizeof *values);
    cli_objective in = cli_objective_of(model);
    json_t *o = cli_json_object(), *all = cli_json_array();
    hiss_search_info info = HISS_INIT(hiss_search_info);

    hiss_optimum_info(found, &info);
    for (int n = 0; n < info.solutions; n++)
        cli_json_add(all, solution_json(model, found, n, values));
    cli_json_put_text(o, "version", hiss_version());
    cli_json_put_text(o, "model", hiss_model_name(model));
    cli_json_put_text(o, "reads_as", hiss_model_reads_as(model));
    cli_json_put_text(o, "sampler", info.sampler);
    cli_json_put_whole(o, "dim", dim);
    cli_json_put_text(o, "objective", in.name);
    cli_objective_put(o, &in, hiss_model_beta(model));
    cli_json_put_bool(o, "minimize", info.is_minimised != 0);
    cli_json_put_bool(o, "minimise", info.is_minimised != 0); /* until 0.3 */
    cli_json_put(o, "best", solution_json(model, found, 0, values));
    cli_json_put(o, "target",
                 info.has_target ? cli_json_number(info.target) : json_null());
    cli_json_put(o, "target_hit",
                 info.has_target ? json_boolean(info.target_hit) : json_null());
    cli_json_put_real(o, "seconds", info.seconds);
    cli_json_put_real(o, "best_seconds", info.best_seconds);
    cli_json_put_number(o, "evals", info.evals);
    cli_json_put_whole(o, "restarts", info.restarts);
    cli_json_put_whole(o, "seed", (int64_t)info.seed);
    cli_json_put_whole(o, "threads", info.threads);
    cli_json_put_text(o, "device", info.device);
    cli_json_put_text(o, "isa", hiss_isa());
    cli_json_put_text(o, "ended", cli_report_ended(info.ended));
    cli_json_put_real(o, "hot", info.hot);
    cli_json_put_real(o, "cold", info.cold);
    cli_json_put(o, "solutions", all);
    cli_json_put(o, "rounds", rows_json(found));
    cli_json_put(o, "time_to_target", time_json(found, &info));
    cli_json_put_text(o, "note", hiss_model_note(model));
    cli_json_put_text(o, "output", output);
    free(values);
    cli_json_print(o);
}

static void print_solutions(const hiss_model *model, const hiss_optimum *found,
                            const cli_objective *in)
{
    cli_column columns[] = {
        {in->name, false, false, 0},
        {"found", false, false, 1},
        {"distance", false, false, 2},
        {"state", true, true, 3},
    };
    int dim = hiss_model_dim(model), count = dim <= SHOWN_MAX ? 4 : 3;
    double *best = cli_alloc((size_t)dim, sizeof *best);
    double *values = cli_alloc((size_t)dim, sizeof *values);
    cli_table table;
    int64_t hits;
    double u;

    cli_table_init(&table, columns, count);
    hiss_optimum_solution(found, 0, best, NULL, NULL);
    for (int n = 0; hiss_optimum_solution(found, n, values, &u, &hits); n++) {
        char *text = cli_state_text(model, values);
        int differ = 0;

        for (int i = 0; i < dim; i++)
            differ += values[i] != best[i];
        cli_table_cell(&table, "%.10g", cli_objective_value(in, u));
        cli_table_cell(&table, "%lld", (long long)hits);
        cli_table_cell(&table, "%d", differ);
        if (count == 4)
            cli_table_cell(&table, "%s", text);
        free(text);
    }
    cli_table_print(&table, 0);
    cli_table_clear(&table);
    free(values);
    free(best);
}

/* The lengths that reached the target or the best state; --json has all. */
static void print_rows(const hiss_optimum *found)
{
    static const cli_column columns[] = {
        {"restarts", false, false, 0},     {"kind", true, false, 1},
        {"steps", false, false, 0},        {"reached it", false, false, 0},
        {"evals each", false, false, 2},   {"evals for 99 %", false, false, 1},
        {"95 % interval", true, false, 2},
    };
    hiss_search_row row = HISS_INIT(hiss_search_row);
    int count = best_row(found, &row) ? 7 : 5;
    bool any = false;
    cli_table table;

    cli_table_init(&table, columns, count);
    for (int n = 0; hiss_optimum_row(found, n, &row); n++) {
        if (row.hits == 0)
            continue;
        any = true;
        cli_table_cell(&table, "%lld", (long long)row.restarts);
        cli_table_cell(&table, "%s", row.is_bred ? "bred" : "plain");
        cli_table_cell(&table, "%lld", (long long)row.sweeps);
        cli_table_cell(&table, "%lld", (long long)row.hits);
        cli_table_cell(&table, "%.4g", row.evals);
        if (count == 7 && row.is_bred) {
            cli_table_cell(&table, "-");
            cli_table_cell(&table, "%s", "");
        } else if (count == 7) {
            cli_table_cell(&table, "%.3g", row.tts);
            cli_table_cell(&table, "%.3g .. %.3g", row.tts_low, row.tts_high);
        }
    }
    if (any) {
        putchar('\n');
        cli_table_print(&table, 0);
    }
    cli_table_clear(&table);
}

static void print_time(const hiss_optimum *found, const hiss_search_info *info,
                       const cli_objective *in)
{
    double each = info->seconds / info->evals;
    hiss_search_row row = HISS_INIT(hiss_search_row);

    if (!best_row(found, &row))
        return;
    printf("\nrestarts of %lld steps reach %s %.10g within %.3g s with "
           "probability 0.99\n(95 %% interval %.3g .. %.3g s, at this run's "
           "rate; %lld of %lld did)\n",
           (long long)row.sweeps, in->name,
           info->has_target ? info->target : info->objective, row.tts * each,
           row.tts_low * each, row.tts_high * each, (long long)row.hits,
           (long long)row.restarts);
}

void cli_optimum_text(const hiss_model *model, const hiss_optimum *found,
                      const char *output)
{
    cli_objective in = cli_objective_of(model);
    char *kinds = cli_state_kinds(model);
    hiss_search_info info = HISS_INIT(hiss_search_info);

    hiss_optimum_info(found, &info);
    printf("model    %s, %s\n", hiss_model_name(model), kinds);
    printf("method   %s, beta %.3g .. %.3g\n", info.sampler, info.hot,
           info.cold);
    printf("best     %s %.10g, after %.3g s\n", in.name, info.objective,
           info.best_seconds);
    printf("search   %lld restarts, %.4g evaluations, %.3g s, ended: %s\n",
           (long long)info.restarts, info.evals, info.seconds,
           cli_report_ended(info.ended));
    if (info.has_target)
        printf("target   %s %.10g was %s\n", in.name, info.target,
               info.target_hit ? "reached" : "NOT reached");
    if (output)
        printf("saved    %s\n", output);
    putchar('\n');
    print_solutions(model, found, &in);
    print_rows(found);
    print_time(found, &info, &in);
    free(kinds);
}
