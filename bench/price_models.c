/* price_models.c - a few sizes and degrees of every family of models. */
#include "price_models.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"

enum {
    SIGNED,  /* couplings J and -J */
    SIXTEEN, /* whole sixteenths: sums of floats are exact */
    WIDE     /* thirds of large numbers, which want double */
};

static uint64_t state;

static double uniform(void)
{
    return (bench_draw(&state) + 0.5) / 2147483648.0;
}

static int below(int n)
{
    return (int)(uniform() * n);
}

static double coupling(int kind)
{
    double sign = uniform() < 0.5 ? -1.0 : 1.0;

    if (kind == SIGNED)
        return 0.5 * sign;
    if (kind == SIXTEEN)
        return sign * (1 + below(12)) / 16.0;
    return sign * (10.0 + uniform() / 3.0);
}

static hiss_status from_spec(hiss_model **out, const price_model *of,
                             hiss_error *err)
{
    return hiss_model_create(out, of->spec, err);
}

/* Sizes are called a, b, c and d here.  a sites in a random order on a ring,
 * each bound to the b / 2 that follow by couplings of kind c; d percent of the
 * bonds are missing. */
static hiss_status graph(hiss_model **out, const price_model *of,
                         hiss_error *err)
{
    int dim = of->size[0], entries = 0, *at = malloc(sizeof *at * (size_t)dim);
    int room = dim * of->size[1];
    int *row = malloc(sizeof *row * (size_t)room);
    int *column = malloc(sizeof *column * (size_t)room);
    double *value = malloc(sizeof *value * (size_t)room);
    hiss_status rc;

    for (int i = 0; i < dim; i++) {
        int j = below(i + 1);

        at[i] = at[j];
        at[j] = i;
    }
    for (int i = 0; i < dim; i++)
        for (int k = 1; k <= of->size[1] / 2; k++)
            if (uniform() * 100.0 >= of->size[3]) {
                row[entries] = at[i];
                column[entries] = at[(i + k) % dim];
                value[entries++] = coupling(of->size[2]);
            }
    rc = hiss_model_ising_sparse(out, dim, entries, row, column, value, NULL,
                                 err);
    free(at);
    free(row);
    free(column);
    free(value);
    return rc;
}

/* All pairs of a spins; b: of which kind. */
static hiss_status dense(hiss_model **out, const price_model *of,
                         hiss_error *err)
{
    size_t dim = (size_t)of->size[0];
    double *j = calloc(dim * dim, sizeof *j);
    double scale = of->size[1] == WIDE ? 1.0 : 1.0 / sqrt((double)dim);
    hiss_status rc;

    for (size_t i = 0; i < dim; i++)
        for (size_t k = 0; k < i; k++)
            j[i * dim + k] = j[k * dim + i] = scale * coupling(of->size[1]);
    rc = hiss_model_ising(out, of->size[0], j, NULL, err);
    free(j);
    return rc;
}

/* a coordinates of d states, b tables over c of them each. */
static hiss_status tables(hiss_model **out, const price_model *of,
                          hiss_error *err)
{
    int entries = 1, *scope, *size;
    hiss_domain domain = {.size = sizeof domain, .dim = of->size[0]};
    hiss_kind *kind = malloc(sizeof *kind * (size_t)of->size[0]);
    int *states = malloc(sizeof *states * (size_t)of->size[0]);
    double *table;
    hiss_status rc;

    for (int k = 0; k < of->size[2]; k++)
        entries *= of->size[3];
    for (int i = 0; i < of->size[0]; i++) {
        kind[i] = of->size[3] == 2 ? HISS_BINARY : HISS_CATEGORICAL;
        states[i] = of->size[3];
    }
    domain.kind = kind;
    domain.states = states;
    scope = malloc(sizeof *scope * (size_t)(of->size[1] * of->size[2]));
    size = malloc(sizeof *size * (size_t)of->size[1]);
    table = malloc(sizeof *table * (size_t)of->size[1] * (size_t)entries);
    for (int n = 0; n < of->size[1]; n++) {
        int first = n % of->size[0]; /* those of a scope are different */

        size[n] = of->size[2];
        for (int k = 0; k < of->size[2]; k++)
            scope[n * of->size[2] + k] =
                (first + k * (1 + n / of->size[0]) + k * k) % of->size[0];
    }
    for (int n = 0; n < of->size[1] * entries; n++)
        table[n] = below(16) / 16.0;
    rc = hiss_model_factors(out, &domain, of->size[1], size, scope, table, err);
    free(kind);
    free(states);
    free(scope);
    free(size);
    free(table);
    return rc;
}

