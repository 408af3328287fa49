/* kernel_pipe.h - a command that moves states, over its standard streams.
 *
 * One process for all calls.  For each it reads a line "N DIM SEED" and then N
 * states, and writes N states:
 *     binary  N * DIM doubles, little-endian, row by row
 *     text    N lines of DIM numbers, with blanks or commas between them
 * At the end its input is closed.  docs/judge.md has examples. */
#ifndef HISS_CLI_FILES_KERNEL_PIPE_H
#define HISS_CLI_FILES_KERNEL_PIPE_H

#include <hiss/hiss.h>

#include <stdbool.h>
#include <sys/types.h>

typedef struct cli_kernel_pipe {
    bool is_text;
    double seconds; /* most seconds of a call */
    pid_t pid;
    int to, from; /* file descriptors, -1 if closed */
    char *out;    /* owned: data to send */
    char *in;     /* owned: what came */
    size_t out_room, in_room;
    void (*pipe_signal)(int); /* SIGPIPE before */
} cli_kernel_pipe;

/* Starts it by the shell; false, with a message, if no process could start. */
bool cli_kernel_pipe_open(cli_kernel_pipe *p, const char *command,
                          hiss_error *err);

/* For hiss_kernel; context is the pipe. */
hiss_status cli_kernel_pipe_apply(void *context, int64_t n, int dim,
                                  uint32_t seed, const double *from, double *to,
                                  hiss_error *err);

/* Ends the process, by force if it does not end itself, and at once unless
 * is_fine.  False, with a message, if it has written too much. */
bool cli_kernel_pipe_close(cli_kernel_pipe *p, bool is_fine, hiss_error *err);

#endif
