/* ranks.h - the command as one of many processes that share a run.
 *
 * Rank 0 speaks; the others keep their messages to themselves until it is
 * clear which of them failed first. */
#ifndef HISS_CLI_ARGS_RANKS_H
#define HISS_CLI_ARGS_RANKS_H

#include <stdbool.h>

/* At the start: whether this process has to be silent. */
void cli_ranks_init(void);
/* Started together with others, but not the first of them. */
bool cli_ranks_is_other(void);

/* `hiss NAME` is no work for many: rank 0 says so and goes on. */
void cli_ranks_alone(const char *name);

/* Joins the others.  With them, *is_shared; without MPI rank 0 says that it
 * runs alone, and the others must leave: *is_idle. */
int cli_ranks_start(bool *is_shared, bool *is_idle);
/* A code that is not CLI_DONE on any rank becomes that of all, and its message
 * the only one. */
int cli_ranks_agree(int code);
/* Waits for all; what this process returns: only rank 0 says how it ended. */
int cli_ranks_end(int code);

#endif