/* Every state of a coordinates with b values. */
static hiss_status lookup(hiss_model **out, const price_model *of,
                          hiss_error *err)
{
    hiss_domain domain = {.size = sizeof domain, .dim = of->size[0]};
    hiss_kind kind[20];
    int states[20], count = 1;
    double *u;
    hiss_status rc;

    for (int i = 0; i < of->size[0]; i++) {
        kind[i] = of->size[1] == 2 ? HISS_BINARY : HISS_CATEGORICAL;
        states[i] = of->size[1];
        count *= of->size[1];
    }
    domain.kind = kind;
    domain.states = states;
    u = malloc(sizeof *u * (size_t)count);
    for (int n = 0; n < count; n++)
        u[n] = 2.0 * uniform();
    rc = hiss_model_table(out, &domain, u, err);
    free(u);
    return rc;
}

/* a visible and b hidden units; c: with weights for double. */
static hiss_status machine(hiss_model **out, const price_model *of,
                           hiss_error *err)
{
    int count = of->size[0] * of->size[1];
    double *w = malloc(sizeof *w * (size_t)count);
    double scale =
        of->size[2] ? 8000.0 / of->size[1] : 1.0 / sqrt((double)of->size[0]);
    hiss_status rc;

    for (int n = 0; n < count; n++)
        w[n] = scale * (uniform() - 0.5);
    rc = hiss_model_rbm(out, of->size[0], of->size[1], w, NULL, NULL, err);
    free(w);
    return rc;
}

static FILE *open_new(char *path)
{
    int file;

    strcpy(path, "/tmp/hiss_prices_XXXXXX");
    file = mkstemp(path);
    return file >= 0 ? fdopen(file, "w") : NULL;
}

/* The file is read at once and removed. */
static hiss_status from_file(hiss_model **out, FILE *f, const char *path,
                             const char *spec, hiss_error *err)
{
    hiss_status rc;

    if (!f)
        return HISS_EIO;
    fclose(f);
    rc = hiss_model_create(out, spec, err);
    remove(path);
    return rc;
}

/* a cases, b inputs, c hidden units. */
static hiss_status network(hiss_model **out, const price_model *of,
                           hiss_error *err)
{
    char path[64], spec[128];
    FILE *f = open_new(path);

    for (int i = 0; f && i < of->size[1]; i++)
        fprintf(f, "x%d,", i);
    if (f)
        fprintf(f, "y\n");
    for (int n = 0; f && n < of->size[0]; n++) {
        for (int i = 0; i < of->size[1]; i++)
            fprintf(f, "%.4f,", uniform() - 0.5);
        fprintf(f, "%.4f\n", uniform());
    }
    snprintf(spec, sizeof spec, "bnn(data=%s,target=y,hidden=%d)", path,
             of->size[2]);
    return from_file(out, f, path, spec, err);
}

