/* tally.h - counts the distinct states of draws. */
#ifndef HISS_CLI_ANSWER_TALLY_H
#define HISS_CLI_ANSWER_TALLY_H

#include <hiss/hiss.h>

#include <stdbool.h>
#include <stdint.h>

typedef struct cli_tally {
    int chains;
    int64_t samples;
    int64_t *kind;  /* owned, [chains * samples]: the state of each draw */
    int64_t *first; /* owned, [kinds]: index of a draw with this state */
    int64_t *count; /* owned, [kinds]: falling, ties in order of first use */
    int64_t kinds;
} cli_tally;

/* Renames labels in order of first use. */
void cli_tally_rename(double *state, int dim);

/* is_renamed: states that differ only in the names of their labels count as
 * one. */
void cli_tally_make(cli_tally *tally, const hiss_result *result,
                    bool is_renamed);
void cli_tally_clear(cli_tally *tally);

/* Writes the values of a state. */
void cli_tally_state(const cli_tally *tally, const hiss_result *result,
                     int64_t kind, bool is_renamed, double *state);

/* Computes the share of the draws with that state, and its standard error. */
void cli_tally_share(const cli_tally *tally, int64_t kind, double *share,
                     double *error);

#endif
