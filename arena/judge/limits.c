/* limits.c - what a run in a process of its own may take. */
#include "arena/judge/limits.h"

#include <math.h>
#include <sys/resource.h>
#include <unistd.h>

#define ASLEEP 20.0 /* seconds of the wall for one of the processor */

static double seconds_of(int who)
{
    struct rusage u;

    getrusage(who, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

double limits_cpu(void)
{
    return seconds_of(RUSAGE_SELF) + seconds_of(RUSAGE_CHILDREN);
}

void limits_allow(double seconds)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_CPU, &limit) == 0) {
        limit.rlim_cur =
            (rlim_t)ceil(limits_cpu() + LIMITS_GRACE * seconds + 1.0);
        setrlimit(RLIMIT_CPU, &limit);
    }
    alarm((unsigned)ceil(ASLEEP * seconds + 1.0));
}

int limits_is_late(void *context, const hiss_progress *progress)
{
    (void)progress;
    return limits_cpu() > *(const double *)context;
}
