/* trust.h - which files words from a file may open (hiss/trust.h). */
#ifndef HS_BASE_READ_TRUST_H
#define HS_BASE_READ_TRUST_H

#include <hiss/status.h>
#include <hiss/trust.h>

#include "base/spec/option.h"

/* A model that a file names may take so many bytes. */
#define HS_TRUST_BYTES ((int64_t)1 << 30)

/* The name under which a file may be opened, owned by the caller: `name` itself
 * where that leads to it from here.  `option` is how the user could name it. */
hiss_status hs_trust_file(const hiss_trust *t, const char *name,
                          const char *option, char **out, hiss_error *err);

/* Replaces every file in the fields of an options struct by what it may be
 * opened as.  Words that the table has as no files are left alone. */
hiss_status hs_trust_options(const hiss_trust *t, const hs_option *options,
                             void *target, hiss_error *err);

#endif
