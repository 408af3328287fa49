/* no_mpi.c - implements ranks.h in a library without MPI: there are no other
 * ranks. */
#include "base/error.h"
#include "run/comm/ranks.h"

bool hs_ranks_supported(void)
{
    return false;
}

hiss_status hs_ranks_join(hs_ranks **out, hiss_error *err)
{
    *out = NULL;
    return hs_fail(err, HISS_EUNSUP,
                   "this hiss was built without MPI and cannot share a run "
                   "between processes");
}

void hs_ranks_leave(hs_ranks *r)
{
    (void)r;
}

void hs_ranks_share(const hs_ranks *r, int from, void *bytes, size_t size)
{
    (void)r, (void)from, (void)bytes, (void)size;
}

void hs_ranks_least(const hs_ranks *r, int *value, int count)
{
    (void)r, (void)value, (void)count;
}

void hs_ranks_collect_parts(const hs_ranks *r, void *all, const int *size,
                            const int *at)
{
    (void)r, (void)all, (void)size, (void)at;
}

void hs_ranks_send(const hs_ranks *r, int to, const void *bytes, size_t size)
{
    (void)r, (void)to, (void)bytes, (void)size;
}

void hs_ranks_receive(const hs_ranks *r, int from, void *bytes, size_t size)
{
    (void)r, (void)from, (void)bytes, (void)size;
}

void hs_ranks_wait(const hs_ranks *r)
{
    (void)r;
}

hiss_status hs_ranks_split(hs_ranks **out, const hs_ranks *r, int color,
                           hiss_error *err)
{
    (void)r, (void)color, (void)err;
    *out = NULL;
    return HISS_OK;
}

void hs_ranks_destroy(hs_ranks *r)
{
    (void)r;
}
