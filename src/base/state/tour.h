/* tour.h - moves of a closed tour x[0], x[1], ..., x[dim - 1], x[0].
 *
 * A move takes the window of positions first, first + 1, ... (past the end it
 * goes on at 0), which is a head and a tail, and writes the tail before the
 * head, each forwards or backwards:
 *     2-opt    no tail, head backwards: two edges change
 *     or-opt   the shorter of head and tail is carried past the other one,
 *              as it is or backwards: three edges change
 * The city before the window and the one behind it stay, so the window leaves
 * out one city at least. */
#ifndef HS_BASE_STATE_TOUR_H
#define HS_BASE_STATE_TOUR_H

#include <stdbool.h>
#include <stdint.h>

#define HS_TOUR_MIN   3    /* cities */
#define HS_TOUR_MAX   4096 /* cities */
#define HS_TOUR_SHORT 3    /* most cities that an or-opt move carries */
#define HS_TOUR_WHOLE 64   /* most cities for which a climb tries all moves */
#define HS_TOUR_NEAR  10   /* neighbors per city for larger tours */

typedef struct hs_tour_move {
    int first;
    int head, tail; /* cities in head and tail; head + tail < dim */
    bool flips_head, flips_tail;
} hs_tour_move;

/* Draws a 2-opt move (with probability 1 - or_opt) or an or-opt move from three
 * words.  A move and its inverse have equal probability. */
void hs_tour_draw(hs_tour_move *move, int dim, double or_opt,
                  const uint32_t word[3]);

/* Returns the change of sum edge[x_i * dim + x_i+1] by the move, for a
 * symmetric edge.  City i of the tour is x[i * stride]. */
double hs_tour_change(const int16_t *x, int stride, int dim, const double *edge,
                      const hs_tour_move *move);

/* Applies the move; scratch is [dim]. */
void hs_tour_apply(int16_t *x, int stride, int dim, const hs_tour_move *move,
                   int16_t *scratch);

/* Turns the tour: x[i] becomes the former x[i + by], or x[by - i] if it
 * flips. */
void hs_tour_turn(int16_t *x, int stride, int dim, int by, bool flips,
                  int16_t *scratch);

/* Rewrites a tour as the one of its 2 dim equivalents that starts with city 0
 * and continues with the smaller neighbor. */
void hs_tour_normalize(int16_t *x, int stride, int dim, int16_t *scratch);

/* Returns the sum of edge along the closed tour. */
double hs_tour_sum(const int16_t *x, int stride, int dim, const double *edge);

/* Whether every city occurs once. */
bool hs_tour_is_whole(const int16_t *x, int stride, int dim);

/* Data of a problem for a climb; borrowed. */
typedef struct hs_tour_map {
    int dim;
    const double *edge;  /* [dim * dim] */
    const int16_t *near; /* [dim * nears]: the nearest cities of each city,
                            nearest first */
    int nears;           /* dim - 1 up to HS_TOUR_WHOLE, else HS_TOUR_NEAR */
} hs_tour_map;

/* Fills near, [dim * hs_tour_nears(dim)]. */
int hs_tour_nears(int dim);
void hs_tour_near(const double *edge, int dim, int16_t *near);

/* Applies 2-opt and or-opt moves that join near cities and gain more than
 * `tolerance`, until there is none.  Returns the number of moves tried.
 * scratch is [2 * dim]. */
int64_t hs_tour_climb(int16_t *x, int stride, const hs_tour_map *map,
                      double tolerance, int16_t *scratch);

#endif
