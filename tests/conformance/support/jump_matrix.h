/* jump_matrix.h - transition matrices of cluster and bridge, from their
 * definitions, in double; nothing here calls a kernel or a lane primitive. */
#ifndef HS_TESTS_JUMP_MATRIX_H
#define HS_TESTS_JUMP_MATRIX_H

#include "conformance/support/matrix.h"

typedef struct bond {
    int i, j;
    double w; /* of [x_i = x_j] */
} bond;

/* All clusters, or that of a random site; field[i][v]. */
void matrix_cluster(const space *s, const bond *bonds, int count,
                    double field[SPACE_DIM][SPACE_VALUES], bool is_one,
                    matrix p);

/* Between modes given as states, each value of a mode smoothed as by ten draws
 * of it and one of any; ordered: values keep their order; sites: coordinates
 * that say which mode a state is in. */
void matrix_bridge(const space *s, int mode[][SPACE_DIM], int modes,
                   const bool *ordered, double swap, int sites, matrix p);

/* Exchanges of a piece of the modes' differences, `rounds` of them, 0: of up to
 * four at once; two
 * coordinates hang together if `joined`.  Returns how many pieces there are. */
int matrix_pieces(const space *s, int mode[][SPACE_DIM], int modes,
                  bool joined[SPACE_DIM][SPACE_DIM], int rounds, matrix p);

#endif
