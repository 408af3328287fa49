/* families.h - what the families of targets share. */
#ifndef HISS_ARENA_TARGETS_FAMILIES_H
#define HISS_ARENA_TARGETS_FAMILIES_H

#include <stdint.h>

#include "arena/targets/targets.h"

extern const target targets_known[];
extern const target targets_glass[];
extern const target targets_selection[];
extern const target targets_mixture[];
extern const target targets_black_box[];
extern const target targets_markov[];
extern const target targets_rbm[];
extern const target targets_constraint[];
extern const target targets_potts[];
extern const target targets_lattice[];
extern const target targets_discs[];
extern const target targets_small[];

/* Local moves, learnt jumps: what most targets are compared with. */
extern const peer peers_tables[];    /* sums of tables */
extern const peer peers_mixture[];   /* models that hiss knows */
extern const peer peers_black_box[]; /* functions of the user */

/* Random numbers of an instance: a stream for each target and number. */
uint64_t family_seed(const instance *at);
double family_uniform(uint64_t *seed); /* in (0, 1) */
double family_normal(uint64_t *seed);
int family_below(uint64_t *seed, int count); /* 0 .. count - 1 */

/* Classes are the coordinates in their order, two-valued ones, as many as there
 * is room for: their means by elimination or enumeration.  0 (false) when these
 * fail. */
int family_marginals(instance *at);
/* Classes are the labels of all coordinates but the first of each, as many as
 * there is room for. */
int family_labels(instance *at);
/* Every value of a coordinate is as probable as any other, by symmetry. */
void family_symmetric(instance *at);
/* Classes are indicators: their variances follow from the means. */
void family_indicators(instance *at);
/* U of a state that is given by indices. */
double family_energy(const instance *at, const int16_t *index);
/* What is known of U by exact draws, u of each. */
void family_energies(instance *at, const double *u, int count);

#endif
