/* dimacs.c - graphs of the DIMACS challenges, and tasks on them.
 *
 *     c a comment
 *     p edge n m     or `p col`
 *     n v w          the weight of vertex v, 1 where it is missing
 *     e u v          an edge, vertices from 1
 *
 * task=independent_set   x_v = 1: v is in the set; U = its weight
 * task=clique            the same in the complement of the graph
 * task=coloring          x_v: the color of v, of `colors`; U = -(number of
 *                        edges whose ends agree)
 * form=penalty           an edge that is violated costs `penalty`: times the
 *                        lighter end's weight for sets, itself for colorings
 * form=constraint        an edge that is violated is impossible
 *
 * Files give edges in both directions or in one; both mean the same. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "base/caret.h"
#include "format/format.h"
#include "format/parts/lines.h"
#include "format/parts/sniff.h"
#include "format/problem/terms.h"

enum {
    INDEPENDENT_SET,
    CLIQUE,
    COLORING
};
enum {
    PENALTY,
    CONSTRAINT
};

#define COMPLEMENT_MAX (INT64_C(1) << 28) /* pairs */
#define TABLES_MAX     (INT64_C(1) << 28) /* entries of all tables */

struct dimacs_options {
    int task, form, colors;
    double penalty;
};

#define AT(field) offsetof(struct dimacs_options, field)
static const hs_option dimacs_options[] = {
    {"task", HS_CHOICE, AT(task), NULL, "independent_set|clique|coloring",
     "as in --format 'dimacs(task=clique)'"},
    {"form", HS_CHOICE, AT(form), "penalty", "penalty|constraint",
     "a violated edge costs, or is impossible"},
    {"colors", HS_INTEGER, AT(colors), "0", "[0,32767]",
     "their number, for task=coloring"},
    {"penalty", HS_REAL, AT(penalty), "2", "(0,1e30]",
     "what a violated edge costs"},
    {0},
};

struct graph {
    int dim;
    hs_terms edges;  /* each edge once, when all are read */
    double *weight;  /* owned, [dim] */
    int64_t doubled; /* edges given more than once */
};

static int dimacs_sniff(const char *head, size_t length)
{
    hs_span line = hs_sniff_line(head, length, "c", 0);
    hs_span word = hs_sniff_word(line, 1);

    return hs_sniff_is(hs_sniff_word(line, 0), "p") &&
                   (hs_sniff_is(word, "edge") || hs_sniff_is(word, "col") ||
                    hs_sniff_is(word, "edges"))
               ? 100
               : 0;
}

/* p edge n m */
static hiss_status read_sizes(hs_reader *in, struct graph *g, int64_t *edges,
                              hiss_error *err)
{
    char quote[HS_QUOTE_MAX];
    const char *word;

    HS_TRY(hs_reader_word(in, &word, err));
    if (strcmp(word, "p") != 0)
        return hs_reader_fail(in, NULL, err,
                              "found '%s', expected the line 'p edge vertices "
                              "edges'",
                              hs_quote(quote, word, strlen(word)));
    HS_TRY(hs_lines_within(in, "edge or col", err));
    HS_TRY(hs_reader_word(in, &word, err));
    if (strcmp(word, "edge") != 0 && strcmp(word, "edges") != 0 &&
        strcmp(word, "col") != 0)
        return hs_reader_fail(in, NULL, err, "found '%s', expected edge or col",
                              hs_quote(quote, word, strlen(word)));
    HS_TRY(hs_lines_within(in, "the number of vertices", err));
    HS_TRY(hs_terms_read_dim(in, &g->dim, err));
    HS_TRY(hs_lines_within(in, "the number of edges", err));
    HS_TRY(hs_reader_count(in, 0, INT64_MAX, 3, edges, err));
    HS_TRY(hs_lines_end(in, err));
    g->weight = hs_alloc_array((size_t)g->dim, sizeof *g->weight);
    if (!g->weight)
        return hs_fail_memory(err);
    for (int v = 0; v < g->dim; v++)
        g->weight[v] = 1.0;
    return HISS_OK;
}

static hiss_status read_edge(hs_reader *in, struct graph *g, hiss_error *err)
{
    int u, v;

    HS_TRY(hs_lines_within(in, "a vertex", err));
    HS_TRY(hs_reader_int(in, 1, g->dim, &u, err));
    HS_TRY(hs_lines_within(in, "a second vertex", err));
    HS_TRY(hs_reader_int(in, 1, g->dim, &v, err));
    if (u == v)
        return hs_reader_fail(in, NULL, err, "an edge of vertex %d with itself",
                              u);
    return hs_terms_add(&g->edges, u - 1, v - 1, 1.0, err);
}

