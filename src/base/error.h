/* error.h - writes the one message of a failure. */
#ifndef HS_BASE_ERROR_H
#define HS_BASE_ERROR_H

#include <hiss/status.h>

#define HS_PRINTF(text, first) __attribute__((format(printf, text, first)))

/* Returns from the caller if the call fails.  Use it only if there is nothing
 * to clean up. */
#define HS_TRY(call)                                                           \
  do {                                                                         \
    hiss_status hs_try_status = (call);                                        \
    if (hs_try_status != HISS_OK)                                              \
      return hs_try_status;                                                    \
  } while (0)

/* Fills err (may be NULL) and returns status. */
hiss_status hs_fail(hiss_error *err, hiss_status status, const char *format,
                    ...) HS_PRINTF(3, 4);

/* Writes the message of a failed allocation; returns HISS_ENOMEM. */
hiss_status hs_fail_memory(hiss_error *err);

/* Puts "context: " before a message that is already there. */
void hs_error_prefix(hiss_error *err, const char *format, ...) HS_PRINTF(2, 3);

#endif
