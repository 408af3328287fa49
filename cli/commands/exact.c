/* exact.c - `hiss exact`: the truth, by every way there is. */
#include <hiss/hiss.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "cli/args/option.h"
#include "cli/commands/commands.h"
#include "cli/files/open.h"
#include "cli/files/output.h"
#include "cli/files/standard.h"
#include "cli/print/json.h"
#include "cli/print/objective.h"
#include "cli/print/progress.h"
#include "cli/print/state.h"
#include "cli/print/table.h"

enum {
    DIGITS = 6
};

static const double LONG = 2.0; /* seconds worth a forecast */
static const double GIBIBYTE = 1073741824.0;

struct arguments {
    cli_common common;
    const char *mar;
    int top;
    bool nearly;
};

/* Data of the callbacks. */
struct watch {
    bool is_quiet;
    cli_progress bar;
    time_t began;
};

#define AT(field) offsetof(struct arguments, field)

static const cli_option options[] = {
    CLI_GIVEN_OPTIONS,
    {"mar", 0, CLI_TEXT, AT(mar), NULL, 0, 0,
     "FILE  write the marginals, in UAI's .MAR"},
    {"nearly", 0, CLI_FLAG, AT(nearly), NULL, 0, 0,
     "where exact answers take too much: estimates with errors, from weighted "
     "draws"},
    {"top", 0, CLI_INT, AT(top), "10", 0, 1000000,
     "N  most probable states to list; past 2^26 states one is known"},
    {0},
};

static double mean_of(const hiss_model *model, const hiss_exact *exact, int i)
{
    const double *p = hiss_exact_marginal(exact, i);
    double mean = 0;

    for (int s = 0; s < hiss_model_states(model, i); s++)
        mean += p[s] * hiss_model_value(model, i, s);
    return mean;
}

static json_t *errors_json(const hiss_model *model, const hiss_exact *exact,
                           int i)
{
    const double *se = hiss_exact_marginal_se(exact, i);
    json_t *array = cli_json_array();

    for (int s = 0; s < hiss_model_states(model, i); s++)
        cli_json_add(array, cli_json_real(se[s]));
    return array;
}

static json_t *marginal_json(const hiss_model *model, const hiss_exact *exact,
                             int i)
{
    const double *p = hiss_exact_marginal(exact, i);
    hiss_kind kind = hiss_model_kind(model, i);
    json_t *object = cli_json_object(), *values = cli_json_array();
    json_t *probabilities = cli_json_array(), *states = cli_json_array();
    char *name = cli_model_coordinate(model, i);
    bool has_states = hiss_model_state_name(model, i, 0);

    for (int s = 0; s < hiss_model_states(model, i); s++) {
        cli_json_add(values, cli_json_number(hiss_model_value(model, i, s)));
        cli_json_add(probabilities, cli_json_real(p[s]));
        if (has_states)
            cli_json_add(states,
                         json_string(hiss_model_state_name(model, i, s)));
    }
    cli_json_put_text(object, "name", name);
    cli_json_put_text(object, "kind", hiss_kind_name(kind));
    if (has_states)
        cli_json_put(object, "states", states);
    else
        json_decref(states);
    if (kind != HISS_CATEGORICAL && kind != HISS_PERMUTATION && !has_states)
        cli_json_put_real(object, "mean", mean_of(model, exact, i));
    cli_json_put(object, "values", values);
    cli_json_put(object, "probabilities", probabilities);
    if (hiss_exact_is_nearly(exact))
        cli_json_put(object, "errors", errors_json(model, exact, i));
    free(name);
    return object;
}

static json_t *top_json(const hiss_model *model, const hiss_exact *exact,
                        int most)
{
    json_t *array = cli_json_array();
    double *state = cli_alloc((size_t)hiss_model_dim(model), sizeof *state);
    cli_objective in = cli_objective_of(model);
    double probability, u;

    for (int n = 0; n < most && hiss_exact_top(exact, n, state, &probability);
         n++) {
        json_t *object = cli_json_object();

        cli_json_put(object, "state", cli_state_json(model, state));
        cli_json_put_real(object, "probability", probability);
        if (hiss_model_energy(model, state, &u, NULL) == HISS_OK) {
            cli_json_put_real(object, "log_p", u);
            cli_json_put_real(object, "u", u);
            cli_json_put_real(object, "objective", cli_objective_value(&in, u));
        }
        cli_json_add(array, object);
    }
    free(state);
    return array;
}

