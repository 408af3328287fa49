/* until.h - lengthens a run until its draws can be trusted. */
#ifndef CLI_ANSWER_UNTIL_H
#define CLI_ANSWER_UNTIL_H

#include <hiss/hiss.h>

#include <stdbool.h>

typedef struct cli_until {
    const hiss_model *model; /* borrowed */
    const hiss_sampler *sampler;
    hiss_settings *settings; /* settings of the run; a longer run changes
                                them */
    double most;             /* evaluations of all runs together */
    bool is_trusted;         /* the result at the end can be trusted */
    hiss_diagnosis *last;    /* owned by the caller: of the result in the end */
} cli_until;

/* Judges the result.  While it is not trusted, and a run of twice the length
 * fits into `most`, replaces it by the result of that run. */
hiss_status cli_until_trusted(cli_until *u, hiss_result **result,
                              hiss_error *err);

#endif
