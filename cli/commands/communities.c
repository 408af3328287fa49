/* communities.c - `hiss communities`: how a graph divides into groups.
 *
 * The model is sbm(FILE); divisions are compared up to the names of groups.  It
 * shows the best divisions, the number of groups, and which nodes are in the
 * same group. */
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
#include "cli/print/terminal.h"

enum {
    DIGITS = 4,
    PARTITIONS = 5,        /* number listed, unless --top is smaller */
    TOGETHER_NODES = 1000, /* for more nodes there is no matrix */
    GROUPS_MAX = 256
};

struct arguments {
    cli_question question;
    const char *groups, *most;
    bool corrected;
};

#define AT(field) offsetof(struct arguments, field)

static const cli_option options[] = {
    {"groups", 0, CLI_TEXT, AT(groups), NULL, 0, 0,
     "K  how many groups; usually auto, as many as the graph supports"},
    {"most", 0, CLI_TEXT, AT(most), NULL, 0, 0,
     "K  groups at most, where their number is found"},
    {"corrected", 0, CLI_FLAG, AT(corrected), NULL, 0, 0,
     "degree-corrected: nodes of a group may have very different degrees"},
    CLI_QUESTION_OPTIONS,
    {0},
};

struct partition {
    double probability, error, log_p;
    int groups;
    double *label; /* owned, [nodes], from 0 in the order of first nodes */
};

struct communities {
    const struct arguments *a;
    cli_answer answer;
    int nodes, rows;
    struct partition *row;        /* owned, [rows] */
    int64_t visited;              /* number of different partitions */
    double share[GROUPS_MAX + 1]; /* share of draws by number of groups */
    double error[GROUPS_MAX + 1];
    double *together; /* owned, [nodes * nodes], or NULL */
    double rhat;      /* the larger one of the number of groups and log p */
};

static char *spec_of(const struct arguments *a)
{
    char *file = cli_answer_quote(a->question.common.words[0]);
    char *groups = cli_answer_quote(a->groups ? a->groups : "auto");
    char *most = cli_answer_quote(a->most ? a->most : "0");
    char *spec = cli_text("sbm(%s,groups=%s,most=%s,corrected=%s)", file,
                          groups, most, a->corrected ? "yes" : "no");

    free(file);
    free(groups);
    free(most);
    return spec;
}

static int groups_of(const double *label, int nodes)
{
    int most = 0;

    for (int i = 0; i < nodes; i++)
        most = (int)label[i] > most ? (int)label[i] : most;
    return most + 1;
}

/* ln of the number of namings of a partition: labels in any order. */
static double log_namings(const struct communities *s, int groups)
{
    int labels = hiss_model_states(s->answer.model, 0);
    double sum = 0.0;

    for (int g = 0; g < groups; g++)
        sum += log(labels - g);
    return sum;
}

static void list_partitions(struct communities *s, const cli_tally *tally)
{
    int wanted =
        s->a->question.top < PARTITIONS ? s->a->question.top : PARTITIONS;

    s->row = cli_alloc((size_t)wanted, sizeof *s->row);
    for (; s->rows < wanted && s->rows < tally->kinds; s->rows++) {
        struct partition *row = &s->row[s->rows];

        row->label = cli_alloc((size_t)s->nodes, sizeof *row->label);
        cli_tally_state(tally, s->answer.result, s->rows, true, row->label);
        cli_tally_share(tally, s->rows, &row->probability, &row->error);
        row->groups = groups_of(row->label, s->nodes);
        if (hiss_model_energy(s->answer.model, row->label, &row->log_p, NULL) !=
            HISS_OK)
            row->log_p = NAN;
        row->log_p += log_namings(s, row->groups);
    }
}

/* Adds the pairs of nodes in the same group, `times` times. */
static void add_together(struct communities *s, const double *label,
                         double times)
{
    for (int i = 0; i < s->nodes; i++)
        for (int j = 0; j < s->nodes; j++)
            s->together[(size_t)i * (size_t)s->nodes + (size_t)j] +=
                label[i] == label[j] ? times : 0.0;
}

