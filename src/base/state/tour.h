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
#define HS_TOUR_SHORT 3    /* cities that an or-opt move carries, at most */
#define HS_TOUR_WHOLE 64   /* cities up to which a climb tries all moves */
#define HS_TOUR_NEAR  10   /* neighbors of a city, above that */

typedef struct hs_tour_move {
    int first;
    int head, tail; /* cities of each; head + tail < dim */
    bool flips_head, flips_tail;
} hs_tour_move;

/* A random 2-opt move (a share of 1 - or_opt) or or-opt move, by three words.
 * From where a move leads the one that leads back is as likely. */
void hs_tour_draw(hs_tour_move *move, int dim, double or_opt,
                  const uint32_t word[3]);

/* The change of sum edge[x_i * dim + x_i+1] by the move, edge being symmetric.
 * City i of the tour is x[i * stride]. */
double hs_tour_change(const int16_t *x, int stride, int dim, const double *edge,
                      const hs_tour_move *move);

/* Makes the move; scratch is [dim]. */
void hs_tour_apply(int16_t *x, int stride, int dim, const hs_tour_move *move,
                   int16_t *scratch);

/* x[i] becomes what was x[i + by], or x[by - i] if it flips. */
void hs_tour_turn(int16_t *x, int stride, int dim, int by, bool flips,
                  int16_t *scratch);

/* The one of its 2 dim equals that starts with city 0 and goes on with the
 * smaller of its neighbors. */
void hs_tour_normalize(int16_t *x, int stride, int dim, int16_t *scratch);

/* Sum of edge along the closed tour. */
double hs_tour_sum(const int16_t *x, int stride, int dim, const double *edge);

/* Every city once. */
bool hs_tour_is_whole(const int16_t *x, int stride, int dim);

/* The data of a problem that a climb needs; borrowed. */
typedef struct hs_tour_map {
    int dim;
    const double *edge;  /* [dim * dim] */
    const int16_t *near; /* [dim * nears]: of each city the best first */
    int nears;           /* dim - 1 up to HS_TOUR_WHOLE, else HS_TOUR_NEAR */
} hs_tour_map;

/* Fills near, [dim * hs_tour_nears(dim)]. */
int hs_tour_nears(int dim);
void hs_tour_near(const double *edge, int dim, int16_t *near);

/* Takes the 2-opt and or-opt moves that gain more than `tolerance` until there
 * is none left, of those that join near cities; returns the moves that were
 * weighed.  scratch is [2 * dim]. */
int64_t hs_tour_climb(int16_t *x, int stride, const hs_tour_map *map,
                      double tolerance, int16_t *scratch);

#endif
