/* ranks.h - the processes of one run, and how they communicate.
 *
 * A set of ranks is NULL, or has size 1, in a process that runs alone: then
 * nothing here costs anything.  Every rank of a set makes the same calls in
 * the same order, from the thread that joined.  Waiting gives the processor
 * away.  A rank that is lost ends all of them (the launcher sees to that), so
 * that no call here can fail.
 *
 * Filled by mpi.c or, where there is no MPI, by no_mpi.c. */
#ifndef HS_RUN_COMM_RANKS_H
#define HS_RUN_COMM_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <hiss/status.h>

typedef struct hs_ranks {
    int rank, size;
    int local;    /* ranks of this machine */
    void *filler; /* owned by the filling */
} hs_ranks;

/* How a launcher started this process: false when none did, or when
 * HISS_RANKS=off.  A size that is not known is 0. */
bool hs_ranks_launched(int *rank, int *size);

/* The ranks that hs_ranks_start joined; NULL: this process runs alone. */
hs_ranks *hs_ranks_all(void);
/* Joins the others, if there are any; HISS_EUNSUP when they cannot be. */
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

/* The fault of the lowest rank that has one becomes that of all. */
hiss_status hs_ranks_agree(const hs_ranks *r, hiss_status status,
                           hiss_error *err);
/* Whether all ranks have the same number. */
bool hs_ranks_same(const hs_ranks *r, uint64_t number);

/* `size` bytes of one rank to all others. */
void hs_ranks_share(const hs_ranks *r, int from, void *bytes, size_t size);
/* The smallest of all ranks' values, each of `count` by itself. */
void hs_ranks_least(const hs_ranks *r, int *value, int count);
/* Parts of every rank to all: of their own sizes, at places of their own in
 * `all`, where each rank's own stands already. */
void hs_ranks_collect_parts(const hs_ranks *r, void *all, const int *size,
                            const int *at);
/* From one rank to another; sizes agree. */
void hs_ranks_send(const hs_ranks *r, int to, const void *bytes, size_t size);
void hs_ranks_receive(const hs_ranks *r, int from, void *bytes, size_t size);
void hs_ranks_wait(const hs_ranks *r);

/* Splits the ranks by color and keeps their order.  Collective.  A negative
 * color yields NULL in *out. */
hiss_status hs_ranks_split(hs_ranks **out, const hs_ranks *r, int color,
                           hiss_error *err);
void hs_ranks_destroy(hs_ranks *r);

/* For ranks.c: whether it can join, joins, and leaves what was joined. */
bool hs_ranks_supported(void);
hiss_status hs_ranks_join(hs_ranks **out, hiss_error *err);
void hs_ranks_leave(hs_ranks *r);

#endif
