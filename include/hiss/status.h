/* status.h - how a function of hiss says that it failed, and why.
 *
 * Every function that can fail returns a hiss_status and takes a hiss_error
 * last, which may be NULL.  The message says where, what is there and what was
 * expected; it starts in lower case and has no full stop. */
#ifndef HISS_STATUS_H
#define HISS_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#  define HISS_API __attribute__((visibility("default")))
#else
#  define HISS_API
#endif

/* name, what a program could do about it */
#define HISS_STATUS_LIST(X)                                                    \
  X(OK, "done")                                                                \
  X(ENOMEM, "out of memory")                                                   \
  X(EARG, "an argument, option or specification is wrong")                     \
  X(EPARSE, "a file is malformed")                                             \
  X(EIO, "a file could not be read or written")                                \
  X(EUNSUP, "this combination is not supported")                               \
  X(EPLUGIN, "a plug-in failed")                                               \
  X(ENUMERIC, "a model returned NaN or +infinity")                             \
  X(EINFEASIBLE, "no state of positive probability was found")                 \
  X(ELIMIT, "the problem is larger than this method allows")                   \
  X(ESTOP, "stopped on request")                                               \
  X(EINTERNAL, "a fault of hiss itself")                                       \
  X(EREFUSED, "a file asks for what only the user may ask for")

typedef enum hiss_status {
#define HISS_STATUS_ENUM(name, text) HISS_##name,
    HISS_STATUS_LIST(HISS_STATUS_ENUM)
#undef HISS_STATUS_ENUM
} hiss_status;

#define HISS_ERROR_MAX 1024

typedef struct hiss_error {
    hiss_status status;
    char message[HISS_ERROR_MAX];
} hiss_error;

/** One phrase for a status, never NULL. */
HISS_API const char *hiss_status_text(hiss_status status);

/** In place, '?' for every byte of a text that could steer a terminal: control
 * characters other than line ends and tabs, what is not UTF-8, and marks that
 * change the direction of writing.  Messages and what is read from results
 * have been through it. */
HISS_API void hiss_clean(char *text);

#ifdef __cplusplus
}
#endif
#endif
