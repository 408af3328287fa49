/* contest.c - prints a comparison of samplers as JSON and as a table. */
#include "cli/compare/contest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print/fail.h"
#include "cli/print/json.h"
#include "cli/print/table.h"

static const char *const budgets[] = {
    [HISS_RACE_EVALS] = "evals",
    [HISS_RACE_TIME] = "time",
    [HISS_RACE_SAMPLES] = "samples",
};

static bool compares_states(const char *metric)
{
    return metric && strcmp(metric, "tvd") == 0;
}

static void put_figure(json_t *object, const char *key,
                       const hiss_figure *figure)
{
    char *se_key = cli_text("%s_se", key);

    cli_json_put_real(object, key, figure->mean);
    cli_json_put_real(object, se_key, figure->se);
    free(se_key);
}

static json_t *curve_json(const hiss_racer *racer)
{
    json_t *array = cli_json_array();

    for (int k = 0; k < racer->points; k++) {
        json_t *point = cli_json_object();

        cli_json_put_real(point, "evals", racer->curve[k].evals);
        cli_json_put_real(point, "mean", racer->curve[k].mean);
        cli_json_put_real(point, "se", racer->curve[k].se);
        cli_json_add(array, point);
    }
    return array;
}

static json_t *racer_json(const hiss_racer *racer, const char *metric)
{
    json_t *o = cli_json_object();

    cli_json_put_text(o, "sampler", racer->sampler);
    cli_json_put_bool(o, "exact", racer->is_exact);
    cli_json_put_text(o, "budget", budgets[racer->race]);
    cli_json_put_number(o, "evals", racer->evals);
    cli_json_put_real(o, "seconds", racer->seconds);
    cli_json_put_whole(o, "repetitions", racer->repetitions);
    cli_json_put_whole(o, "chains", racer->chains);
    cli_json_put_whole(o, "draws", racer->draws);
    cli_json_put_whole(o, "thin", racer->thin);
    if (metric)
        put_figure(o, metric, &racer->distance);
    if (compares_states(metric)) {
        put_figure(o, "log_mae", &racer->log_mae);
        put_figure(o, "coverage", &racer->coverage);
    }
    put_figure(o, "ess", &racer->ess);
    put_figure(o, "ess_per_eval", &racer->ess_per_eval);
    put_figure(o, "ess_per_second", &racer->ess_per_second);
    cli_json_put_bool(o, "best", racer->is_best);
    cli_json_put_real(o, "p_value", racer->p_value);
    if (metric)
        cli_json_put(o, "curve", curve_json(racer));
    return o;
}

void cli_contest_json(const cli_contest *contest)
{
    const char *metric = hiss_comparison_metric(contest->comparison);
    json_t *array = cli_json_array();
    const hiss_racer *racer;

    for (int n = 0; (racer = hiss_comparison_racer(contest->comparison, n));
         n++)
        cli_json_add(array, racer_json(racer, metric));
    cli_json_print(array);
}

static void put_cell(cli_table *table, const hiss_figure *figure)
{
    if (isnan(figure->mean))
        cli_table_cell(table, "-");
    else
        cli_table_cell(table, "%.3g +- %.1g", figure->mean, figure->se);
}

static void print_table(const hiss_comparison *c, hiss_race race)
{
    const char *metric = hiss_comparison_metric(c);
    cli_column columns[] = {
        {"sampler", true, true, 0},
        {"ESS/eval", false, false, 1},
        {"ESS/s", false, false, 1},
        {"evals", false, false, 2},
        {"seconds", false, false, 2},
        {compares_states(metric) ? "distance" : "marginals", false, false, 0},
    };
    const hiss_racer *racer;
    cli_table table;

    cli_table_init(&table, columns, metric ? 6 : 5);
    for (int n = 0; (racer = hiss_comparison_racer(c, n)); n++) {
        if (racer->race != race)
            continue;
        cli_table_cell(&table, "%s%s", racer->sampler,
                       racer->is_exact ? "" : " (not exact)");
        put_cell(&table, &racer->ess_per_eval);
        put_cell(&table, &racer->ess_per_second);
        cli_table_cell(&table, "%.4g", racer->evals);
        cli_table_cell(&table, "%.3g", racer->seconds);
        if (metric)
            put_cell(&table, &racer->distance);
    }
    cli_table_print(&table, 0);
    cli_table_clear(&table);
}

/* Names the sampler to use, and how certain that is. */
static void print_advice(const hiss_race_outcome *o, hiss_race race,
                         bool is_law_known)
{
    const char *what = is_law_known ? "is nearest to the law"
                       : race == HISS_RACE_TIME
                           ? "has the most effective draws per second"
                       : race == HISS_RACE_EVALS
                           ? "has the most effective draws per evaluation"
                           : "has the most effective draws";

    switch (o->verdict) {
    case HISS_RACE_NONE:
        puts("no sampler can be recommended: what is exact did not move, and "
             "what moved is not exact");
        break;
    case HISS_RACE_ALONE:
        printf("use %s: it is the only one that is exact and moves\n",
               o->best->sampler);
        break;
    case HISS_RACE_SURE:
        printf("use %s: it %s; that the next, %s, is as good has p = %.2g\n",
               o->best->sampler, what, o->next->sampler, o->p_value);
        break;
    case HISS_RACE_UNSURE:
        printf("%s %s, but %s cannot be told from it (p = %.2g): more "
               "--repetitions or another cost might\n",
               o->best->sampler, what, o->next->sampler, o->p_value);
        break;
    }
}

void cli_contest_text(const cli_contest *contest)
{
    const hiss_compare_settings *set = contest->settings;
    const char *metric = hiss_comparison_metric(contest->comparison);

    printf("model  %s\n", hiss_model_name(contest->model));
    printf("race   %d repetitions of %d chains; %s\n", set->repetitions,
           hiss_comparison_racer(contest->comparison, 0)->chains,
           !metric ? "exact answers are not known"
           : compares_states(metric)
               ? "distance: total variation from the exact law"
               : "marginals: mean total variation from the exact ones");
    for (int race = HISS_RACE_EVALS; race <= HISS_RACE_SAMPLES; race++) {
        const hiss_race_outcome *outcome =
            hiss_comparison_outcome(contest->comparison, (hiss_race)race);

        if (!outcome)
            continue;
        if (race == HISS_RACE_TIME)
            printf("\nat equal time, %.3g s\n", set->time_limit);
        else if (race == HISS_RACE_EVALS)
            printf("\nat equal cost, %.4g evaluations\n", set->evals);
        else
            printf("\nat equal length, %lld draws per chain\n",
                   (long long)set->samples);
        print_table(contest->comparison, (hiss_race)race);
        print_advice(outcome, (hiss_race)race, metric != NULL);
    }
}
