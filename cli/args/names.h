/* names.h - guesses the meaning of a misplaced word. */
#ifndef HISS_CLI_ARGS_NAMES_H
#define HISS_CLI_ARGS_NAMES_H

#include <stdbool.h>

/* "ising" and "ising(side=8)" are models, "gibbs" is a sampler. */
bool cli_is_model(const char *word);
bool cli_is_sampler(const char *word);

/* Whether the word is part of a spec that the shell has split: "side=8",
 * "beta=0.4)". */
bool cli_is_piece(const char *word);

#endif
