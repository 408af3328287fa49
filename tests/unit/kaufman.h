/* kaufman.h - the periodic 2D Ising model solved exactly, as a test oracle. */
#ifndef UNIT_KAUFMAN_H
#define UNIT_KAUFMAN_H

/* Sites rows x cols, each >= 2, on a torus without field; every site has a
 * bond to its right and to its lower neighbor, so a side of 2 has each of its
 * bonds twice.  beta is 0 or from 1e-6 to 300; other arguments give NaN. */

/* ln sum over states of exp(beta sum_<ij> s_i s_j). */
double kaufman_log_z(int rows, int cols, double beta);

/* -<sum_<ij> s_i s_j> / (rows cols), absolute error about 1e-16 / beta. */
double kaufman_energy(int rows, int cols, double beta);

#endif
