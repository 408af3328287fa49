/* older.h - names of samplers and options that were replaced.
 *
 * The old names still work, so that result files, checkpoints and scripts that
 * hold them can be read.  They are not listed, and what is printed has the new
 * names.  In specs that people write they will be refused from version 0.3. */
#ifndef HS_BASE_SPEC_OLDER_H
#define HS_BASE_SPEC_OLDER_H

/* The present name of what had this one; `name` itself if it was not
 * replaced. */
const char *hs_older_name(const char *name);

#endif
