/* ranks.c - one run shared by many processes. */
#include <hiss/ranks.h>

#include "run/comm/ranks.h"

int hiss_ranks_supported(void)
{
    return hs_ranks_supported();
}

int hiss_ranks_launched(void)
{
    int rank, size;

    return hs_ranks_launched(&rank, &size) && size != 1 ? rank : -1;
}

hiss_status hiss_ranks_start(hiss_error *err)
{
    return hs_ranks_start(err);
}

void hiss_ranks_end(void)
{
    hs_ranks_end();
}

int hiss_rank(void)
{
    return hs_ranks_rank(hs_ranks_all());
}

int hiss_rank_count(void)
{
    return hs_ranks_size(hs_ranks_all());
}

int hiss_ranks_largest(int value)
{
    int least = ~value; /* reverses the order and never overflows */

    hs_ranks_least(hs_ranks_all(), &least, 1);
    return ~least;
}
