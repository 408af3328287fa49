/* limits.h - what a run in a process of its own may take. */
#ifndef HISS_ARENA_JUDGE_LIMITS_H
#define HISS_ARENA_JUDGE_LIMITS_H

#include <hiss/run.h>

#define LIMITS_GRACE 1.5 /* times the limit, until the process is killed */

/* Seconds of the processor, of this process and of those that it waited for. */
double limits_cpu(void);

/* The process may use so many seconds from now on.  One that uses LIMITS_GRACE
 * times as many is killed by the system (SIGXCPU), and one that sleeps by
 * SIGALRM. */
void limits_allow(double seconds);

/* For the progress of a run: stops it as soon as limits_cpu() is more than the
 * double that the context is. */
int limits_is_late(void *context, const hiss_progress *progress);

#endif
