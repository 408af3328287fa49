/* ranks.h - one run shared by many processes (MPI).
 *
 * A program started by mpirun or srun joins the others once and requests
 * sharing in the settings of a run:
 *
 *     hiss_ranks_start(&err);
 *     settings.ranks = 1;
 *     hiss_sample(&result, model, sampler, &settings, &err);
 *     if (hiss_rank() == 0) ... the result; it is NULL on other ranks
 *     hiss_ranks_end();
 *
 * All ranks make the same calls with the same arguments.  Draws are those of
 * one process.  A fault of one rank is returned by hiss_sample on all. */
#ifndef HISS_RANKS_H
#define HISS_RANKS_H

#include <hiss/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Whether this library can share runs. */
HISS_API int hiss_ranks_supported(void);
/** The rank that the launcher gave this process, without joining.  -1 if there
 * is no launcher, it started a single process, or HISS_RANKS=off is set. */
HISS_API int hiss_ranks_launched(void);

/** Joins the processes that were started together.  Starts MPI unless the
 * program has done so.  Without a launcher it does nothing, and the process is
 * rank 0 of 1.  HISS_EUNSUP if there are others that cannot be joined.  From
 * then on only the calling thread may make runs. */
HISS_API hiss_status hiss_ranks_start(hiss_error *err);
/** Waits for the others to call it too, and ends MPI if it was started here. */
HISS_API void hiss_ranks_end(void);

/** The number of this process, from 0; 0 if nothing is shared. */
HISS_API int hiss_rank(void);
/** Number of processes that share; 1 if nothing is shared. */
HISS_API int hiss_rank_count(void);
/** The largest of all ranks' values; all ranks must call it. */
HISS_API int hiss_ranks_largest(int value);

#ifdef __cplusplus
}
#endif
#endif
