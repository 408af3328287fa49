/* assert.h - what a function may rely on, checked where it begins.
 *
 * On in the presets dev, asan, tsan and fuzz; compiled, but never evaluated, in
 * a release.  For mistakes of this library alone: what a caller or a file can
 * get wrong is answered with a status. */
#ifndef HS_BASE_ASSERT_H
#define HS_BASE_ASSERT_H

#ifdef NDEBUG
#  define HS_ASSERT(condition) ((void)sizeof((condition) ? 1 : 0))
#else
#  include <assert.h>
#  define HS_ASSERT(condition) assert(condition)
#endif

#endif