static void put_errors(json_t *o, const hiss_exact *exact)
{
    if (!hiss_exact_is_nearly(exact))
        return;
    cli_json_put_real(o, "log_z_se", hiss_exact_log_z_se(exact));
    cli_json_put_real(o, "mean_log_p_se", hiss_exact_mean_u_se(exact));
    cli_json_put_real(o, "mean_u_se", hiss_exact_mean_u_se(exact));
    cli_json_put_real(o, "draws", hiss_exact_draws(exact));
    cli_json_put_real(o, "effective", hiss_exact_effective(exact));
}

/* log p, and the objective that follows from it; max_u and mean_u are the old
 * names. */
static void put_log_p(json_t *o, const hiss_model *model,
                      const hiss_exact *exact)
{
    cli_objective in = cli_objective_of(model);
    double best = hiss_exact_max_u(exact), mean = hiss_exact_mean_u(exact);
    json_t *objective = cli_json_object();

    cli_json_put_real(o, "max_log_p", best);
    cli_json_put_real(o, "mean_log_p", mean);
    cli_json_put_real(o, "max_u", best);
    cli_json_put_real(o, "mean_u", mean);
    cli_objective_put(o, &in, hiss_model_beta(model));
    cli_json_put_real(objective, "best", cli_objective_value(&in, best));
    cli_json_put_real(objective, "mean", cli_objective_value(&in, mean));
    cli_json_put(o, "objective", objective);
}

static void print_json(const hiss_model *model, const hiss_exact *exact,
                       int most)
{
    json_t *o = cli_json_object(), *marginals = cli_json_array();

    for (int i = 0; i < hiss_model_dim(model); i++)
        cli_json_add(marginals, marginal_json(model, exact, i));
    cli_json_put_text(o, "version", hiss_version());
    cli_json_put_text(o, "model", hiss_model_name(model));
    cli_json_put_text(o, "reads_as", hiss_model_reads_as(model));
    cli_json_put_whole(o, "dim", hiss_model_dim(model));
    cli_json_put_real(o, "log_z", hiss_exact_log_z(exact));
    cli_json_put_bool(o, "exact", !hiss_exact_is_nearly(exact));
    put_errors(o, exact);
    cli_json_put_text(o, "count", hiss_exact_count(exact));
    cli_json_put_number(o, "states", hiss_exact_states(exact));
    put_log_p(o, model, exact);
    cli_json_put_text(o, "method", hiss_exact_method(exact));
    cli_json_put_text(o, "order", hiss_exact_order(exact));
    cli_json_put_real(o, "seconds", hiss_exact_seconds(exact));
    cli_json_put_text(o, "note", hiss_model_note(model));
    cli_json_put(o, "marginals", marginals);
    cli_json_put(o, "top", top_json(model, exact, most));
    cli_json_print(o);
}

/* "0: 0.588  1: 0.412"; free() it. */
static char *probabilities_of(const hiss_model *model, const hiss_exact *exact,
                              int i)
{
    const double *p = hiss_exact_marginal(exact, i);
    char *text = cli_text("%s", "");

    for (int s = 0; s < hiss_model_states(model, i); s++) {
        char *value = cli_model_value(model, i, s);
        char *longer =
            cli_text("%s%s%s: %.*f", text, s ? "  " : "", value, DIGITS, p[s]);

        free(value);
        free(text);
        text = longer;
    }
    return text;
}

/* The largest standard error of a coordinate's marginals. */
static double error_of(const hiss_model *model, const hiss_exact *exact, int i)
{
    const double *se = hiss_exact_marginal_se(exact, i);
    double most = 0.0;

    for (int s = 0; s < hiss_model_states(model, i); s++)
        most = se[s] > most ? se[s] : most;
    return most;
}

