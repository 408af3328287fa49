/* ranks.c - the command as one of several processes that share a run. */
#include "cli/args/ranks.h"

#include <hiss/hiss.h>

#include "cli/print/fail.h"

static int launched = -1; /* rank given by the launcher */

void cli_ranks_init(void)
{
    launched = hiss_ranks_launched();
    cli_fail_hold(launched > 0);
}

bool cli_ranks_is_other(void)
{
    return launched > 0;
}

void cli_ranks_alone(const char *name)
{
    if (launched == 0)
        cli_note("hiss %s is not shared between processes: rank 0 runs alone",
                 name);
}

int cli_ranks_start(bool *is_shared, bool *is_idle)
{
    hiss_error err = {0};
    hiss_status status;

    *is_shared = *is_idle = false;
    if (launched < 0)
        return CLI_DONE;
    if (!hiss_ranks_supported()) {
        *is_idle = launched > 0;
        cli_note("this hiss was built without MPI: rank 0 runs alone");
        return CLI_DONE;
    }
    status = hiss_ranks_start(&err);
    if (status != HISS_OK)
        return cli_fail_status(status, &err);
    *is_shared = hiss_rank_count() > 1;
    return CLI_DONE;
}

int cli_ranks_agree(int code)
{
    int count = hiss_rank_count(), rank = hiss_rank(), first;

    if (count == 1)
        return code;
    first = -hiss_ranks_largest(code == CLI_DONE ? -count : -rank);
    if (first == count)
        return CLI_DONE;
    if (rank == first)
        cli_fail_release();
    return hiss_ranks_largest(rank == first ? code : 0);
}

int cli_ranks_end(int code)
{
    hiss_ranks_end();
    return cli_ranks_is_other() ? CLI_DONE : code;
}
