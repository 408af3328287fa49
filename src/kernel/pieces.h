/* pieces.h - local choices: what the differences of modes fall apart into.
 *
 * The sites where two modes a and b have different tops fall into pieces,
 * joined where they share a table of the model.  A piece C is a set of sites
 * with two values each, and to exchange them,
 *     x_i = one_i -> two_i,   two_i -> one_i,   other values stay,   i in C,
 * is an involution, whatever C: p(y) / p(x) decides.  A few modes so span
 * products of local choices.
 *
 * Tables do not help if all sites are connected, or if there are no tables.
 * Then sites belong together whose columns of tops divide the modes in the same
 * way, x_i being a relabelling of x_j in all of them; and pairs of sites with
 * two values that do so in most of them, each more like the other than any.
 * Local choices that are made independently of each other have columns that
 * differ.  Where that gives nothing either, the difference of each mode to the
 * nearest one is taken whole.
 *
 * Of a model that is a sum of tables, exchanging C changes U by
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
    int64_t *at;   /* owned, [count + 1]: where they start */
    int32_t *site; /* owned: ascending within a piece */
    int16_t *one;  /* owned: the smaller value */
    int16_t *two;  /* owned */
    /* of a model that is a sum of tables, else NULL: those of a piece */
    hs_factors factors; /* owned */
    int64_t *table_at;  /* owned, [count + 1] */
    int64_t *table;     /* owned */
    double price; /* updates of single sites that a piece costs on average;
                     0: U must be evaluated */
} hs_pieces;

/* Pieces of two sites or more, of the tops [modes][dim]: the most frequent
 * and then the smallest first.  Bounded work and memory. */
hiss_status hs_pieces_find(hs_pieces *p, const hs_model *m, const int16_t *top,
                           int modes, hiss_error *err);
void hs_pieces_clear(hs_pieces *p);

static inline int16_t hs_piece_other(int16_t x, int16_t one, int16_t two)
{
    return x == one ? two : x == two ? one : x;
}

/* Pieces with tables that a step exchanges: as many as cost one evaluation, and
 * not more than there are. */
int hs_pieces_rounds(const hs_pieces *p, int dim);

/* Exchanges the values of a piece in one lane. */
void hs_pieces_exchange(const hs_pieces *p, int piece, hs_index_row *x,
                        int lane);

/* The part of U that a piece touches; of pieces with tables. */
double hs_pieces_energy(const hs_pieces *p, int piece, const hs_index_row *x,
                        int lane);

#endif
