/* law.h - how far draws are from a law that is known exactly. */
#ifndef HISS_CLI_COMPARE_LAW_H
#define HISS_CLI_COMPARE_LAW_H

#include <hiss/hiss.h>

#include <stdbool.h>

#define CLI_LAW_STATES 65536.0 /* up to so many, all are compared */

typedef struct cli_law {
    const hiss_model *model; /* borrowed */
    hiss_exact *exact;       /* owned; NULL: not known */
    bool has_states;         /* total variation of states, else of marginals */
    double log_z;
    /* a table of states that were seen, by their bytes */
    struct cli_law_entry *entry; /* owned, [room] */
    int room;
    int seen; /* states, of the last distance */
} cli_law;

/* The law of a model, if it can be had within some seconds. */
hiss_status cli_law_init(cli_law *law, const hiss_model *model, int threads,
                         hiss_error *err);
void cli_law_clear(cli_law *law);

/* "tvd" or "marginal_error"; NULL: the law is not known. */
const char *cli_law_metric(const cli_law *law);

/* Of draws 0 .. n-1 of `chains` chains from `first` on: total variation
 * distance between their frequencies and the law or, where there are too many
 * states, its mean over the marginals of all coordinates. */
double cli_law_distance(cli_law *law, const hiss_result *result, int first,
                        int chains, int64_t n);

#endif
