/* pieces.h - local choices: components of the differences of modes.
 *
 * The sites where the tops of two modes a and b differ form pieces, connected
 * by shared tables of the model. A piece C is a set of sites with two values
 * each. Exchanging them,
 *     x_i = one_i -> two_i,   two_i -> one_i,   other values stay,   i in C,
 * is an involution for any C, so p(y) / p(x) decides. A few modes thus span
 * products of local choices.
 *
 * If all sites are connected, or there are no tables, sites belong together if
 * their columns of tops divide the modes in the same way, x_i being a
 * relabelling of x_j in all of them; and pairs of sites with two values that do
 * so in most of them, each more like the other than any. Independent local
 * choices have different columns. If that gives nothing either, the difference
 * of each mode from the nearest one is taken as a whole.
 *
 * If the model is a sum of tables, exchanging C changes U by
 *     D_C = sum_f [table_f(y) - table_f(x)], f that C touches,
 * which costs a few updates of single sites. */
#ifndef HS_KERNEL_PIECES_H
#define HS_KERNEL_PIECES_H

#include <stdint.h>

#include <hiss/status.h>

#include "model/factors.h"
#include "model/model.h"

#define HS_PIECES_MAX 4096

typedef struct hs_pieces {
    int count;
    int64_t *at;   /* owned, [count + 1]: starts of the pieces */
    int32_t *site; /* owned: ascending within a piece */
    int16_t *one;  /* owned: the smaller value */
    int16_t *two;  /* owned */
    /* tables of each piece, if the model is a sum of tables; else NULL */
    hs_factors factors; /* owned */
    int64_t *table_at;  /* owned, [count + 1] */
    int64_t *table;     /* owned */
    double price; /* mean cost of a piece in updates of single sites; 0 if U
                     must be evaluated */
} hs_pieces;

/* Finds pieces of two sites or more from the tops [modes][dim], sorted by
 * frequency, then by size.  Work and memory are bounded. */
hiss_status hs_pieces_find(hs_pieces *p, const hs_model *m, const int16_t *top,
                           int modes, hiss_error *err);
void hs_pieces_clear(hs_pieces *p);

static inline int16_t hs_piece_other(int16_t x, int16_t one, int16_t two)
{
    return x == one ? two : x == two ? one : x;
}

/* Number of pieces with tables that a step exchanges: as many as cost one
 * evaluation, and at most all. */
int hs_pieces_rounds(const hs_pieces *p, int dim);

/* Exchanges the values of a piece in one lane. */
void hs_pieces_exchange(const hs_pieces *p, int piece, hs_index_row *x,
                        int lane);

/* The part of U that a piece touches; for pieces with tables. */
double hs_pieces_energy(const hs_pieces *p, int piece, const hs_index_row *x,
                        int lane);

#endif
