/* kept.h - prints a verdict of `hiss verify`. */
#ifndef HISS_CLI_REPORT_KEPT_H
#define HISS_CLI_REPORT_KEPT_H

#include <hiss/hiss.h>

#include <stdbool.h>

/* All borrowed. */
typedef struct cli_kept {
    const hiss_model *model;
    const hiss_sampler
        *sampler;       /* of a kernel: the sampler that it claims to be, or
                           NULL */
    const char *kernel; /* the command, or NULL */
    const hiss_verdict *verdict;
} cli_kept;

/* Prints as text or JSON.  Returns the exit code: 0 if the distribution is
 * kept, by the claimed transitions, 4 if that is undecided, else 1. */
int cli_kept_print(const cli_kept *k, bool is_json);

#endif
