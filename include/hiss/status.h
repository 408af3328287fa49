/* status.h - how a function of hiss reports a failure.
 *
 * Every function that can fail returns a hiss_status and takes a hiss_error
 * last, which may be NULL.  The message says where the fault is, what was found
 * and what was expected.  It starts in lower case and has no full stop. */
#ifndef HISS_STATUS_H
#define HISS_STATUS_H

#include <hiss/api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Name, number, and what a program can do about it.  Numbers never change; a
 * new status gets the next one. */
#define HISS_STATUS_LIST(X)                                                    \
  X(OK, 0, "done")                                                             \
  X(ENOMEM, 1, "out of memory")                                                \
  X(EARG, 2, "an argument, option or specification is wrong")                  \
  X(EPARSE, 3, "a file is malformed")                                          \
  X(EIO, 4, "a file could not be read or written")                             \
  X(EUNSUP, 5, "this combination is not supported")                            \
  X(EPLUGIN, 6, "a plug-in failed")                                            \
  X(ENUMERIC, 7, "a model returned NaN or +infinity")                          \
  X(EINFEASIBLE, 8, "no state of positive probability was found")              \
  X(ELIMIT, 9, "the problem is larger than this method allows")                \
  X(ESTOP, 10, "stopped on request")                                           \
  X(EINTERNAL, 11, "a fault of hiss itself")                                   \
  X(EREFUSED, 12, "a file asks for what only the user may ask for")

typedef enum hiss_status {
#define HISS_STATUS_ENUM(name, number, text) HISS_##name = number,
    HISS_STATUS_LIST(HISS_STATUS_ENUM)
#undef HISS_STATUS_ENUM
} hiss_status;

#define HISS_ERROR_MAX 1024

/** The reason of a failure; a successful call does not change it.  It is the
 * only caller's struct without a size, because it is on every stack, usually
 * without an initializer, and will never grow. */
typedef struct hiss_error {
    hiss_status status;
    char message[HISS_ERROR_MAX];
} hiss_error;

/** One phrase for a status, never NULL. */
HISS_API const char *hiss_status_text(hiss_status status);

/** Replaces, in place, every byte of a text that could steer a terminal by '?':
 * control characters other than line ends and tabs, invalid UTF-8, and marks
 * that change the direction of writing.  Messages and texts from results are
 * already clean. */
HISS_API void hiss_clean(char *text);

#define HISS_SUGGESTION_MAX 256

/** For a message about an unknown word: writes "; did you mean 'sampler' or
 * 'samples'?", with `before` and `after` around each name, or "" if no name is
 * similar.  `names` ends with NULL.  Names that begin with the word come first,
 * then those with a similar spelling.  Returns out, or NULL without a word or
 * names. */
HISS_API const char *hiss_suggestion(char out[HISS_SUGGESTION_MAX],
                                     const char *given,
                                     const char *const *names,
                                     const char *before, const char *after);

#ifdef __cplusplus
}
#endif
#endif
