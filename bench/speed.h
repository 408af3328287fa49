/* speed.h - what bench_speed can be asked: one function per request.
 *
 * Each takes the words of a request and prints one line of numbers, seconds
 * first.  On failure it says why in the error and prints nothing. */
#ifndef BENCH_SPEED_H
#define BENCH_SPEED_H

#include <hiss/status.h>

enum {
    BENCH_WORDS = 8
};

typedef hiss_status bench_request(char *const *word, hiss_error *err);

bench_request bench_limit;   /* limits.c */
bench_request bench_probe;   /* probe.c */
bench_request bench_sample;  /* sample.c */
bench_request bench_network; /* network.c */
bench_request bench_cases;   /* network.c */
bench_request bench_scalar;  /* scalar.c */

/* Fills the error's message; for all failures that are the request's. */
hiss_status bench_fail(hiss_error *err, const char *text, const char *word);

/* A word as a number from 1 to 10^9; 0: it is none. */
long bench_number(const char *word);

#endif
