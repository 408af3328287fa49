/* ranks.h - the processes of one run, and how they communicate.
 *
 * A set of ranks is NULL, or has size 1, in a process that runs alone; then
 * these calls cost nothing.  Every rank of a set makes the same calls in the
 * same order, from the thread that joined.  Waiting gives the processor away.
 * A lost rank ends all of them (the launcher does that), so no call here can
 * fail.  mpi.c implements it or, without MPI, no_mpi.c. */
#ifndef HS_RUN_COMM_RANKS_H
#define HS_RUN_COMM_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <hiss/status.h>

typedef struct hs_ranks {
    int rank, size;
    int local;    /* ranks on this machine */
    void *filler; /* owned by the implementation */
} hs_ranks;

/* Finds out how a launcher started this process: false if none did, or if
 * HISS_RANKS=off.  An unknown size is 0. */
bool hs_ranks_launched(int *rank, int *size);

/* The ranks that hs_ranks_start joined; NULL if this process runs alone. */
hs_ranks *hs_ranks_all(void);
/* Joins the others, if there are any; HISS_EUNSUP if that is impossible. */
hiss_status hs_ranks_start(hiss_error *err);
/* Waits for the others and leaves them. */
void hs_ranks_end(void);

static inline int hs_ranks_rank(const hs_ranks *r)
{
    return r ? r->rank : 0;
}

static inline int hs_ranks_size(const hs_ranks *r)
{
    return r ? r->size : 1;
}

/* Gives all ranks the fault of the lowest rank that has one. */
hiss_status hs_ranks_agree(const hs_ranks *r, hiss_status status,
                           hiss_error *err);
/* Whether all ranks have the same number. */
bool hs_ranks_same(const hs_ranks *r, uint64_t number);

/* Sends `size` bytes of one rank to all others. */
void hs_ranks_share(const hs_ranks *r, int from, void *bytes, size_t size);
/* Replaces each of `count` values by the smallest over all ranks. */
void hs_ranks_least(const hs_ranks *r, int *value, int count);
/* Sends the parts of every rank to all.  Parts have their own sizes and offsets
 * in `all`, where each rank's own part already is. */
void hs_ranks_collect_parts(const hs_ranks *r, void *all, const int *size,
                            const int *at);
/* Send from one rank to another; sizes must agree. */
void hs_ranks_send(const hs_ranks *r, int to, const void *bytes, size_t size);
void hs_ranks_receive(const hs_ranks *r, int from, void *bytes, size_t size);
void hs_ranks_wait(const hs_ranks *r);

/* Splits the ranks by color and keeps their order.  Collective.  A negative
 * color yields NULL in *out. */
hiss_status hs_ranks_split(hs_ranks **out, const hs_ranks *r, int color,
                           hiss_error *err);
void hs_ranks_destroy(hs_ranks *r);

/* For ranks.c: whether it can join; joins; leaves. */
bool hs_ranks_supported(void);
hiss_status hs_ranks_join(hs_ranks **out, hiss_error *err);
void hs_ranks_leave(hs_ranks *r);

#endif
