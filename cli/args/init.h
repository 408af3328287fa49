/* init.h - the start of the chains: --init random|best|FILE. */
#ifndef HISS_CLI_ARGS_INIT_H
#define HISS_CLI_ARGS_INIT_H

#include <hiss/hiss.h>

/* Sets init or init_best of the settings, whose chains are known.  A FILE has
 * one state per line, its values separated by blanks or commas; '#' begins a
 * comment.  One line serves all chains, otherwise there is one for each.
 * *owned receives the array of settings->init; free() it after the run.
 * Returns CLI_DONE, or prints the message and returns its code. */
int cli_init_read(const char *word, const hiss_model *model,
                  hiss_settings *settings, double **owned);

#endif
