/* mpi.c - ranks by MPI; the only file that uses it.
 *
 * Every call starts an operation and polls its end, first at once and then
 * after naps that grow to NAP_MOST.  So ranks that share a core do not take it
 * from each other, and those that work step by step (tiles of one group) do not
 * sleep much longer than necessary.  A fault of MPI ends all ranks, which is
 * its own default. */
#include <mpi.h>

#include <time.h>

#include "base/alloc.h"
#include "base/error.h"
#include "run/comm/ranks.h"

/* bytes of a message, because MPI counts in int */
#define PIECE     ((size_t)1 << 28)
#define SPINS     200    /* about 20 us */
#define NAP_LEAST 10000L /* ns */
#define NAP_MOST  2000000L
#define TAG       7

struct filler {
    MPI_Comm comm;
    bool is_ours; /* MPI was started here */
};

static MPI_Comm comm_of(const hs_ranks *r)
{
    return ((const struct filler *)r->filler)->comm;
}

static void nap(long ns)
{
    struct timespec t = {.tv_nsec = ns};

    nanosleep(&t, NULL);
}

/* Waits until the operation is over.  It does not use sched_yield, which gives
 * a process that computes on the same core some milliseconds each time. */
static void finish(MPI_Request *request)
{
    long pause = NAP_LEAST;
    int is_over = 0;

    for (int n = 0;; n++) {
        MPI_Test(request, &is_over, MPI_STATUS_IGNORE);
        if (is_over)
            return;
        if (n < SPINS)
            continue;
        nap(pause);
        pause += pause / 4;
        pause = pause < NAP_MOST ? pause : NAP_MOST;
    }
}

static hiss_status wrap(hs_ranks **out, MPI_Comm comm, bool is_ours,
                        hiss_error *err)
{
    hs_ranks *r = hs_alloc_array(1, sizeof *r);
    struct filler *f = hs_alloc_array(1, sizeof *f);

    *out = r;
    if (!r || !f) {
        hs_free(r);
        hs_free(f);
        *out = NULL;
        return hs_fail_memory(err);
    }
    *f = (struct filler){.comm = comm, .is_ours = is_ours};
    r->filler = f;
    MPI_Comm_rank(comm, &r->rank);
    MPI_Comm_size(comm, &r->size);
    r->local = 1;
    return HISS_OK;
}

bool hs_ranks_supported(void)
{
    return true;
}

hiss_status hs_ranks_join(hs_ranks **out, hiss_error *err)
{
    int is_started = 0, given = MPI_THREAD_FUNNELED;
    MPI_Comm comm, near;

    *out = NULL;
    MPI_Initialized(&is_started);
    if (!is_started &&
        MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given) != MPI_SUCCESS)
        return hs_fail(err, HISS_EUNSUP, "MPI could not be started");
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    HS_TRY(wrap(out, comm, !is_started, err));
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &near);
    MPI_Comm_size(near, &(*out)->local);
    MPI_Comm_free(&near);
    if (given >= MPI_THREAD_FUNNELED)
        return HISS_OK;
    hs_ranks_leave(*out);
    *out = NULL;
    return hs_fail(err, HISS_EUNSUP,
                   "this MPI does not allow threads beside the one that "
                   "communicates");
}

void hs_ranks_leave(hs_ranks *r)
{
    bool is_ours = ((const struct filler *)r->filler)->is_ours;

    hs_ranks_destroy(r);
    if (is_ours)
        MPI_Finalize();
}

hiss_status hs_ranks_split(hs_ranks **out, const hs_ranks *r, int color,
                           hiss_error *err)
{
    MPI_Comm comm;

    *out = NULL;
    MPI_Comm_split(comm_of(r), color < 0 ? MPI_UNDEFINED : color, r->rank,
                   &comm);
    if (comm == MPI_COMM_NULL)
        return HISS_OK;
    return wrap(out, comm, false, err);
}

void hs_ranks_destroy(hs_ranks *r)
{
    struct filler *f;

    if (!r)
        return;
    f = r->filler;
    MPI_Comm_free(&f->comm);
    hs_free(f);
    hs_free(r);
}

/* Size of the next message. */
static int piece_of(size_t left)
{
    return (int)(left < PIECE ? left : PIECE);
}

void hs_ranks_share(const hs_ranks *r, int from, void *bytes, size_t size)
{
    char *at = bytes;

    if (hs_ranks_size(r) == 1)
        return;
    for (size_t done = 0; done < size; done += PIECE) {
        MPI_Request request;

        MPI_Ibcast(at + done, piece_of(size - done), MPI_BYTE, from, comm_of(r),
                   &request);
        finish(&request);
    }
}

void hs_ranks_least(const hs_ranks *r, int *value, int count)
{
    MPI_Request request;

    if (hs_ranks_size(r) == 1)
        return;
    MPI_Iallreduce(MPI_IN_PLACE, value, count, MPI_INT, MPI_MIN, comm_of(r),
                   &request);
    finish(&request);
}

void hs_ranks_collect_parts(const hs_ranks *r, void *all, const int *size,
                            const int *at)
{
    MPI_Request request;

    if (hs_ranks_size(r) == 1)
        return;
    MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_BYTE, all, size, at, MPI_BYTE,
                    comm_of(r), &request);
    finish(&request);
}

void hs_ranks_send(const hs_ranks *r, int to, const void *bytes, size_t size)
{
    const char *at = bytes;

    for (size_t done = 0; done < size; done += PIECE) {
        MPI_Request request;

        MPI_Isend(at + done, piece_of(size - done), MPI_BYTE, to, TAG,
                  comm_of(r), &request);
        finish(&request);
    }
}

void hs_ranks_receive(const hs_ranks *r, int from, void *bytes, size_t size)
{
    char *at = bytes;

    for (size_t done = 0; done < size; done += PIECE) {
        MPI_Request request;

        MPI_Irecv(at + done, piece_of(size - done), MPI_BYTE, from, TAG,
                  comm_of(r), &request);
        finish(&request);
    }
}

void hs_ranks_wait(const hs_ranks *r)
{
    MPI_Request request;

    if (hs_ranks_size(r) == 1)
        return;
    MPI_Ibarrier(comm_of(r), &request);
    finish(&request);
}