static hiss_status read_weight(hs_reader *in, struct graph *g, hiss_error *err)
{
    double weight;
    int v;

    HS_TRY(hs_lines_within(in, "a vertex", err));
    HS_TRY(hs_reader_int(in, 1, g->dim, &v, err));
    HS_TRY(hs_lines_within(in, "a weight", err));
    HS_TRY(hs_reader_real(in, 0.0, HS_WEIGHT_MAX, &weight, err));
    g->weight[v - 1] = weight;
    return HISS_OK;
}

/* Ignores other lines (d, v, x: geometry). */
static hiss_status read_line(hs_reader *in, struct graph *g, hiss_error *err)
{
    char quote[HS_QUOTE_MAX];
    const char *word;

    HS_TRY(hs_reader_word(in, &word, err));
    if (strcmp(word, "e") == 0 || strcmp(word, "a") == 0)
        HS_TRY(read_edge(in, g, err));
    else if (strcmp(word, "n") == 0)
        HS_TRY(read_weight(in, g, err));
    else if (strcmp(word, "d") == 0 || strcmp(word, "v") == 0 ||
             strcmp(word, "x") == 0)
        return hs_reader_line(in, &word, err);
    else
        return hs_reader_fail(in, NULL, err, "found '%s', expected e or n",
                              hs_quote(quote, word, strlen(word)));
    return hs_lines_end(in, err);
}

static hiss_status read_graph(hs_reader *in, struct graph *g, hiss_error *err)
{
    hs_problem sorted = {0};
    int64_t announced, given;

    hs_reader_comments(in, "c", NULL);
    HS_TRY(read_sizes(in, g, &announced, err));
    while (!hs_reader_at_end(in))
        HS_TRY(read_line(in, g, err));
    given = g->edges.count;
    /* edges in both directions are announced once or twice */
    if (given != announced && given != 2 * announced)
        return hs_reader_fail(in, NULL, err,
                              "the file ends after %lld edges, %lld were "
                              "announced",
                              (long long)given, (long long)announced);
    HS_TRY(hs_terms_finish(&g->edges, &sorted, g->dim, 1, err));
    g->edges = (hs_terms){sorted.quadratic.pairs, sorted.quadratic.pairs,
                          sorted.quadratic.row, sorted.quadratic.column,
                          sorted.quadratic.value};
    g->doubled = given - g->edges.count;
    sorted.quadratic =
        (hs_quadratic_problem){.linear = sorted.quadratic.linear};
    hs_problem_clear(&sorted);
    return HISS_OK;
}

static void graph_clear(struct graph *g)
{
    hs_entries_clear(&g->edges);
    hs_free(g->weight);
}

/* Lists the pairs that are not edges. */
static hiss_status complement(struct graph *g, hiss_error *err)
{
    int64_t pairs = (int64_t)g->dim * (g->dim - 1) / 2 - g->edges.count, at = 0;
    hs_terms other = {0};
    hiss_status rc;

    if (pairs > COMPLEMENT_MAX || pairs > 64 * g->edges.count + (1 << 22))
        return hs_fail(err, HISS_ELIMIT,
                       "the graph has %lld pairs of vertices without an edge, "
                       "too many for its cliques",
                       (long long)pairs);
    rc = hs_entries_reserve(&other, pairs, err);
    for (int u = 0; u < g->dim && rc == HISS_OK; u++)
        for (int v = u + 1; v < g->dim && rc == HISS_OK; v++) {
            if (at < g->edges.count && g->edges.row[at] == u &&
                g->edges.column[at] == v)
                at++;
            else
                rc = hs_terms_add(&other, u, v, 1.0, err);
        }
    hs_entries_clear(&g->edges);
    g->edges = other;
    return rc;
}

/* U = weight of the set - penalty of violated edges */
static hiss_status set_quadratic(struct graph *g, double penalty,
                                 hs_problem *out, hiss_error *err)
{
    hs_terms *t = &g->edges;

    for (int64_t e = 0; e < t->count; e++)
        t->value[e] =
            -penalty * fmin(g->weight[t->row[e]], g->weight[t->column[e]]);
    HS_TRY(hs_terms_finish(t, out, g->dim, 1, err));
    memcpy(out->quadratic.linear, g->weight,
           (size_t)g->dim * sizeof *g->weight);
    out->quadratic.kind = HISS_BINARY;
    out->quadratic.maximize = true;
    return HISS_OK;
}

/* Adds the same table for every edge: `cost` if both ends are equal to `first`
 * or a later state and agree. */