static void print_marginals(const hiss_model *model, const hiss_exact *exact)
{
    static const cli_column columns[] = {
        {"coordinate", true, false, 0},
        {"mean", false, false, 2},
        {"error", false, false, 1},
        {"probabilities", true, true, 1},
    };
    static const cli_column exact_columns[] = {
        {"coordinate", true, false, 0},
        {"mean", false, false, 2},
        {"probabilities", true, true, 1},
    };
    bool is_nearly = hiss_exact_is_nearly(exact);
    cli_table table;

    cli_table_init(&table, is_nearly ? columns : exact_columns,
                   is_nearly ? 4 : 3);
    for (int i = 0; i < hiss_model_dim(model); i++) {
        char *text = probabilities_of(model, exact, i);
        char *name = cli_model_coordinate(model, i);
        hiss_kind kind = hiss_model_kind(model, i);
        bool is_numeric = kind != HISS_CATEGORICAL &&
                          kind != HISS_PERMUTATION &&
                          !hiss_model_state_name(model, i, 0);

        cli_table_cell(&table, "%s", name);
        free(name);
        cli_table_number(&table,
                         is_numeric ? mean_of(model, exact, i) : (double)NAN,
                         DIGITS);
        if (is_nearly)
            cli_table_number(&table, error_of(model, exact, i), DIGITS);
        cli_table_cell(&table, "%s", text);
        free(text);
    }
    putchar('\n');
    cli_table_print(&table, 0);
    cli_table_clear(&table);
}

static void print_top(const hiss_model *model, const hiss_exact *exact,
                      int most)
{
    cli_objective in = cli_objective_of(model);
    const cli_column columns[] = {
        {"rank", false, false, 0},
        {"probability", false, false, 0},
        {in.name, false, false, 0},
        {"state", true, true, 1},
    };
    double *state = cli_alloc((size_t)hiss_model_dim(model), sizeof *state);
    cli_table table;
    double p;

    cli_table_init(&table, columns, 4);
    for (int n = 0; n < most && hiss_exact_top(exact, n, state, &p); n++) {
        char *text = cli_state_text(model, state);
        double u = NAN;

        if (hiss_model_energy(model, state, &u, NULL) != HISS_OK)
            u = NAN;
        cli_table_cell(&table, "%d", n + 1);
        cli_table_number(&table, p, DIGITS);
        cli_table_number(&table, cli_objective_value(&in, u), DIGITS);
        cli_table_cell(&table, "%s", text);
        free(text);
    }
    putchar('\n');
    cli_table_print(&table, 0);
    cli_table_clear(&table);
    free(state);
}

static void print_sums(const hiss_model *model, const hiss_exact *exact)
{
    cli_objective in = cli_objective_of(model);
    double best = hiss_exact_max_u(exact), mean = hiss_exact_mean_u(exact);
    double se = hiss_exact_mean_u_se(exact);

    if (!hiss_exact_is_nearly(exact)) {
        printf("log Z     %.12g\n", hiss_exact_log_z(exact));
        printf("log p     %.12g at most, mean %.12g\n", best, mean);
        if (in.has_own)
            printf("%-9s %.12g at best, mean %.12g\n", in.name,
                   cli_objective_value(&in, best),
                   cli_objective_value(&in, mean));
        return;
    }
    printf("estimate  not exact: %.0f weighted independent draws, worth %.0f\n",
           hiss_exact_draws(exact), hiss_exact_effective(exact));
    printf("log Z     %.12g +- %.2g\n", hiss_exact_log_z(exact),
           hiss_exact_log_z_se(exact));
    printf("log p     %.12g in the best draw, mean %.12g +- %.2g\n", best, mean,
           se);
    if (in.has_own)
        printf("%-9s %.12g in the best draw, mean %.12g +- %.2g\n", in.name,
               cli_objective_value(&in, best), cli_objective_value(&in, mean),
               fabs(in.scale) * se);
}

static void print_text(const hiss_model *model, const hiss_exact *exact,
                       int most)
{
    char *kinds = cli_state_kinds(model);

    printf("model     %s, %s\n", hiss_model_name(model), kinds);
    printf("method    %s", hiss_exact_method(exact));
    if (hiss_exact_order(exact))
        printf(" in the order %s", hiss_exact_order(exact));
    printf(", %.10g states, %.3g s\n", hiss_exact_states(exact),
           hiss_exact_seconds(exact));
    if (hiss_exact_count(exact))
        printf("count     %s\n", hiss_exact_count(exact));
    print_sums(model, exact);
    print_marginals(model, exact);
    if (most > 0)
        print_top(model, exact, most);
    free(kinds);
}

