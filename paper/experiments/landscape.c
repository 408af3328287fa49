/* landscape.c - 2-opt descents from random tours.
 *
 * A move reverses a stretch of the tour.  A descent takes the move that
 * shortens the tour most until none does.  Rotations and reflections are one
 * closed tour here: it begins with city 0 and goes to the smaller neighbor. */
#include "paper/experiments/landscape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "paper/experiments/tours.h"
#include "paper/support/random.h"

static const double GRAIN = 1e-9; /* of lengths: rounding */

static double edge(const paper_cities *cities, int a, int b)
{
    return hypot(cities->x[a] - cities->x[b], cities->y[a] - cities->y[b]);
}

/* Of the length, when the stretch i..j turns. */
static double change(const paper_cities *cities, const int *tour, int i, int j)
{
    int n = cities->count;
    int before = tour[(i + n - 1) % n], after = tour[(j + 1) % n];

    return edge(cities, before, tour[j]) + edge(cities, tour[i], after) -
           edge(cities, before, tour[i]) - edge(cities, tour[j], after);
}

static void reverse(int *tour, int i, int j)
{
    for (; i < j; i++, j--) {
        int city = tour[i];

        tour[i] = tour[j];
        tour[j] = city;
    }
}

/* The change of the best move, and the move. */
static double best_move(const paper_cities *cities, const int *tour, int *first,
                        int *last)
{
    double best = INFINITY;

    for (int i = 1; i < cities->count; i++)
        for (int j = i + 1; j < cities->count; j++) {
            double now = change(cities, tour, i, j);

            if (i == 1 && j == cities->count - 1)
                continue; /* the same closed tour */
            if (now < best) {
                best = now;
                *first = i;
                *last = j;
            }
        }
    return best;
}

static void descend(const paper_cities *cities, int *tour)
{
    int first, last;

    while (best_move(cities, tour, &first, &last) < -GRAIN)
        reverse(tour, first, last);
}

static void draw(paper_random *random, int *tour, int n)
{
    for (int i = 0; i < n; i++) {
        int j = (int)(paper_random_uniform(random) * (i + 1));

        tour[i] = tour[j];
        tour[j] = i;
    }
}

/* City 0 first, then its smaller neighbor. */
static void orient(int *tour, int n)
{
    int turned[PAPER_EXACT_MAX], at = 0;
    bool is_back;

    while (tour[at] != 0)
        at++;
    is_back = tour[(at + n - 1) % n] < tour[(at + 1) % n];
    for (int i = 0; i < n; i++)
        turned[i] = tour[(at + (is_back ? n - i : i)) % n];
    memcpy(tour, turned, (size_t)n * sizeof *tour);
}

void paper_landscape_find(const paper_cities *cities, uint64_t seed,
                          int descents, paper_landscape *out)
{
    int tour[PAPER_EXACT_MAX], first, last, best_ends = 0;
    paper_tours seen;
    paper_random random;

    *out = (paper_landscape){.shortest = INFINITY, .second = INFINITY};
    paper_random_init(&random, seed, 16);
    paper_tours_init(&seen, cities->count);
    for (int d = 0; d < descents; d++) {
        double length;
        bool is_new;

        draw(&random, tour, cities->count);
        descend(cities, tour);
        orient(tour, cities->count);
        length = paper_cities_length(cities, tour);
        is_new = paper_tours_add(&seen, tour);
        if (length < out->shortest - GRAIN) {
            out->second = out->shortest;
            out->shortest = length;
            out->rise = best_move(cities, tour, &first, &last);
            best_ends = 0;
        } else if (is_new && length < out->second) {
            out->second = length;
        }
        best_ends += length < out->shortest + GRAIN;
    }
    out->optima = seen.count;
    out->best_found = (double)best_ends / descents;
    paper_tours_clear(&seen);
}