/* Adds pairs and the number of groups of every partition. */
static void count_kinds(struct communities *s, const cli_tally *tally,
                        int *groups)
{
    double draws = (double)tally->chains * (double)tally->samples;
    double *label = cli_alloc((size_t)s->nodes, sizeof *label);

    if (s->nodes <= TOGETHER_NODES)
        s->together =
            cli_alloc((size_t)s->nodes * (size_t)s->nodes, sizeof *s->together);
    for (int64_t k = 0; k < tally->kinds; k++) {
        cli_tally_state(tally, s->answer.result, k, true, label);
        groups[k] = groups_of(label, s->nodes);
        s->share[groups[k]] += (double)tally->count[k] / draws;
        if (s->together)
            add_together(s, label, (double)tally->count[k] / draws);
    }
    free(label);
}

/* Computes errors of the number of groups, and whether chains agree on it. */
static void find_errors(struct communities *s, const cli_tally *tally,
                        const int *groups)
{
    int64_t draws = tally->chains * tally->samples;
    double *is_it = cli_alloc((size_t)draws, sizeof *is_it);
    hiss_column column = HISS_INIT(hiss_column);

    for (int g = 1; g <= GROUPS_MAX; g++) {
        if (s->share[g] == 0.0)
            continue;
        for (int64_t n = 0; n < draws; n++)
            is_it[n] = groups[tally->kind[n]] == g;
        if (hiss_describe(is_it, tally->chains, tally->samples, &column,
                          NULL) == HISS_OK)
            s->error[g] = column.mcse;
    }
    for (int64_t n = 0; n < draws; n++)
        is_it[n] = groups[tally->kind[n]];
    s->rhat = NAN;
    if (hiss_describe(is_it, tally->chains, tally->samples, &column, NULL) ==
        HISS_OK)
        s->rhat = column.rhat;
    if (hiss_result_energy(s->answer.result, &column, NULL) == HISS_OK)
        s->rhat = fmax(s->rhat, column.rhat);
    free(is_it);
}

static void find(struct communities *s)
{
    cli_tally tally;
    int *groups;

    s->nodes = hiss_model_dim(s->answer.model);
    cli_tally_make(&tally, s->answer.result, true);
    groups = cli_alloc((size_t)tally.kinds, sizeof *groups);
    s->visited = tally.kinds;
    list_partitions(s, &tally);
    count_kinds(s, &tally, groups);
    find_errors(s, &tally, groups);
    free(groups);
    cli_tally_clear(&tally);
}

/* --- printing ------------------------------------------------------------ */

/* Lists the names of each group's nodes. */
static json_t *groups_json(const struct communities *s,
                           const struct partition *row)
{
    json_t *array = cli_json_array();

    for (int g = 0; g < row->groups; g++) {
        json_t *group = cli_json_array();

        for (int i = 0; i < s->nodes; i++)
            if ((int)row->label[i] == g) {
                char *name = cli_answer_name(&s->answer, i);

                cli_json_add(group, cli_json_text(name));
                free(name);
            }
        cli_json_add(array, group);
    }
    return array;
}

static json_t *partition_json(const struct communities *s,
                              const struct partition *row)
{
    json_t *o = cli_json_object(), *labels = cli_json_array();

    for (int i = 0; i < s->nodes; i++)
        cli_json_add(labels, cli_json_number(row->label[i]));
    cli_json_put_real(o, "probability", row->probability);
    cli_json_put_real(o, "error", row->error);
    cli_json_put_real(o, "log_p", row->log_p);
    cli_json_put(o, "groups", groups_json(s, row));
    cli_json_put(o, "labels", labels);
    return o;
}

