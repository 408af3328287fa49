/* lanes.h - the hot loops, one table of them per instruction set.
 *
 * Every .c file in this folder is compiled for plain x86-64 (or another
 * machine), AVX2 and AVX-512. hs_lanes() is the table that fits this processor.
 * HISS_ISA=base|avx2|avx512 chooses another.  All tables give the same bits.
 *
 * A primitive works on whole tiles: all 16 lanes, used or not. */
#ifndef HS_LANES_LANES_H
#define HS_LANES_LANES_H

#include <stdint.h>

#include "base/lane.h"
#include "base/random/rng.h"
#include "base/state/domain.h"
#include "lanes/shapes.h"
#include "lanes/weighted.h"

typedef struct hs_lane_table {
    const char *isa;
#define HS_LANE(result, name, arguments) result(*name) arguments;
#include "lanes/lanes.def"
#undef HS_LANE
} hs_lane_table;

/* The table in use; chosen once per process. */
const hs_lane_table *hs_lanes(void);

/* All tables that this machine can run, NULL-terminated: for tests. */
const hs_lane_table *const *hs_lanes_all(void);

#endif
