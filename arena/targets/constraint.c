/* constraint.c - colorings and clauses, hard and soft.
 *
 * colour*  random graph of size[0] nodes and size[1] edges between nodes of
 *          different colors in a hidden coloring, so that one exists; small
 *          random fields on the colors of every node break the symmetry.
 * sat*     size[1] random clauses of three literals in size[0] variables, all
 *          satisfied by a hidden assignment.
 *
 * What is violated is impossible, or costs beta.  Marginals by elimination or
 * enumeration. */
#include <math.h>
#include <stdlib.h>

#include "arena/targets/tables.h"

#define COLOURS 3
#define FIELD   0.3
#define NODES   64

static double cost(const target *t)
{
    return t->beta > 0.0 ? -t->beta : -HUGE_VAL;
}

static void add_edges(tables *m, const target *t, uint64_t *seed)
{
    int hidden[NODES], is_joined[NODES][NODES] = {0}, edges = 0;

    for (int i = 0; i < t->size[0]; i++)
        hidden[i] = family_below(seed, COLOURS);
    while (edges < t->size[1]) {
        int scope[2] = {family_below(seed, t->size[0]),
                        family_below(seed, t->size[0])};
        double *u;

        if (scope[0] >= scope[1] || is_joined[scope[0]][scope[1]]++ ||
            hidden[scope[0]] == hidden[scope[1]])
            continue;
        u = tables_add(m, 2, scope, COLOURS * COLOURS);
        for (int v = 0; v < COLOURS * COLOURS; v++)
            u[v] = v / COLOURS == v % COLOURS ? cost(t) : 0.0;
        edges++;
    }
}

static int coloring(instance *at)
{
    const target *t = at->of;
    uint64_t seed = family_seed(at);
    tables *m = calloc(1, sizeof *m);

    if (m) {
        add_edges(m, t, &seed);
        for (int i = 0; i < t->size[0]; i++) {
            double *u = tables_add(m, 1, &i, COLOURS);

            for (int v = 0; v < COLOURS; v++)
                u[v] = FIELD * family_normal(&seed);
        }
        tables_use(at, m, t->size[0], HISS_CATEGORICAL, COLOURS);
    }
    free(m);
    return at->model && family_labels(at);
}

/* A clause fails at one of the eight states of its variables; not at the
 * hidden one. */
static void add_clause(tables *m, const target *t, const int *hidden,
                       uint64_t *seed)
{
    int scope[3], fails, satisfied = 0;
    double *u;

    do {
        for (int i = 0; i < 3; i++)
            scope[i] = family_below(seed, t->size[0]);
    } while (scope[0] == scope[1] || scope[0] == scope[2] ||
             scope[1] == scope[2]);
    for (int i = 0; i < 3; i++)
        satisfied = 2 * satisfied + hidden[scope[i]];
    do
        fails = family_below(seed, 8);
    while (fails == satisfied);
    u = tables_add(m, 3, scope, 8);
    for (int v = 0; v < 8; v++)
        u[v] = v == fails ? cost(t) : 0.0;
}

static int clauses(instance *at)
{
    const target *t = at->of;
    uint64_t seed = family_seed(at);
    tables *m = calloc(1, sizeof *m);
    int hidden[NODES];

    for (int i = 0; i < t->size[0]; i++)
        hidden[i] = family_below(&seed, 2);
    for (int c = 0; m && c < t->size[1]; c++)
        add_clause(m, t, hidden, &seed);
    if (m)
        tables_use(at, m, t->size[0], HISS_BINARY, 2);
    free(m);
    return at->model && family_marginals(at);
}

static const peer peers_hard[] = {
    {"pt", "pt(base=blocks(table=256),levels=auto)"},
    {"blocks", "blocks(table=16384)"},
    {"jumps", "sequence(blocks(table=256),bridge)"},
    {0},
};

const target targets_constraint[] = {
    {"colour", coloring, .peers = peers_hard, .size = {40, 80},
     .has_tables = 1},
    {"sat", clauses, .peers = peers_hard, .size = {24, 84}, .has_tables = 1},
    {"colour_soft", coloring, .peers = peers_tables, .size = {40, 80},
     .beta = 3, .has_tables = 1},
    {"sat_soft", clauses, .peers = peers_tables, .size = {24, 84}, .beta = 3,
     .has_tables = 1},
    {0},
};