static json_t *together_json(const struct communities *s)
{
    json_t *array = cli_json_array();

    for (int i = 0; s->together && i < s->nodes; i++) {
        json_t *row = cli_json_array();

        for (int j = 0; j < s->nodes; j++)
            cli_json_add(
                row,
                cli_json_real(
                    s->together[(size_t)i * (size_t)s->nodes + (size_t)j]));
        cli_json_add(array, row);
    }
    return array;
}

static void print_json(const struct communities *s)
{
    json_t *o = cli_json_object(), *nodes = cli_json_array();
    json_t *counts = cli_json_array(), *partitions = cli_json_array();

    for (int i = 0; i < s->nodes; i++) {
        char *name = cli_answer_name(&s->answer, i);

        cli_json_add(nodes, cli_json_text(name));
        free(name);
    }
    for (int g = 1; g <= GROUPS_MAX; g++)
        if (s->share[g] > 0.0) {
            json_t *one = cli_json_object();

            cli_json_put_whole(one, "groups", g);
            cli_json_put_real(one, "probability", s->share[g]);
            cli_json_put_real(one, "error", s->error[g]);
            cli_json_add(counts, one);
        }
    for (int n = 0; n < s->rows; n++)
        cli_json_add(partitions, partition_json(s, &s->row[n]));
    cli_answer_put(&s->answer, o);
    cli_json_put_whole(o, "partitions_visited", s->visited);
    cli_json_put_real(o, "rhat", s->rhat);
    cli_json_put(o, "nodes", nodes);
    cli_json_put(o, "group_counts", counts);
    cli_json_put(o, "partitions", partitions);
    cli_json_put(o, "co_membership", together_json(s));
    cli_json_print(o);
}

static void print_counts(const struct communities *s)
{
    static const cli_column columns[] = {
        {"groups", false, false, 0},
        {"probability", false, false, 0},
        {"error", false, false, 1},
    };
    cli_table table;

    cli_table_init(&table, columns, 3);
    for (int g = 1; g <= GROUPS_MAX; g++) {
        if (s->share[g] == 0.0)
            continue;
        cli_table_cell(&table, "%d", g);
        cli_table_number(&table, s->share[g], DIGITS);
        cli_table_number(&table, s->error[g], DIGITS);
    }
    putchar('\n');
    cli_table_print(&table, 0);
    cli_table_clear(&table);
}

static void print_partitions(const struct communities *s)
{
    static const cli_column columns[] = {
        {"partition", false, false, 0}, {"probability", false, false, 0},
        {"error", false, false, 1},     {"log p", false, false, 2},
        {"groups", false, false, 0},
    };
    cli_table table;

    cli_table_init(&table, columns, 5);
    for (int n = 0; n < s->rows; n++) {
        cli_table_cell(&table, "%d", n + 1);
        cli_table_number(&table, s->row[n].probability, DIGITS);
        cli_table_number(&table, s->row[n].error, DIGITS);
        cli_table_number(&table, s->row[n].log_p, 3);
        cli_table_cell(&table, "%d", s->row[n].groups);
    }
    putchar('\n');
    cli_table_print(&table, 0);
    cli_table_clear(&table);
    printf("(%lld partitions visited)\n", (long long)s->visited);
}

/* Probability that a node is with the others of its group; NaN if it is
 * alone. */
static double surety(const struct communities *s, int node)
{
    const double *label = s->row[0].label;
    double sum = 0.0;
    int others = 0;

    for (int j = 0; s->together && j < s->nodes; j++)
        if (j != node && label[j] == label[node]) {
            sum += s->together[(size_t)node * (size_t)s->nodes + (size_t)j];
            others++;
        }
    return others ? sum / others : (double)NAN;
}

