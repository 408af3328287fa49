/* select.c - `hiss select`: which variables matter.
 *
 * The model is regression(FILE,FORMULA).  Few variables are enumerated, many
 * are sampled.  It shows inclusion probabilities and the best models. */
#include <hiss/hiss.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/answer/answer.h"
#include "cli/answer/tally.h"
#include "cli/commands/commands.h"
#include "cli/plot/figure.h"
#include "cli/print/json.h"
#include "cli/print/table.h"

enum {
    DIGITS = 4,
    MODELS = 10,       /* number listed, unless --top is smaller */
    CHECKED = 1000,    /* variables with an error */
    FIGURE_ROWS = 30,  /* variables in the figure */
    FIGURE_LEFT = 180, /* room for their names */
    FIGURE_WIDTH = 560,
    FIGURE_STEP = 18
};

struct arguments {
    cli_question question;
    const char *prior, *g, *slab, *models, *size, *most, *family;
};

#define AT(field) offsetof(struct arguments, field)

static const cli_option options[] = {
    {"prior", 0, CLI_TEXT, AT(prior), NULL, 0, 0,
     "PRIOR  of coefficients: g, bic or spikeslab"},
    {"g", 0, CLI_TEXT, AT(g), NULL, 0, 0,
     "G  of the g prior; usually the rows"},
    {"slab", 0, CLI_TEXT, AT(slab), NULL, 0, 0,
     "V  variance of the slab, in units of the noise"},
    {"models", 0, CLI_TEXT, AT(models), NULL, 0, 0,
     "PRIOR  of models: betabinomial, binomial or uniform"},
    {"size", 0, CLI_TEXT, AT(size), NULL, 0, 0,
     "N  variables expected before the data; usually half of them"},
    {"most", 0, CLI_TEXT, AT(most), NULL, 0, 0,
     "N  variables in a model at most"},
    {"family", 0, CLI_TEXT, AT(family), NULL, 0, 0,
     "FAMILY  linear or logistic; usually logistic for two values"},
    CLI_QUESTION_OPTIONS,
    {0},
};

/* The inclusion of a variable. */
struct variable {
    int at;
    double inclusion, error, ess, rhat, factor, factor_error;
};

struct model_row {
    double probability, error, log_p;
    double *state; /* owned */
};

struct selection {
    const struct arguments *a;
    cli_answer answer;
    int count;              /* variables */
    struct variable *found; /* owned, by falling inclusion */
    double before;          /* inclusion before the data, NaN if unknown */
    int rows;
    struct model_row *row; /* owned, [rows] */
    int64_t visited;       /* number of different models, 0 for all */
};

/* Returns regression("data.csv","y ~ .",prior=bic); free() it. */
static char *spec_of(const struct arguments *a)
{
    const struct {
        const char *key, *value;
    } given[] = {{"prior", a->prior},   {"g", a->g},       {"slab", a->slab},
                 {"models", a->models}, {"size", a->size}, {"most", a->most},
                 {"family", a->family}};
    char *file = cli_answer_quote(a->question.common.words[0]);
    char *formula = cli_answer_quote(a->question.common.words[1]);
    char *spec = cli_text("regression(%s,%s", file, formula), *whole;

    free(file);
    free(formula);
    for (size_t n = 0; n < sizeof given / sizeof *given; n++) {
        char *value, *longer;

        if (!given[n].value)
            continue;
        value = cli_answer_quote(given[n].value);
        longer = cli_text("%s,%s=%s", spec, given[n].key, value);
        free(value);
        free(spec);
        spec = longer;
    }
    whole = cli_text("%s)", spec);
    free(spec);
    return whole;
}

/* Known if no model is too large, that is, if the full one is possible. */
static double inclusion_before(const struct selection *s)
{
    const char *size = s->a->size;
    double *all = cli_alloc((size_t)s->count, sizeof *all), u = -HUGE_VAL;
    bool is_uniform = s->a->models && strcmp(s->a->models, "uniform") == 0;

    for (int i = 0; i < s->count; i++)
        all[i] = 1.0;
    if (hiss_model_energy(s->answer.model, all, &u, NULL) != HISS_OK)
        u = -HUGE_VAL;
    free(all);
    if (isinf(u))
        return NAN;
    return size && !is_uniform && strcmp(size, "auto") != 0
               ? atof(size) / s->count
               : 0.5;
}