/* a nodes in three groups, b edges of each. */
static hiss_status community(hiss_model **out, const price_model *of,
                             hiss_error *err)
{
    char path[64], spec[128];
    FILE *f = open_new(path);

    for (int n = 0; f && n < of->size[0]; n++)
        for (int k = 0; k < of->size[1]; k++) {
            int other =
                (n + 3 * (1 + below(of->size[0] / 3 - 1)) + (uniform() < 0.2)) %
                of->size[0];

            if (other != n)
                fprintf(f, "%d %d\n", n, other);
        }
    snprintf(spec, sizeof spec, "sbm(%s,most=%d)", path, of->size[2]);
    return from_file(out, f, path, spec, err);
}

/* a cases, b columns of which a few matter. */
static hiss_status regression(hiss_model **out, const price_model *of,
                              hiss_error *err)
{
    char path[64], spec[128];
    FILE *f = open_new(path);

    for (int i = 0; f && i < of->size[1]; i++)
        fprintf(f, "x%d,", i);
    if (f)
        fprintf(f, "y\n");
    for (int n = 0; f && n < of->size[0]; n++) {
        double y = uniform();

        for (int i = 0; i < of->size[1]; i++) {
            double x = uniform() - 0.5;

            y += i % 5 == 0 ? x : 0.0;
            fprintf(f, "%.4f,", x);
        }
        fprintf(f, "%.4f\n", y);
    }
    snprintf(spec, sizeof spec, "regression(%s,formula=\"y ~ .\")", path);
    return from_file(out, f, path, spec, err);
}

/* a cities; b: as labels of positions. */
static hiss_status tour(hiss_model **out, const price_model *of,
                        hiss_error *err)
{
    char path[64], spec[128];
    FILE *f = open_new(path);

    if (f)
        fprintf(f,
                "NAME: cities\nTYPE: TSP\nDIMENSION: %d\n"
                "EDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n",
                of->size[0]);
    for (int i = 0; f && i < of->size[0]; i++)
        fprintf(f, "%d %d %d\n", i + 1, below(1000), below(1000));
    if (f)
        fprintf(f, "EOF\n");
    snprintf(spec, sizeof spec, "tsp(%s,temperature=50%s)", path,
             of->size[1] ? ",form=onehot" : "");
    return from_file(out, f, path, spec, err);
}

/* A ring of a sites with b values that like to be alike; c: with changes, d:
 * without a gradient. */
static int evaluate(const void *context, const int16_t *x, int lanes, double *u,
                    float *gradient)
{
    const price_model *of = context;

    for (int l = 0; l < lanes; l++) {
        u[l] = 0.0;
        for (int i = 0; i < of->size[0]; i++)
            u[l] += x[i * lanes + l] == x[(i + 1) % of->size[0] * lanes + l];
    }
    if (gradient)
        memset(gradient, 0,
               sizeof *gradient * (size_t)lanes *
                   (size_t)(of->size[1] > 2 ? of->size[0] * of->size[1]
                                            : of->size[0]));
    return 0;
}

static int change(const void *context, const int16_t *x, int lanes, int i,
                  double *out)
{
    const price_model *of = context;
    int d = of->size[0];

    for (int l = 0; l < lanes; l++)
        for (int v = 0; v < of->size[1]; v++) {
            int before = x[(i + d - 1) % d * lanes + l];
            int after = x[(i + 1) % d * lanes + l], now = x[i * lanes + l];

            out[v * lanes + l] =
                (v == before) + (v == after) - (now == before) - (now == after);
        }
    return 0;
}

static hiss_status function(hiss_model **out, const price_model *of,
                            hiss_error *err)
{
    hiss_domain domain = {.size = sizeof domain, .dim = of->size[0]};
    hiss_callback c = {.size = sizeof c,
                       .domain = &domain,
                       .evaluate = evaluate,
                       .context = of,
                       .has_gradient = !of->size[3],
                       .change = of->size[2] ? change : NULL};
    hiss_kind *kind = malloc(sizeof *kind * (size_t)of->size[0]);
    int *states = malloc(sizeof *states * (size_t)of->size[0]);
    hiss_status rc;

    for (int i = 0; i < of->size[0]; i++) {
        kind[i] = of->size[1] == 2 ? HISS_BINARY : HISS_CATEGORICAL;
        states[i] = of->size[1];
    }
    domain.kind = kind;
    domain.states = states;
    rc = hiss_model_callback(out, &c, err);
    free(kind);
    free(states);
    return rc;
}

