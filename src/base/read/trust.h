/* trust.h - decides which files a name inside another file may open
 * (hiss/trust.h). */
#ifndef HS_BASE_READ_TRUST_H
#define HS_BASE_READ_TRUST_H

#include <hiss/status.h>
#include <hiss/trust.h>

#include "base/spec/option.h"

/* Largest size of a model that a file names, in bytes. */
#define HS_TRUST_BYTES ((int64_t)1 << 30)

/* Returns the name under which the file may be opened, owned by the caller:
 * `name` itself if it leads there from here.  `option` tells the message how
 * the user can name it. */
hiss_status hs_trust_file(const hiss_trust *t, const char *name,
                          const char *option, char **out, hiss_error *err);

/* Replaces every file name in the fields of an options struct by one that may
 * be opened.  Words that the table lists as no files stay. */
hiss_status hs_trust_options(const hiss_trust *t, const hs_option *options,
                             void *target, hiss_error *err);

#endif
