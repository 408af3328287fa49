/* noise_probe.h - the probes of tune=jump of hiss: it tries scales and block
 * sizes in turn and values their jumps. */
#ifndef HS_KERNEL_COMPOSE_NOISE_PROBE_H
#define HS_KERNEL_COMPOSE_NOISE_PROBE_H

#include <stdbool.h>

#include "base/lane.h"

/* Number of probes: ten scales, times three block sizes if sizes are tried. */
int hs_probe_count(bool has_sizes);

/* hs_probe_least: ln of the smallest scale, in units of the gap of values.
 * hs_probe_scale: what the scale of a probe adds to that. */
double hs_probe_scale(int probe);
double hs_probe_least(void);

/* Number of coordinates to which a probe adds noise. */
double hs_probe_size(int probe, int dim);

/* Adds the value of the present scale to a row of `sum`, per lane: the expected
 * distance of a jump.  Later probes weigh more, by the cube of their number: on
 * the way to the bulk of the distribution, other jumps are the best. */
void hs_probe_note(double (*sum)[HS_LANES], double *count, int probes,
                   const float *acceptance, const float *far);

/* The probe with the longest expected jumps; probes were tried in turn. */
int hs_probe_best(const double (*sum)[HS_LANES], int probes, int lane);

#endif