#define SPEC(text) .name = text, .make = from_spec, .spec = text
#define SIZES(how, ...)                                                        \
  .name = #how "(" #__VA_ARGS__ ")", .make = how, .size = {__VA_ARGS__}
const price_model price_models[] = {
    {SPEC("ising(side=8,beta=0.3)")},
    {SPEC("ising(side=16,beta=0.3)")},
    {SPEC("ising(side=40,beta=0.3)")},
    {SPEC("ising(side=5,beta=0.15,dims=3)")},
    {SPEC("ising(side=16,beta=0.15,dims=3)")},
    {SPEC("ising(side=24,beta=0.3)"), .is_held = 1},
    {SPEC("ising(side=10,beta=0.15,dims=3)"), .is_held = 1},
    {SIZES(graph, 64, 4, SIGNED, 10)},
    {SIZES(graph, 256, 6, SIGNED, 10)},
    {SIZES(graph, 1024, 2, SIGNED, 10)},
    {SIZES(graph, 1500, 8, SIGNED, 10)},
    {SIZES(graph, 512, 6, SIGNED, 0), .is_held = 1},
    {SIZES(graph, 64, 4, SIXTEEN, 10)},
    {SIZES(graph, 256, 8, SIXTEEN, 10)},
    {SIZES(graph, 1024, 2, SIXTEEN, 10)},
    {SIZES(graph, 1500, 8, SIXTEEN, 10)},
    {SIZES(graph, 512, 6, SIXTEEN, 0), .is_held = 1},
    {SIZES(graph, 150, 14, SIXTEEN, 0), .is_held = 1},
    {SIZES(graph, 64, 8, WIDE, 10)},
    {SIZES(graph, 256, 12, WIDE, 10)},
    {SIZES(graph, 1024, 8, WIDE, 10)},
    {SIZES(graph, 400, 10, WIDE, 10), .is_held = 1},
    {SIZES(dense, 64, SIXTEEN)},
    {SIZES(dense, 128, SIXTEEN)},
    {SIZES(dense, 256, SIXTEEN)},
    {SIZES(dense, 512, SIXTEEN)},
    {SIZES(dense, 96, SIXTEEN), .is_held = 1},
    {SIZES(dense, 384, SIXTEEN), .is_held = 1},
    {SIZES(dense, 64, WIDE)},
    {SIZES(dense, 128, WIDE)},
    {SIZES(dense, 256, WIDE)},
    {SIZES(dense, 192, WIDE), .is_held = 1},
    {SPEC("potts(side=8,states=3,beta=0.5)")},
    {SPEC("potts(side=16,states=10,beta=0.7)")},
    {SPEC("potts(side=32,states=4,beta=0.5)")},
    {SPEC("potts(side=6,states=24,beta=0.5)")},
    {SPEC("potts(side=8,states=3,beta=0.3,dims=3)")},
    {SPEC("potts(side=24,states=5,beta=0.5)"), .is_held = 1},
    {SPEC("potts(side=12,states=16,beta=0.5)"), .is_held = 1},
    {SPEC("potts(side=8,states=3,beta=0.5,field=200.123)")},
    {SPEC("potts(side=16,states=10,beta=0.5,field=200.123)")},
    {SPEC("potts(side=24,states=4,beta=0.5,field=200.123)")},
    {SPEC("potts(side=12,states=6,beta=0.5,field=200.123)"), .is_held = 1},
    {SIZES(tables, 64, 128, 3, 2)},
    {SIZES(tables, 256, 256, 3, 3)},
    {SIZES(tables, 256, 512, 2, 4)},
    {SIZES(tables, 600, 600, 4, 2)},
    {SIZES(tables, 50, 100, 2, 16)},
    {SIZES(tables, 150, 300, 3, 2), .is_held = 1},
    {SIZES(tables, 128, 256, 2, 6), .is_held = 1},
    {SIZES(tables, 64, 128, 2, 2)},
    {SIZES(tables, 256, 768, 2, 2)},
    {SIZES(tables, 1000, 1000, 2, 2)},
    {SIZES(tables, 500, 1000, 2, 2), .is_held = 1},
    {SPEC("mixture(k=4,d=64)")},
    {SPEC("mixture(k=16,d=128)")},
    {SPEC("mixture(k=2,d=500)")},
    {SPEC("mixture(k=64,d=32)")},
    {SPEC("mixture(k=8,d=200)"), .is_held = 1},
    {SPEC("mixture(k=32,d=64)"), .is_held = 1},
    {SPEC("bernoulli4")},
    {SIZES(lookup, 10, 2)},
    {SIZES(lookup, 6, 5)},
    {SIZES(lookup, 16, 2)},
    {SIZES(lookup, 13, 2), .is_held = 1},
    {SIZES(lookup, 8, 3), .is_held = 1},
    {SIZES(machine, 64, 32)},
    {SIZES(machine, 128, 128)},
    {SIZES(machine, 500, 40)},
    {SIZES(machine, 30, 200)},
    {SIZES(machine, 100, 100), .is_held = 1},
    {SIZES(machine, 300, 64), .is_held = 1},
    {SIZES(machine, 64, 32, 1)},
    {SIZES(machine, 128, 128, 1)},
    {SIZES(machine, 300, 40, 1)},
    {SIZES(machine, 100, 64, 1), .is_held = 1},
    {SIZES(network, 100, 8, 8)},
    {SIZES(network, 300, 8, 16)},
    {SIZES(network, 200, 20, 10)},
    {SIZES(network, 250, 12, 12), .is_held = 1},
    {SPEC("ladder(d=64,levels=4,beta=0.2)")},
    {SPEC("ladder(d=256,levels=10,beta=0.1)")},
    {SPEC("ladder(d=1000,levels=3,beta=0.3)")},
    {SPEC("ladder(d=200,levels=16,beta=0.1)"), .is_held = 1},
    {SIZES(tour, 30)},
    {SIZES(tour, 100)},
    {SIZES(tour, 300)},
    {SIZES(tour, 180), .is_held = 1},
    {SIZES(tour, 8, 1)},
    {SIZES(tour, 16, 1)},
    {SIZES(tour, 32, 1)},
    {SIZES(tour, 24, 1), .is_held = 1},
    {SIZES(community, 40, 3, 4)},
    {SIZES(community, 150, 4, 8)},
    {SIZES(community, 300, 8, 6)},
    {SIZES(community, 200, 5, 5), .is_held = 1},
    {SIZES(regression, 60, 12)},
    {SIZES(regression, 200, 40)},
    {SIZES(regression, 200, 100)},
    {SIZES(regression, 150, 60), .is_held = 1},
    {SIZES(function, 16, 2)},
    {SIZES(function, 60, 2)},
    {SIZES(function, 20, 5)},
    {SIZES(function, 40, 3)},
    {SIZES(function, 50, 2, 0, 1)},
    {SIZES(function, 24, 4, 0, 1)},
    {SIZES(function, 30, 4), .is_held = 1},
    {SIZES(function, 16, 2, 1)},
    {SIZES(function, 60, 2, 1)},
    {SIZES(function, 20, 5, 1)},
    {SIZES(function, 40, 3, 1)},
    {SIZES(function, 50, 2, 1, 1)},
    {SIZES(function, 24, 4, 1, 1)},
    {SIZES(function, 30, 4, 1), .is_held = 1},
    {0},
};
