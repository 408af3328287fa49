/* contest.c - telling of a race.
 *
 * What counts is the distance from the law, where that is known; else the
 * effective draws for the price, and then a sampler that does not keep the law
 * cannot win: it may move as much as it likes. */
#include "cli/compare/contest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/compare/paired.h"
#include "cli/print/fail.h"
#include "cli/print/json.h"
#include "cli/print/state.h"
#include "cli/print/table.h"

static const double SURE = 0.05;
static const char *const budgets[CLI_RACES] = {"evals", "time", "samples"};

/* The figure that decides, of one repetition; less is better. */
static double score(const cli_contest *c, const cli_racer *racer, int r)
{
    double price = racer->by == CLI_BY_TIME    ? racer->seconds
                   : racer->by == CLI_BY_EVALS ? racer->evals
                                               : 1;

    if (c->law.exact)
        return racer->error[r];
    if (!racer->is_exact)
        return INFINITY;
    return isnan(racer->ess[r]) ? (double)INFINITY : -racer->ess[r] / price;
}

static double mean_score(const cli_contest *c, const cli_racer *racer)
{
    double sum = 0;

    for (int r = 0; r < c->set->repetitions; r++)
        sum += score(c, racer, r);
    return sum / c->set->repetitions;
}

/* The best racer of one kind of race but for `without`; NULL: there is none. */
static const cli_racer *best_of(const cli_contest *c, cli_race_by by,
                                const cli_racer *without)
{
    const cli_racer *best = NULL;

    for (int n = 0; n < c->count; n++) {
        const cli_racer *racer = &c->racers[n];

        if (racer->by == by && racer != without &&
            (!best || mean_score(c, racer) < mean_score(c, best)))
            best = racer;
    }
    return best;
}

/* How likely such a difference is between equals. */
static double p_value(const cli_contest *c, const cli_racer *a,
                      const cli_racer *b)
{
    int n = c->set->repetitions;
    double *x = cli_alloc((size_t)n, sizeof *x);
    double *y = cli_alloc((size_t)n, sizeof *y), p;

    for (int r = 0; r < n; r++) {
        x[r] = score(c, a, r);
        y[r] = score(c, b, r);
    }
    p = cli_paired_p(x, y, n);
    free(x);
    free(y);
    return p;
}

static void put_mean(json_t *object, const char *key, const double *values,
                     int n, double scale)
{
    char *se_key = cli_text("%s_se", key);
    double mean, se;

    cli_mean(values, n, &mean, &se);
    cli_json_put_real(object, key, mean * scale);
    cli_json_put_real(object, se_key, se * scale);
    free(se_key);
}

static json_t *curve_json(const cli_racer *racer)
{
    json_t *array = cli_json_array();

    for (int k = 0; k < CLI_RACE_POINTS; k++) {
        json_t *point = cli_json_object();

        cli_json_put_real(point, "evals", racer->curve_evals[k]);
        cli_json_put_real(point, "mean", racer->curve[k]);
        cli_json_put_real(point, "se", racer->curve_se[k]);
        cli_json_add(array, point);
    }
    return array;
}

/* What the paper reports of small laws: ln of the mean absolute error of a
 * state's probability, ln (2 TVD / S), and the share of the S states seen. */
static void put_states(json_t *o, const cli_contest *c, const cli_racer *racer)
{
    int n = c->set->repetitions;
    double states = cli_state_count(c->model);
    double *log_mae = cli_alloc((size_t)n, sizeof *log_mae);

    for (int r = 0; r < n; r++)
        log_mae[r] = log(2 * racer->error[r] / states);
    put_mean(o, "log_mae", log_mae, n, 1);
    put_mean(o, "coverage", racer->cover, n, 1);
    free(log_mae);
}

static json_t *racer_json(const cli_contest *c, const cli_racer *racer)
{
    const char *metric = cli_law_metric(&c->law);
    const cli_racer *best = best_of(c, racer->by, NULL);
    json_t *o = cli_json_object();
    int n = c->set->repetitions;

    cli_json_put_text(o, "sampler", racer->sampler);
    cli_json_put_bool(o, "exact", racer->is_exact);
    cli_json_put_text(o, "budget", budgets[racer->by]);
    cli_json_put_number(o, "evals", racer->evals);
    cli_json_put_real(o, "seconds", racer->seconds);
    cli_json_put_whole(o, "repetitions", n);
    cli_json_put_whole(o, "chains", c->set->chains);
    cli_json_put_whole(o, "draws", racer->draws);
    cli_json_put_whole(o, "thin", racer->thin);
    if (metric)
        put_mean(o, metric, racer->error, n, 1);
    if (c->law.has_states)
        put_states(o, c, racer);
    put_mean(o, "ess", racer->ess, n, 1);
    put_mean(o, "ess_per_eval", racer->ess, n, 1 / racer->evals);
    put_mean(o, "ess_per_second", racer->ess, n, 1 / racer->seconds);
    cli_json_put_bool(o, "best", racer == best);
    cli_json_put_real(o, "p_value",
                      racer == best ? (double)NAN : p_value(c, racer, best));
    if (metric)
        cli_json_put(o, "curve", curve_json(racer));
    return o;
}

