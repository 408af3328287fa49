/* lane.h - the width of a tile: how many chains walk in lockstep. */
#ifndef HS_BASE_LANE_H
#define HS_BASE_LANE_H

/* Arrays are coordinate-major, chain-minor: x[i][lane].  Sixteen floats are
 * one AVX-512 register, two of AVX2. */
#define HS_LANES 16

#endif
