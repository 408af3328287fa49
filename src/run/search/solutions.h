/* solutions.h - the distinct best states of a search. */
#ifndef HS_RUN_SEARCH_SOLUTIONS_H
#define HS_RUN_SEARCH_SOLUTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

typedef struct hs_solution {
    double u;
    int64_t hits; /* number of times it was found */
    uint64_t hash;
    int16_t *state; /* owned, [dim] */
} hs_solution;

typedef struct hs_solutions {
    int dim;
    int room;
    int count;
    bool is_mirrored; /* a state and its mirror image 1 - x count as equal */
    hs_solution *at;  /* owned, [room + 1], by falling u, then by age */
} hs_solutions;

hiss_status hs_solutions_init(hs_solutions *s, int dim, int room,
                              bool is_mirrored, hiss_error *err);
void hs_solutions_clear(hs_solutions *s);

/* Adds a state (copied).  True if it is better than all before. */
bool hs_solutions_add(hs_solutions *s, const int16_t *state, double u);

#endif