void cli_contest_json(const cli_contest *contest)
{
    json_t *array = cli_json_array();

    for (int n = 0; n < contest->count; n++)
        cli_json_add(array, racer_json(contest, &contest->racers[n]));
    cli_json_print(array);
}

static void mean_cell(cli_table *table, const double *values, int n,
                      double scale)
{
    double mean, se;

    cli_mean(values, n, &mean, &se);
    if (isnan(mean))
        cli_table_cell(table, "-");
    else
        cli_table_cell(table, "%.3g +- %.1g", mean * scale, se * scale);
}

static void print_table(const cli_contest *c, cli_race_by by)
{
    cli_column columns[] = {
        {"sampler", true, true, 0},
        {"ESS/eval", false, false, 1},
        {"ESS/s", false, false, 1},
        {"evals", false, false, 2},
        {"seconds", false, false, 2},
        {c->law.has_states ? "distance" : "marginals", false, false, 0},
    };
    int n = c->set->repetitions;
    cli_table table;

    cli_table_init(&table, columns, c->law.exact ? 6 : 5);
    for (int k = 0; k < c->count; k++) {
        const cli_racer *racer = &c->racers[k];

        if (racer->by != by)
            continue;
        cli_table_cell(&table, "%s%s", racer->sampler,
                       racer->is_exact ? "" : " (not exact)");
        mean_cell(&table, racer->ess, n, 1 / racer->evals);
        mean_cell(&table, racer->ess, n, 1 / racer->seconds);
        cli_table_cell(&table, "%.4g", racer->evals);
        cli_table_cell(&table, "%.3g", racer->seconds);
        if (c->law.exact)
            mean_cell(&table, racer->error, n, 1);
    }
    cli_table_print(&table, 0);
    cli_table_clear(&table);
}

/* Which one to use, and how sure that is. */
static void print_advice(const cli_contest *c, cli_race_by by)
{
    const cli_racer *best = best_of(c, by, NULL), *next;
    const char *what =
        c->law.exact         ? "is nearest to the law"
        : by == CLI_BY_TIME  ? "has the most effective draws per second"
        : by == CLI_BY_EVALS ? "has the most effective draws per evaluation"
                             : "has the most effective draws";
    double p;

    if (!best || !isfinite(mean_score(c, best))) {
        puts("no sampler can be recommended: what is exact did not move, and "
             "what moved is not exact");
        return;
    }
    next = best_of(c, by, best);
    p = p_value(c, best, next);
    if (!isfinite(mean_score(c, next)))
        printf("use %s: it is the only one that is exact and moves\n",
               best->sampler);
    else if (p <= SURE)
        printf("use %s: it %s; that the next, %s, is as good has p = %.2g\n",
               best->sampler, what, next->sampler, p);
    else
        printf("%s %s, but %s cannot be told from it (p = %.2g): more "
               "--repetitions or another cost might\n",
               best->sampler, what, next->sampler, p);
}

void cli_contest_text(const cli_contest *contest)
{
    const cli_race_settings *set = contest->set;

    printf("model  %s\n", hiss_model_name(contest->model));
    printf("race   %d repetitions of %d chains; %s\n", set->repetitions,
           set->chains,
           !contest->law.exact ? "exact answers are not known"
           : contest->law.has_states
               ? "distance: total variation from the exact law"
               : "marginals: mean total variation from the exact ones");
    for (int by = 0; by < CLI_RACES; by++) {
        if (!cli_race_is_on(set, (cli_race_by)by))
            continue;
        if (by == CLI_BY_TIME)
            printf("\nat equal time, %.3g s\n", set->seconds);
        else if (by == CLI_BY_EVALS)
            printf("\nat equal cost, %.4g evaluations\n", set->evals);
        else
            printf("\nat equal length, %lld draws per chain\n",
                   (long long)set->samples);
        print_table(contest, (cli_race_by)by);
        print_advice(contest, (cli_race_by)by);
    }
}
