/* tours.h - the paper's numbers of a set of tours.
 *
 * After every sample a tour is noted if it was not seen before, rotations and
 * reflections being tours of their own.  Over the pairs of noted tours:
 *     PMC      with the first city once more at the end, the pairs of places
 *              i < j with (p_i, p_j) unlike (q_i, q_j)
 *     Jaccard  directed edges in common over those in either
 * Of very many tours the first PAPER_PAIRED make the pairs. */
#ifndef HISS_PAPER_EXPERIMENTS_TOURS_H
#define HISS_PAPER_EXPERIMENTS_TOURS_H

#include <stdbool.h>

enum {
    PAPER_PAIRED = 400
};

typedef struct paper_tours {
    int cities;
    int count, room;
    int *tour; /* owned, [room][cities] */
    int *slot; /* owned, [slots]: a tour's number + 1, 0 is free */
    int slots; /* a power of 2 */
} paper_tours;

void paper_tours_init(paper_tours *tours, int cities);
void paper_tours_clear(paper_tours *tours);

/* True if it was not there. */
bool paper_tours_add(paper_tours *tours, const int *tour);

/* Means over pairs; NaN for fewer than two tours. */
void paper_tours_pairs(const paper_tours *tours, double *pmc, double *jaccard);

#endif
