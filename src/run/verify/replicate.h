/* replicate.h - makes exact draws and moves each by a sampler, once or several
 * times.
 *
 * Replicate n is chain n: its replica at level j is drawn from the distribution
 * of level j by the random numbers of chain n, replica j. Then the sampler is
 * applied once at clock n * HS_REPLICATE_CLOCK.  Replicates are independent and
 * do not depend on batches or threads.
 *
 * A level is compared before and after.  If all levels have one distribution
 * (replicas at the target), a replica is compared, whatever its level: drawing
 * from another replica is no move.
 *
 * A batch is a group of 16 replicates.  A sampler whose lanes share random
 * choices (a site, a block, a component are the same for all chains of a step)
 * would make the 16 dependent, and counts of dependent replicates are not
 * multinomial. It gets batches of one, and because every replicate has its own
 * clock, the shared choices are drawn anew for each.
 *
 * A sampler with a cycle is tested in every position: batch b makes step number
 * b mod period, in every kernel of the tree.
 *
 * A common clock is like a run: the chains of per_clock batches share the
 * clock, the step number and every shared choice, make several steps one after
 * the other, and reuse what they know of their points. Given the shared choices
 * the chains are still independent, so their counts are multinomial if every
 * value of a choice keeps the distribution, and not only their average. Such
 * chains have numbers above those of the replicates and the pilot. */
#ifndef HS_RUN_VERIFY_REPLICATE_H
#define HS_RUN_VERIFY_REPLICATE_H

#include <stdint.h>

#include <hiss/status.h>

#include "exact/law.h"
#include "run/chain/group.h"

#define HS_REPLICATE_CLOCK (UINT64_C(1) << 16)
#define HS_REPLICATES_MAX  INT64_C(2000000000) /* reserved numbers are above */
#define HS_ROW_CLOCK       (UINT64_C(1) << 47) /* the first such clock */
#define HS_ROW_STEPS_MAX   65536
#define HS_ROW_TICKS       (UINT64_C(1) << 24) /* between two of them */

/* Data that all threads share. */
typedef struct hs_replication {
    const hs_exact *exact; /* borrowed */
    const hs_law *law;     /* borrowed, [levels] */
    int levels;
    int chains; /* replicates of a batch */
    bool is_shared;
    int64_t batches, period;
    uint64_t seed;
    int64_t steps;     /* steps in a row */
    int64_t per_clock; /* batches with a common clock; 0 if each has its own */
} hs_replication;

/* Data of one thread. */
typedef struct hs_replicator {
    hs_group *group; /* owned */
    int16_t *state;  /* owned, [dim] */
    uint32_t *drawn; /* owned, [chains][levels]: last drawn states */
    uint32_t *from;  /* owned, [chains][levels]: origin of each final state */
} hs_replicator;

hiss_status hs_replicator_init(hs_replicator *r, const hs_replication *shared,
                               const hs_model *m, const hs_sampler *sampler,
                               uint32_t first_chain, hiss_error *err);
void hs_replicator_clear(hs_replicator *r);

/* Index of the part, each of which must keep the distribution: phases of the
 * cycle, or clocks. */
int64_t hs_replication_part(const hs_replication *shared, int64_t b);
int64_t hs_replication_parts(const hs_replication *shared);

/* Number of batches of one clock that begin with b. */
int64_t hs_replication_together(const hs_replication *shared, int64_t b);

/* Draws batch b and applies the sampler; level j of replicate c ends in to[c *
 * levels + j], and its level 0 came from from[c]. */
hiss_status hs_replicator_run(hs_replicator *r, const hs_replication *shared,
                              int64_t b, uint32_t *from, uint32_t *to,
                              hiss_error *err);

/* The same if the steps in between are made elsewhere. */
void hs_replicator_begin(hs_replicator *r, const hs_replication *shared,
                         int64_t b);
hiss_status hs_replicator_end(hs_replicator *r, const hs_replication *shared,
                              int64_t b, uint32_t *from, uint32_t *to,
                              hiss_error *err);

/* Puts every level back to the replica of its number, with its tuning. */
void hs_replicate_send_home(hs_group *g);

#endif