static int by_inclusion(const void *a, const void *b)
{
    const struct variable *s = a, *t = b;

    if (s->inclusion != t->inclusion)
        return s->inclusion < t->inclusion ? 1 : -1;
    return s->at - t->at;
}

/* Computes errors of the variables that matter most. */
static hiss_status find_errors(struct selection *s, hiss_error *err)
{
    int count = s->count < CHECKED ? s->count : CHECKED;
    int *at = cli_alloc((size_t)count, sizeof *at);
    hiss_column *column = cli_alloc((size_t)count, sizeof *column);
    hiss_status status;

    for (int n = 0; n < count; n++)
        at[n] = s->found[n].at;
    column[0].size = sizeof *column;
    status =
        hiss_result_coordinates(s->answer.result, count, at,
                                s->a->question.common.threads, column, err);
    for (int n = 0; status == HISS_OK && n < count; n++) {
        s->found[n].error = column[n].mcse;
        s->found[n].ess = column[n].ess_bulk;
        s->found[n].rhat = column[n].rhat;
    }
    free(at);
    free(column);
    return status;
}

/* Computes how much the data changed the odds of a variable. */
static void find_factor(const struct selection *s, struct variable *v)
{
    double p = v->inclusion, odds = s->before / (1.0 - s->before);

    v->factor = v->factor_error = NAN;
    if (isnan(odds) || p <= 0.0 || p >= 1.0)
        return;
    v->factor = p / (1.0 - p) / odds;
    v->factor_error = v->factor * v->error / (p * (1.0 - p));
}

static hiss_status find_variables(struct selection *s, hiss_error *err)
{
    const cli_answer *y = &s->answer;
    hiss_status status = HISS_OK;

    s->count = hiss_model_dim(y->model);
    s->found = cli_alloc((size_t)s->count, sizeof *s->found);
    s->before = inclusion_before(s);
    for (int i = 0; i < s->count; i++) {
        double p[2];

        if (y->exact)
            p[1] = hiss_exact_marginal(y->exact, i)[1];
        else
            hiss_result_marginal(y->result, i, p);
        s->found[i] = (struct variable){
            i, p[1], y->exact ? 0.0 : (double)NAN, NAN, NAN, NAN, NAN};
    }
    qsort(s->found, (size_t)s->count, sizeof *s->found, by_inclusion);
    if (y->result)
        status = find_errors(s, err);
    for (int n = 0; n < s->count; n++)
        find_factor(s, &s->found[n]);
    return status;
}

static int rows_wanted(const struct selection *s)
{
    int top = s->a->question.top;

    return top < MODELS ? top : MODELS;
}

static void list_exact(struct selection *s)
{
    double probability;

    for (; s->rows < rows_wanted(s); s->rows++) {
        struct model_row *row = &s->row[s->rows];

        row->state = cli_alloc((size_t)s->count, sizeof *row->state);
        if (!hiss_exact_top(s->answer.exact, s->rows, row->state,
                            &probability)) {
            free(row->state);
            return;
        }
        row->probability = probability;
    }
}

static void list_drawn(struct selection *s)
{
    cli_tally tally;

    cli_tally_make(&tally, s->answer.result, false);
    s->visited = tally.kinds;
    for (; s->rows < rows_wanted(s) && s->rows < tally.kinds; s->rows++) {
        struct model_row *row = &s->row[s->rows];

        row->state = cli_alloc((size_t)s->count, sizeof *row->state);
        cli_tally_state(&tally, s->answer.result, s->rows, false, row->state);
        cli_tally_share(&tally, s->rows, &row->probability, &row->error);
    }
    cli_tally_clear(&tally);
}

static void list_models(struct selection *s)
{
    s->row = cli_alloc((size_t)rows_wanted(s), sizeof *s->row);
    if (s->answer.exact)
        list_exact(s);
    else
        list_drawn(s);
    for (int n = 0; n < s->rows; n++)
        if (hiss_model_energy(s->answer.model, s->row[n].state,
                              &s->row[n].log_p, NULL) != HISS_OK)
            s->row[n].log_p = NAN;
}

