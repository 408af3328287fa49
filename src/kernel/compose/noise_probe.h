/* noise_probe.h - scales, and sizes of blocks, that tune=jump of hiss tries in
 * turn, and what their jumps were worth. */
#ifndef HS_KERNEL_COMPOSE_NOISE_PROBE_H
#define HS_KERNEL_COMPOSE_NOISE_PROBE_H

#include <stdbool.h>

#include "base/lane.h"

/* Probes: ten scales, times three sizes of blocks if these are tried, too. */
int hs_probe_count(bool has_sizes);

/* ln of the least scale, in units of the gap of values, and what the scale of a
 * probe has beyond it. */
double hs_probe_scale(int probe);
double hs_probe_least(void);

/* Coordinates that a probe noises. */
double hs_probe_size(int probe, int dim);

/* Adds what the scale in use is worth to a row of `sum`, per lane: the expected
 * distance of a jump.  Late probes weigh most, by the cube of their number: the
 * way to where the law is has jumps of its own. */
void hs_probe_note(double (*sum)[HS_LANES], double *count, int probes,
                   const float *acceptance, const float *far);

/* The probe whose jumps went farthest; they have been tried in turn. */
int hs_probe_best(const double (*sum)[HS_LANES], int probes, int lane);

#endif
