/* landscape.h - local optima of tours: the paper's first figure in numbers. */
#ifndef HISS_PAPER_EXPERIMENTS_LANDSCAPE_H
#define HISS_PAPER_EXPERIMENTS_LANDSCAPE_H

#include <stdint.h>

#include "paper/experiments/cities.h"

typedef struct paper_landscape {
    double optima;     /* distinct closed tours in which descents end */
    double best_found; /* share of the descents that end in the shortest */
    double shortest;
    double second; /* length of the second shortest */
    double rise;   /* least extra length of a 2-opt move out of the shortest */
} paper_landscape;

/* By 2-opt descents from random tours, at most PAPER_EXACT_MAX cities. */
void paper_landscape_find(const paper_cities *cities, uint64_t seed,
                          int descents, paper_landscape *out);

#endif
