/* version.h - the version of hiss, at compile time and at run time.
 *
 * The build refuses numbers that differ from those of CMakeLists.txt.
 * docs/abi.md says what may change with each of them. */
#ifndef HISS_VERSION_H
#define HISS_VERSION_H

#include <hiss/api.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HISS_VERSION_MAJOR 0
#define HISS_VERSION_MINOR 1
#define HISS_VERSION_PATCH 0

/** The version as one number that grows: 10000 major + 100 minor + patch. */
#define HISS_VERSION_NUMBER                                                    \
  (10000 * HISS_VERSION_MAJOR + 100 * HISS_VERSION_MINOR + HISS_VERSION_PATCH)

#define HISS_VERSION_QUOTE(number) #number
#define HISS_VERSION_JOIN(major, minor, patch)                                 \
  HISS_VERSION_QUOTE(major)                                                    \
  "." HISS_VERSION_QUOTE(minor) "." HISS_VERSION_QUOTE(patch)

/** The version of the headers as a text, "0.1.0". */
#define HISS_VERSION                                                           \
  HISS_VERSION_JOIN(HISS_VERSION_MAJOR, HISS_VERSION_MINOR, HISS_VERSION_PATCH)

/** The version of the library that is linked or loaded. */
HISS_API const char *hiss_version(void);

/** Instruction set of the inner loops: "avx512", "avx2" or "base". */
HISS_API const char *hiss_isa(void);

/** The libraries that hiss uses, "zlib 1.2.13, jansson 2.14, ...", with their
 * versions at run time; free it with hiss_free.  NULL if memory is short. */
HISS_API char *hiss_libraries(void);

#ifdef __cplusplus
}
#endif
#endif
