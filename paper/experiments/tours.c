/* tours.c - the paper's numbers of a set of tours. */
#include "paper/experiments/tours.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print/fail.h"

enum {
    ROOM = 64,
    SLOTS = 256
};

void paper_tours_init(paper_tours *tours, int cities)
{
    *tours = (paper_tours){.cities = cities, .room = ROOM, .slots = SLOTS};
    tours->tour = cli_alloc((size_t)ROOM * (size_t)cities, sizeof(int));
    tours->slot = cli_alloc(SLOTS, sizeof(int));
}

void paper_tours_clear(paper_tours *tours)
{
    free(tours->tour);
    free(tours->slot);
    *tours = (paper_tours){0};
}

static const int *tour_at(const paper_tours *tours, int number)
{
    return tours->tour + (size_t)number * (size_t)tours->cities;
}

/* The slot of a tour, or the free one where it belongs. */
static int *find(const paper_tours *tours, const int *tour)
{
    uint32_t hash = 2166136261u, at;

    for (int i = 0; i < tours->cities; i++)
        hash = (hash ^ (uint32_t)tour[i]) * 16777619u;
    at = (hash ^ hash >> 15) & (uint32_t)(tours->slots - 1);
    while (tours->slot[at] && memcmp(tour_at(tours, tours->slot[at] - 1), tour,
                                     (size_t)tours->cities * sizeof *tour) != 0)
        at = (at + 1) & (uint32_t)(tours->slots - 1);
    return &tours->slot[at];
}

/* Twice the room for tours, and slots anew. */
static void grow(paper_tours *tours)
{
    size_t cities = (size_t)tours->cities;
    int *more = cli_alloc(2 * (size_t)tours->room * cities, sizeof *more);

    memcpy(more, tours->tour, (size_t)tours->count * cities * sizeof *more);
    free(tours->tour);
    free(tours->slot);
    tours->tour = more;
    tours->room *= 2;
    tours->slots *= 2;
    tours->slot = cli_alloc((size_t)tours->slots, sizeof *tours->slot);
    for (int n = 0; n < tours->count; n++)
        *find(tours, tour_at(tours, n)) = n + 1;
}

bool paper_tours_add(paper_tours *tours, const int *tour)
{
    int *slot = find(tours, tour);

    if (*slot)
        return false;
    if (tours->count == tours->room) {
        grow(tours);
        slot = find(tours, tour);
    }
    memcpy(tours->tour + (size_t)tours->count * (size_t)tours->cities, tour,
           (size_t)tours->cities * sizeof *tour);
    *slot = ++tours->count;
    return true;
}

/* Pairs of places with the same two cities are those among the places that
 * agree: k of n + 1 of them leave n (n + 1) / 2 - k (k - 1) / 2. */
static double mismatches(const int *p, const int *q, int n)
{
    int same = p[0] == q[0];

    for (int i = 0; i < n; i++)
        same += p[i] == q[i];
    return 0.5 * (n + 1) * n - 0.5 * same * (same - 1);
}

static double likeness(const int *p, const int *q, int n, int *next)
{
    int common = 0;

    for (int i = 0; i < n; i++)
        next[p[i]] = p[(i + 1) % n];
    for (int i = 0; i < n; i++)
        common += next[q[i]] == q[(i + 1) % n];
    return (double)common / (2 * n - common);
}

void paper_tours_pairs(const paper_tours *tours, double *pmc, double *jaccard)
{
    int n = tours->cities;
    int count = tours->count < PAPER_PAIRED ? tours->count : PAPER_PAIRED;
    int *next = cli_alloc((size_t)n, sizeof *next);
    double pairs = 0.5 * count * (count - 1);

    *pmc = *jaccard = 0;
    for (int a = 0; a < count; a++)
        for (int b = a + 1; b < count; b++) {
            *pmc += mismatches(tour_at(tours, a), tour_at(tours, b), n);
            *jaccard += likeness(tour_at(tours, a), tour_at(tours, b), n, next);
        }
    *pmc = pairs > 0 ? *pmc / pairs : (double)NAN;
    *jaccard = pairs > 0 ? *jaccard / pairs : (double)NAN;
    free(next);
}