/* Prints the groups of the first partition, each node with its certainty. */
static void print_groups(const struct communities *s)
{
    int limit = cli_terminal_table_width();

    printf("\ngroups of partition 1; in brackets, how surely a node is with "
           "the others\n");
    for (int g = 0; g < s->row[0].groups; g++) {
        char *text = cli_text("%s", "");
        int at;

        for (int i = 0; i < s->nodes; i++) {
            double with = surety(s, i);
            char *name, *longer;

            if ((int)s->row[0].label[i] != g)
                continue;
            name = cli_answer_name(&s->answer, i);
            longer = isnan(with)
                         ? cli_text("%s%s%s", text, *text ? ", " : "", name)
                         : cli_text("%s%s%s (%.2f)", text, *text ? ", " : "",
                                    name, with);
            free(name);
            free(text);
            text = longer;
        }
        at = printf("%5d  ", g + 1);
        cli_terminal_wrap(stdout, text, at, at, limit ? limit : 1 << 20);
        free(text);
    }
}

/* Draws the matrix of common groups, in the order of the first partition. */
static int draw_figure(const struct communities *s)
{
    int *order, count = 0, names = s->nodes <= 60 ? 110 : 10, cell;
    cli_figure f;
    int code;

    if (!s->together)
        return cli_fail(CLI_BAD_CALL,
                        "--figure: %d nodes are too many for a figure, at most "
                        "%d",
                        s->nodes, TOGETHER_NODES);
    order = cli_alloc((size_t)s->nodes, sizeof *order);
    for (int g = 0; g < s->row[0].groups; g++)
        for (int i = 0; i < s->nodes; i++)
            if ((int)s->row[0].label[i] == g)
                order[count++] = i;
    cell = s->nodes <= 60 ? 14 : s->nodes <= 200 ? 5 : 2;
    cli_figure_begin(
        &f, s->a->question.figure,
        names + cell * s->nodes + 10 < 240 ? 240 : names + cell * s->nodes + 10,
        40 + cell * s->nodes, "Probability of the same group");
    for (int a = 0; a < s->nodes; a++) {
        double y = 30.0 + cell * a;

        if (names > 10) {
            char *name = cli_answer_name(&s->answer, order[a]);

            cli_figure_text(&f, names - 6, y + 11, "end", name);
            free(name);
        }
        for (int b = 0; b < s->nodes; b++) {
            double p = s->together[(size_t)order[a] * (size_t)s->nodes +
                                   (size_t)order[b]];

            if (p >= 0.01)
                cli_figure_box(&f, names + cell * b, y, cell, cell, p);
        }
    }
    free(order);
    code = cli_figure_end(&f, s->a->question.common.force);
    return code;
}

static int show(const struct communities *s)
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
    print_counts(s);
    print_partitions(s);
    print_groups(s);
    cli_answer_print_verdict(&s->answer);
    return code;
}

static int run_communities(const void *arguments)
{
    struct communities s = {.a = arguments};
    char *spec = spec_of(s.a);
    int code = cli_answer_make(&s.answer, &s.a->question, spec, false);

    if (code == CLI_DONE) {
        find(&s);
        code = show(&s);
    }
    for (int n = 0; n < s.rows; n++)
        free(s.row[n].label);
    free(s.row);
    free(s.together);
    free(spec);
    cli_answer_clear(&s.answer);
    return code;
}

const cli_command cli_command_communities = {
    .name = "communities",
    .words = "GRAPH",
    .least_words = 1,
    .most_words = 1,
    .summary = "how a graph divides into groups",
    .about = "Prints how probable each number of groups is, the most probable "
             "divisions of the graph into groups, and how surely each node "
             "belongs with the others of its group. GRAPH is a GML, GraphML or "
             "edge list file. Divisions that differ only in the names of their "
             "groups are one. The exit code is 0 whatever the verdict.",
    .examples = "  hiss communities graph.gml\n"
                "  hiss communities graph.gml --groups 2 --json\n"
                "  hiss communities graph.gml --corrected --figure who.svg\n",
    .options = options,
    .size = sizeof(struct arguments),
    .run = run_communities,
};
