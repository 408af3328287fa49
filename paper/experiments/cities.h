/* cities.h - cities in the plane, and exact answers for few of them.
 *
 * With w(x) = exp(-length(x) / T) over all closed tours, sums over tours are
 * taken by subsets of cities [Held and Karp 1962]: O(2^n n^2). */
#ifndef HISS_PAPER_EXPERIMENTS_CITIES_H
#define HISS_PAPER_EXPERIMENTS_CITIES_H

enum {
    PAPER_CITIES_MAX = 200,
    PAPER_EXACT_MAX = 16 /* cities that are summed over */
};

typedef struct paper_cities {
    int count;
    double x[PAPER_CITIES_MAX], y[PAPER_CITIES_MAX];
} paper_cities;

/* The coordinates of a TSPLIB file that a model was read from.  CLI_DONE, or
 * the code of a message. */
int paper_cities_read(paper_cities *cities, const char *path);

/* Euclidean length of the closed tour through city[0 .. count), from 0. */
double paper_cities_length(const paper_cities *cities, const int *city);

typedef struct paper_tour_law {
    double shortest;
    double mean;       /* E length at T = 1 */
    double best_share; /* probability of the shortest closed tour */
} paper_tour_law;

void paper_cities_law(const paper_cities *cities, paper_tour_law *law);

#endif