static hiss_status add_edges(const struct graph *g, hs_factors *f, int states,
                             int first, double cost, hiss_error *err)
{
    int64_t size = (int64_t)states * states;

    if (size * g->edges.count > TABLES_MAX)
        return hs_fail(err, HISS_ELIMIT,
                       "%lld edges of %d x %d states are too many tables",
                       (long long)g->edges.count, states, states);
    HS_TRY(hs_factors_reserve(
        f, f->count + g->edges.count, f->count + 2 * g->edges.count,
        f->table_at[f->count] + size * g->edges.count, err));
    for (int64_t e = 0; e < g->edges.count; e++) {
        int scope[2] = {g->edges.row[e], g->edges.column[e]};
        double *table;

        HS_TRY(hs_factors_add(f, 2, scope, NULL, &table, err));
        for (int k = first; k < states; k++)
            table[k * states + k] = cost;
    }
    return HISS_OK;
}

static hiss_status make_factors(const struct graph *g,
                                const struct dimacs_options *o, hs_problem *out,
                                hiss_error *err)
{
    bool is_set = o->task != COLORING;
    int count = is_set ? 2 : o->colors;
    double cost = o->form == CONSTRAINT ? -HUGE_VAL : -o->penalty;
    int *states = hs_alloc_array((size_t)g->dim, sizeof *states);
    hiss_status rc;

    if (!states)
        return hs_fail_memory(err);
    for (int v = 0; v < g->dim; v++)
        states[v] = count;
    out->shape = HS_FACTORS;
    out->dim = g->dim;
    rc = hs_factors_init(&out->factors, g->dim, states, err);
    hs_free(states);
    for (int v = 0; is_set && v < g->dim && rc == HISS_OK; v++) {
        double table[2] = {0.0, g->weight[v]};

        rc = hs_factors_add(&out->factors, 1, &v, table, NULL, err);
    }
    if (rc == HISS_OK)
        rc = add_edges(g, &out->factors, count, is_set ? 1 : 0, cost, err);
    return rc;
}

static hiss_status say(const struct graph *g, const struct dimacs_options *o,
                       hs_problem *out, hiss_error *err)
{
    static const char *const tasks[] = {"independent set", "clique",
                                        "coloring"};
    const char *gain =
        o->task == COLORING ? "0" : "weight of the vertices taken";

    out->objective = o->task == COLORING ? "conflicts"
                     : o->task == CLIQUE ? "clique weight"
                                         : "independent set weight";
    out->scale = o->task == COLORING ? -1.0 / o->penalty : 1.0;
    if (o->form == CONSTRAINT)
        HS_TRY(hs_problem_assume(
            out, err, "%s: log p = %s; violated edges are impossible",
            tasks[o->task], gain));
    else
        HS_TRY(hs_problem_assume(
            out, err, "%s: log p = %s; a violated edge costs %g%s",
            tasks[o->task], gain, o->penalty,
            o->task == COLORING ? "" : " times the lighter end's weight"));
    if (g->doubled > 0)
        return hs_problem_remark(out, err,
                                 "%lld edges were given more than once",
                                 (long long)g->doubled);
    return HISS_OK;
}

static hiss_status dimacs_read(hs_problem *out, hs_reader *in,
                               const void *options, hiss_error *err)
{
    const struct dimacs_options *o = options;
    struct graph g = {0};
    hiss_status rc;

    if (o->task == COLORING && o->colors < 2)
        return hs_fail(err, HISS_EARG,
                       "format dimacs: task=coloring needs colors=2 or more");
    rc = read_graph(in, &g, err);
    if (rc == HISS_OK)
        rc = say(&g, o, out, err);
    if (rc == HISS_OK && o->task == CLIQUE)
        rc = complement(&g, err);
    if (rc == HISS_OK && o->task != COLORING && o->form == PENALTY)
        rc = set_quadratic(&g, o->penalty, out, err);
    else if (rc == HISS_OK)
        rc = make_factors(&g, o, out, err);
    graph_clear(&g);
    return rc;
}

static const char *const dimacs_tested[] = {
    "DIMACS myciel3.col (chromatic number 4)",
    NULL,
};

const hs_format hs_format_dimacs = {
    .name = "dimacs",
    .title = "DIMACS graph",
    .summary = "DIMACS graphs: independent sets, cliques, colorings",
    .suffixes = "clq col mis dimacs",
    .options = dimacs_options,
    .size = sizeof(struct dimacs_options),
    .sniff = dimacs_sniff,
    .read = dimacs_read,
    .tested = dimacs_tested,
};
