/* nearest.h - which name was meant. */
#ifndef HISS_CLI_ARGS_NEAREST_H
#define HISS_CLI_ARGS_NEAREST_H

/* The nearest of names[0 .. count), or NULL when none is near enough: at most
 * a third of the longer of the two, rounded up, may be wrong. */
const char *cli_nearest(const char *given, const char *const *names, int count);

#endif
