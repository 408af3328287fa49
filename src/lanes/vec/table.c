/* table.c - gathers the primitives of one instruction set. */
#include "lanes/lanes.h"
#include "lanes/vec/vec.h"

#define HS_LANE(result, name, arguments) result HS_NAME(name) arguments;
#include "lanes/lanes.def"
#undef HS_LANE

#define HS_TEXT2(a) #a
#define HS_TEXT(a)  HS_TEXT2(a)

extern const hs_lane_table HS_NAME(lanes);
const hs_lane_table HS_NAME(lanes) = {
    .isa = HS_TEXT(HS_ISA),
#define HS_LANE(result, name, arguments) .name = HS_NAME(name),
#include "lanes/lanes.def"
#undef HS_LANE
};
