/* bulk.h - one large block: in memory or, where it would not fit, in a file
 * that has no name and is paged in and out as it is used.
 *
 * Draws are written once and read in order, so that a run may be larger than
 * memory at little cost.  The file lies in $TMPDIR, or /var/tmp; its space is
 * taken beforehand, so that a full disk is an error here and no fault later. */
#ifndef HS_BASE_READ_BULK_H
#define HS_BASE_READ_BULK_H

#include <stddef.h>

/* Zeroed, and in memory when it takes at most `most` bytes, or where there
 * is no disk for it; never more than half of the machine's memory.  *mapped
 * is what the others need to know.  NULL when there is neither memory nor
 * disk for it. */
void *hs_bulk_alloc(size_t count, size_t size, double most, size_t *mapped);
void hs_bulk_free(void *block, size_t mapped);

/* What is in a file may leave memory until it is used again. */
void hs_bulk_rest(void *block, size_t mapped);

/* For tests: another limit of what may be asked of memory; 0 restores it. */
void hs_bulk_set_limit(double bytes);

#endif
