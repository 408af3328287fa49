/* older.h - former names of samplers and options.
 *
 * The old names still work, so that result files, checkpoints and scripts can
 * be read.  Lists and output have the new names only.  From version 0.3 specs
 * typed by a user will need the new names. */
#ifndef HS_BASE_SPEC_OLDER_H
#define HS_BASE_SPEC_OLDER_H

/* Returns the present name of a former one, or `name` itself. */
const char *hs_older_name(const char *name);

#endif
