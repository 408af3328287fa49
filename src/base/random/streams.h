/* streams.h - the reserved ranges of chain numbers (streams.def). */
#ifndef HS_BASE_RANDOM_STREAMS_H
#define HS_BASE_RANDOM_STREAMS_H

#include <stdint.h>

#include "base/assert.h"
#include "base/random/rng.h"

typedef enum hs_stream_name {
#define HS_STREAM(name, first, count, meaning) HS_STREAM_##name,
#include "base/random/streams.def"
#undef HS_STREAM
    HS_STREAMS
} hs_stream_name;

typedef struct hs_stream_range {
    const char *name;
    uint32_t first, count;
    const char *meaning;
} hs_stream_range;

extern const hs_stream_range hs_streams[HS_STREAMS];

/* Returns chain number `offset` of a range. */
static inline uint32_t hs_stream(hs_stream_name name, uint32_t offset)
{
    HS_ASSERT(offset < hs_streams[name].count);
    return hs_streams[name].first + offset;
}

#endif
