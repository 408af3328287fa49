/* streams.c - the table of reserved chain numbers, checked at compile time. */
#include "base/random/streams.h"

/* The number as an int, which enumeration constants must be. */
#define SIGNED(number) ((int)((int64_t)(number)-INT64_C(0x80000000)))

/* FLOOR_x equals LAST_ of the range before: x may not begin lower. */
enum {
    LAST_OF_NONE = SIGNED(0),
#define HS_STREAM(name, first, count, meaning)                                 \
  FLOOR_##name, LAST_##name = SIGNED((int64_t)(first) + (count)-1),
#include "base/random/streams.def"
#undef HS_STREAM
};

#define HS_STREAM(name, first, count, meaning)                                 \
  _Static_assert(SIGNED(first) >= FLOOR_##name,                                \
                 "the range " #name " overlaps the one before it, or is "      \
                 "out of order");
#include "base/random/streams.def"
#undef HS_STREAM

#define HS_STREAM(name, first, count, meaning)                                 \
  _Static_assert((count) > 0, "the range " #name " is empty");
#include "base/random/streams.def"
#undef HS_STREAM

const hs_stream_range hs_streams[HS_STREAMS] = {
#define HS_STREAM(name, first, count, meaning) {#name, first, count, meaning},
#include "base/random/streams.def"
#undef HS_STREAM
};

_Static_assert(FLOOR_WARMUP == SIGNED(HS_PILOT_CHAIN),
               "the numbers of pilots begin at HS_PILOT_CHAIN");
_Static_assert(LAST_SHARED == SIGNED(HS_SHARED_CHAIN),
               "HS_SHARED_CHAIN is the last number");
