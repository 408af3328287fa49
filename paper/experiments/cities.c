/* cities.c - cities in the plane, and exact answers for small instances. */
#include "paper/experiments/cities.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print/fail.h"

static int bad_file(const char *path)
{
    return cli_fail(CLI_BAD_CALL, "%s: expected coordinates of 3 to %d cities",
                    path, PAPER_CITIES_MAX);
}

int paper_cities_read(paper_cities *cities, const char *path)
{
    FILE *in = fopen(path, "r");
    char line[256];
    int city, is_inside = 0;
    double x, y;

    *cities = (paper_cities){0};
    if (!in)
        return cli_fail(CLI_BAD_CALL, "%s: cannot be read: %s", path,
                        strerror(errno));
    while (fgets(line, sizeof line, in)) {
        if (strncmp(line, "NODE_COORD_SECTION", 18) == 0)
            is_inside = 1;
        else if (is_inside && sscanf(line, "%d %lf %lf", &city, &x, &y) == 3 &&
                 city >= 1 && city <= PAPER_CITIES_MAX) {
            cities->x[city - 1] = x;
            cities->y[city - 1] = y;
            cities->count++;
        }
    }
    fclose(in);
    return cities->count < 3 ? bad_file(path) : CLI_DONE;
}

static double distance(const paper_cities *c, int i, int j)
{
    return hypot(c->x[i] - c->x[j], c->y[i] - c->y[j]);
}

double paper_cities_length(const paper_cities *cities, const int *city)
{
    double length = 0;
    int n = cities->count;

    for (int i = 0; i < n; i++)
        length += distance(cities, city[i], city[(i + 1) % n]);
    return length;
}

/* Paths from the last city through a set of others to one of them. */
struct path {
    double weight; /* sum of exp(-length) */
    double length; /* sum of length exp(-length) */
    double least;
};

static void extend(struct path *to, const struct path *from, double step)
{
    double factor = exp(-step);

    to->weight += factor * from->weight;
    to->length += factor * (from->length + step * from->weight);
    to->least = fmin(to->least, from->least + step);
}

void paper_cities_law(const paper_cities *c, paper_tour_law *law)
{
    int n = c->count - 1, sets = 1 << n;
    struct path *path = cli_alloc((size_t)sets * (size_t)n, sizeof *path);
    struct path all = {.least = INFINITY};

    for (int k = 0; k < sets * n; k++)
        path[k].least = INFINITY;
    for (int j = 0; j < n; j++) {
        struct path start = {.weight = 1};

        extend(&path[(1 << j) * n + j], &start, distance(c, n, j));
    }
    for (int s = 1; s < sets; s++)
        for (int j = 0; j < n; j++)
            for (int k = 0; (s >> j & 1) && k < n; k++)
                if (!(s >> k & 1))
                    extend(&path[(s | 1 << k) * n + k], &path[s * n + j],
                           distance(c, j, k));
    for (int j = 0; j < n; j++)
        extend(&all, &path[(sets - 1) * n + j], distance(c, j, n));
    /* every closed tour was met in both directions */
    *law = (paper_tour_law){.shortest = all.least,
                            .mean = all.length / all.weight,
                            .best_share = 2 * exp(-all.least) / all.weight};
    free(path);
}
