/* assert.h - preconditions, checked where a function begins.
 *
 * They are on in the presets dev, asan, tsan and fuzz.  A release compiles but
 * never evaluates them.  Use them for mistakes of this library alone: mistakes
 * of a caller or in a file return a status. */
#ifndef HS_BASE_ASSERT_H
#define HS_BASE_ASSERT_H

#ifdef NDEBUG
#  define HS_ASSERT(condition) ((void)sizeof((condition) ? 1 : 0))
#else
#  include <assert.h>
#  define HS_ASSERT(condition) assert(condition)
#endif

#endif