/* --- printing ------------------------------------------------------------ */

static json_t *names_json(const struct selection *s, const double *state)
{
    json_t *array = cli_json_array();

    for (int i = 0; i < s->count; i++)
        if (state[i] != 0.0) {
            char *name = cli_answer_name(&s->answer, i);

            cli_json_add(array, cli_json_text(name));
            free(name);
        }
    return array;
}

static json_t *variable_json(const struct selection *s,
                             const struct variable *v)
{
    json_t *o = cli_json_object();
    char *name = cli_answer_name(&s->answer, v->at);

    cli_json_put_text(o, "name", name);
    cli_json_put_real(o, "inclusion", v->inclusion);
    cli_json_put_real(o, "error", v->error);
    cli_json_put_real(o, "bayes_factor", v->factor);
    cli_json_put_real(o, "bayes_factor_error", v->factor_error);
    cli_json_put_real(o, "ess", v->ess);
    cli_json_put_real(o, "rhat", v->rhat);
    free(name);
    return o;
}

static void print_json(const struct selection *s)
{
    json_t *o = cli_json_object(), *variables = cli_json_array();
    json_t *models = cli_json_array();

    for (int n = 0; n < s->count; n++)
        cli_json_add(variables, variable_json(s, &s->found[n]));
    for (int n = 0; n < s->rows; n++) {
        const struct model_row *row = &s->row[n];
        json_t *one = cli_json_object();

        cli_json_put(one, "variables", names_json(s, row->state));
        cli_json_put_real(one, "probability", row->probability);
        cli_json_put_real(one, "error", row->error);
        cli_json_put_real(one, "log_p", row->log_p);
        cli_json_put_real(one, "odds_to_first",
                          exp(row->log_p - s->row[0].log_p));
        cli_json_add(models, one);
    }
    cli_answer_put(&s->answer, o);
    cli_json_put_real(o, "prior_inclusion", s->before);
    if (s->visited)
        cli_json_put_whole(o, "models_visited", s->visited);
    cli_json_put(o, "variables", variables);
    cli_json_put(o, "models", models);
    cli_json_print(o);
}

static void print_variables(const struct selection *s)
{
    static const cli_column columns[] = {
        {"variable", true, true, 0}, {"inclusion", false, false, 0},
        {"error", false, false, 1},  {"Bayes factor", false, false, 2},
        {"ESS", false, false, 3},
    };
    int top = s->a->question.top;
    cli_table table;

    cli_table_init(&table, columns, 5);
    for (int n = 0; n < s->count && n < top; n++) {
        const struct variable *v = &s->found[n];
        char *name = cli_answer_name(&s->answer, v->at);

        cli_table_cell(&table, "%s", name);
        cli_table_number(&table, v->inclusion, DIGITS);
        cli_table_number(&table, v->error, DIGITS);
        cli_table_number(&table, v->factor, 2);
        cli_table_number(&table, v->ess, 0);
        free(name);
    }
    putchar('\n');
    cli_table_print(&table, 0);
    cli_table_clear(&table);
    if (s->count > top)
        printf("(%d of %d variables; --top N shows more)\n", top, s->count);
}

/* Returns "age, tax"; free() it. */
static char *names_text(const struct selection *s, const double *state)
{
    char *text = cli_text("%s", "");

    for (int i = 0; i < s->count; i++)
        if (state[i] != 0.0) {
            char *name = cli_answer_name(&s->answer, i), *longer;

            longer = cli_text("%s%s%s", text, *text ? ", " : "", name);
            free(name);
            free(text);
            text = longer;
        }
    if (!*text) {
        free(text);
        return cli_text("(none)");
    }
    return text;
}

