/* ranks.h - the command as one of several processes that share a run.
 *
 * Rank 0 prints.  The others hold back their messages until it is known which
 * of them failed first. */
#ifndef HISS_CLI_ARGS_RANKS_H
#define HISS_CLI_ARGS_RANKS_H

#include <stdbool.h>

/* Call it at the start; returns whether this process must be silent. */
void cli_ranks_init(void);
/* Whether it was started together with others and is not the first of them. */
bool cli_ranks_is_other(void);

/* For commands that cannot be shared: rank 0 says so and goes on. */
void cli_ranks_alone(const char *name);

/* Joins the others.  *is_shared: they have joined.  Without MPI rank 0 says
 * that it runs alone, and the others must leave: *is_idle. */
int cli_ranks_start(bool *is_shared, bool *is_idle);
/* If any rank has a code other than CLI_DONE, all return it, and one message is
 * printed. */
int cli_ranks_agree(int code);
/* Waits for all; returns the exit code of this process.  Only rank 0 reports
 * the end. */
int cli_ranks_end(int code);

#endif
