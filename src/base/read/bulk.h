/* bulk.h - one large block: in memory or, if it does not fit, in an unnamed
 * file that is paged in and out.
 *
 * Draws are written once and read in order, so a run may be larger than memory
 * at little cost.  The file is in $TMPDIR, or /var/tmp.  Its space is reserved
 * beforehand, so that a full disk is an error here and not a fault later. */
#ifndef HS_BASE_READ_BULK_H
#define HS_BASE_READ_BULK_H

#include <stddef.h>

/* Allocates a zeroed block.  It is in memory if it takes at most `most` bytes
 * or there is no disk for it, but never more than half of the machine's memory.
 * *mapped is an argument of the other functions.  NULL if neither memory nor
 * disk suffices. */
void *hs_bulk_alloc(size_t count, size_t size, double most, size_t *mapped);
void hs_bulk_free(void *block, size_t mapped);

/* Tells the system that the block may leave memory until its next use. */
void hs_bulk_rest(void *block, size_t mapped);

/* For tests: sets another memory limit; 0 restores it. */
void hs_bulk_set_limit(double bytes);

#endif
