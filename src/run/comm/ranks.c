/* ranks.c - detects the ranks, and lets them agree. */
#include "run/comm/ranks.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static hs_ranks *all; /* owned, or NULL */

/* Environment variables of launchers: rank, size.  Slurm also sets its own in
 * batch scripts, which are not ranks, so only those of its PMI count. */
static const char *const launchers[][2] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    {"PMI_RANK", "PMI_SIZE"},
    {"PMIX_RANK", "SLURM_STEP_NUM_TASKS"},
};

static bool number_of(const char *name, int *out)
{
    const char *text = getenv(name);
    char *end;
    long value;

    if (!text || !*text)
        return false;
    value = strtol(text, &end, 10);
    if (*end || value < 0 || value > 1 << 24)
        return false;
    *out = (int)value;
    return true;
}

bool hs_ranks_launched(int *rank, int *size)
{
    const char *wish = getenv("HISS_RANKS");

    *rank = 0;
    *size = 1;
    if (wish && strcmp(wish, "off") == 0)
        return false;
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
        if (number_of(launchers[i][0], rank)) {
            if (!number_of(launchers[i][1], size))
                *size = 0;
            return true;
        }
    return false;
}

hs_ranks *hs_ranks_all(void)
{
    return all;
}

hiss_status hs_ranks_start(hiss_error *err)
{
    int rank, size;

    if (all || !hs_ranks_launched(&rank, &size) || size == 1)
        return HISS_OK;
    HS_TRY(hs_ranks_join(&all, err));
    if (size == 0 || all->size == size)
        return HISS_OK;
    size = all->size;
    hs_ranks_end();
    return hs_fail(err, HISS_EUNSUP,
                   "the launcher of these processes is not that of the MPI "
                   "hiss was built with: %d of them were found; start them "
                   "with its mpirun, or apart with HISS_RANKS=off",
                   size);
}

void hs_ranks_end(void)
{
    if (!all)
        return;
    hs_ranks_wait(all);
    hs_ranks_leave(all);
    all = NULL;
}

hiss_status hs_ranks_agree(const hs_ranks *r, hiss_status status,
                           hiss_error *err)
{
    int size = hs_ranks_size(r);
    int first = status == HISS_OK ? size : hs_ranks_rank(r);
    hiss_error shared = {0};

    if (size == 1)
        return status;
    hs_ranks_least(r, &first, 1);
    if (first == size)
        return HISS_OK;
    if (err && status != HISS_OK)
        shared = *err;
    shared.status = status;
    hs_ranks_share(r, first, &shared, sizeof shared);
    if (err)
        *err = shared;
    return shared.status;
}

bool hs_ranks_same(const hs_ranks *r, uint64_t number)
{
    uint64_t first = number;
    int is_same = 1;

    if (hs_ranks_size(r) == 1)
        return true;
    hs_ranks_share(r, 0, &first, sizeof first);
    is_same = first == number;
    hs_ranks_least(r, &is_same, 1);
    return is_same;
}