static void print_models(const struct selection *s)
{
    static const cli_column columns[] = {
        {"model", false, false, 0},   {"probability", false, false, 0},
        {"error", false, false, 1},   {"log p", false, false, 2},
        {"variables", true, true, 0},
    };
    cli_table table;

    cli_table_init(&table, columns, 5);
    for (int n = 0; n < s->rows; n++) {
        char *names = names_text(s, s->row[n].state);

        cli_table_cell(&table, "%d", n + 1);
        cli_table_number(&table, s->row[n].probability, DIGITS);
        cli_table_number(&table, s->row[n].error, DIGITS);
        cli_table_number(&table, s->row[n].log_p, 3);
        cli_table_cell(&table, "%s", names);
        free(names);
    }
    putchar('\n');
    cli_table_print(&table, 0);
    cli_table_clear(&table);
    if (s->visited)
        printf("(%lld models visited)\n", (long long)s->visited);
}

/* Draws bars of inclusion. */
static int draw_figure(const struct selection *s)
{
    int rows = s->count < FIGURE_ROWS ? s->count : FIGURE_ROWS;
    double width = FIGURE_WIDTH - FIGURE_LEFT - 60.0;
    cli_figure f;

    cli_figure_begin(&f, s->a->question.figure, FIGURE_WIDTH,
                     40 + FIGURE_STEP * rows, "Inclusion probability");
    for (int n = 0; n < rows; n++) {
        const struct variable *v = &s->found[n];
        double y = 32.0 + FIGURE_STEP * n, end;
        char *name = cli_answer_name(&s->answer, v->at);
        char *value = cli_text("%.3f", v->inclusion);

        end = FIGURE_LEFT + width * v->inclusion;
        cli_figure_text(&f, FIGURE_LEFT - 6, y + 11, "end", name);
        cli_figure_box(&f, FIGURE_LEFT, y, width * v->inclusion, 13, 0.8);
        if (v->error > 0.0)
            cli_figure_line(&f, end - 2.0 * width * v->error, y + 6.5,
                            end + 2.0 * width * v->error, y + 6.5);
        cli_figure_text(&f, FIGURE_LEFT + width + 8, y + 11, "start", value);
        free(name);
        free(value);
    }
    cli_figure_line(&f, FIGURE_LEFT, 28, FIGURE_LEFT,
                    32.0 + FIGURE_STEP * rows);
    return cli_figure_end(&f, s->a->question.common.force);
}

static int show(struct selection *s)
{
    int code = CLI_DONE;

    if (s->a->question.figure)
        code = draw_figure(s);
    if (s->a->question.common.json) {
        print_json(s);
        return code;
    }
    printf("model     %s\n", hiss_model_name(s->answer.model));
    cli_answer_print_method(&s->answer);
    print_variables(s);
    print_models(s);
    cli_answer_print_verdict(&s->answer);
    return code;
}

static int run_select(const void *arguments)
{
    struct selection s = {.a = arguments};
    hiss_error err = {0};
    char *spec = spec_of(s.a);
    int code = cli_answer_make(&s.answer, &s.a->question, spec, true);

    if (code == CLI_DONE) {
        hiss_status status = find_variables(&s, &err);

        list_models(&s);
        code = status == HISS_OK ? show(&s) : cli_fail_status(status, &err);
    }
    for (int n = 0; n < s.rows; n++)
        free(s.row[n].state);
    free(s.row);
    free(s.found);
    free(spec);
    cli_answer_clear(&s.answer);
    return code;
}

const cli_command cli_command_select = {
    .name = "select",
    .words = "FILE FORMULA",
    .least_words = 2,
    .most_words = 2,
    .summary = "which variables of a CSV file explain another",
    .about = "Prints how probable it is that each variable belongs to the "
             "linear model of the response, and the most probable models. "
             "FORMULA is as in R: 'y ~ .' for all other columns, 'y ~ a + b', "
             "'y ~ .^2' with all pairs. Few variables are enumerated, many are "
             "sampled and the draws judged. The exit code is 0 whatever the "
             "verdict.",
    .examples = "  hiss select data.csv 'y ~ .'\n"
                "  hiss select data.csv 'y ~ . - id' --prior bic --json\n"
                "  hiss select data.csv 'y ~ a*b + c' --figure inclusion.svg\n",
    .options = options,
    .size = sizeof(struct arguments),
    .run = run_select,
};