/* Prints the expected time and memory if it takes LONG or longer. */
static int forecast(void *context, const hiss_exact_cost *cost)
{
    const struct watch *w = context;

    if (w->is_quiet || cost->seconds < LONG)
        return 0;
    if (cost->order)
        cli_note("%s in the order %s: about %.2g s on one thread, %.2g GiB of "
                 "memory",
                 cost->method, cost->order, cost->seconds,
                 cost->bytes / GIBIBYTE);
    else
        cli_note("%s: about %.2g s on one thread", cost->method, cost->seconds);
    return 0;
}

static int show_progress(void *context, double share)
{
    struct watch *w = context;
    hiss_progress now = {.size = sizeof now,
                         .fraction = share,
                         .seconds = difftime(time(NULL), w->began)};

    return share > 0.0 ? cli_progress_show(&w->bar, &now) : 0;
}

struct marginals {
    const hiss_exact *exact; /* borrowed */
    const hiss_model *model; /* borrowed */
};

static hiss_status write_mar(const void *from, const char *path, bool replace,
                             hiss_error *err)
{
    const struct marginals *m = from;

    return hiss_exact_write_mar(m->exact, m->model, path, replace, err);
}

/* Prints the marginals first, because the rest may be long. */
static int print(const struct arguments *a, const hiss_model *model,
                 const hiss_exact *exact)
{
    struct marginals m = {.exact = exact, .model = model};
    int code = CLI_DONE;
    char *saved = NULL;

    if (a->mar)
        code = cli_output_make(a->mar, a->common.force, write_mar, &m, &saved,
                               NULL);
    if (a->mar && !saved)
        return code;
    free(saved);
    if (a->common.json)
        print_json(model, exact, a->top);
    else
        print_text(model, exact, a->top);
    return code;
}

static int run_exact(const void *arguments)
{
    const struct arguments *a = arguments;
    struct watch watch = {.is_quiet = a->common.quiet, .began = time(NULL)};
    hiss_exact_settings settings;
    hiss_error err = {0};
    hiss_exact *exact = NULL;
    hiss_model *model = NULL;
    hiss_status status;
    int code = cli_standard_claim(&a->common, a->mar, ".MAR");

    if (code == CLI_DONE && a->mar)
        code = cli_output_check(a->mar, a->common.force);

    hiss_exact_settings_init(&settings);
    settings.threads = a->common.threads;
    settings.begin = forecast;
    settings.progress = show_progress;
    settings.nearly = a->nearly;
    settings.context = &watch;
    if (code == CLI_DONE)
        code = cli_open_model(&a->common, &model);
    if (code == CLI_DONE) {
        cli_progress_begin(&watch.bar, "counting", a->common.quiet);
        status = hiss_exact_solve(&exact, model, &settings, &err);
        cli_progress_end(&watch.bar);
        code = status == HISS_OK ? print(a, model, exact)
                                 : cli_fail_status(status, &err);
        if (code == CLI_DONE)
            cli_open_note(&a->common, model);
    }
    hiss_exact_destroy(exact);
    hiss_model_destroy(model);
    return code;
}

const cli_command cli_command_exact = {
    .name = "exact",
    .words = "MODEL",
    .least_words = 1,
    .most_words = 1,
    .summary = "log Z, marginals and the most probable states, exactly",
    .about = "Prints log Z, the marginals and the most probable states of "
             "MODEL. Up to about 2^26 states are enumerated. A larger model "
             "that is a sum of small tables (files of factors, sparse Ising "
             "and Potts models) is solved by eliminating one coordinate after "
             "the other, in the cheapest of several orders, if that takes no "
             "more than a quarter of the machine's memory. Tables with zeros "
             "(clauses, colorings, networks with certain rules) are counted "
             "where that is cheaper. A model that is too large for all of "
             "this ends with exit code 3. With --nearly such a model that is a "
             "sum of small tables gets estimates from weighted independent "
             "draws of a tensor network instead, with their errors.",
    .examples = "  hiss exact bernoulli4\n"
                "  hiss exact 'ising(side=12,beta=0.44)' --top 2 --json\n"
                "  hiss exact grid.uai --evidence grid.evid --mar grid.MAR\n"
                "  hiss exact 'ising(side=32,beta=0.44)' --nearly\n",
    .options = options,
    .size = sizeof(struct arguments),
    .run = run_exact,
};
